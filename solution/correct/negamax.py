"""Uses negamax: each player maximizes, and the window is negated and exchanged."""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    choose = max if maximizing else min
    return choose(minimax(child, depth - 1, not maximizing) for child in node.children)


def alphabeta(node, depth, alpha, beta, maximizing):
    if maximizing:
        return mover_value(node, depth, alpha, beta, True)
    return -mover_value(node, depth, -beta, -alpha, False)


def mover_value(node, depth, alpha, beta, maximizing):
    """Return the value of `node` to the player who moves there."""
    if depth == 0 or node.is_terminal():
        return node.evaluate() if maximizing else -node.evaluate()
    best = -math.inf
    for child in node.children:
        score = -mover_value(child, depth - 1, -beta, -alpha, not maximizing)
        best = max(best, score)
        alpha = max(alpha, best)
        if alpha >= beta:  # cutoff
            break
    return best
