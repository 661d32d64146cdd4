"""Searches in an inner function that returns pairs (value, move)."""


def full(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate(), None
    best, move = (-math.inf if maximizing else math.inf), None
    for child in node.children:
        value, _ = full(child, depth - 1, not maximizing)
        if (value > best) if maximizing else (value < best):
            best, move = value, child
    return best, move


def pruned(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate(), None
    best, move = (-math.inf if maximizing else math.inf), None
    for child in node.children:
        value, _ = pruned(child, depth - 1, alpha, beta, not maximizing)
        if (value > best) if maximizing else (value < best):
            best, move = value, child
        if maximizing:
            alpha = max(alpha, best)
        else:
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best, move


def minimax(node, depth, maximizing):
    return full(node, depth, maximizing)[0]


def alphabeta(node, depth, alpha, beta, maximizing):
    return pruned(node, depth, alpha, beta, maximizing)[0]


def best_move(node, depth, maximizing):
    return pruned(node, depth, -math.inf, math.inf, maximizing)[1]
