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
from functools import cache, partial
from itertools import pairwise, product

from autograder.smalltrees.build import tree_from_lists
from autograder.tasks import Task, tasks_for
from gametree.support.tree import Search, Tree

MAX_HEIGHT = 4  # plies of the highest shape


def small_trees() -> Iterator[Tree]:
    """Yield every tree of the ladder on which counterexamples are sought.

    Each is one search. Few different values and few single children keep it short.
    """
    for leaves in (1, 2, 3):
        yield from _trees_of(_plain_trees, leaves, max_values=3, max_single=2)
    yield from _trees_of(_special_trees, 1, max_values=1, max_single=2)
    yield from _trees_of(_special_trees, 2, max_values=2, max_single=1)
    yield from _trees_of(_vast_trees, 3, max_values=3, max_single=0)
    yield from _trees_of(_plain_trees, 4, max_values=2, max_single=1)


class Ladder:
    """The small trees as tasks, with the reference's traces.

    reference: the module that solution/search.py makes.
    cached: returns make(), or what is stored of it under a name.
    """

    def __init__(self, reference, cached=lambda name, make: make()):
        self._reference = reference
        self._cached = cached
        self._tasks = {}

    def tasks(self, function: str) -> list[Task]:
        """Return the tasks of one function, in order, the same ones each time."""
        if function not in self._tasks:
            make = partial(self._make_tasks, function)
            self._tasks[function] = self._cached(f"ladder-{function}", make)
        return self._tasks[function]

    def _make_tasks(self, function):
        return tasks_for(small_trees(), self._reference, (function,))


def _trees_of(make_trees, leaves, max_values, max_single):
    """Yield what `make_trees(shape, ranks)` yields for each shape with so many leaves.

    max_values: the number of different ranks, one less for each single child as long as
    two are left. max_single: how many nodes may be their parent's only child.
    """
    max_nodes = 2 * leaves - 1 + max_single
    for nodes in range(leaves, max_nodes + 1):
        for shape in shapes(leaves, nodes, MAX_HEIGHT):
            single = count_single_children(shape)
            if single > max_single:
                continue
            distinct = max(2, max_values - single)
            for ranks in weak_orders(leaves, distinct):
                yield from make_trees(shape, ranks)


@cache
def shapes(leaves: int, nodes: int, height: int) -> tuple:
    """Return the shapes with so many leaves and nodes, at most `height` plies high."""
    if nodes == 1:
        return ((),) if leaves == 1 else ()
    if height == 0:
        return ()
    return _rows_of_shapes(leaves, nodes - 1, height - 1)


@cache
def _rows_of_shapes(leaves, nodes, height):
    """Return every row of shapes that has so many leaves and nodes in all."""
    if leaves == 0 or nodes < leaves:
        return ()
    rows = [(shape,) for shape in shapes(leaves, nodes, height)]
    for first_leaves in range(1, leaves):
        for first_nodes in range(first_leaves, nodes):
            rests = _rows_of_shapes(leaves - first_leaves, nodes - first_nodes, height)
            for first in shapes(first_leaves, first_nodes, height):
                rows += [(first, *rest) for rest in rests]
    return tuple(rows)


@cache
def weak_orders(leaves: int, distinct: int) -> tuple:
    """Return the rows of ranks of that length that use 1..m, all of them, m <= distinct."""
    ranks = range(1, min(leaves, distinct) + 1)
    rows = product(ranks, repeat=leaves)
    return tuple(row for row in rows if _uses_all_ranks(row))


def _uses_all_ranks(row):
    return len(set(row)) == max(row)


def fill_shape(shape, values):
    """Return the shape with the values on its leaves, left to right, as nested lists."""
    return _fill(shape, iter(values))


def _fill(shape, values):
    if not shape:
        return next(values)
    return [_fill(child, values) for child in shape]


def count_single_children(shape):
    """Return how many nodes of the shape are their parent's only child."""
    below = sum(map(count_single_children, shape))
    return below + 1 if len(shape) == 1 else below


