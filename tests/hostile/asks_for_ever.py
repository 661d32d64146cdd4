"""Expands the same node without end.

Expect: score 80
Expect: says "it looked at far more nodes than the tree needs and was stopped"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    while True:
        node.children
