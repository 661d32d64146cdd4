"""Your negascout gives every child the whole window, as alphabeta does.

Ask every child but the first with a null window, whether it is better.

Convention: equality
Shows: negascout extra
"""


def negascout(node, depth, alpha, beta, maximizing):
    return alphabeta(node, depth, alpha, beta, maximizing)
