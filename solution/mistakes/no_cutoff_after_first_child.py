"""tests for no cutoff after the first child of a node.

Test for the cutoff after every child, even the first, before you search the next.

Changes: negamax_colour
Denies: tests the window
Line: missing cutoff
Shows: alphabeta extra
"""


def mover_value(node, depth, alpha, beta, colour):
    if depth == 0 or node.is_terminal():
        return colour * node.evaluate()
    first, *others = node.children
    best = -mover_value(first, depth - 1, -beta, -alpha, -colour)
    alpha = max(alpha, best)
    for child in others:
        score = -mover_value(child, depth - 1, -beta, -alpha, -colour)
        best = max(best, score)
        alpha = max(alpha, best)
        if alpha >= beta:  # cutoff
            break
    return best
