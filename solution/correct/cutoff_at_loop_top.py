"""Tests for the cutoff at the top of the loop, before each child."""

INFINITY = float("inf")


def minimax(node, depth, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = -INFINITY if maximizing else INFINITY
    for child in node.children:
        value = minimax(child, depth - 1, not maximizing)
        if maximizing and value > best:
            best = value
        if not maximizing and value < best:
            best = value
    return best


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = -INFINITY if maximizing else INFINITY
    for child in node.children:
        if alpha >= beta:  # cutoff
            break
        value = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
    return best


def best_move(node, depth, maximizing):
    best_child = node.children[0]
    best_value = minimax(best_child, depth - 1, not maximizing)
    for child in node.children[1:]:
        value = minimax(child, depth - 1, not maximizing)
        if (maximizing and value > best_value) or (not maximizing and value < best_value):
            best_child, best_value = child, value
    return best_child
