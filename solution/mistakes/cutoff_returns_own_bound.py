"""At a cutoff MAX returns alpha and MIN returns beta, not yet updated.

Return what the child proved: the best value, or the bound that was reached.

Shows: alphabeta value missing
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
            score = alphabeta(child, depth - 1, alpha, beta, False)
            if score >= beta:  # cutoff
                return alpha
            best = max(best, score)
            alpha = max(alpha, best)
    else:
        best = math.inf
        for child in node.children:
            score = alphabeta(child, depth - 1, alpha, beta, True)
            if score <= alpha:  # cutoff
                return beta
            best = min(best, score)
            beta = min(beta, best)
    return best


def best_move(node, depth, maximizing):
    """Return the leftmost child of `node` with the best minimax value."""
    choose = max if maximizing else min
    return choose(
        node.children, key=lambda child: minimax(child, depth - 1, not maximizing)
    )
