"""passes the window of its negamax to the other player unchanged.

Negate and exchange alpha and beta: the other player sees opposite signs.

Changes: negamax
Line: turned window
Shows: alphabeta extra missing
"""


def mover_value(node, depth, alpha, beta, maximizing):
    """Return the value of `node` to the player who moves there."""
    if depth == 0 or node.is_terminal():
        return node.evaluate() if maximizing else -node.evaluate()
    best = -math.inf
    for child in node.children:
        score = -mover_value(child, depth - 1, alpha, beta, not maximizing)
        best = max(best, score)
        alpha = max(alpha, best)
        if alpha >= beta:  # cutoff
            break
    return best
