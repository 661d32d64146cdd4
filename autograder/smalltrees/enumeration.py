"""Every small game tree, in order of size: leaves first, then nodes.

A shape is a nested tuple, () for a leaf. Ranks 1, 2, 3 ... are put on its leaves in every
weak order, so that ties occur in every place; a palette turns ranks into values. A plain
tree has the ranks themselves for values and is searched whole. Special trees have other
values, are searched to a limited depth, or from a window that is narrow or half-open.
Nothing here is random.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, product, tee

from autograder.smalltrees.build import tree_from_lists
from autograder.tasks import Task, tasks_for
from gametree.support.tree import Search, Tree

HEIGHT = 4  # plies of the highest shape


def small_trees() -> Iterator[Tree]:
    """Yield every tree of the ladder on which counterexamples are sought.

    Each is one search. Few different values and few single children keep it short.
    """
    for leaves in (1, 2, 3):
        yield from _stretch(leaves, 3, 2, _plain_trees)
    yield from _stretch(1, 1, 2, _special_trees)
    yield from _stretch(2, 2, 1, _special_trees)
    yield from _stretch(3, 3, 0, _vast_trees)
    yield from _stretch(4, 2, 1, _plain_trees)


class Ladder:
    """The small trees as tasks, with what the reference does on them, made when needed."""

    def __init__(self, reference):
        self._reference = reference
        self._tasks = {}

    def tasks(self, function: str) -> Iterator[Task]:
        """Return the tasks of one function, in order; they are kept for next time."""
        if function not in self._tasks:
            self._tasks[function] = chain.from_iterable(
                tasks_for([tree], self._reference, (function,)) for tree in small_trees()
            )
        self._tasks[function], tasks = tee(self._tasks[function])
        return tasks


@cache
def shapes(leaves, nodes, height):
    """Return the shapes with so many leaves and nodes, at most `height` plies high."""
    if nodes == 1:
        return ((),) if leaves == 1 else ()
    return _rows_of_shapes(leaves, nodes - 1, height - 1) if height > 0 else ()


@cache
def _rows_of_shapes(leaves, nodes, height):
    """Return every row of shapes that has so many leaves and nodes in all."""
    if leaves == 0 or nodes < leaves:
        return ()
    rows = [(shape,) for shape in shapes(leaves, nodes, height)]
    for first_leaves in range(1, leaves):
        for first_nodes in range(first_leaves, nodes):
            for first in shapes(first_leaves, first_nodes, height):
                rests = _rows_of_shapes(leaves - first_leaves, nodes - first_nodes, height)
                rows += [(first, *rest) for rest in rests]
    return tuple(rows)


@cache
def weak_orders(leaves, distinct):
    """Return the rows of ranks of that length that use 1..m, all of them, m <= distinct."""
    rows = product(range(1, min(leaves, distinct) + 1), repeat=leaves)
    return tuple(row for row in rows if len(set(row)) == max(row))


def filled(shape, values):
    """Return the shape with the values on its leaves, left to right."""
    rest = iter(values)

    def fill(part):
        return [fill(child) for child in part] if part else next(rest)

    return fill(shape)


def single_children(shape):
    """Return how many nodes of the shape are their parent's only child."""
    return sum(map(single_children, shape)) + (len(shape) == 1)


def _stretch(leaves, distinct, most_single, trees_of):
    """Yield trees of so many leaves with at most `most_single` single children.

    `distinct` bounds the number of different values, by one less for each single child
    as long as two are left.
    """
    for nodes in range(leaves, 2 * leaves + most_single):
        for shape in shapes(leaves, nodes, HEIGHT):
            single = single_children(shape)
            if single <= most_single:
                for ranks in weak_orders(leaves, max(2, distinct - single)):
                    yield from trees_of(shape, ranks)


def _around_zero(rank, top):
    return rank - (top + 1) // 2


AROUND_ZERO = (-1, 0), (0, 1)  # windows
VAST = 200_000_000  # beyond what is taken for infinity, and below 10**9
VAST_PALETTES = (
    lambda rank, top: VAST + rank,
    lambda rank, top: -VAST - top + rank,
)


# The value of a rank in each palette but the plain one, where the highest is `top`.
SPECIAL_PALETTES = (
    _around_zero,
    lambda rank, top: rank - top - 1,  # all negative
    lambda rank, top: rank / 4,
    lambda rank, top: 20_000 + rank,
    lambda rank, top: -20_000 - top + rank,
    *VAST_PALETTES,
)


# What grows where a leaf of that value was, one ply or two, so that searching on shows.
GROWN_BELOW = (
    lambda value: [value + 1],
    lambda value: [value + 0.5, [value - 0.5]],
)


def _plain_trees(shape, ranks):
    return _both_roots(filled(shape, ranks))


def _special_trees(shape, ranks):
    """Yield the shape with special values, with depth limits, then windows."""
    plies, top = _height(shape), max(ranks)
    plain = filled(shape, ranks)
    for palette in SPECIAL_PALETTES:
        yield from _both_roots(filled(shape, [palette(rank, top) for rank in ranks]))
    for below in GROWN_BELOW:
        yield from _both_roots(_overgrown(plain, plies, below), Search(plies, True))
    if plies:
        around_zero = filled(shape, [_around_zero(rank, top) for rank in ranks])
        for spec, windows in ((plain, _windows(top)), (around_zero, AROUND_ZERO)):
            for window in windows:
                yield from _both_roots(spec, Search(plies, True, *window))


def _vast_trees(shape, ranks):
    """Yield the shape, where it is higher than a ply, with values far from zero."""
    if _height(shape) > 1:
        for palette in VAST_PALETTES:
            values = [palette(rank, max(ranks)) for rank in ranks]
            yield from _both_roots(filled(shape, values))


def _both_roots(spec, search=None):
    """Yield the tree with a MAX and with a MIN root, searched whole or as `search` is."""
    for maximizing in (True, False):
        searches = [replace(search, maximizing=maximizing)] if search else None
        yield tree_from_lists(spec, maximizing, searches)


def _height(shape):
    return 1 + max(map(_height, shape)) if shape else 0


def _windows(top):
    """Return windows narrow and half-open, on, between and beyond the ranks."""
    bounds = [half / 2 if half % 2 else half // 2 for half in range(1, 2 * top + 2)]
    ranks = range(1, top + 1)
    half_open = [(rank, math.inf) for rank in ranks] + [(-math.inf, rank) for rank in ranks]
    return [*zip(bounds, bounds[1:]), *half_open]


def _overgrown(spec, plies, below):
    """Return the spec with its deepest leaves turned into heuristic positions.

    `below(value)` makes the children that grow where a leaf of that value was.
    """
    if plies == 0:
        return {"value": spec, "children": below(spec)}
    if not isinstance(spec, list):
        return spec
    return [_overgrown(part, plies - 1, below) for part in spec]
