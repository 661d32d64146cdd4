"""tests for the cutoff before it updates the bound.

Update the bound with the child's value first, or the cutoff comes a child late.

Line: order
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            if alpha >= beta:  # cutoff
                break
            alpha = max(alpha, best)
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            if alpha >= beta:  # cutoff
                break
            beta = min(beta, best)
    return best
