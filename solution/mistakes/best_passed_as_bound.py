"""passes its best value as alpha or beta, even when the given bound is tighter.

Pass the tighter of the given bound and the best value to each child.

Line: tighter bound, missing update
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, best, beta, False))
            if best >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, best, True))
            if best <= alpha:  # cutoff
                break
    return best
