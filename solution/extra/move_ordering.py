"""The reference with the extra credit: children in the order of their static values."""

import math


def minimax(node, depth, maximizing):
    """Return the minimax value of `node`, searched `depth` plies deep."""
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, minimax(child, depth - 1, False))
    else:
        best = math.inf
        for child in node.children:
            best = min(best, minimax(child, depth - 1, True))
    return best


def alphabeta(node, depth, alpha, beta, maximizing):
    """Return the minimax value of `node`, pruning outside (alpha, beta)."""
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = -math.inf
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = math.inf
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best


def best_move(node, depth, maximizing):
    """Return the leftmost child of `node` with the best minimax value."""
    choose = max if maximizing else min
    return choose(
        node.children, key=lambda child: minimax(child, depth - 1, not maximizing)
    )


def ordered_alphabeta(node, depth, alpha, beta, maximizing):
    """Return the minimax value of `node`, searching good children first."""
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    children = node.children
    if depth > 1:
        children = sorted(children, key=lambda c: c.evaluate(), reverse=maximizing)
    best = -math.inf if maximizing else math.inf
    for child in children:
        value = ordered_alphabeta(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best
