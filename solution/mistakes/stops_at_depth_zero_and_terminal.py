"""evaluates a node only if it is terminal and the depth is exactly 0.

A node is a leaf of the search if either condition is true: write or.

Line: condition in if
Shows: alphabeta missing value extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 and node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
