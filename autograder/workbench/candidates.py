"""Candidate trees, of which a hidden set is chosen: the same for the same seed."""

from __future__ import annotations

import contextlib
import random
from dataclasses import replace

from autograder.smalltrees.build import tree_from_lists
from autograder.smalltrees.enumeration import filled, shapes, weak_orders
from autograder.smalltrees.randomtrees import random_trees, random_window
from autograder.smalltrees.telling import telling_trees
from gametree import parse_tree
from gametree.games import GAMES
from gametree.tree import Search, Tree

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
    (20_000_000, 45_000_000, 90_000_000, 310_000_000, 900_000_000),
    (-20_000_000, -45_000_000, -90_000_000, -310_000_000, -900_000_000),
)
WHOLE = (tuple(range(1, 10)), *(tuple(range(n, n + 45)) for n in (1, -15, -30)))
GOOD = (  # of which the first player has the best at once
    tuple(range(1, 21)),
    tuple(range(10)),
    tuple(range(1, 10)),
    (0.5, 1.5, 2.5, 3.5, 4.5),
    (1000, 2000, 10_500, 20_000, 50_000),
)
SMALL_LEAVES = range(2, 7)


BITS = 128  # of a seed that is drawn
STARTS = (  # of games that are small enough
    *(("coins", number) for number in range(3, 10)),
    *(("nim", heaps) for heaps in ((1, 2), (2, 2), (1, 3), (1, 1, 2), (2, 3), (3, 3))),
)


