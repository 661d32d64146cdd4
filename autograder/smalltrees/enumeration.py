"""Enumerate all small game trees by size: first by leaves, then by nodes.

A shape is a nested tuple, and () is a leaf. Its leaves receive the ranks 1, 2, 3 ... in
every weak order, so that ties occur in every position. A palette maps ranks to values. A
plain tree has its ranks as values and is searched to its full depth. A special tree has
other values, a limited depth, or a narrow or half-open window. The enumeration is
deterministic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import islice, pairwise, product

from autograder.scoring.tasks import Reference, Task, tasks_for
from autograder.smalltrees.build import tree_from_lists
from autograder.smalltrees.limits import MAX_CHILDREN, MAX_TIE
from gametree.support.tree import Search, Tree

MAX_HEIGHT = 4  # plies
# The ladder is cached in parts, because half of the wrong programs fail in the first.
PARTS = (0, 200, 800, 1600, None)
RANDOM_TREES = 200  # larger than small trees
SEARCH_STEP = 8  # one in this many of their searches is used


def small_trees() -> Iterator[Tree]:
    """Yield every tree of the ladder, which is searched for the smallest failing tree.

    Each tree has one search. Few distinct values and few single children make the ladder
    short.
    """
    for leaves in (1, 2, 3):
        yield from _trees_of(_plain_trees, leaves, max_values=3, max_single=2)
    yield from _trees_of(_special_trees, 1, max_values=1, max_single=2)
    yield from _trees_of(_special_trees, 2, max_values=2, max_single=1)
    yield from _trees_of(_extreme_trees, 3, max_values=3, max_single=0)
    yield from _trees_of(_plain_trees, 4, max_values=2, max_single=1)
    yield from _wide_trees()


Cached = Callable[[str, Callable[[], list[Task]]], list[Task]]


class Ladder:
    """The small trees as tasks, with the reference's traces.

    reference: the correct program.
    cached: returns make() for a name and make, or a stored result of it.
    """

    def __init__(self, reference: Reference, cached: Cached):
        self._reference = reference
        self._cached = cached
        self._parts: dict[str, list[Task]] = {}

    def tasks(self, function: str) -> Iterator[Task]:
        """Yield the tasks of one function in order; every call yields the same objects."""
        for start, stop in pairwise(PARTS):
            trees = islice(small_trees(), start, stop)
            yield from self._part(f"ladder-{function}-{start}", function, trees)

    def random_tasks(self, function: str) -> list[Task]:
        """Return searches of random trees, which show what no small tree shows."""
        return self._part(f"random-{function}", function, _random_trees(), SEARCH_STEP)

    def _part(self, name, function, trees, step=1):
        """Return every `step`-th task of the trees, stored under this name."""
        if name not in self._parts:
            make = partial(self._make_tasks, function, trees, step)
            self._parts[name] = self._cached(name, make)
        return self._parts[name]

    def _make_tasks(self, function, trees, step):
        tasks = tasks_for(trees, self._reference, (function,), small=True)
        return tasks[::step]


def _random_trees():
    """Yield the random trees. Their module is imported late, because it is slow."""
    from autograder.smalltrees.families import random_trees

    yield from random_trees(RANDOM_TREES, seed=2)


def _trees_of(make_trees, leaves, max_values, max_single):
    """Yield the trees of `make_trees(shape, ranks)` for each shape of this size.

    leaves: the number of leaves of a shape.
    max_values: the number of distinct ranks. Each single child reduces it by one, down to
        two.
    max_single: the maximum number of single children.
    """
    max_nodes = 2 * leaves - 1 + max_single
    for nodes in range(leaves, max_nodes + 1):
        for shape in shapes(nodes):
            single = _count_single_children(shape)
            fits = _count_leaves(shape) == leaves and _height(shape) <= MAX_HEIGHT
            if not fits or single > max_single:
                continue
            distinct = max(2, max_values - single)
            for ranks in weak_orders(leaves, distinct):
                yield from make_trees(shape, ranks)


@cache
def shapes(nodes: int) -> tuple:
    """Return every shape with this number of nodes."""
    if nodes == 1:
        return ((),)
    found = []
    for first_nodes in range(1, nodes):
        for first in shapes(first_nodes):
            found += [(first, *rest) for rest in shapes(nodes - first_nodes)]
    return tuple(found)


@cache
def weak_orders(leaves: int, distinct: int) -> tuple:
    """Return the rows of ranks with all of 1..m in each row, for m <= distinct.

    leaves: the length of a row.
    """
    ranks = range(1, min(leaves, distinct) + 1)
    rows = product(ranks, repeat=leaves)
    return tuple(row for row in rows if len(set(row)) == max(row))


def _fill_shape(shape, values):
    """Return the shape as nested lists with these values, from left to right."""
    values = iter(values)  # the iterator itself for a child
    if not shape:
        return next(values)
    return [_fill_shape(child, values) for child in shape]


def _count_leaves(shape):
    """Return how many nodes of the shape are leaves."""
    return sum(map(_count_leaves, shape)) or 1


def _count_single_children(shape):
    """Return how many nodes of the shape are the only child of their parent."""
    count = sum(map(_count_single_children, shape))
    if len(shape) == 1:
        count += 1
    return count


def _height(shape):
    return max((1 + _height(child) for child in shape), default=0)


VAST = 200_000_000  # above almost every substitute for infinity, and below 10**9
LARGE = 20_000  # above a typical finite substitute for infinity


# A palette returns the values of the ranks of a tree.


def _around_zero(ranks):
    """Return integers around zero, which are 0 and 1 for two ranks."""
    middle = (max(ranks) + 1) // 2
    return [rank - middle for rank in ranks]


def _quarters(ranks):
    """Return fractions above zero."""
    return [rank / 4 for rank in ranks]


def _millionths(ranks):
    """Return values that differ by the smallest difference of a graded tree."""
    return [1 + rank / 10**6 for rank in ranks]


def _above(number, ranks):
    """Return integers above the number."""
    return [number + rank for rank in ranks]


def _below(number, ranks):
    """Return integers up to the negated number."""
    top = max(ranks)
    return [rank - top - number for rank in ranks]


EXTREME_PALETTES = (partial(_above, VAST), partial(_below, VAST), _millionths)
SPECIAL_PALETTES = (
    _around_zero,
    partial(_below, 0),
    partial(_below, 1),
    _quarters,
    partial(_above, LARGE),
    partial(_below, LARGE),
    *EXTREME_PALETTES,
)


def _grow_leaf(value):
    """Return the children of a former leaf: one leaf with another value."""
    return [value + 1]


def _grow_two_plies(value):
    """Return the children of a former leaf: a leaf, and a leaf one ply deeper."""
    return [value + 0.5, [value - 0.5]]


def _grow_below(spec, plies, grow):
    """Return the spec with children below its leaves at this ply, which keep their values.

    grow: function of a former leaf's value that returns its children.
    """
    if plies == 0:
        return {"value": spec, "children": grow(spec)}
    if not isinstance(spec, list):
        return spec
    return [_grow_below(child, plies - 1, grow) for child in spec]


def _plain_trees(shape, ranks):
    yield from _both_roots(_fill_shape(shape, ranks))


def _special_trees(shape, ranks):
    """Yield the shape with special values, then with depth limits, then with windows."""
    yield from _in_palettes(shape, ranks, SPECIAL_PALETTES)
    plies = _height(shape)
    plain = _fill_shape(shape, ranks)
    for grow in (_grow_leaf, _grow_two_plies):
        overgrown = _grow_below(plain, plies, grow)
        yield from _both_roots(overgrown, plies)
    if plies == 0:
        return
    for alpha, beta in _windows(max(ranks)):
        yield from _both_roots(plain, plies, alpha, beta)
    near_zero = _fill_shape(shape, _around_zero(ranks))
    for alpha in (-1, 0):
        yield from _both_roots(near_zero, plies, alpha, alpha + 1)


def _extreme_trees(shape, ranks):
    """Yield the shape with vast or close values, if it is higher than one ply."""
    if _height(shape) > 1:
        yield from _in_palettes(shape, ranks, EXTREME_PALETTES)


def _wide_trees():
    """Yield trees whose last child is the best, with as many as a node may have."""
    values = [*range(1, MAX_CHILDREN + 1)]
    yield from _both_roots(values)
    yield from _both_roots(values[::-1])


def _in_palettes(shape, ranks, palettes):
    rows = [tuple(palette(ranks)) for palette in palettes]
    for values in dict.fromkeys(rows):
        if not _has_large_tie(values):
            yield from _both_roots(_fill_shape(shape, values))


def _has_large_tie(values):
    """Tell whether two values are equal and the largest is beyond the limit for ties."""
    return len(set(values)) < len(values) and max(map(abs, values)) > MAX_TIE


def _both_roots(spec, depth=None, alpha=-math.inf, beta=math.inf):
    """Yield the tree with a MAX root and with a MIN root; no depth is the full depth."""
    for maximizing in (True, False):
        searches = None
        if depth is not None:
            searches = [Search(depth, maximizing, alpha, beta)]
        yield tree_from_lists(spec, maximizing, searches)


def _windows(top):
    """Yield narrow and half-open windows: at, between and outside the ranks."""
    bounds = [0.5]
    for rank in range(1, top + 1):
        bounds += [rank, rank + 0.5]
    yield from pairwise(bounds)
    for rank in range(1, top + 1):
        yield rank, math.inf
        yield -math.inf, rank
