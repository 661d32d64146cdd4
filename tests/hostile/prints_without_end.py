"""Prints thirteen megabytes, in pieces, at once and to the descriptor; searches correctly.

Expect: score 100
"""
import os
import sys

# @HONEST@

_honest = best_move


def best_move(node, depth, maximizing):
    for _ in range(2_000):
        print("x" * 1000)
    print("y" * 10_000_000)
    os.write(sys.stdout.fileno(), b"z" * 1_000_000)
    return _honest(node, depth, maximizing)
