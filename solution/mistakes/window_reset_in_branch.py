"""resets alpha and beta to the infinities at every node.

Use the window that the caller passes.

Line: name for number, dropped
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    alpha, beta = -math.inf, math.inf
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
