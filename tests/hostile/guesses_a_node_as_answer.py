"""Returns a forged node with a handle that was not disclosed.

Expect: score 80
Expect: says "it used or returned a node that this search had not given it, and was stopped"
"""
from gametree import Node

# @HONEST@


def best_move(node, depth, maximizing):
    return Node(node._queries, node._key + 1, True)
