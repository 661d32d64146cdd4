"""Allocates memory until it fails, up to 700 MB.

Expect: score 80
Expect: says "it raised MemoryError"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    taken = [bytes(2**24) for _ in range(44)]
    raise RuntimeError(f"BREACH {len(taken)}")
