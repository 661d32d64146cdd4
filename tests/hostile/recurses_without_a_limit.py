"""Raises the recursion limit and recurses forever.

Expect: score 80
Expect: says "its process ended" or "it raised MemoryError" or "it ran out of time" or "it raised RecursionError"
"""
import sys

# @HONEST@


def best_move(node, depth, maximizing):
    sys.setrecursionlimit(2**31 - 1)
    return best_move(node, depth, maximizing)
