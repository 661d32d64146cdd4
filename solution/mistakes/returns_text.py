"""returns a string instead of a number.

Return the number itself, and convert it to a string only when you print it.

Shows: alphabeta type
Derives: nothing
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return str(node.evaluate())
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, float(alphabeta(child, depth - 1, alpha, beta, False)))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, float(alphabeta(child, depth - 1, alpha, beta, True)))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return str(best)
