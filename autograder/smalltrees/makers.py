"""Make trees of random numbers in which many nodes decide.

A program may be correct on all trees that are small, plain and shallow. The result of
these trees depends on many of their nodes: a search that is wrong about one of them is
often wrong about the root.
"""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace

from autograder.smalltrees.build import tree_from_lists
from autograder.smalltrees.limits import (
    MAX_CHILDREN,
    MAX_DEPTH,
    MAX_PLIES,
    MAX_TIE,
    MIN_DIFFERENCE,
    add_exactly,
)
from gametree.support.tree import Search, Tree

# Numbers that programs treat specially, as "no value yet" or as infinity, and typical ones.
FAMILIAR = {0.5, 1.5, *range(18), 20, 25, 33, 42, 50, 64, 75, 500}
for zeros in range(2, 7):
    FAMILIAR |= {10**zeros, 10**zeros - 1}
NUMBERS = sorted({*FAMILIAR, *(-number for number in FAMILIAR)})
# The numbers of children in a tree.
WIDTHS = ((1, 2), (1, 2, 3), (2, 2, 3, 4), (1, 1, 2, 8, 9), (1, 1, 1, 2), (3, 6, 9), (2, 9))
STEPS = (0.000001, 0.00001, 0.001, 0.25, 0.5, 1, 1, 1, 2, 10, 1000)
DISTANT = 5 * 10**8  # a bound that few values reach
SEARCHES = 6  # random ones of a tree


class _Maker:
    """A maker of random specs in which many nodes decide.

    It chooses a threshold. A good node has a value of at least the threshold, at every
    depth limit. One child decides that a MAX node is good, and all children decide that a
    MIN node is. So a search that is wrong about one of them is often wrong about the root.
    """

    def __init__(self, rng: random.Random):
        self._rng = rng
        self._widths = rng.choice(WIDTHS)
        numbers = _numbers(rng)
        third = len(numbers) // 3
        threshold = rng.randint(third, 2 * third)
        self._numbers = {True: numbers[threshold:], False: numbers[:threshold][::-1]}

    def spec(self, is_good, maximizing, size, plies):
        """Return a spec of about `size` nodes and up to `plies` plies."""
        value = self.value(is_good)
        if plies == 0 or size < 1:
            return value
        rng = self._rng
        width = min(rng.choice(self._widths), math.ceil(size))
        are_good = [is_good] * width
        if is_good == maximizing:
            are_good = [not is_good] * width
            are_good[rng.randrange(width)] = is_good
        shares = [rng.random() for _ in are_good]
        children = []
        for good, share in zip(are_good, shares):
            size_below = (size - 1) * share / sum(shares)
            children.append(self.spec(good, not maximizing, size_below, plies - 1))
        return {"value": value, "children": children}

    def value(self, is_good):
        """Return a number above or below the threshold, often the nearest or the last."""
        numbers = self._numbers[is_good]
        last = len(numbers) - 1
        any_place = self._rng.randint(0, last)
        return numbers[self._rng.choice((0, 0, 0, last, *4 * [any_place]))]


def _numbers(rng):
    """Return numbers in equal steps around a random number, below the limit for ties."""
    large = 10 ** rng.uniform(3, 5.9)
    usual = rng.uniform(-99, 99)
    middle = rng.choice((0, rng.choice(NUMBERS), rng.randint(-9, 9), usual, large, -large))
    least = abs(middle) * 1.01e-9 + MIN_DIFFERENCE
    step = max(rng.choice(STEPS), least)
    count = rng.choice((2, 4, 9))
    numbers = [add_exactly(middle, step * times) for times in range(-count, count + 1)]
    return [number for number in numbers if abs(number) <= MAX_TIE]


