"""decreases depth inside the loop, so later children are searched less deeply.

Pass depth - 1 in the call, and do not change the node's own depth.

Line: before the loop
Shows: alphabeta missing no-leaf value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth <= 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            depth -= 1
            best = max(best, alphabeta(child, depth, alpha, beta, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            depth -= 1
            best = min(best, alphabeta(child, depth, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
