"""Returns an integer with a hundred thousand digits.

Expect: score 0
Expect: says "returned an int beyond 64 bits instead of a number"
"""


def minimax(node, depth, maximizing):
    return 10**100_000


def alphabeta(node, depth, alpha, beta, maximizing):
    return -(10**100_000)


def best_move(node, depth, maximizing):
    return 2**63
