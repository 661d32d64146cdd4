"""Uses negamax with a colour, +1 for MAX and -1 for MIN, that multiplies values."""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    choose = max if maximizing else min
    return choose(minimax(child, depth - 1, not maximizing) for child in node.children)


def alphabeta(node, depth, alpha, beta, maximizing):
    if maximizing:
        return mover_value(node, depth, alpha, beta, 1)
    return -mover_value(node, depth, -beta, -alpha, -1)


def mover_value(node, depth, alpha, beta, colour):
    if depth == 0 or node.is_terminal():
        return colour * node.evaluate()
    best = -math.inf
    for child in node.children:
        score = -mover_value(child, depth - 1, -beta, -alpha, -colour)
        best = max(best, score)
        alpha = max(alpha, best)
        if alpha >= beta:  # cutoff
            break
    return best
