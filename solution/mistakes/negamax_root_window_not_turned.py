"""At a MIN root you start negamax with MAX's window.

For MIN the first window is negated and exchanged too.

Changes: negamax
Shows: alphabeta extra missing value
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    if maximizing:
        return negamax(node, depth, alpha, beta, True)
    return -negamax(node, depth, alpha, beta, False)