def candidates(seed, count=900):
    """Return `count` trees, each named by its place: the same for the same seed.

    Small shapes with every order of values possible, random ones with several searches,
    deeper ones that are limited in depth, balanced ones, plain ones of whole numbers, tall
    ones, such as a good first move refutes, uniform ones, and small games.
    """
    rng = random.Random(seed)
    part = count // 10
    trees = [game(*start, maximizing) for start in STARTS for maximizing in (True, False)]
    trees += [boards(rng) for _ in range(part // 6)]
    trees += [uniform(rng) for _ in range(part // 3)]
    trees += [small(rng) for _ in range(part)]
    trees += random_trees(part, rng.getrandbits(BITS), height=4, branching=3)
    trees += [deep(rng) for _ in range(part)]
    trees += [balanced(rng) for _ in range(2 * part)]
    trees += [plain(rng, (1, 2, 2, 2, 3, 3, 3)) for _ in range(3 * part // 2)]
    trees += [plain(rng, (3, 4, 4, 5)) for _ in range(part)]
    trees += [refuted(rng) for _ in range(count - len(trees))]
    return [tidied(tree, f"candidate-{number:04d}") for number, tree in enumerate(trees)]


def telling_candidates(seed, rounds):
    """Return so many telling trees of each family, each named by its place."""
    rng = random.Random(f"telling {seed}")
    trees = [tree for _ in range(rounds) for tree in telling_trees(rng)]
    return [tidied(tree, f"telling-{number:04d}") for number, tree in enumerate(trees)]


def balanced(rng):
    """Return a tree in which every node has a leaf that is good for its player.

    So no MAX node is worth less than nothing, and no MIN node more.
    """
    maximizing = rng.random() < 0.5
    spec = _balanced(rng, rng.choice((1, 2, 2, 3, 3, 4)), maximizing)
    return searched(rng, spec, range(-9, 10), maximizing)


def _balanced(rng, height, maximizing):
    parts = [
        _balanced(rng, height - 1, not maximizing)
        if height > 1 and rng.random() < 0.7
        else rng.randint(-9, 9)
        for _ in range(rng.choice((1, 1, 2, 2, 3)))
    ]
    good = rng.randint(0, 9) * (1 if maximizing else -1)
    parts.insert(rng.randint(0, len(parts)), good)
    return parts


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
    return searched(rng, spec, palette, rng.random() < 0.5)


def deep(rng):
    """Return a tree of three to five plies with static values, searched less deep."""
    palette = rng.choice(PALETTES)
    height = rng.randint(3, 5)
    spec = grown(rng, palette, height)
    maximizing = rng.random() < 0.5
    tree = tree_from_lists(spec, maximizing)
    whole = tree.searches[0]
    limits = rng.sample(range(1, whole.depth + 1), k=min(2, whole.depth))
    limited = [Search(depth, maximizing) for depth in sorted(limits) if depth < whole.depth]
    return tree_from_lists(spec, maximizing, [whole, *limited])


def grown(rng, palette, height):
    """Return a random spec with a static value at every interior node."""
    if height == 0 or rng.random() < 0.2:
        return rng.choice(palette)
    parts = [grown(rng, palette, height - 1) for _ in range(rng.choice((1, 2, 2, 3)))]
    if height >= 3 and not any(isinstance(part, dict) for part in parts):
        parts.append(grown(rng, palette, height - 1))
    return {"value": rng.choice(palette), "children": parts}


def game(name, start, maximizing):
    """Return the game `name` from a start, played to its end."""
    root = GAMES[name].start(start, maximizing=maximizing)
    return Tree(name, name, "", root, maximizing, (Search(root.height, maximizing),))


def boards(rng):
    """Return tic-tac-toe from a random position of four to six free cells."""
    while True:
        board, free = [*"........."], rng.choice((4, 5, 5, 6))
        cells = rng.sample(range(9), 9 - free)
        for cell, mark in zip(cells, "XOXOX"):
            board[cell] = mark
        with contextlib.suppress(ValueError):  # the game was over before
            rows = "".join(board[:3]), "".join(board[3:6]), "".join(board[6:])
            root = GAMES["tictactoe"].start(" ".join(rows))
            if root.children:
                whole = Search(root.height, root.maximizing)
                return Tree("board", "board", "", root, root.maximizing, (whole,))


def uniform(rng):
    """Return a tree of 27 to 81 leaves in the best, the worst or any order."""
    branching, depth = rng.choice(((2, 5), (2, 6), (3, 3), (3, 4)))
    recipe = f"branching: {branching}, depth: {depth}, values: [-500, 500]"
    order, seed = rng.choice(("best", "worst", "random")), rng.randrange(10**9)
    root = rng.choice(("max", "min"))
    text = f"root: {root}\nrandom: {{{recipe}, seed: {seed}, order: {order}}}\n"
    return parse_tree(text, "uniform")


def plain(rng, heights):
    """Return a tree of whole numbers, two children or three at every node."""
    palette = rng.choice(WHOLE)
    spec = branched(rng, palette, rng.choice(heights))
    return searched(rng, spec, palette, rng.random() < 0.5)


def branched(rng, palette, height):
    """Return a random spec without static values and without single children."""
    if height == 0:
        return rng.choice(palette)
    counts = (2, 2, 3, 4) if height == 1 else (2, 2, 3) if height < 4 else (2,)
    return [
        rng.choice(palette) if rng.random() < 0.15 else branched(rng, palette, height - 1)
        for _ in range(rng.choice(counts))
    ]


def refuted(rng):
    """Return a tree whose first move is a good leaf that refutes most of the others."""
    maximizing = rng.random() < 0.5
    sign = 1 if maximizing else -1
    palette = rng.choice(GOOD)
    good = rng.choice(palette[len(palette) // 2 :])
    worse = [value for value in palette if value <= good] + [-value for value in palette]

    def any_values(counts):
        return [
            rng.choice((-1, 1, 1)) * rng.choice(palette) for _ in range(rng.choice(counts))
        ]

    def no_better(counts):
        return [sign * rng.choice(worse) for _ in range(rng.choice(counts))]

    def reply():
        height = rng.choice((0, 1, 1, 1, 2))
        if height == 0:
            return no_better((1,))[0]
        first = no_better((1,)) if height == 1 else [no_better((2, 3))]
        return first + any_values((1, 1, 2))

    spec = [sign * good, *(reply() for _ in range(rng.choice((1, 2, 2, 3))))]
    return searched(rng, spec, sorted(sign * value for value in palette), maximizing)


def searched(rng, spec, palette, maximizing):
    """Return the tree of a spec, at times asked for the other player, or in a window."""
    whole = tree_from_lists(spec, maximizing).searches[0]
    searches = [whole]
    if rng.random() < 0.5:
        searches.append(Search(whole.depth, not maximizing))
    if rng.random() < 0.4:
        searches.append(Search(whole.depth, maximizing, *random_window(rng, palette)))
    return tree_from_lists(spec, maximizing, searches)
