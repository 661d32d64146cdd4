"""raises beta at MAX and lowers alpha at MIN: both are the wrong bound.

MAX nodes must raise alpha, and MIN nodes must lower beta.

Line: other bound
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            beta = max(beta, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            alpha = min(alpha, best)
            if alpha >= beta:  # cutoff
                break
    return best
