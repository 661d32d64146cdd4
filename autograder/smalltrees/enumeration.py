"""Every small game tree, in order of size: leaves first, then nodes.

A shape is a nested tuple, () for a leaf. Values are ranks put on the leaves in
every weak order (so that ties occur in every place), turned into numbers by a
palette. Nothing here is random: the same arguments give the same trees.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import chain, count, product

from autograder.smalltrees.build import tree_from_lists
from autograder.tasks import tasks_for
from gametree.tree import Search


def counting(rank, top):
    """Return the rank itself."""
    return rank


def around_zero(rank, top):
    """Return the rank's value where the ranks 1 to `top` are laid around 0."""
    return rank - (top + 1) // 2


SPECIAL = (
    around_zero,
    lambda rank, top: rank - top - 1,  # all negative
    lambda rank, top: rank / 4,
    lambda rank, top: 20_000 + rank,
    lambda rank, top: -20_000 - top + rank,
)


@cache
def shapes(leaves, nodes, height):
    """Return the shapes with so many leaves and nodes, at most `height` plies high."""
    if nodes == 1:
        return ((),) if leaves == 1 else ()
    return forests(leaves, nodes - 1, height - 1) if height > 0 else ()


@cache
def forests(leaves, nodes, height):
    """Return every row of shapes that has so many leaves and nodes in all."""
    if leaves == 0 or nodes < leaves:
        return ()
    found = [(shape,) for shape in shapes(leaves, nodes, height)]
    for first_leaves in range(1, leaves):
        for first_nodes in range(first_leaves, nodes):
            firsts = shapes(first_leaves, first_nodes, height)
            if firsts:
                rests = forests(leaves - first_leaves, nodes - first_nodes, height)
                found += [(first, *rest) for first in firsts for rest in rests]
    return tuple(found)


@cache
def weak_orders(leaves, distinct):
    """Return the rank rows of that length that use 1..m, all of them, m <= distinct."""
    rows = product(range(1, min(leaves, distinct) + 1), repeat=leaves)
    return tuple(row for row in rows if len(set(row)) == max(row))


def filled(shape, values):
    """Return the shape with the values on its leaves, left to right."""
    rest = iter(values)

    def fill(part):
        return [fill(child) for child in part] if part else next(rest)

    return fill(shape)


def height_of(shape):
    """Return the number of plies from the shape's root to its deepest leaf."""
    return 1 + max(map(height_of, shape)) if shape else 0


def trees_up_to(leaves, distinct=3, height=4, special_leaves=2):
    """Yield every tree of at most `leaves` leaves, as one search each.

    Up to `special_leaves` leaves each order comes in every palette, with narrow
    windows and with a depth limit; beyond, only with 1, 2, 3 on its leaves.
    """
    for size in range(1, leaves + 1):
        special = size <= special_leaves
        for nodes in range(size, size * height + 2):
            for shape in shapes(size, nodes, height):
                for ranks in weak_orders(size, distinct):
                    yield from trees_of(shape, ranks, special)


def trees_of(shape, ranks, special):
    """Yield the trees with these ranks, MAX root first, plain searches first."""
    yield from plain_trees_of(shape, ranks)
    if special:
        yield from odd_trees_of(shape, ranks)


def plain_trees_of(shape, ranks, number=counting):
    """Yield the shape with both roots; `number(rank, top)` is a leaf's value."""
    spec = filled(shape, [number(rank, max(ranks)) for rank in ranks])
    for maximizing in (True, False):
        yield tree_from_lists(spec, maximizing)


def odd_trees_of(shape, ranks):
    """Yield the shape with special values, with depth limits, then narrow windows."""
    for number in SPECIAL:
        yield from plain_trees_of(shape, ranks, number)
    plies, top = height_of(shape), max(ranks)
    spec = filled(shape, ranks)
    for below in (one_ply_more, two_plies_more):
        yield from _both_roots(overgrown(spec, plies, below), [Search(plies, True)])
    if plies:
        zeros = filled(shape, [around_zero(rank, top) for rank in ranks])
        yield from _both_roots(spec, [Search(plies, True, *w) for w in windows(top)])
        yield from _both_roots(zeros, [Search(plies, True, *w) for w in ((-1, 0), (0, 1))])


def _both_roots(spec, searches):
    for search in searches:
        for maximizing in (True, False):
            yield tree_from_lists(
                spec, maximizing, [replace(search, maximizing=maximizing)]
            )


def windows(top):
    """Return narrow windows on, between and beyond the ranks 1 to `top`."""
    bounds = [half / 2 if half % 2 else half // 2 for half in range(1, 2 * top + 2)]
    return [(low, high) for low, high in zip(bounds, bounds[1:] + bounds[:1]) if low < high]


def overgrown(spec, plies, below):
    """Return the spec with its deepest leaves turned into heuristic positions.

    `below(value)` makes the children that grow where a leaf of that value was.
    """
    if plies == 0:
        return {"value": spec, "children": below(spec)}
    if not isinstance(spec, list):
        return spec
    return [overgrown(part, plies - 1, below) for part in spec]


def one_ply_more(value):
    """Return a single leaf of another value."""
    return [value + 1]


def two_plies_more(value):
    """Return children with other values, so that searching on shows at every ply."""
    return [value + 0.5, [value - 0.5]]


HEIGHT = 4


def small_trees():
    """Yield every tree of the ladder, as one search each."""
    for leaves in (1, 2, 3):
        yield from _stretch(leaves, 3, 2, plain_trees_of)
    yield from _stretch(1, 1, 2, odd_trees_of)
    yield from _stretch(2, 2, 1, odd_trees_of)
    yield from _stretch(4, 2, 1, plain_trees_of)


def _stretch(leaves, distinct, singles, trees_of):
    """Yield trees of so many leaves, at most `singles` nodes having one child.

    `distinct` bounds the number of different values, by one less for each such node
    as long as two are left.
    """
    for nodes in range(leaves, 2 * leaves + singles):
        for shape in shapes(leaves, nodes, HEIGHT):
            lone = lone_children(shape)
            if lone <= singles:
                for ranks in weak_orders(leaves, max(2, distinct - lone)):
                    yield from trees_of(shape, ranks)


def lone_children(shape):
    """Return how many nodes of the shape have a single child."""
    return sum(map(lone_children, shape)) + (len(shape) == 1)


class Ladder:
    """The small trees as tasks, with what the reference does on them, made when needed."""

    def __init__(self, reference):
        self._reference = reference
        self._made = {}

    def tasks(self, function):
        """Yield the tasks of one function, in order; they are kept for next time."""
        if function not in self._made:
            tasks = (
                tasks_for([tree], self._reference, (function,)) for tree in small_trees()
            )
            self._made[function] = [], chain.from_iterable(tasks)
        made, rest = self._made[function]
        for number in count():
            if number == len(made):
                task = next(rest, None)
                if task is None:
                    return
                made.append(task)
            yield made[number]
