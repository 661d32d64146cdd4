"""Depth as the main task: trees are searched once more, to a limited depth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gametree.tree import Position, Published, Tree


def with_limits(trees: Iterable[Tree]) -> list[Tree]:
    """Return the trees; those that are searched whole are also searched less deep.

    An interior node without a static value gets that of its last child, so that no number
    is new. Left as they are: trees of one ply, games and trees made lazily. The
    depths take turns, from one ply above the lowest leaves to one ply below the root.
    """
    return [_limited(tree, place) for place, tree in enumerate(trees)]


def _limited(tree, place):
    height = tree.root.height
    whole = [s for s in tree.searches if s.full_window and s.depth >= height]
    if type(tree.root) is not Position or height < 2 or not whole:
        return tree
    depth = height - 1 - place % (height - 1)
    search = replace(whole[0], depth=depth, published=Published())
    if search in tree.searches:
        return tree
    return replace(tree, root=_valued(tree.root), searches=(*tree.searches, search))


def _valued(position):
    """Return a copy of a position in which every node has a static value."""
    children = [*map(_valued, position.children)]
    value = children[-1].value if position.value is None else position.value
    return Position(position.path, position.name, value, children)
