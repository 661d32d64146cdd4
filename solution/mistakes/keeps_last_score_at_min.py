"""overwrites the best value with each child's value at MIN nodes.

At MIN nodes, store the smaller of the best value and the child's value.

Line: better value
Shows: alphabeta value missing
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
            best = alphabeta(child, depth - 1, alpha, beta, True)
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
