"""Alpha-beta calls minimax; the other two functions are correct.

Points: 40 to 50
"""


def alphabeta(node, depth, alpha, beta, maximizing):
    return minimax(node, depth, maximizing)
