"""searches later children with a window of width 1 and never searches them again.

Such a search returns only a bound: search each child with your alpha and beta.

Shows: alphabeta missing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            bound = beta if best == -math.inf else alpha + 1
            best = max(best, alphabeta(child, depth - 1, alpha, bound, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            bound = alpha if best == math.inf else beta - 1
            best = min(best, alphabeta(child, depth - 1, bound, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
