"""Returns correct values as complex numbers, after visiting all leaves.

Expect: score 40
Expect: says "returned a complex instead of a number"
"""
# @HONEST@


def alphabeta(node, depth, alpha, beta, maximizing):
    return complex(minimax(node, depth, maximizing))
