"""Yields its answer instead of returning it.

Expect: score 80
Expect: says "returned a generator instead of one of node.children"
"""
# @HONEST@

_honest = best_move


def best_move(node, depth, maximizing):
    yield _honest(node, depth, maximizing)
