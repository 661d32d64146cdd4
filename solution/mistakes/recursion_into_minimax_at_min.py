"""searches below MIN nodes by plain minimax, so nothing there is pruned.

Call alphabeta for the children of MIN nodes too, with alpha and beta.

Line: recursive call
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
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, minimax(child, depth - 1, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
