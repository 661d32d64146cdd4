"""Families of trees, each with random numbers, for both players.

families.yaml has the kinds of trees that chance makes too rarely. The other families are
made here, of random numbers: a tree in which many nodes decide, and a tree with many
familiar numbers.
"""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

from autograder.ground.files import load_data
from autograder.smalltrees.build import (
    change_numbers,
    flow,
    lists_of,
    tree_from_lists,
)
from autograder.smalltrees.limits import (
    DECIMALS,
    MAX_CHILDREN,
    MAX_DEPTH,
    MAX_TIE,
    MIN_DIFFERENCE,
)
from gametree.support.tree import Search, Tree
from gametree.support.treefile import parse_tree


class Family(NamedTuple):
    """A kind of tree.

    title: what the trees show, in a few words; it becomes the title of each tree.
    make: function of a random.Random that returns a tree of this kind.
    trees: the number of such trees in a set.
    """

    title: str
    make: Callable[[random.Random], Tree]
    trees: int

    def draw(self, rng: random.Random, number: int) -> Tree:
        """Return a random tree of this kind.

        number: of the tree in its set; a tree with an odd number is mirrored.
        """
        tree = self.make(rng)
        if number % 2:
            tree = mirror(tree)
        return tree._replace(title=self.title)


# ---- entries of families.yaml

FORMULA = re.compile(r"[+-]?([a-z]|[0-9.]+)([+-]([a-z]|[0-9.]+))*")
TERM = re.compile(r"([+-]?)([a-z]|[0-9.]+)")


def family_of(title: str, trees: int, choose: Mapping, **file: Any) -> Family:
    """Return the family of an entry.

    choose: letter -> what it may be.
    file: the content of a tree file with letters.
    """
    return Family(title, partial(_draw, title, choose, file), trees)


def _draw(title: str, choose: Mapping, file: Mapping, rng: random.Random) -> Tree:
    """Return the tree of a file with random choices for its letters."""
    chosen = {}
    for letter, choices in choose.items():
        if isinstance(choices, dict):
            choices = range(choices["from"], choices["to"] + 1)
        chosen[letter] = rng.choice(choices)
    content = change_numbers(file, partial(_fill_in, chosen))
    return parse_tree(flow(content), title)


def _fill_in(chosen: Mapping, part: Any) -> Any:
    """Return a number for a letter or a formula; any other part of a file is unchanged.

    chosen: letter -> a number, or a node with letters of its own.
    """
    if not isinstance(part, str) or not FORMULA.fullmatch(part):
        return part
    if part in chosen:
        return change_numbers(chosen[part], partial(_fill_in, chosen))
    return _sum_of(part, chosen)


def _sum_of(formula: str, chosen: Mapping) -> float:
    """Return the value of a formula such as a+b-0.5."""
    total: float = 0
    for sign, term in TERM.findall(formula):
        value = chosen[term] if term in chosen else float(term)
        if sign == "-":
            value = -value
        total += value
    return round(total, DECIMALS)  # without the errors of binary fractions


# ---- the other player


def mirror(tree: Tree) -> Tree:
    """Return the tree with MAX and MIN exchanged and all values and bounds negated."""
    spec = change_numbers(lists_of(tree.root), lambda number: 0 - number)
    searches = []
    for search in tree.searches:
        alpha = -search.beta
        beta = -search.alpha
        maximizing = not search.maximizing
        searches.append(Search(search.depth, maximizing, alpha, beta, search.earlier))
    return tree_from_lists(spec, not tree.maximizing, searches)


# ---- trees in which many nodes decide
#
# A program may be correct on all trees that are small, plain and shallow. The result of
# these trees depends on many of their nodes: a search that is wrong about one of them is
# often wrong about the root.

# Numbers that programs treat specially, as "no value yet" or as infinity, and typical ones.
HALVES = [0.5, 1.5]
SMALL = [*range(18), 20, 25, 33, 42, 50, 64, 75, 500]
POWERS = [10**zeros for zeros in range(2, 7)]
BELOW_POWERS = [power - 1 for power in POWERS]
POSITIVE = HALVES + SMALL + POWERS + BELOW_POWERS
NEGATIVE = [-number for number in POSITIVE]
NUMBERS = sorted({*POSITIVE, *NEGATIVE})
# The numbers of children in a tree.
WIDTHS = ((1, 2), (1, 2, 3), (2, 2, 3, 4), (1, 1, 2, 8, 9), (1, 1, 1, 2), (3, 6, 9), (2, 9))
PLIES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 12)
SIZES = (8, 12, 30, 50, 60)  # nodes of a tree, about
STEPS = (0.000001, 0.00001, 0.001, 0.25, 0.5, 1, 1, 1, 2, 10, 1000)
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
        good = numbers[threshold:]
        bad = numbers[:threshold]
        bad.reverse()  # so that the first is the nearest, as of the good numbers
        self._numbers = {True: good, False: bad}

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
            decisive = rng.randrange(width)
            are_good[decisive] = is_good
        shares = [rng.random() for _ in are_good]
        children = []
        for good, share in zip(are_good, shares):
            size_below = (size - 1) * share / sum(shares)
            children.append(self.spec(good, not maximizing, size_below, plies - 1))
        return {"value": value, "children": children}

    def value(self, is_good):
        """Return a number above or below the threshold, often the nearest or the last."""
        numbers = self._numbers[is_good]
        chance = self._rng.random()
        if chance < 0.4:
            return numbers[0]
        if chance < 0.5:
            return numbers[-1]
        return self._rng.choice(numbers)


