"""Defines functions with too few parameters.

Expect: score 80
Expect: says "it raised TypeError: best_move() takes 1 positional argument but 3 were given"
"""
# @HONEST@


def best_move(node):
    return node.children[0]
