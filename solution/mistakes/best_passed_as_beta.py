"""passes its best value as beta at MIN nodes, even when beta is lower.

Pass the smaller of beta and the best value to each child of a MIN node.

Line: tighter bound, missing update
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
            best = min(best, alphabeta(child, depth - 1, alpha, best, True))
            if best <= alpha:  # cutoff
                break
    return best
