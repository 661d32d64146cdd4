"""returns minus infinity at a MAX cutoff and plus infinity at a MIN cutoff.

Return the best value found so far: an infinity misleads the parent.

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
                return -math.inf
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                return math.inf
    return best
