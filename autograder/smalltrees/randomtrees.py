"""Random trees, each with searches of random depths and windows."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace

from autograder.smalltrees.build import tree_from_lists
from autograder.smalltrees.values import PALETTES, add_exactly
from gametree.support.tree import Search, Tree


def random_trees(count: int, seed: int) -> Iterator[Tree]:
    """Yield `count` random trees, each with two to four searches.

    The first search has the full depth and a full window. The others have a limited depth,
    a narrow window, or both.
    """
    rng = random.Random(seed)
    for _ in range(count):
        palette = rng.choice(PALETTES)
        height = rng.randint(1, 4)
        spec = random_spec(rng, palette, height, static=0.5)
        maximizing = rng.random() < 0.5
        tree = tree_from_lists(spec, maximizing)
        searches = []
        for _ in range(rng.randint(1, 3)):
            searches.append(random_search(rng, tree, palette))
        yield with_searches(tree, searches)


def random_spec(rng, palette, height, static=0.0, early=0.15, min_children=1):
    """Return a random spec of at most `height` plies.

    static: the share of nodes with a static value.
    early: the share of lines that end before the last ply.
    min_children: the minimum number of children of a node.
    """
    if height == 0 or rng.random() < early:
        return rng.choice(palette)
    children = []
    for _ in range(rng.randint(min_children, 3)):
        child = random_spec(rng, palette, height - 1, static, early, min_children)
        children.append(child)
    if rng.random() < static:
        return {"value": rng.choice(palette), "children": children}
    return children


def random_search(rng, tree, palette):
    """Return a search of any depth, often with a window of values from the palette."""
    window = ()
    if rng.random() < 0.7:
        window = _random_window(rng, palette)
    depth = tree.root.height
    if rng.random() < 0.6:
        depth = rng.randint(1, depth + 1)
    return Search(depth, tree.maximizing, *window)


def _random_window(rng, palette):
    """Return alpha and beta, drawn from the palette, half-values and infinities."""
    values = {-math.inf, math.inf}
    for _ in range(4):
        value = rng.choice(palette)
        difference = rng.choice((-0.5, 0, 0, 0.5))
        values.add(add_exactly(value, difference))
    bounds = sorted(values)
    last = len(bounds) - 1
    low = rng.randrange(last)
    high = rng.randint(low + 1, last)
    return bounds[low], bounds[high]


def with_searches(tree: Tree, searches: list[Search]) -> Tree:
    """Return the tree with these additional searches, without duplicates."""
    distinct = dict.fromkeys([*tree.searches, *searches])
    return replace(tree, searches=tuple(distinct))
