"""Random game trees, small and full of what goes wrong: ties, zeros, large values."""

from __future__ import annotations

import math
import random

from autograder.smalltrees.build import tree_from_lists
from gametree.tree import Search

PALETTES = (
    (0, 1),
    (1, 2, 3),
    tuple(range(-3, 4)),
    tuple(range(-9, 10)),
    (-4, -3, -2, -1),
    (-1.5, -0.5, 0, 0.25, 0.5, 0.75, 1.5),
    (-20_000, -10_001, -1_001, -100, 0, 100, 1_001, 10_001, 20_000),
    (-900_000_000, -200_000_000, -30_000_000, -20_000_000),
    (20_000_000, 30_000_000, 200_000_000, 900_000_000),
    tuple(range(-99, 100)),
)


def random_trees(count, seed, height=4, branching=3):
    """Yield `count` random trees; each is asked two to four searches.

    One is of the whole tree from a full window; the others are limited in depth,
    or have a narrow window, or both.
    """
    rng = random.Random(seed)
    for _ in range(count):
        palette = rng.choice(PALETTES)
        spec = random_spec(rng, palette, rng.randint(1, height), branching)
        maximizing = rng.random() < 0.5
        tree = tree_from_lists(spec, maximizing)
        depths = range(1, tree.root.height + 2)
        searches = list(tree.searches)
        for _ in range(rng.randint(1, 3)):
            window = random_window(rng, palette) if rng.random() < 0.7 else ()
            depth = rng.choice(depths) if rng.random() < 0.6 else tree.searches[0].depth
            searches.append(Search(depth, maximizing, *window))
        yield tree_from_lists(spec, maximizing, searches)


def random_spec(rng, palette, height, branching):
    """Return a random spec of at most `height` plies, with static values in half."""
    if height == 0 or rng.random() < 0.15:
        return rng.choice(palette)
    parts = [
        random_spec(rng, palette, height - 1, branching)
        for _ in range(rng.randint(1, branching))
    ]
    if rng.random() < 0.5:
        return {"value": rng.choice(palette), "children": parts}
    return parts


def random_window(rng, palette):
    """Return alpha < beta on or between the palette's values, or open on one side."""
    bounds = sorted(
        {rng.choice(palette) + rng.choice((-0.5, 0, 0, 0.5)) for _ in range(4)}
        | {-math.inf, math.inf}
    )
    low = rng.randrange(len(bounds) - 1)
    return bounds[low], bounds[rng.randint(low + 1, len(bounds) - 1)]
