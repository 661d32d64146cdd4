"""best_move shares alpha between moves and takes a pruned move's bound for a tie.

Keep a new move only if it is strictly better: at a cutoff you know just a bound.

Strict course: best_move shares alpha between moves and keeps a later move on a tie.
Strict course: Keep a new move only if it is strictly better: the leftmost of equals counts.
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
