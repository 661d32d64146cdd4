"""Declares its search as async.

Expect: score 80
Expect: says "returned a coroutine instead of one of node.children"
"""
# @HONEST@

_honest = best_move


async def best_move(node, depth, maximizing):
    return _honest(node, depth, maximizing)
