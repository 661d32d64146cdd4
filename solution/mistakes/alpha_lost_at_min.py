"""gives children of MIN nodes alpha = -infinity, so deep cutoffs are lost.

Pass alpha on at MIN nodes too, because a MIN node two plies below needs it.

Line: name for number, window, turned window
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
