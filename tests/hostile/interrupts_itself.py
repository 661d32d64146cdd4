"""Raises KeyboardInterrupt, which no `except Exception` holds.

Expect: score 80
Expect: says "it raised KeyboardInterrupt"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    raise KeyboardInterrupt
