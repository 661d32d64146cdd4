"""passes every child the alpha and beta that the node itself received.

Raise alpha at MAX nodes, lower beta at MIN nodes, and pass them to the next child.

Line: missing update, missing update by player, window
Shows: alphabeta extra
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            if best >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            if best <= alpha:  # cutoff
                break
    return best
