"""Recurses forever.

Expect: score 80
Expect: says "it raised RecursionError"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    return best_move(node, depth, maximizing)
