"""negates alpha and beta in its negamax but does not exchange them.

Your -beta is the lower bound of the other player: negate and exchange.

Changes: negamax
Line: arguments, turned window
Shows: alphabeta missing value
"""


def mover_value(node, depth, alpha, beta, maximizing):
    """Return the value of `node` to the player who moves there."""
    if depth == 0 or node.is_terminal():
        return node.evaluate() if maximizing else -node.evaluate()
    best = -math.inf
    for child in node.children:
        score = -mover_value(child, depth - 1, -alpha, -beta, not maximizing)
        best = max(best, score)
        alpha = max(alpha, best)
        if alpha >= beta:  # cutoff
            break
    return best
