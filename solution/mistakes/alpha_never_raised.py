"""tests the value against beta at MAX nodes, but never raises alpha.

After each child of a MAX node, raise alpha, because the cutoffs of MIN need it.

Denies: raises alpha
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
            if best >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= best:  # cutoff
                break
    return best
