"""Raises an exception whose class is named after what it sees.

Expect: score 80
Expect: says "it raised another exception" or "it raised Told"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    seen = minimax(node, depth, maximizing)
    raise type(f"Told_{node.children[0].name}_{seen}", (Exception,), {})(seen)
