"""Calls itself with keyword arguments in another order.

Expect: score 100
"""
import math

# @HONEST@


def alphabeta(node, depth=8, alpha=-math.inf, beta=math.inf, maximizing=True):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    best = -math.inf if maximizing else math.inf
    for child in node.children:
        value = alphabeta(maximizing=not maximizing, beta=beta, alpha=alpha,
                          depth=depth - 1, node=child)
        if maximizing:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best
