"""Folds over the children with functools.reduce."""

from functools import reduce


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    scores = (minimax(child, depth - 1, not maximizing) for child in node.children)
    return reduce(max if maximizing else min, scores)


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()

    def step(state, child):
        best, alpha, beta = state
        if alpha >= beta:  # cutoff
            return state
        score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            return max(best, score), max(alpha, score), beta
        return min(best, score), alpha, min(beta, score)

    start = (-math.inf if maximizing else math.inf, alpha, beta)
    return reduce(step, node.children, start)[0]


def best_move(node, depth, maximizing):
    scores = [minimax(child, depth - 1, not maximizing) for child in node.children]
    better = max if maximizing else min
    return node.children[scores.index(reduce(better, scores))]
