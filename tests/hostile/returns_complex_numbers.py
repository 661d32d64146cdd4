"""Returns right values as complex numbers, after visiting all leaves.

Expect: score 43.5
Expect: says "returned complex, expected a number"
"""
# @HONEST@


def alphabeta(node, depth, alpha, beta, maximizing):
    return complex(minimax(node, depth, maximizing))
