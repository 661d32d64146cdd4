"""Sends requests forever and reads no reply.

Expect: score 80
Expect: says "it was stopped because it read node.children" or "it ran out of time"
"""
# @HONEST@


def best_move(node, depth, maximizing):
    while True:
        node._queries._pipes.send(1, 0, node._key)
