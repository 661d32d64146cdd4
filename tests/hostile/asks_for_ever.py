"""Expands the same node without end.

Expect: score 80
Expect: says "it was stopped after far more queries than the tree needs"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    while True:
        node.children
