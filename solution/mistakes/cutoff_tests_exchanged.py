"""tests MAX nodes against alpha and MIN nodes against beta: exchange the two.

A MAX node is cut off by beta and a MIN node by alpha.

Line: cutoff, name in if
Shows: alphabeta missing extra value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            if best <= alpha:  # cutoff
                break
            alpha = max(alpha, best)
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            if best >= beta:  # cutoff
                break
            beta = min(beta, best)
    return best
