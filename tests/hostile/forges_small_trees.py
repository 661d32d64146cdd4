"""Answers small trees correctly without searching, and all other trees wrongly.

Expect: score 80
Expect: says "best_move"
"""
# @HONEST@

_honest = best_move


def best_move(node, depth, maximizing):
    known = getattr(node._queries, "_values", {})
    if len(known) == len(node._queries._counts):  # a small tree, which is here as a whole
        return _honest(node, depth, maximizing)
    return node.children[-1]
