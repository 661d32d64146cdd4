"""Computes a power so large that the C code does not return.

Expect: score 80
Expect: says "it ran out of time and was stopped" or "it raised MemoryError"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    return 7 ** (9**9)
