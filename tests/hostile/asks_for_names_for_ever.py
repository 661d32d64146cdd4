"""Reads node names, which are not counted as visits, forever.

Expect: score 80
Expect: says "it was stopped because it read node.children and called evaluate() far more often"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    while True:
        node._queries._names.clear()
        node.name
