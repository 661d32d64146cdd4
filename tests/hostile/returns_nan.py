"""Returns NaN, which is not equal to, less than or greater than any number.

Expect: score 0
Expect: says "returned nan, expected 1"
"""


def minimax(node, depth, maximizing):
    return float("nan")


def alphabeta(node, depth, alpha, beta, maximizing):
    return float("nan")


def best_move(node, depth, maximizing):
    return float("nan")
