"""Calls node.children as if it were a method.

Expect: score 80
Expect: says "object is not callable"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    return node.children()[0]
