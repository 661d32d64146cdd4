"""improves the bound of a node but does not pass it on to the children.

Pass the updated alpha at MAX nodes and the updated beta at MIN nodes.

Line: name for number, window, turned window
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, -math.inf, beta, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, math.inf, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
