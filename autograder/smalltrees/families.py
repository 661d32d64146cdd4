"""Families of trees, each with random numbers, for both players.

A program may be correct on all trees that are small, plain and shallow. So decisions()
makes trees of every size in which many nodes decide, and families.yaml has the kinds of
trees that chance makes too rarely.
"""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from autograder.ground.files import load_data
from autograder.scoring.features import FAMILIAR
from autograder.smalltrees.build import flow, lists_of, tree_from_lists
from autograder.smalltrees.limits import (
    DECIMALS,
    MAX_CHILDREN,
    MAX_DEPTH,
    MAX_FRACTION,
    MAX_TIE,
    MIN_DIFFERENCE,
    add_exactly,
)
from gametree.support.tree import Position, Search, Tree
from gametree.support.treefile import parse_tree


class Family(NamedTuple):
    """A kind of tree.

    title: what the trees show, in a few words; it becomes the title of each tree.
    make: function of a random.Random that returns a tree of this kind.
    """

    title: str
    make: Callable[[random.Random], Tree]


TERM = re.compile(r"([+-]?)([a-z]|[0-9.]+)")


def _fill_in(entry, rng):
    """Return the tree of an entry of families.yaml, with random numbers for its letters."""
    chosen = {}
    for letter, numbers in entry["choose"].items():
        if isinstance(numbers, dict):
            numbers = range(numbers["from"], numbers["to"] + 1)
        chosen[letter] = rng.choice(numbers)

    def value_of(match):
        text = match[1]
        if isinstance(chosen.get(text), str):
            return chosen[text]
        total = 0
        for sign, term in TERM.findall(text):
            value = chosen[term] if term in chosen else float(term)
            total += -value if sign == "-" else value
        return flow(add_exactly(total, 0))

    text = entry["file"]
    while "<" in text:  # a chosen text may have letters too
        text = re.sub("<([^<>]*)>", value_of, text)
    return parse_tree(text, entry["title"])


WRITTEN = [
    Family(entry["title"], partial(_fill_in, entry))
    for entry in load_data("families.yaml", __file__)
]


def family_trees(rng: random.Random, families: Iterable[Family]) -> Iterator[Tree]:
    """Yield two trees of each family; the second tree has MAX and MIN exchanged."""
    for family in families:
        for tree in (family.make(rng), mirror(family.make(rng))):
            yield replace(tree, title=family.title)


def mirror(tree: Tree) -> Tree:
    """Return the tree with MAX and MIN exchanged and all values and bounds negated.

    A game, or a tree of random numbers, is returned unchanged.
    """
    if type(tree.root) is not Position:
        return tree
    spec = _negate(lists_of(tree.root))
    searches = []
    for search in tree.searches:
        alpha = -search.beta
        beta = -search.alpha
        maximizing = not search.maximizing
        searches.append(Search(search.depth, maximizing, alpha, beta, search.earlier))
    return tree_from_lists(spec, not tree.maximizing, searches)


def _negate(spec):
    if isinstance(spec, list):
        return [_negate(child) for child in spec]
    if isinstance(spec, dict):
        children = _negate(spec["children"])
        return {"value": -spec["value"], "children": children}
    return 0 - spec


# Random trees in which many nodes decide.

# Numbers of children, and distances between values. A tree uses one row of each.
WIDTHS = ((1, 2), (1, 2, 3), (2, 2, 3, 4), (1, 1, 2, 8, 9), (1, 1, 1, 2), (3, 6, 9), (2, 9))
SMALL = (0.000001, 0.00001, 0.001, 0.01, 0.25)
USUAL = (0.25, 0.5, 1, 2, 3, 10, 100)
STEPS = ((0.000001,), SMALL, USUAL, (*SMALL, *USUAL), (1, 2), (1,), (1000, 10_000, 99_999))
NUMBERS = sorted({*FAMILIAR, *(-number for number in FAMILIAR)})
RATIOS = (1.01, 1.3, 1.6, 1.9, 5, 100)  # of the smallest difference between large values
DISTANT = 5 * 10**8  # a bound that few values reach
SEARCHES = 7  # with windows, of which a set uses those that show most


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


def _make_decisions(rng):
    """Return a tree whose searches have cutoffs, ties and best children at many nodes."""
    maker = _Maker(rng)
    plies = rng.choice((1, 2, 3, 4, 5, 6, 8, 10, 12, 12))
    spec = maker.spec(rng.random() < 0.5, True, rng.choice((8, 12, 30, 50, 60)), plies)
    tree = tree_from_lists(spec, True)
    height = tree.root.height
    searches = [Search(height, True), Search(MAX_DEPTH, True, -DISTANT)]
    for _ in range(3):
        searches.append(Search(rng.choice((1, height, MAX_DEPTH)), rng.random() < 0.7))
        searches.append(Search(rng.randint(1, height), rng.random() < 0.7))
    for _ in range(SEARCHES):
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


decisions = Family("Decisions at many nodes", _make_decisions)


EXTREME = 10**7  # beyond all familiar numbers


def _make_numbers(rng, width, count):
    """Return a tree of nodes with two familiar numbers and then much worse leaves.

    Each number matters, a correct search visits all leaves, and the last node has a cutoff.
    width: the number of children of a node.
    count: the number of such nodes.
    """
    chosen = sorted(rng.sample(NUMBERS, count), reverse=True)
    nodes = []
    for place, number in enumerate(chosen):
        lower = rng.choice(chosen[place + 1 :] or [-EXTREME])
        worse = [-EXTREME - rng.randint(1, 10**8) for _ in range(width - 2)]
        nodes.append([lower, number, *worse])
    while len(nodes) >= MAX_CHILDREN:
        groups = range(0, len(nodes), MAX_CHILDREN)
        nodes = [[nodes[start : start + MAX_CHILDREN]] for start in groups]
    nodes.append([chosen[0], 1, 2])
    return mirror(tree_from_lists(nodes, False))


NARROW = partial(_make_numbers, width=3, count=32)
WIDE = partial(_make_numbers, width=MAX_CHILDREN, count=44)  # takes almost all visits
# One title, because a set needs such a tree for each player, but only one wide tree.
number_families = [
    Family("Familiar numbers before worse leaves", make) for make in (NARROW, WIDE)
]
FAMILIES = (decisions, *number_families, *WRITTEN)


def random_trees(count: int, seed: int) -> Iterator[Tree]:
    """Return `count` random trees within the limits, each with several searches."""
    trees = family_trees(random.Random(seed), itertools.repeat(decisions))
    return itertools.islice(trees, count)
