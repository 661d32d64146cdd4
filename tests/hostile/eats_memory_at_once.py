"""Asks for a hundred gigabytes in one piece.

Expect: score 80
Expect: says "it raised MemoryError"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    return len(bytes(10**11))
