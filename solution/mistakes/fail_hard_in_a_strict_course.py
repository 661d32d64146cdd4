"""You return alpha or beta where the best value says more: cutoffs are lost.

Return the best value of the node, even where it lies outside the window.

Convention: strict
Shows: alphabeta extra
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
        for child in node.children:
            alpha = max(alpha, alphabeta(child, depth - 1, alpha, beta, False))
            if alpha >= beta:  # cutoff
                break
        return alpha
    for child in node.children:
        beta = min(beta, alphabeta(child, depth - 1, alpha, beta, True))
        if alpha >= beta:  # cutoff
            break
    return beta


def best_move(node, depth, maximizing):
    """Return the leftmost child of `node` with the best minimax value."""
    choose = max if maximizing else min
    return choose(
        node.children, key=lambda child: minimax(child, depth - 1, not maximizing)
    )
