"""Prints a twelve megabytes in many pieces and in one, and searches well.

Expect: score 100
"""
# @HONEST@

_honest = best_move


def best_move(node, depth, maximizing):
    for _ in range(2_000):
        print("x" * 1000)
    print("y" * 10_000_000)
    return _honest(node, depth, maximizing)
