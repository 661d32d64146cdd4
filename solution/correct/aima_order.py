"""Tests the value against the other bound first, then updates its own bound."""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    v = -math.inf if maximizing else math.inf
    for child in node.children:
        if maximizing:
            v = max(v, minimax(child, depth - 1, False))
        else:
            v = min(v, minimax(child, depth - 1, True))
    return v


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        v = -math.inf
        for child in node.children:
            v = max(v, alphabeta(child, depth - 1, alpha, beta, False))
            if v >= beta:  # cutoff
                return v
            alpha = max(alpha, v)
        return v
    v = math.inf
    for child in node.children:
        v = min(v, alphabeta(child, depth - 1, alpha, beta, True))
        if v <= alpha:  # cutoff
            return v
        beta = min(beta, v)
    return v


def best_move(node, depth, maximizing):
    best, alpha, beta = None, -math.inf, math.inf
    for child in node.children:
        v = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        if maximizing and (best is None or v > alpha):
            best, alpha = child, v
        elif not maximizing and (best is None or v < beta):
            best, beta = child, v
    return best
