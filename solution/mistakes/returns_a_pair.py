"""returns a pair of value and move, not a number.

Return only the value, and use pairs only inside a helper function.

Shows: alphabeta type
Derives: nothing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate(), None
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False)[0])
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True)[0])
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best, None
