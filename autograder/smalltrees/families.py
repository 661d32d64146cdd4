"""Families of trees, each with random numbers, for both players.

families.yaml has the kinds of trees that chance makes too rarely. makers.py makes trees in
which many nodes decide.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from autograder.ground.files import load_data
from autograder.smalltrees.build import describe_root, flow, lists_of, tree_from_lists
from autograder.smalltrees.limits import add_exactly
from autograder.smalltrees.makers import decisions, decisive_line, familiar_numbers
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
    trees: int = 2

    def draw(self, rng: random.Random, number: int) -> Tree:
        """Return a random tree of this kind.

        number: of the tree in its set; a tree with an odd number is mirrored.
        """
        tree = self.make(rng)
        if number % 2:
            tree = mirror(tree)
        return replace(tree, title=self.title)


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


def _read_family(entry):
    """Return the Family of an entry of families.yaml."""
    return Family(entry["title"], partial(_fill_in, entry), entry["trees"])


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
    *map(_read_family, load_data("families.yaml", __file__)),
    Family("One child decides at every ply", decisive_line),
    Family("Deep cutoffs at every ply", partial(decisive_line, top=1)),
    Family("Almost as many visits as are allowed", familiar_numbers, trees=1),
]
# Trees of this family fill a set, so this is the number that may be tried.
DECISIONS = Family("Decisions at many nodes", decisions, trees=400)


def random_trees(count: int, seed: int) -> Iterator[Tree]:
    """Yield random trees within the limits, each with several searches."""
    rng = random.Random(seed)
    for number in range(count):
        yield DECISIONS.draw(rng, number)
