"""shares one alpha and one beta among all nodes and never restores them.

Every call needs its own window: pass alpha and beta as arguments.

Line: copy, recursive call
Shows: alphabeta missing value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    global lower, upper
    lower, upper = alpha, beta
    return search(node, depth, maximizing)


def search(node, depth, maximizing):
    global lower, upper
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, search(child, depth - 1, False))
            lower = max(lower, best)
            if lower >= upper:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, search(child, depth - 1, True))
            upper = min(upper, best)
            if lower >= upper:  # cutoff
                break
    return best
