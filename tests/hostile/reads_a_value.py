"""Reads the attribute node.value, as in the tutorials.

Expect: score 80
Expect: says "call node.evaluate()"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    return max(node.children, key=lambda child: child.value)
