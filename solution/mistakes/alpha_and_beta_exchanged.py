"""passes the two bounds of a child in the wrong order.

Pass the lower bound of the child as its alpha, and the upper bound as its beta.

Line: arguments
Shows: alphabeta missing value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, beta, alpha, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, beta, alpha, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
