"""Imports names for annotations and experiments from the starter's package.

Expect: score 100
"""
from __future__ import annotations

import gametree.support.drawing
from gametree import Node, count_leaves, load_tree


def minimax(node: Node, depth: int, maximizing: bool) -> float:
    return _space["minimax"](node, depth, maximizing)


_space = {}
exec('''
# @HONEST@
''', _space)
alphabeta, best_move = _space["alphabeta"], _space["best_move"]
