"""Returns an object that claims to be a Node and has no handle.

Expect: score 80
Expect: says "its process ended before it returned"
"""
from gametree import Node

# @HONEST@


class Disguised:
    __class__ = Node
    _key = "0"


def best_move(node, depth, maximizing):
    return Disguised()
