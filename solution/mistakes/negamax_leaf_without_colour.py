"""forgets the sign of the player to move at the leaves of its negamax.

At a leaf, multiply by the colour, or negate the value if MIN is to move.

Changes: negamax_colour
Line: sign of the player
Shows: alphabeta value extra missing
"""


def mover_value(node, depth, alpha, beta, colour):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = -math.inf
    for child in node.children:
        score = -mover_value(child, depth - 1, -beta, -alpha, -colour)
        best = max(best, score)
        alpha = max(alpha, best)
        if alpha >= beta:  # cutoff
            break
    return best
