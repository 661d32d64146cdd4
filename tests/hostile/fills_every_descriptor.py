"""Opens file descriptors until it fails.

Expect: score 80
Expect: says "it raised OSError"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    for _ in range(5000):
        os.dup(0)
    raise RuntimeError("BREACH")
