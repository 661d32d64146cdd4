"""Tests with a null window if a later move is better, then searches it again."""


def best_move(node, depth, maximizing):
    move, best = None, None
    for child in node.children:
        if move is not None:
            if maximizing:
                alpha, beta = best, math.nextafter(best, math.inf)
            else:
                alpha, beta = math.nextafter(best, -math.inf), best
            score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
            if score <= best if maximizing else score >= best:
                continue
        move = child
        best = alphabeta(child, depth - 1, -math.inf, math.inf, not maximizing)
    return move
