"""returns 0 instead of the best value at a cutoff.

At a cutoff, return the best value found so far.

Line: jump in return, name for number in return
Shows: alphabeta value missing
Derives: nothing
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
                return 0
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                return 0
    return best
