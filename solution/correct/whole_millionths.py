"""Compares whole millionths, because no value has more than six decimals."""

MILLION = 10**6


def millionths(node):
    return round(node.evaluate() * MILLION)


def whole_value(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return millionths(node)
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score = whole_value(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best


def bound_in_millionths(bound):
    return bound if math.isinf(bound) else round(bound * MILLION)


def alphabeta(node, depth, alpha, beta, maximizing):
    alpha = bound_in_millionths(alpha)
    beta = bound_in_millionths(beta)
    return whole_value(node, depth, alpha, beta, maximizing) / MILLION
