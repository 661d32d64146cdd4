"""prunes only interior nodes, never the leaves of the last ply.

Test for the cutoff at every depth, even one ply above the leaves.

Line: comparison in if, number in if, condition in if, cutoff
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
            if depth != 1 and alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if depth != 1 and alpha >= beta:  # cutoff
                break
    return best
