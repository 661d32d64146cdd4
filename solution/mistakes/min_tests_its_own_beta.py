"""tests MIN nodes for a cutoff with their own bound, beta, not with alpha.

At a MIN node, stop when the best value is at most alpha.

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
            alpha = max(alpha, best)
            if best >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            if beta >= best:  # cutoff
                break
            beta = min(beta, best)
    return best
