"""Reads node names, which are not counted as visits, forever.

Expect: score 80
Expect: says "it was stopped after far more queries than the tree needs"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    while True:
        node._queries._names.clear()
        node.name
