"""Updates one window from move to move, only on a strict improvement."""


def best_move(node, depth, maximizing):
    move = None
    alpha, beta = -math.inf, math.inf
    for child in node.children:
        score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        better = score > alpha if maximizing else score < beta
        if better:
            move = child
            if maximizing:
                alpha = score
            else:
                beta = score
    return move
