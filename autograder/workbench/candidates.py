"""Candidates for a hidden set: many small trees of every kind, from one seed."""

from __future__ import annotations

import random
from dataclasses import replace

from autograder.running.plant import plant
from autograder.running.smalltrees import filled, shapes, weak_orders
from autograder.workbench.randomtrees import random_trees, random_window
from gametree.position import Search

# Values to draw from: each palette catches mistakes that the others cannot.
PALETTES = (
    tuple(range(1, 10)),
    tuple(range(-9, 10)),
    tuple(range(-20, 0)),
    (-2, -1, 0, 0, 1, 2),
    (0, 1, 2),
    (-2, -1, 0),
    (0.25, 0.5, 0.75, 1.25, 1.5, 1.75),
    (-1.75, -1.5, -1.25, -0.75, -0.5, -0.25),
    (10_500, 20_000, 31_000, 45_000, 90_000),
    (-10_500, -20_000, -31_000, -45_000, -90_000),
    (-90_000, -20_000, -10_500, 0, 10_500, 20_000, 90_000),
)
SMALL_LEAVES = range(2, 7)


def candidates(seed, count=900):
    """Return `count` trees, each named by its place: the same for the same seed.

    A third are small shapes with every order of values possible, a third are
    random with several searches, a third are deeper and limited in depth.
    """
    rng = random.Random(seed)
    third = count // 3
    found = [small(rng) for _ in range(third)]
    found += random_trees(third, rng.getrandbits(32), height=4, branching=3)
    found += [deep(rng) for _ in range(count - 2 * third)]
    return [tidied(tree, f"candidate-{number:04d}") for number, tree in enumerate(found)]


def tidied(tree, name):
    """Return the tree under a short name, each of its searches once."""
    searches = tuple(dict.fromkeys(tree.searches))
    return replace(tree, name=name, title=name, lesson=name, searches=searches)


def small(rng):
    """Return a small shape with values in one of all orders, ties included."""
    leaves = rng.choice(SMALL_LEAVES)
    nodes = leaves + rng.randint(1, 4)
    shape = rng.choice(shapes(leaves, nodes, 4) or shapes(leaves, leaves + 1, 4))
    ranks = rng.choice(weak_orders(leaves, 4))
    palette = rng.choice([p for p in PALETTES if len(set(p)) >= max(ranks)])
    values = sorted(rng.sample(sorted(set(palette)), max(ranks)))
    spec = filled(shape, [values[rank - 1] for rank in ranks])
    maximizing = rng.random() < 0.5
    tree = plant(spec, maximizing)
    if rng.random() < 0.4:
        whole = tree.searches[0]
        window = random_window(rng, palette)
        return plant(spec, maximizing, [whole, Search(whole.depth, maximizing, *window)])
    return tree


def deep(rng):
    """Return a tree of three to five plies with static values, searched less deep."""
    palette = rng.choice(PALETTES)
    height = rng.randint(3, 5)
    spec = grown(rng, palette, height)
    maximizing = rng.random() < 0.5
    tree = plant(spec, maximizing)
    whole = tree.searches[0]
    limits = rng.sample(range(1, whole.depth + 1), k=min(2, whole.depth))
    limited = [Search(depth, maximizing) for depth in sorted(limits) if depth < whole.depth]
    return plant(spec, maximizing, [whole, *limited])


def grown(rng, palette, height):
    """Return a random spec with a static value at every interior node."""
    if height == 0 or rng.random() < 0.2:
        return rng.choice(palette)
    parts = [grown(rng, palette, height - 1) for _ in range(rng.choice((1, 2, 2, 3)))]
    if height >= 3 and not any(isinstance(part, dict) for part in parts):
        parts.append(grown(rng, palette, height - 1))
    return {"value": rng.choice(palette), "children": parts}
