"""passes the colour of its negamax on unchanged.

The colour changes sign with every ply.

Changes: negamax_colour
Shows: alphabeta value extra missing
Line: sign
"""


def mover_value(node, depth, alpha, beta, colour):
    if depth == 0 or node.is_terminal():
        return colour * node.evaluate()
    best = -math.inf
    for child in node.children:
        score = -mover_value(child, depth - 1, -beta, -alpha, colour)
        best = max(best, score)
        alpha = max(alpha, best)
        if alpha >= beta:  # cutoff
            break
    return best
