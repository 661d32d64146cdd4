"""Alpha-beta calls minimax; the other two functions are correct.

Points: 50 to 62
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    return minimax(node, depth, maximizing)
