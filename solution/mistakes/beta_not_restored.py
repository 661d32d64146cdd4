"""lowers beta at MIN nodes, but does not restore it for the parent.

Restore the bound that a node has changed, or pass alpha and beta as arguments.

Shows: alphabeta value missing
Line: nothing, restored
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    global lower, upper
    lower, upper = alpha, beta
    return search(node, depth, maximizing)


def search(node, depth, maximizing):
    global lower, upper
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    old_lower = lower
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
    lower = old_lower
    return best
