"""Asks a null window whether a later move is better, then searches it again."""

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
    move, best = None, None
    for child in node.children:
        if move is not None:
            if maximizing:
                alpha, beta = best, math.nextafter(best, math.inf)
            else:
                alpha, beta = math.nextafter(best, -math.inf), best
            score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
            if score <= best if maximizing else score >= best:
                continue
        move = child
        best = alphabeta(child, depth - 1, -math.inf, math.inf, not maximizing)
    return move
