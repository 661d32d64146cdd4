"""A parent takes over the alpha and beta that its child ended with.

Take only the child's value; the child's window was its own.

Shows: alphabeta missing value
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
    return search(node, depth, alpha, beta, maximizing)[0]


def search(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate(), alpha, beta
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        score, alpha, beta = search(child, depth - 1, alpha, beta, not maximizing)
        if maximizing:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:  # cutoff
            break
    return best, alpha, beta


def best_move(node, depth, maximizing):
    """Return the leftmost child of `node` with the best minimax value."""
    choose = max if maximizing else min
    return choose(
        node.children, key=lambda child: minimax(child, depth - 1, not maximizing)
    )
