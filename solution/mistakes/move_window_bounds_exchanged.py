"""updates the wrong bound: MAX lowers beta and MIN raises alpha.

A better move raises alpha at a MAX root and lowers beta at a MIN root.

Line: other bound
Shows: best_move move
"""


def best_move(node, depth, maximizing):
    move = None
    alpha, beta = -math.inf, math.inf
    for child in node.children:
        score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        better = score > alpha if maximizing else score < beta
        if better:
            move = child
            if maximizing:
                beta = score
            else:
                alpha = score
    return move
