"""exchanges alpha and beta in its negamax but does not negate them.

The other player sees every value with the opposite sign: negate both bounds too.

Changes: negamax
Line: sign, turned window
Shows: alphabeta missing value
Derives: nothing
"""


def negamax(node, depth, alpha, beta, maximizing):
    """Return the value of `node` to the player who moves there."""
    if depth == 0 or node.is_terminal():
        return node.evaluate() if maximizing else -node.evaluate()
    best = -math.inf
    for child in node.children:
        score = -negamax(child, depth - 1, beta, alpha, not maximizing)
        best = max(best, score)
        alpha = max(alpha, best)
        if alpha >= beta:  # cutoff
            break
    return best
