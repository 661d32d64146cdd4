"""Answers small trees correctly without searching, and all other trees wrongly.

Expect: score 80
Expect: says "best_move"
"""
# @HONEST@

_honest = best_move


def best_move(node, depth, maximizing):
    if getattr(node._queries, "_values", None):  # a small tree, which is here as a whole
        return _honest(node, depth, maximizing)
    return node.children[-1]
