"""Families of trees, each with random numbers, for both players.

A program may be correct on all trees that are small, plain and shallow. So decisions()
makes trees of every size in which many nodes decide, and families.yaml has the kinds of
trees that chance makes too rarely.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from autograder.ground.files import load_data
from autograder.scoring.features import FAMILIAR
from autograder.smalltrees.build import flow, lists_of, tree_from_lists
from autograder.smalltrees.limits import (
    MAX_CHILDREN,
    MAX_DEPTH,
    MAX_TIE,
    MAX_VALUE,
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

SHAPES = (  # the most plies, and numbers of other children of a node
    (1, (1, 3, 8)),
    (2, (1, 2, 5, 8)),
    (3, (1, 2, 3)),
    (4, (0, 1, 2, 3)),
    (6, (0, 1, 2)),
    (9, (0, 1, 1, 2)),
    (11, (0, 0, 1, 1)),
    (11, (1, 1, 2)),
)
SMALL = (0.000001, 0.00001, 0.001, 0.01, 0.25)
USUAL = (0.25, 0.5, 1, 1, 1, 2, 3, 10, 100)
LARGE = (1000, 10_000, 10**6, 10**8)
DIFFERENCES = ((), (), SMALL, USUAL, (1, 2), (*SMALL, *USUAL), LARGE, (*USUAL, *LARGE))
NUMBERS = sorted({*FAMILIAR, *(-number for number in FAMILIAR)})
SEARCHES = 14  # of which a set uses those that show most


class _Decisions(NamedTuple):
    """A maker of random specs in which many nodes decide.

    rng: its source of chance.
    differences: the differences between the values of children. If there are none, the
        values of children are neighbors among the familiar numbers.
    others: the numbers of other children beside a best child.
    """

    rng: random.Random
    differences: Sequence[float]
    others: Sequence[int]

    def worth(self, value, maximizing, plies):
        """Return a spec of this value, of up to `plies` plies below its best children."""
        if plies == 0:
            return value
        others = self.rng.choice(self.others)
        place = self.rng.randint(0, others)
        children = [self._worse(value, maximizing, plies) for _ in range(place)]
        children.append(self.worth(value, not maximizing, plies - 1))
        for _ in range(others - place):
            is_tie = abs(value) < MAX_TIE and self.rng.random() < 0.5
            children.append(self._worse(value, maximizing, plies, is_tie))
        return {"value": self.beside(value), "children": children}

    def _worse(self, value, maximizing, plies, is_tie=False):
        """Return a child that is worse than `value`, or as good if it is a tie."""
        sign = 1 if maximizing else -1
        worse = value if is_tie else self._shifted(value, -sign)
        if plies == 1 or self.rng.random() < 0.3:
            return worse
        before = self.rng.choice((0, 0, 1, 2, self.rng.randint(3, 7)))
        replies = [self._shifted(worse, sign) for _ in range(before)]
        below = self.rng.choice((0, 0, 0, 1, 2))
        replies.append(self.worth(worse, maximizing, min(below, plies - 2)))
        for _ in range(self.rng.choice((0, 1, 1))):
            replies.append(self.beside(worse))
        return {"value": self.beside(value), "children": replies}

    def beside(self, value):
        """Return a value near this one, or equal to it if it is small enough for a tie."""
        signs = (-1, 0, 0, 1) if abs(value) < MAX_TIE else (-1, 1)
        return self._shifted(value, self.rng.choice(signs))

    def _shifted(self, value, sign):
        """Return a larger value if the sign is 1, a smaller one if it is -1."""
        if sign and not self.differences:
            beyond = [number for number in NUMBERS if sign * (number - value) > 0]
            nearest = sorted(beyond, key=lambda number: abs(number - value))[:4]
            return self.rng.choice(nearest or [value + sign])
        return _limited(value + sign * self.rng.choice(self.differences or [0]))


def _limited(value):
    """Return the value without a rounding error, or the closest that a tree may have."""
    return max(-MAX_VALUE, min(MAX_VALUE, add_exactly(value, 0)))


def _make_decisions(rng):
    """Return a tree whose searches have cutoffs, ties and best children at many nodes."""
    plies, others = rng.choice(SHAPES)
    differences = rng.choice(DIFFERENCES)
    value = rng.choice((-1, 1)) * _random_value(rng)
    maker = _Decisions(rng, differences, others)
    tree = tree_from_lists(maker.worth(value, True, plies), True)
    searches = [Search(tree.root.height, True), Search(rng.randint(1, MAX_DEPTH), True)]
    for _ in range(SEARCHES):
        searches.append(_decisive_search(maker, tree, value))
    return replace(tree, searches=tuple(dict.fromkeys(searches)))


def _random_value(rng):
    """Return a positive value of any size, often one that programs may treat specially."""
    familiar = rng.choice(sorted(FAMILIAR))
    fraction = add_exactly(rng.uniform(0, 99), 0)
    rounded = rng.randint(1, 9) * 10 ** rng.randint(3, 8)
    large = rng.randint(10**6, MAX_VALUE)
    return rng.choice((familiar, familiar, fraction, rounded, large))


def _decisive_search(maker, tree, value):
    """Return a search of any depth, often with bounds close to values of the tree."""
    rng = maker.rng
    height = tree.root.height
    depths = (height, height, rng.randint(0, height), rng.randint(0, MAX_DEPTH), MAX_DEPTH)
    search = Search(rng.choice(depths), rng.random() < 0.6)
    if rng.random() < 0.2:
        return search
    others = [node.value for node in tree.root.subtree()]
    other = 0 if rng.random() < 0.1 else maker.beside(rng.choice(others))
    low, high = sorted([maker.beside(value), other])
    if low < high and rng.random() < 0.6:
        return replace(search, alpha=low, beta=high)
    return rng.choice((replace(search, alpha=low), replace(search, beta=high)))


decisions = Family("Decisions at many nodes", _make_decisions)


EXTREME = 200_000  # beyond all familiar numbers


def _make_numbers(rng):
    """Return a tree whose nodes each have a familiar number and then much worse leaves.

    Each number matters, a correct search visits all leaves, and the last node has a cutoff.
    """
    chosen = sorted(rng.sample(NUMBERS, 48), reverse=True)
    nodes = []
    for number in chosen:
        worse = [-EXTREME - rng.randint(1, EXTREME) for _ in range(MAX_CHILDREN - 1)]
        nodes.append([number, *worse])
    while len(nodes) >= MAX_CHILDREN:
        groups = range(0, len(nodes), MAX_CHILDREN)
        nodes = [[nodes[start : start + MAX_CHILDREN]] for start in groups]
    nodes.append([chosen[0], 1, 2])
    return mirror(tree_from_lists(nodes, False))


numbers = Family("Familiar numbers, each before worse leaves", _make_numbers)
FAMILIES = (decisions, numbers, *WRITTEN)


def random_trees(count: int, seed: int) -> Iterator[Tree]:
    """Return `count` random trees, each with several searches.

    Some exceed the limits: see beyond_limits().
    """
    trees = family_trees(random.Random(seed), itertools.repeat(decisions))
    return itertools.islice(trees, count)
