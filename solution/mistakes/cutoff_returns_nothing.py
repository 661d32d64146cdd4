"""returns without a value at a cutoff, so the parent receives None.

Return the best value found so far.

Line: jump in return
Shows: alphabeta raised type
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
                return
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                return
    return best
