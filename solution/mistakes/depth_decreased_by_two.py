"""decreases the depth by two for each child.

Pass depth - 1 to each child.

Line: number in assignment, number in return
Shows: alphabeta missing no-leaf value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth <= 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 2, alpha, beta, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 2, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