def decisions(rng: random.Random) -> Tree:
    """Return a tree whose searches have cutoffs, ties and best children at many nodes."""
    maker = _Maker(rng)
    plies = rng.choice((1, 2, 3, 4, 5, 6, 8, 10, 12, 12))
    spec = maker.spec(rng.random() < 0.5, True, rng.choice((8, 12, 30, 50, 60)), plies)
    tree = tree_from_lists(spec, True)
    height = tree.root.height
    found = [_random_search(maker, rng, height) for _ in range(SEARCHES)]
    searches = list(dict.fromkeys([Search(height, True), *found]))
    repeated = replace(rng.choice(searches), earlier=1)
    return replace(tree, searches=(*searches, repeated))


def _random_search(maker, rng, height):
    """Return a search of any depth, often with bounds that are values of the tree."""
    depths = (height, height, rng.randint(0, height), rng.randint(0, MAX_DEPTH), MAX_DEPTH)
    search = Search(rng.choice(depths), rng.random() < 0.6)
    low = maker.value(False)
    high = maker.value(True)
    windows = (
        {},
        {"alpha": low},
        {"alpha": high},
        {"beta": low},
        {"beta": high},
        {"alpha": low, "beta": high},
    )
    return replace(search, **rng.choice(windows))


# Trees in which each node of a kind decides.

MIDDLES = (0, 3, -7, 100.5, -0.000004, 500)
DISTANCES = (0.000001, 0.25, 1, 7)


def decisive_line(rng: random.Random, top: int = 0) -> Tree:
    """Return a tree in which one child decides at every ply and for both players.

    Each node of the longest line has one value. Beside it are nodes of the opponent that
    are worse because of one child.

    top: the ply at which the line begins. Below a first move that is better, it has deep
        cutoffs at every ply.
    """
    value = rng.choice(MIDDLES)
    distance = rng.choice(DISTANCES)
    spec: float | dict | list = value
    for ply in range(MAX_PLIES - 2, top - 1, -1):
        worse = distance if ply % 2 else -distance
        children = [_worse_node(rng, value, worse) for _ in range(rng.choice((1, 1, 2)))]
        place = 0 if top else rng.randint(0, len(children))
        children.insert(place, spec)
        spec = {"value": value, "children": children}
    if top:
        spec = {"value": value, "children": [add_exactly(value, distance), spec]}
    searches = [
        Search(rng.choice((25, 27, 29)), True),
        Search(7, True, alpha=-DISTANT),
        Search(MAX_DEPTH, False, beta=DISTANT),
    ]
    return tree_from_lists(spec, True, searches)


def _worse_node(rng, value, worse):
    """Return a node whose value is worse because of one child."""
    width = rng.choice((2, 3, 4, 6))
    children = [add_exactly(value, -worse * rng.randint(1, 9)) for _ in range(width)]
    worst = add_exactly(value, worse * rng.randint(1, 9))
    children[rng.randrange(width)] = worst
    return {"value": worst, "children": children}


EXTREME = 10**7  # beyond all familiar numbers


def familiar_numbers(rng: random.Random) -> Tree:
    """Return a tree of almost as many nodes as are allowed, which are all visited.

    In its lowest nodes, the second child is a familiar number and the best. In each group
    of them, a node is better for the player above than the one before. The player above is
    MAX in the groups with an even number, and MIN in the others.
    """
    chosen = sorted(rng.sample(NUMBERS, 63))
    widths = itertools.cycle(range(3, MAX_CHILDREN + 1))
    groups = []
    for start in range(0, len(chosen), MAX_CHILDREN):
        group = chosen[start : start + MAX_CHILDREN]
        sign = 1
        if len(groups) % 2:
            group.reverse()
            sign = -1
        nodes = []
        for number in group:
            worse = [
                sign * (EXTREME + rng.randint(1, 10**8)) for _ in range(next(widths) - 2)
            ]
            nodes.append([number + sign * rng.randint(1, 99), number, *worse])
        groups.append([nodes] if sign == 1 else nodes)  # one ply more for MAX
    return tree_from_lists(groups, True)
