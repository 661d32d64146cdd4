"""Counts plies up from the root to a limit instead of counting depth down."""


def minimax(node, depth, maximizing):
    return full(node, 0, depth, maximizing)


def full(node, ply, limit, maximizing):
    if ply >= limit or node.is_terminal():
        return node.evaluate()
    choose = max if maximizing else min
    return choose([full(child, ply + 1, limit, not maximizing) for child in node.children])


def alphabeta(node, depth, alpha, beta, maximizing):
    return pruned(node, 0, depth, alpha, beta, maximizing)


def pruned(node, ply, limit, alpha, beta, maximizing):
    if ply >= limit or node.is_terminal():
        return node.evaluate()
    value = -math.inf if maximizing else math.inf
    for child in node.children:
        score = pruned(child, ply + 1, limit, alpha, beta, not maximizing)
        if maximizing:
            value = max(value, score)
            alpha = max(alpha, value)
        else:
            value = min(value, score)
            beta = min(beta, value)
        if not alpha < beta:  # cutoff
            break
    return value


def best_move(node, depth, maximizing):
    choose = max if maximizing else min
    return choose(node.children, key=lambda c: full(c, 1, depth, not maximizing))
