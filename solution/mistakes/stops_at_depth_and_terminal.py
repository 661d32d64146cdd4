"""evaluates a node only if depth is 0 and the node is terminal.

Either condition is enough to stop the search.

Line: condition in if
Shows: alphabeta missing value extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth <= 0 and node.is_terminal():
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
