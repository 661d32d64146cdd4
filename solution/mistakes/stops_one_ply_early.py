"""stops at depth 1 instead of depth 0.

Evaluate at depth 0, because at depth 1 there is still one ply to search.

Line: comparison, number
Shows: alphabeta missing no-leaf value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth <= 1 or node.is_terminal():
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
