"""treats an alpha or beta of 0 as an open bound.

In Python, 0 counts as false: compare a bound with None or an infinity.

Only: MAX MIN
Line: none, condition
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    alpha = alpha or -math.inf
    beta = beta or math.inf
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
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
