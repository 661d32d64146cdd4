"""Strictly fail-hard: clamps every result to the window, even that of a leaf.

Convention: equality
"""

from math import inf


def minimax(node, depth, maximizing):
    return alphabeta_without_window(node, depth, maximizing)


def alphabeta_without_window(node, depth, maximizing):
    if node.is_terminal() or depth <= 0:
        return node.evaluate()
    choose = max if maximizing else min
    return choose(
        alphabeta_without_window(child, depth - 1, not maximizing)
        for child in node.children
    )


def alphabeta(node, depth, alpha, beta, maximizing):
    if node.is_terminal() or depth <= 0:
        return max(alpha, min(beta, node.evaluate()))
    for child in node.children:
        score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            alpha = max(alpha, score)
        else:
            beta = min(beta, score)
        if alpha >= beta:  # cutoff
            break
    return alpha if maximizing else beta


def best_move(node, depth, maximizing):
    def score(child):
        return alphabeta(child, depth - 1, -inf, inf, not maximizing)

    return (max if maximizing else min)(node.children, key=score)
