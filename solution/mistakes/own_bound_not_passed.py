"""You do not pass the bound that a node itself improves on to its children.

At MAX nodes the children need your alpha, at MIN nodes your beta.

Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, -math.inf, beta, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, math.inf, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
