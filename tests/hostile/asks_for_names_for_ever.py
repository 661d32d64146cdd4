"""Asks for names, which are free, without end.

Expect: score 80
Expect: says "it looked at far more nodes than the tree needs and was stopped"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    while True:
        node._queries._names.clear()
        node.name
