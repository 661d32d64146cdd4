"""Recurses over the children too: the first child, then the remaining children."""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    return best_of(node.children, depth - 1, maximizing)


def best_of(children, depth, maximizing):
    first, *rest = children
    score = minimax(first, depth, not maximizing)
    if not rest:
        return score
    other = best_of(rest, depth, maximizing)
    return max(score, other) if maximizing else min(score, other)


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    worst = -math.inf if maximizing else math.inf
    return siblings(node.children, depth - 1, alpha, beta, maximizing, worst)


def siblings(children, depth, alpha, beta, maximizing, best):
    if not children or alpha >= beta:  # cutoff
        return best
    score = alphabeta(children[0], depth, alpha, beta, not maximizing)
    if maximizing:
        best = max(best, score)
        return siblings(children[1:], depth, max(alpha, best), beta, True, best)
    best = min(best, score)
    return siblings(children[1:], depth, alpha, min(beta, best), False, best)
