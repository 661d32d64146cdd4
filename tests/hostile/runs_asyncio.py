"""Runs its search in an event loop.

Expect: score 100
"""
import asyncio

# @HONEST@

_honest = best_move


async def _search(node, depth, maximizing):
    await asyncio.sleep(0)
    return _honest(node, depth, maximizing)


def best_move(node, depth, maximizing):
    return asyncio.run(_search(node, depth, maximizing))
