"""Make trees of random numbers in which many nodes decide.

A program may be correct on all trees that are small, plain and shallow. The result of
these trees depends on many of their nodes: a search that is wrong about one of them is
often wrong about the root.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace

from autograder.smalltrees.build import tree_from_lists
from autograder.smalltrees.limits import (
    DECIMALS,
    MAX_CHILDREN,
    MAX_DEPTH,
    MAX_FRACTION,
    MAX_PLIES,
    MAX_TIE,
    MIN_DIFFERENCE,
    add_exactly,
)
from gametree.support.tree import Search, Tree

# Numbers that programs treat specially, as "no value yet" or as infinity, and typical ones.
FAMILIAR = {0.5, 1.5, *range(18), 20, 25, 33, 42, 50, 64, 75, 500}
FAMILIAR.update(10**zeros for zeros in range(2, 7))
FAMILIAR.update(10**nines - 1 for nines in range(2, 7))
# Numbers of children, and distances between values. A tree uses one row of each.
WIDTHS = ((1, 2), (1, 2, 3), (2, 2, 3, 4), (1, 1, 2, 8, 9), (1, 1, 1, 2), (3, 6, 9), (2, 9))
SMALL = (0.000001, 0.00001, 0.001, 0.01, 0.25)
USUAL = (0.25, 0.5, 1, 2, 3, 10, 100)
STEPS = ((0.000001,), SMALL, USUAL, (*SMALL, *USUAL), (1, 2), (1,), (1000, 10_000, 99_999))
NUMBERS = sorted({*FAMILIAR, *(-number for number in FAMILIAR)})
RATIOS = (1.01, 1.3, 1.6, 1.9, 5, 100)  # of the smallest difference between large values
DISTANT = 5 * 10**8  # a bound that few values reach
WINDOWS = 5  # searches with a window


class _Maker:
    """A maker of random specs in which many nodes decide.

    It chooses a threshold. A good node has a value of at least the threshold, at every
    depth limit. One child decides that a MAX node is good, and all children decide that a
    MIN node is. So a search that is wrong about one of them is often wrong about the root.
    """

    def __init__(self, rng: random.Random):
        self._rng = rng
        self._widths = rng.choice(WIDTHS)
        self._draws_floats = rng.random() < 0.3
        numbers = rng.choice((_familiar, _plain, _near, _near, _large))(rng)
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
        shares = [rng.random() * (3 if good == is_good else 1) for good in are_good]
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
        place = self._rng.choice((0, 0, 0, last, *4 * [any_place]))
        number = numbers[place]
        if abs(number) > MAX_TIE:  # such numbers occur once
            del numbers[place]
        if self._draws_floats and self._rng.random() < 0.5:
            return float(number)
        return number


# Each kind of numbers is a function that returns them sorted.


def _familiar(rng):
    """Return neighbors among the familiar numbers."""
    start = rng.randrange(len(NUMBERS) - 6)
    return NUMBERS[start : start + rng.choice((6, 12, 24, 100))]


def _plain(rng):
    """Return small whole numbers."""
    low = rng.randint(-12, 3)
    return [*range(low, low + rng.choice((4, 9)))]


def _near(rng):
    """Return numbers on both sides of a random number, at small or usual distances."""
    value = rng.choice((-1, 1)) * _random_value(rng)
    middle = rng.choice((0, *3 * [value]))
    least = abs(middle) / 10**8
    steps = [max(step, least) for step in rng.choice(STEPS)]
    numbers = {middle}
    for times in (-3, -2, -1, 1, 2, 3):
        numbers.update(add_exactly(middle, times * step) for step in steps)
    numbers = sorted(number for number in numbers if abs(number) <= MAX_TIE)
    return [int(number) if number == int(number) else number for number in numbers]


def _random_value(rng):
    """Return a positive value, often one that programs may treat specially."""
    fraction = add_exactly(rng.uniform(0, 99), 0)
    rounded = rng.randint(1, 9) * 10 ** rng.randint(3, 5)
    return rng.choice((rng.choice(sorted(FAMILIAR)), _truncated(rng), fraction, rounded))


def _truncated(rng):
    """Return a fraction that is less than its number of millionths in binary."""
    while True:
        number = round(rng.uniform(0, 99), rng.choice((1, 2, DECIMALS)))
        if int(number * 10**DECIMALS) < round(number * 10**DECIMALS):
            return number


def _large(rng):
    """Return large numbers, often up to the limit, whose differences are just allowed."""
    top = rng.choice((MAX_FRACTION, MAX_FRACTION, 10 ** rng.uniform(4, 9)))
    step = max(MIN_DIFFERENCE, top * 1e-9) * rng.choice(RATIOS) + MIN_DIFFERENCE
    numbers = [add_exactly(top, -step * number) for number in range(400, -1, -1)]
    return numbers if rng.random() < 0.5 else [-number for number in reversed(numbers)]


def decisions(rng: random.Random) -> Tree:
    """Return a tree whose searches have cutoffs, ties and best children at many nodes."""
    maker = _Maker(rng)
    plies = rng.choice((1, 2, 3, 4, 5, 6, 8, 10, 12, 12))
    spec = maker.spec(rng.random() < 0.5, True, rng.choice((8, 12, 30, 50, 60)), plies)
    tree = tree_from_lists(spec, True)
    height = tree.root.height
    searches = [Search(height, True)]
    searches.append(Search(rng.randint(1, height), rng.random() < 0.6))
    for _ in range(WINDOWS):
        searches.append(_with_window(maker, rng, height))
    searches = list(dict.fromkeys(searches))
    searches.append(replace(rng.choice(searches), earlier=1))
    return replace(tree, searches=tuple(searches))


def _with_window(maker, rng, height):
    """Return a search of any depth with a window, often close to values of the tree."""
    depths = (height, height, rng.randint(0, height), rng.randint(0, MAX_DEPTH), MAX_DEPTH)
    search = Search(rng.choice(depths), rng.random() < 0.6)
    other = rng.choice((0, maker.value(False), maker.value(False), maker.value(True)))
    low, high = sorted([maker.value(True), other])
    if low < high and rng.random() < 0.5:
        return replace(search, alpha=low, beta=high)
    return rng.choice((replace(search, alpha=low), replace(search, beta=high)))


# Trees in which each node of a kind decides.

MIDDLES = (0, 3, -7, 100.5, -0.000004, 500)
DISTANCES = (0.000001, 0.25, 1, 7)


def decisive_line(rng: random.Random) -> Tree:
    """Return a tree in which one child decides at every ply and for both players.

    Each node of the longest line has the value of the root. Beside it are nodes of the
    opponent that are worse because of one child.
    """
    value = rng.choice(MIDDLES)
    distance = rng.choice(DISTANCES)
    spec: float | dict = value
    for ply in range(MAX_PLIES - 2, -1, -1):
        worse = distance if ply % 2 else -distance
        children = [_worse_node(rng, value, worse) for _ in range(rng.choice((1, 1, 2)))]
        children.insert(rng.randint(0, len(children)), spec)
        spec = {"value": value, "children": children}
    searches = [
        Search(rng.choice((25, 27, 29)), True),
        Search(7, True, alpha=-DISTANT),
        Search(MAX_DEPTH, False, beta=DISTANT),
    ]
    return tree_from_lists(spec, True, searches)


def _worse_node(rng, value, worse):
    """Return a node whose value is worse because of one child, often the last."""
    width = rng.choice((2, 3, 4, 6))
    children = [add_exactly(value, -worse * rng.randint(1, 9)) for _ in range(width)]
    place = rng.choice((width - 1, rng.randrange(width)))
    children[place] = add_exactly(value, worse * rng.randint(1, 9))
    return {"value": children[place], "children": children}


def deep_cutoffs(rng: random.Random) -> Tree:
    """Return a tree whose first move causes cutoffs at every ply below the second."""
    value = rng.choice(MIDDLES)
    distance = rng.choice(DISTANCES)
    last = MAX_PLIES - rng.choice((0, 1))

    def moved(times):
        return add_exactly(value, times * distance)

    spec = moved(-2 * last - 2)
    for ply in range(last - 1, 0, -1):
        if ply % 2:
            spec = [spec, moved(rng.randint(1, 9)), moved(rng.randint(-3, 9))]
        else:
            lows = (-2 * ply - 1, -2 * ply)
            spec = [spec, *([moved(low), moved(rng.randint(1, 9))] for low in lows)]
    searches = [
        Search(MAX_DEPTH, True, alpha=-DISTANT),
        Search(MAX_DEPTH, True, beta=DISTANT),
    ]
    return tree_from_lists([value, spec, moved(-1)], True, searches)


EXTREME = 10**7  # beyond all familiar numbers


def familiar_numbers(rng: random.Random, width: int = 3, count: int = 24) -> Tree:
    """Return a tree of nodes with two familiar numbers and then much worse leaves.

    Each number matters, a correct search visits all leaves, and the last node has a cutoff.

    width: the number of children of a node.
    count: the number of such nodes.
    """
    chosen = sorted(rng.sample(NUMBERS, count))
    nodes = []
    for place, number in enumerate(chosen):
        higher = rng.choice(chosen[place + 1 :] or [EXTREME])
        worse = [EXTREME + rng.randint(1, 10**8) for _ in range(width - 2)]
        nodes.append([higher, number, *worse])
    while len(nodes) >= MAX_CHILDREN:
        groups = range(0, len(nodes), MAX_CHILDREN)
        nodes = [[nodes[start : start + MAX_CHILDREN]] for start in groups]
    nodes.append([chosen[0], -1, -2])
    return tree_from_lists(nodes, True)


def most_visits(rng: random.Random) -> Tree:
    """Return a tree of familiar numbers with almost as many nodes as are allowed."""
    return familiar_numbers(rng, MAX_CHILDREN, 45)
