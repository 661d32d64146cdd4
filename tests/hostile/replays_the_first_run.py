"""Remembers the move of the first run and returns it at once in the second.

Expect: score 80
Expect: says "a second search of the same tree went differently"
"""
# @HONEST@

_honest = best_move
_known = {}


def best_move(node, depth, maximizing):
    if (depth, maximizing) not in _known:
        move = _honest(node, depth, maximizing)
        _known[depth, maximizing] = node.children.index(move)
    return node.children[_known[depth, maximizing]]
