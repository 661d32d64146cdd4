"""narrows the window after a move, but also takes moves that only equal the best.

Take a new move only if it is strictly better: a cutoff returns just a bound.

Strict course: narrows the window after a move and takes the later move on a tie.
Strict course: Take a new move only if it is strictly better: the leftmost best move counts.
Line: comparison
Shows: best_move move
"""


def best_move(node, depth, maximizing):
    move = None
    alpha, beta = -math.inf, math.inf
    for child in node.children:
        score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        better = score >= alpha if maximizing else score <= beta
        if better:
            move = child
            if maximizing:
                alpha = score
            else:
                beta = score
    return move
