"""lowers beta at MAX nodes and raises alpha at MIN nodes.

MAX nodes update only alpha, and MIN nodes update only beta.

Line: other bound
Shows: alphabeta missing extra value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    return best
