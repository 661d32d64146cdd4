"""passes a child only its parent's bound, so deep cutoffs are lost.

Pass both alpha and beta down: a grandparent's bound prunes, too.

Line: name for number, window, turned window
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, math.inf, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, -math.inf, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
