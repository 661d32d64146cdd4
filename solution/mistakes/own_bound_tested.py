"""tests for a cutoff with the node's own bound, not with the other player's.

Test the value against beta at MAX nodes, and against alpha at MIN nodes.

Line: cutoff, name in if
Shows: alphabeta missing value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            if best >= alpha:  # cutoff
                break
            alpha = max(alpha, best)
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            if best <= beta:  # cutoff
                break
            beta = min(beta, best)
    return best
