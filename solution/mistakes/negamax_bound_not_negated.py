"""raises the lower bound of negamax with the child's score, not its negative.

A child's score is the opponent's. Negate it before you compare it with a bound.

Changes: negamax_colour
Line: sign, name
Shows: alphabeta value extra missing
"""


def mover_value(node, depth, alpha, beta, colour):
    if depth == 0 or node.is_terminal():
        return colour * node.evaluate()
    best = -math.inf
    for child in node.children:
        score = mover_value(child, depth - 1, -beta, -alpha, -colour)
        best = max(best, -score)
        alpha = max(alpha, score)
        if alpha >= beta:  # cutoff
            break
    return best