def _height(shape):
    return max((1 + _height(child) for child in shape), default=0)


# Each palette returns the value of a rank; `top` is the tree's highest rank.


def around_zero(rank, top):
    """Return whole numbers of both signs."""
    return rank - (top + 1) // 2


def below_zero(rank, top):
    """Return whole numbers up to -1."""
    return rank - top - 1


def quarters(rank, top):
    """Return fractions."""
    return rank / 4


def large(rank, top):
    """Return numbers above those that many programs take for infinity."""
    return 20_000 + rank


def large_negative(rank, top):
    """Return large numbers below zero."""
    return -20_000 - top + rank


VAST = 200_000_000  # beyond what is taken for infinity, and below 10**9


def vast(rank, top):
    """Return numbers above those that nearly all programs take for infinity."""
    return VAST + rank


def vast_negative(rank, top):
    """Return vast numbers below zero."""
    return -VAST - top + rank


VAST_PALETTES = (vast, vast_negative)
SPECIAL_PALETTES = (
    around_zero,
    below_zero,
    quarters,
    large,
    large_negative,
    vast,
    vast_negative,
)


def _grow_leaf(value):
    """Return the children of a former leaf: one leaf with another value."""
    return [value + 1]


def _grow_two_plies(value):
    """Return the children of a former leaf: a leaf, and a leaf one ply further down."""
    return [value + 0.5, [value - 0.5]]


def _plain_trees(shape, ranks):
    yield from _both_roots(fill_shape(shape, ranks))


def _special_trees(shape, ranks):
    """Yield the shape with special values, then with depth limits, then in windows."""
    yield from _in_palettes(shape, ranks, SPECIAL_PALETTES)
    plies = _height(shape)
    plain = fill_shape(shape, ranks)
    for grow in (_grow_leaf, _grow_two_plies):
        overgrown = _overgrow(plain, plies, grow)
        yield from _both_roots_searched(overgrown, plies)
    if plies == 0:
        return
    for alpha, beta in _windows(max(ranks)):
        yield from _both_roots_searched(plain, plies, alpha, beta)
    near_zero = fill_shape(shape, _values(around_zero, ranks))
    for alpha in (-1, 0):
        yield from _both_roots_searched(near_zero, plies, alpha, alpha + 1)


def _vast_trees(shape, ranks):
    """Yield the shape, where it is higher than a ply, with values far from zero."""
    if _height(shape) > 1:
        yield from _in_palettes(shape, ranks, VAST_PALETTES)


def _in_palettes(shape, ranks, palettes):
    for palette in palettes:
        values = _values(palette, ranks)
        yield from _both_roots(fill_shape(shape, values))


def _values(palette, ranks):
    top = max(ranks)
    return [palette(rank, top) for rank in ranks]


def _both_roots(spec):
    """Yield the tree with a MAX root and with a MIN root, searched whole."""
    yield tree_from_lists(spec, True)
    yield tree_from_lists(spec, False)


def _both_roots_searched(spec, depth, alpha=-math.inf, beta=math.inf):
    """Yield the tree with a MAX root and with a MIN root, searched as given."""
    for maximizing in (True, False):
        search = Search(depth, maximizing, alpha, beta)
        yield tree_from_lists(spec, maximizing, [search])


def _windows(top):
    """Yield windows narrow and half-open, on, between and beyond the ranks."""
    bounds = [0.5]
    for rank in range(1, top + 1):
        bounds += [rank, rank + 0.5]
    yield from pairwise(bounds)
    for rank in range(1, top + 1):
        yield rank, math.inf
    for rank in range(1, top + 1):
        yield -math.inf, rank


def _overgrow(spec, plies, grow):
    """Return the spec with its deepest leaves turned into heuristic positions.

    `grow(value)` returns the children of a former leaf of that value.
    """
    if plies == 0:
        return {"value": spec, "children": grow(spec)}
    if not isinstance(spec, list):
        return spec
    return [_overgrow(child, plies - 1, grow) for child in spec]
