"""uses the other player's score in its negamax without negating it.

A good score for the other player is a bad score for you: negate it.

Changes: negamax
Line: sign
Shows: alphabeta value missing extra
"""


def mover_value(node, depth, alpha, beta, maximizing):
    """Return the value of `node` to the player who moves there."""
    if depth == 0 or node.is_terminal():
        return node.evaluate() if maximizing else -node.evaluate()
    best = -math.inf
    for child in node.children:
        score = mover_value(child, depth - 1, -beta, -alpha, not maximizing)
        best = max(best, score)
        alpha = max(alpha, best)
        if alpha >= beta:  # cutoff
            break
    return best
