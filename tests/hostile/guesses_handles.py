"""Evaluates forged nodes with handles that were not disclosed.

Expect: score 80
Expect: says "it used or returned a node that this search had not given it, and was stopped"
"""
from gametree import Node

# @HONEST@


def best_move(node, depth, maximizing):
    for key in range(1, 100):
        Node(node._queries, node._key + key, True).evaluate()
