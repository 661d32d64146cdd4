"""Fail-hard: uses alpha and beta as the best values, and returns them.

Convention: equality
"""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    values = [minimax(child, depth - 1, not maximizing) for child in node.children]
    return max(values) if maximizing else min(values)


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        for child in node.children:
            alpha = max(alpha, alphabeta(child, depth - 1, alpha, beta, False))
            if alpha >= beta:  # cutoff
                return beta
        return alpha
    for child in node.children:
        beta = min(beta, alphabeta(child, depth - 1, alpha, beta, True))
        if alpha >= beta:  # cutoff
            return alpha
    return beta


def best_move(node, depth, maximizing):
    values = [
        alphabeta(child, depth - 1, -math.inf, math.inf, not maximizing)
        for child in node.children
    ]
    best = max(values) if maximizing else min(values)
    return node.children[values.index(best)]
