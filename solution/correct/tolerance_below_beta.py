"""Subtracts a tolerance of 10**-9 from beta, and adds it to the best value so far.

Convention: equality
"""

NEAR = 1e-9


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
        if alpha > beta - NEAR:
            break
    return best


def best_move(node, depth, maximizing):
    best = move = None
    for child in node.children:
        value = minimax(child, depth - 1, not maximizing)
        if not maximizing:
            value = -value
        if move is None or value >= best + NEAR:
            best, move = value, child
    return move
