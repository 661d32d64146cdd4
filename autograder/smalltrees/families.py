"""Families of trees, each with random numbers, for both players.

families.yaml has the kinds of trees that chance makes too rarely. makers.py makes trees in
which many nodes decide.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from autograder.ground.files import load_data
from autograder.smalltrees.build import describe_root, flow, lists_of, tree_from_lists
from autograder.smalltrees.limits import add_exactly
from autograder.smalltrees.makers import (
    decisions,
    decisive_line,
    deep_cutoffs,
    familiar_numbers,
    most_visits,
)
from gametree.functions import MAX, MIN
from gametree.support.tree import Search, Tree
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

    A tree that lists cannot describe is returned unchanged: a game, a tree of random
    numbers, or one whose nodes have their own names.
    """
    kind, content = describe_root(tree.root)
    if kind != "tree" or content != lists_of(tree.root):
        return tree
    spec = _negate(content)
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


FAMILIES = [
    *WRITTEN,
    Family("One child decides at every ply", decisive_line),
    Family("Deep cutoffs at every ply", deep_cutoffs),
]
# The most expensive families, of which a set has a tree for one player -> this player.
EXPENSIVE = {
    Family("Familiar numbers before worse leaves", familiar_numbers): MIN,
    Family("Almost as many visits as are allowed", most_visits): MAX,
}
DECISIONS = Family("Decisions at many nodes", decisions)


def random_trees(count: int, seed: int) -> Iterator[Tree]:
    """Return `count` random trees within the limits, each with several searches."""
    trees = family_trees(random.Random(seed), itertools.repeat(DECISIONS))
    return itertools.islice(trees, count)
