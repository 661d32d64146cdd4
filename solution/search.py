"""The reference: its values, leaves and node counts are the expected ones."""

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


def negascout(node, depth, alpha, beta, maximizing):
    """Return the minimax value of `node`, and prune more than alphabeta does.

    The arguments are those of alphabeta; the first call has alpha -infinity and beta
    +infinity, and all values are whole numbers. The first child is searched with the
    whole window. Each other one is first asked with a null window, (alpha, alpha + 1) or
    (beta - 1, beta), whether it is better; where the answer lies between alpha and beta it
    is, and it is searched again with the whole window.
    """
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    first, *others = node.children
    best = negascout(first, depth - 1, alpha, beta, not maximizing)
    for child in others:
        if maximizing:
            alpha = max(alpha, best)
            low, high = alpha, alpha + 1
        else:
            beta = min(beta, best)
            low, high = beta - 1, beta
        if alpha >= beta:  # cutoff
            break
        score = alphabeta(child, depth - 1, low, high, not maximizing)
        if alpha < score < beta:
            score = alphabeta(child, depth - 1, alpha, beta, not maximizing)
        best = max(best, score) if maximizing else min(best, score)
    return best
