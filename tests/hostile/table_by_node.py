"""Caches values by node, in a global dictionary that is never cleared.

Expect: score 100
"""
# @HONEST@

_table = {}
_honest = minimax


def minimax(node, depth, maximizing):
    if (node, depth) not in _table:
        _table[node, depth] = _honest(node, depth, maximizing)
    return _table[node, depth]
