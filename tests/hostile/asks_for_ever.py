"""Expands the same node forever.

Expect: score 80
Expect: says "it was stopped after far more queries than the tree needs"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    while True:
        node.children
