"""best_move shares alpha between moves and takes a pruned move's bound for a tie.

Keep a new move only if it is strictly better: at a cutoff you know just a bound.

Strict course: best_move shares alpha between moves and keeps a later move on a tie.
Strict course: Keep a new move only if it is strictly better: the leftmost of equals counts.
Shows: best_move move
"""

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
    move = None
    alpha, beta = -math.inf, math.inf
    for child in node.children:
        score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        better = score >= alpha if maximizing else score <= beta
        if better:
            move = child
            if maximizing:
                alpha = score
            else:
                beta = score
    return move
