"""passes every child a full window, so the bounds from above are lost.

Pass the current alpha and beta to the child.

Line: name for number, window, turned window
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, -math.inf, math.inf, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, -math.inf, math.inf, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
