"""uses sys.float_info.min as the smallest number, but it is positive.

That constant is the smallest positive float: start MAX at minus infinity.

Line: starting value, infinity by player
Shows: alphabeta value
"""

import sys


def alphabeta(node, depth, alpha, beta, maximizing):
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    if maximizing:
        best = sys.float_info.min
        for child in node.children:
            best = max(best, alphabeta(child, depth - 1, alpha, beta, False))
            alpha = max(alpha, best)
            if alpha >= beta:  # cutoff
                break
    else:
        best = sys.float_info.max
        for child in node.children:
            best = min(best, alphabeta(child, depth - 1, alpha, beta, True))
            beta = min(beta, best)
            if alpha >= beta:  # cutoff
                break
    return best
