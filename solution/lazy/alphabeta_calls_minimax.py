"""Alpha-beta is minimax; the other two are right.

Points: 50 to 62
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    return minimax(node, depth, maximizing)
