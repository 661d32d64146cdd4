"""tests the value against alpha at MIN nodes, but never lowers beta.

After each child of a MIN node, lower beta, because the cutoffs of MAX need it.

Denies: lowers beta
Line: missing update, other bound, assignment
Shows: alphabeta extra
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
            if alpha >= best:  # cutoff
                break
    return best
