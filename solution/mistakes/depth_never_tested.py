"""stops only at terminals and ignores the depth.

Evaluate at depth 0 too: that is what limits the depth of the search.

Denies: tests the depth
Line: leaf test
Shows: alphabeta missing extra value
Points: 60 to 70
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if node.is_terminal():
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
