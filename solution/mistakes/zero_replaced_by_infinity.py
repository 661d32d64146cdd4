"""writes `value or infinity`, which turns a value of 0 into an infinity.

In Python, 0 counts as false: compare with None, or use the value unchanged.

Line: condition
Shows: alphabeta value missing extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False) or -math.inf)
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True) or math.inf)
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
