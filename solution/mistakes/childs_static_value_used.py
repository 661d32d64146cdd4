"""judges a child by evaluate() instead of searching it.

Call alphabeta for each child: the static value is the answer only at a leaf.

Shows: alphabeta missing no-leaf value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, child.evaluate())
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, child.evaluate())
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
