"""Moves each step into a small helper function."""


def finished(node, depth):
    return depth == 0 or node.is_terminal()


def worst(maximizing):
    return -math.inf if maximizing else math.inf


def better(a, b, maximizing):
    return a > b if maximizing else a < b


def choose(a, b, maximizing):
    return max(a, b) if maximizing else min(a, b)


def narrowed(alpha, beta, best, maximizing):
    return (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))


def closed(alpha, beta):
    return alpha >= beta  # cutoff


def minimax(node, depth, maximizing):
    if finished(node, depth):
        return node.evaluate()
    best = worst(maximizing)
    for child in node.children:
        best = choose(best, minimax(child, depth - 1, not maximizing), maximizing)
    return best


def alphabeta(node, depth, alpha, beta, maximizing):
    if finished(node, depth):
        return node.evaluate()
    best = worst(maximizing)
    for child in node.children:
        score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        best = choose(best, score, maximizing)
        alpha, beta = narrowed(alpha, beta, best, maximizing)
        if closed(alpha, beta):
            break
    return best


def best_move(node, depth, maximizing):
    move, best = None, worst(maximizing)
    for child in node.children:
        score = minimax(child, depth - 1, not maximizing)
        if better(score, best, maximizing):
            move, best = child, score
    return move
