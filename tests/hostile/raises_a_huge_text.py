"""Raises an exception whose text has five million characters.

Expect: score 80
Expect: says "it raised ValueError: xxxxxxxx"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    raise ValueError("x" * 5_000_000)
