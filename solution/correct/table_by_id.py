"""Caches values by id(node) within one search, and functions by lru_cache."""

from functools import lru_cache


def minimax(node, depth, maximizing):
    @lru_cache(maxsize=None)  # noqa: UP033
    def value_of(node, depth, maximizing):
        if depth == 0 or node.is_terminal():
            return node.evaluate()
        choose = max if maximizing else min
        return choose(value_of(child, depth - 1, not maximizing) for child in node.children)

    return value_of(node, depth, maximizing)


def alphabeta(node, depth, alpha, beta, maximizing):
    @lru_cache(maxsize=None)  # noqa: UP033
    def value_of(node, depth, alpha, beta, maximizing):
        if depth == 0 or node.is_terminal():
            return node.evaluate()
        best = -math.inf if maximizing else math.inf
        for child in node.children:
            score = value_of(child, depth - 1, alpha, beta, not maximizing)
            if maximizing:
                best = max(best, score)
                alpha = max(alpha, best)
            else:
                best = min(best, score)
                beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
        return best

    return value_of(node, depth, alpha, beta, maximizing)


def best_move(node, depth, maximizing):
    known = {}
    for child in node.children:
        known[id(child)] = minimax(child, depth - 1, not maximizing)
    choose = max if maximizing else min
    return choose(node.children, key=lambda child: known[id(child)])
