"""stops while alpha is still 1 below beta, as if all values were integers.

Compare alpha with beta itself, because a better value may lie between them.

Line: arithmetic in if
Shows: alphabeta missing value
Derives: nothing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
            if alpha >= beta - 1:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= beta - 1:  # cutoff
                break
    return best
