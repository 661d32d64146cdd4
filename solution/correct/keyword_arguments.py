"""Passes all arguments by keyword, and has defaults for the window."""

from math import inf


def minimax(node, depth, maximizing):
    if not depth or node.is_terminal():
        return node.evaluate()
    choose = max if maximizing else min
    return choose(
        minimax(child, maximizing=not maximizing, depth=depth - 1)
        for child in node.children
    )


def alphabeta(node, depth, alpha=-inf, beta=+inf, maximizing=True):
    if not depth or node.is_terminal():
        return node.evaluate()
    best = -inf if maximizing else inf
    for child in node.children:
        score = alphabeta(
            child, depth=depth - 1, beta=beta, alpha=alpha, maximizing=not maximizing
        )
        if maximizing:
            best = max(best, score)
            alpha = max(alpha, score)
        else:
            best = min(best, score)
            beta = min(beta, score)
        if beta <= alpha:  # cutoff
            break
    return best


def best_move(node, depth, maximizing):
    def score(child):
        return alphabeta(child, depth=depth - 1, maximizing=not maximizing)

    return (max if maximizing else min)(node.children, key=score)
