"""cuts off only at MAX nodes, so it searches all children of MIN nodes.

Test for a cutoff in the MIN loop, as in the MAX loop.

Denies: tests the window
Line: missing cutoff, indentation in if
Shows: alphabeta extra
Points: 50 to 75
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
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
    return best