def _numbers(rng):
    """Return numbers in equal steps around a random number, below the limit for ties."""
    middle = _middle(rng)
    least = abs(middle) * 1.01e-9 + MIN_DIFFERENCE
    step = max(rng.choice(STEPS), least)
    count = rng.choice((2, 4, 9))
    numbers = [round(middle + step * times, DECIMALS) for times in range(-count, count + 1)]
    return [number for number in numbers if abs(number) <= MAX_TIE]


def _middle(rng):
    """Return zero, or a number that is familiar, small, usual or large."""
    familiar = rng.choice(NUMBERS)
    small = rng.randint(-9, 9)
    usual = rng.uniform(-99, 99)
    large = 10 ** rng.uniform(3, 5.9)
    return rng.choice((0, familiar, small, usual, large, -large))


def decisions(rng: random.Random) -> Tree:
    """Return a tree whose searches have cutoffs, ties and best children at many nodes."""
    maker = _Maker(rng)
    is_good = rng.random() < 0.5
    size = rng.choice(SIZES)
    plies = rng.choice(PLIES)
    spec = maker.spec(is_good, True, size, plies)
    tree = tree_from_lists(spec, True)
    height = tree.root.height
    searches = [Search(height, True)]
    for _ in range(SEARCHES):
        search = _random_search(maker, rng, height)
        if search not in searches:
            searches.append(search)
    repeated = rng.choice(searches)._replace(earlier=1)
    return tree._replace(searches=(*searches, repeated))


def _random_search(maker, rng, height):
    """Return a search of any depth, often with bounds that are values of the tree."""
    limited = rng.randint(0, height)
    any_depth = rng.randint(0, MAX_DEPTH)
    depth = rng.choice((height, height, limited, any_depth, MAX_DEPTH))
    maximizing = rng.random() < 0.6
    search = Search(depth, maximizing)
    low = maker.value(False)
    high = maker.value(True)
    windows = [{}, {"alpha": low, "beta": high}]
    for value in (low, high):
        windows.append({"alpha": value})
        windows.append({"beta": value})
    return search._replace(**rng.choice(windows))


# ---- familiar numbers

EXTREME = 10**7  # beyond all familiar numbers
GROUPS = 7
NODES = 9  # in a group


def familiar_numbers(rng: random.Random) -> Tree:
    """Return a tree of almost as many nodes as are allowed, which are all visited.

    In its lowest nodes, the second child is a familiar number and the best. In each group
    of them, a node is better for the player above than the one before. The player above is
    MAX in the groups with an even number, and MIN in the others.
    """
    numbers = sorted(rng.sample(NUMBERS, GROUPS * NODES))
    widths = itertools.cycle(range(3, MAX_CHILDREN + 1))
    groups = []
    for number in range(GROUPS):
        group = numbers[number * NODES : (number + 1) * NODES]
        sign = 1
        if number % 2:
            sign = -1
            group.reverse()
        nodes = [_lowest_node(rng, best, next(widths), sign) for best in group]
        groups.append([nodes] if sign == 1 else nodes)  # one ply more for MAX
    return tree_from_lists(groups, True)


def _lowest_node(rng, best, width, sign):
    """Return leaves of which the second is the best.

    sign: of the difference between the other leaves and the best one.
    """
    leaves = [best + sign * rng.randint(1, 99), best]
    while len(leaves) < width:
        leaves.append(sign * (EXTREME + rng.randint(1, 10**8)))
    return leaves


# ---- all families


@cache
def families() -> list[Family]:
    """Return the families of which each set has trees."""
    entries = load_data("families.yaml", __file__)
    found = [family_of(**entry) for entry in entries]
    found.append(Family("Almost as many visits as are allowed", familiar_numbers, 1))
    return found


# Trees of this family show what the others do not, so this is the number that may be tried.
DECISIONS = Family("Decisions at many nodes", decisions, 400)


def random_trees(count: int, seed: int) -> Iterator[Tree]:
    """Yield random trees within the limits, each with several searches."""
    rng = random.Random(seed)
    for number in range(count):
        yield DECISIONS.draw(rng, number)
