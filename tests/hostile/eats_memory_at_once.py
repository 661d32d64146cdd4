"""Allocates a hundred gigabytes at once.

Expect: score 80
Expect: says "it raised MemoryError"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    return len(bytes(10**11))
