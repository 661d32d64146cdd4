"""has a MIN branch that is a copy of the MAX branch and takes the larger value.

At MIN nodes, take the smaller of the two values with min().

Shows: alphabeta value missing
Line: nothing
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
            best = max(best, alphabeta(child, depth - 1, alpha, beta, True))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    return best
