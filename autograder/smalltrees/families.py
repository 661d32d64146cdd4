"""Families of trees, each with random numbers, for both players.

families.yaml has the kinds of trees that chance makes too rarely. makers.py makes trees in
which many nodes decide.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

from autograder.ground.files import load_data
from autograder.smalltrees.build import describe_root, flow, lists_of, tree_from_lists
from autograder.smalltrees.limits import add_exactly
from autograder.smalltrees.makers import decisions, familiar_numbers
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
        return replace(tree, title=self.title)


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
    return parse_tree(flow(_fill_in(file, chosen)), title)


def _fill_in(content: Any, chosen: Mapping) -> Any:
    """Return a part of a file with numbers in place of its letters.

    chosen: letter -> a number, or a node with letters of its own.
    """
    if isinstance(content, list):
        return [_fill_in(part, chosen) for part in content]
    if isinstance(content, dict):
        return {key: _fill_in(part, chosen) for key, part in content.items()}
    if not isinstance(content, str) or not FORMULA.fullmatch(content):
        return content
    if content in chosen:
        return _fill_in(chosen[content], chosen)
    return _sum_of(content, chosen)


def _sum_of(formula: str, chosen: Mapping) -> float:
    """Return the value of a formula such as a+b-0.5."""
    total: float = 0
    for sign, term in TERM.findall(formula):
        value = chosen[term] if term in chosen else float(term)
        total += -value if sign == "-" else value
    return add_exactly(total, 0)


# ---- the other player


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
