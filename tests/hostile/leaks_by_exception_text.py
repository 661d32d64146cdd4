"""Raises an exception with the values in its text.

Expect: score 80
Expect: says "it raised ValueError"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    raise ValueError([(c.name, minimax(c, depth - 1, not maximizing)) for c in node.children])
