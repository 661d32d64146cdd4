"""Uses two functions, max_value and min_value, that call each other."""


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    choose = max if maximizing else min
    return choose(minimax(child, depth - 1, not maximizing) for child in node.children)


def alphabeta(node, depth, alpha, beta, maximizing):
    if maximizing:
        return max_value(node, depth, alpha, beta)
    return min_value(node, depth, alpha, beta)


def max_value(node, depth, alpha, beta):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    v = -math.inf
    for child in node.children:
        v = max(v, min_value(child, depth - 1, alpha, beta))
        if v >= beta:  # cutoff
            return v
        alpha = max(alpha, v)
    return v


def min_value(node, depth, alpha, beta):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    v = math.inf
    for child in node.children:
        v = min(v, max_value(child, depth - 1, alpha, beta))
        if v <= alpha:  # cutoff
            return v
        beta = min(beta, v)
    return v
