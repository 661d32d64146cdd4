"""Adds a tolerance of 10**-9 to alpha, and takes near values for equal.

Convention: equality
"""

NEAR = 1e-9


def is_better(score, best, maximizing):
    if maximizing:
        return score > best + NEAR
    return score < best - NEAR


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = None
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        if best is None or is_better(score, best, maximizing):
            best = score
    return best


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha + NEAR > beta:
            break
    return best


def best_move(node, depth, maximizing):
    value = minimax(node, depth, maximizing)
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        if math.isclose(score, value) or abs(score - value) < NEAR:
            return child
