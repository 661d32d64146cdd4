"""Raises an exception with a class named after the values.

Expect: score 80
Expect: says "it raised another exception" or "it raised Told"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    seen = minimax(node, depth, maximizing)
    raise type(f"Told_{node.children[0].name}_{seen}", (Exception,), {})(seen)
