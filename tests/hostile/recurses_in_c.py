"""Nests a list so deeply that printing it overflows the C stack.

Expect: score 80
Expect: says "its process ended" or "it raised RecursionError" or "it raised MemoryError" or "it ran out of time"
"""
import sys

# @HONEST@


def best_move(node, depth, maximizing):
    sys.setrecursionlimit(10**8)
    nested = []
    for _ in range(600_000):
        nested = [nested]
    repr(nested)
    raise MemoryError
