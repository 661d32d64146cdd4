"""Returns infinity, which is never the value of a leaf.

Expect: score 0
Expect: says "returned infinity, expected 1"
Expect: says "returned -infinity, expected 1"
"""


def minimax(node, depth, maximizing):
    return float("inf")


def alphabeta(node, depth, alpha, beta, maximizing):
    return float("-inf")


def best_move(node, depth, maximizing):
    return float("inf")
