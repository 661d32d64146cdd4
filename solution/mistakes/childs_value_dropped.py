"""never uses the results of its recursive calls.

Compare the returned value with the best value, and store the better one.

Line: better value
Shows: alphabeta value extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            alphabeta(child, depth - 1, alpha, beta, False)
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            alphabeta(child, depth - 1, alpha, beta, True)
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
