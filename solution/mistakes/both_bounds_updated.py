"""updates both alpha and beta at a node, so the window closes at once.

A MAX node updates only alpha, and a MIN node updates only beta.

Shows: alphabeta missing value
Line: condition on the player, statement of a player, other bound
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    return best
