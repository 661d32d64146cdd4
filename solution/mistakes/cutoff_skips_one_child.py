"""skips one child at a cutoff, and then continues its loop.

End the whole loop at a cutoff: none of the remaining children can matter.

Line: jump, missing return
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in (children := iter(node.children)):
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                next(children, None)
    else:
        best = math.inf
        for child in (children := iter(node.children)):
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                next(children, None)
    return best
