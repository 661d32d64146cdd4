"""Families of trees: random ones, and ones that are built to show a certain mistake.

A program may be right on all that is small, plain and near the root. So there is a family
for each place where programs go wrong: every ply, every child, numbers that are taken for
"no value yet", the largest and the closest values, many visits. How large and how close
all may be is said here, and to students in the handout.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from autograder.smalltrees.build import lists_of, tree_from_lists
from gametree.games import GAMES
from gametree.tree import Search, Tree

MOST = 10**9 - 1  # the largest value, and its negative the smallest
HAIR = 10**-6  # the smallest difference of two values that differ
DIGITS = 6  # after the point
MOST_CHILDREN = 9
MOST_PLIES = 12
MOST_DEPTH = 30
MOST_VISITS = 500  # of a right search

POWERS = (1, 10, 100, 1000, 10**4, 10**5, 10**6, 10**7, 10**8)
# Numbers that people take for "no value yet", for infinity, or for an example.
ODD = sorted(
    {sign * n for n in (0, 1, 10, 99, 100, 999, 1000, 9999, 10_000) for sign in (1, -1)}
)
LIKED = (
    *range(-7, 9),
    10,
    -10,
    12,
    13,
    15,
    16,
    17,
    20,
    -20,
    21,
    25,
    30,
    32,
    42,
    -42,
    50,
    -50,
    64,
    75,
)
PALETTES = (  # each shows mistakes that the others do not
    (0, 1),
    (1, 2, 3),
    range(-3, 4),
    range(-9, 10),
    (-4, -3, -2, -1),
    (-1.5, -0.5, 0, 0.25, 0.5, 0.75, 1.5),
    (-20_000, -10_001, -1_001, -100, 0, 100, 1_001, 10_001, 20_000),
    (-900_000_000, -200_000_000, -30_000_000, -20_000_000),
    (20_000_000, 30_000_000, 200_000_000, 900_000_000),
    range(-99, 100),
)


def random_trees(
    count: int, seed: int, height: int = 4, branching: int = 3
) -> Iterator[Tree]:
    """Yield `count` random trees; each is asked two to four searches.

    One is of the whole tree from a full window; the others are limited in depth,
    or have a narrow window, or both.
    """
    rng = random.Random(seed)
    for _ in range(count):
        palette = rng.choice(PALETTES)
        spec = random_spec(rng, palette, rng.randint(1, height), (1, branching), 0.5)
        tree = tree_from_lists(spec, rng.random() < 0.5)
        yield asked(
            tree, *(_any_search(rng, tree, palette) for _ in range(rng.randint(1, 3)))
        )


def random_spec(rng, palette, height, children, static=0.0, early=0.15):
    """Return a random spec of at most `height` plies.

    children: the fewest and the most of a node. static: the share of nodes with a static
    value. early: the share of lines that end before the last ply.
    """
    if height == 0 or rng.random() < early:
        return rng.choice(palette)
    parts = [
        random_spec(rng, palette, height - 1, children, static, early)
        for _ in range(rng.randint(*children))
    ]
    return (
        {"value": rng.choice(palette), "children": parts}
        if rng.random() < static
        else parts
    )


def asked(tree: Tree, *searches: Search) -> Tree:
    """Return the tree with these searches behind its own, each once."""
    return replace(tree, searches=tuple(dict.fromkeys((*tree.searches, *searches))))


def _any_search(rng, tree, palette):
    """Return a search of any depth, often in a window of the palette's values."""
    window = ()
    if rng.random() < 0.7:
        bounds = {rng.choice(palette) + rng.choice((-0.5, 0, 0, 0.5)) for _ in range(4)}
        bounds = sorted(bounds | {-math.inf, math.inf})
        low = rng.randrange(len(bounds) - 1)
        window = bounds[low], bounds[rng.randint(low + 1, len(bounds) - 1)]
    depth = tree.root.height
    if rng.random() < 0.6:
        depth = rng.choice(range(1, depth + 2))
    return Search(depth, tree.maximizing, *window)


def small(rng):
    """A small tree."""
    palette, height = rng.choice(PALETTES), rng.choice((0, 1, 1, 2))
    moves = rng.choice((2, 2, 3))
    spec = [random_spec(rng, palette, height, (1, 3), early=0.3) for _ in range(moves)]
    return tree_from_lists(spec, True)


def plain(rng):
    """A plain tree."""
    palette = range(low := rng.choice((1, -40, -99)), low + 140)
    height = rng.choice((2, 3, 3, 3, 4))
    return tree_from_lists(random_spec(rng, palette, height, (2, 3), early=0.1), True)


def windows(rng):
    """Several depths and windows."""
    palette = rng.choice(PALETTES)
    tree = tree_from_lists(random_spec(rng, palette, rng.randint(2, 4), (1, 3), 1.0), True)
    others = [
        *(_any_search(rng, tree, palette) for _ in range(3)),
        Search(tree.root.height, False),
    ]
    rng.shuffle(others)
    return asked(tree, *others)


def refuted(rng):
    """A first move that refutes others."""
    good = rng.randint(5, 20)

    def reply():
        worse = [rng.randint(-20, good) for _ in range(rng.choice((1, 1, 2)))]
        other = [rng.randint(-20, 20) for _ in range(rng.choice((1, 2)))]
        return [worse, *other] if rng.random() < 0.3 else worse + other

    return tree_from_lists([good, *(reply() for _ in range(rng.randint(1, 3)))], True)


def _ending(value, maximizing, off):
    """Return a node worth `value`, its last child; its first sets a bound, its second ties.

    With equality the tied child is cut off at once, with strict cutoffs one leaf later;
    its last leaf, `off` below zero or above, would decide for whoever searches on.
    """
    sign = 1 if maximizing else -1
    first, worse = value - sign, value - 2 * sign
    return [first, [first, worse, sign * off], worse, value]


def _chain(plies, spec):
    for _ in range(plies):
        spec = [spec]
    return spec


def every_ply(rng):
    """Ties at every ply, each with a bound of its own."""
    first, step = rng.randint(-9, 9) + rng.choice((0.5, 0.25)), rng.choice((2, 3, 5))
    deep = rng.random() < 0.5  # a ply further down, below a single child
    far = _chain(MOST_PLIES - 2 - 2 * deep, [first, first - 1, 99])
    parts = [first, far]
    for number, plies in enumerate(range(1, MOST_CHILDREN - 1), start=1):
        ending = _ending(first + number * step, plies % 2 == 1, 90 + number)
        parts.append(_chain(plies, ending))
    return tree_from_lists([parts] if deep else parts, not deep)


def bound_from_above(rng):
    """A bound from above, with worse leaves on the way."""
    value, plies = rng.randint(-9, 9), rng.choice((2, 4, 6))
    spec = [value, value - 1, 99]
    for ply in range(plies, 0, -1):
        aside = value + rng.randint(1, 5) * (1 if ply % 2 else -1)
        spec = rng.choice(([aside, spec], [aside, spec], [aside, spec, aside]))
    return tree_from_lists([value, spec], True)


def every_child_cuts(rng):
    """Cutoffs after the first child, the second, and so on."""
    value = rng.randint(-9, 9)
    parts = [
        [*(value + rng.randint(1, 30) for _ in range(place)), value, value - 1, value + 40]
        for place in range(MOST_CHILDREN - 1)
    ]
    return tree_from_lists([value, *(part[:MOST_CHILDREN] for part in parts)], True)


def every_child_raises(rng):
    """Bounds set by the first child, the second, and so on."""
    parts = []
    for place in range(MOST_CHILDREN - 1):
        value = 3 * place + rng.randint(1, 2)
        bounds = sorted(rng.sample(range(40, 99), place), reverse=rng.random() < 0.5)
        parts.append([*bounds, *_ending(value, False, 30)][:MOST_CHILDREN])
    return tree_from_lists(parts, True)


def every_child_decides(rng):
    """Nine nodes of nine children: each child is best once."""
    palette = rng.choice((range(1, 40), _large(rng), _close(rng)))
    some = sorted(rng.sample(palette, min(len(palette), 12)))
    values, high = some[:MOST_CHILDREN], some[-1]
    parts = []
    for place, value in enumerate(values):
        row = [high] * MOST_CHILDREN
        row[place] = value
        parts.append(row)
    tree = tree_from_lists(parts, True)
    return replace(tree, searches=(replace(tree.searches[0], depth=MOST_DEPTH),))


def no_value_yet(rng):
    """Numbers taken for no value yet, with a worse leaf after each."""
    some = [*rng.sample(LIKED, 30), *rng.sample(ODD, 10), *rng.sample(range(-100, 101), 9)]
    whole = sorted(dict.fromkeys(some), reverse=True)[: 5 * MOST_CHILDREN]
    pairs = [[number, rng.randint(-20_000, -10_001)] for number in whole]
    rows = [pairs[at : at + MOST_CHILDREN] for at in range(0, len(pairs), MOST_CHILDREN)]
    return tree_from_lists([[row] for row in rows], False)


def no_move_yet(rng, group):
    """Depth limits: at each a number taken for no value yet.

    The three groups, 0 to 2, hold all such numbers.
    """
    numbers = ODD[group::3]
    rng.shuffle(numbers)
    worse = [number - rng.choice((1, 2, 500)) for number in numbers]
    low = min(worse)

    def line(row):
        spec = row[-1]
        for number in reversed(row[:-1]):
            spec = {"value": number, "children": [spec]}
        return spec

    spec = [line(numbers), line(worse), {"value": low, "children": [low, MOST, MOST]}]
    tree = tree_from_lists(spec, True)
    searches = [Search(depth, True) for depth in range(1, tree.root.height)]
    rng.shuffle(searches)
    windows = [Search(d, True, beta=numbers[d - 1]) for d in rng.sample(range(1, 6), 3)]
    return asked(tree, *searches, *windows, Search(len(numbers), True, -MOST, MOST))


def leaps(rng):
    """Moves that improve by leaps."""
    steps = sorted({-MOST, 0, MOST, *(sign * p for p in POWERS for sign in (1, -1))})
    few = sorted(rng.sample(steps, rng.randint(5, MOST_CHILDREN)))

    def move(value):
        lower, higher = -MOST, MOST
        return rng.choice((value, value, [value], [[value, lower]], [higher, value]))

    return tree_from_lists([*map(move, few)], True)


def hairlines(rng):
    """Moves and bounds that differ by little."""
    middle = rng.choice((0, 0.5, -1, 2.5, 99.5, 600))
    below = sorted(middle - 10**-k for k in rng.sample(range(1, 6), 4))
    one, two, three = (
        middle + n * HAIR for n in (3, 4, 5)
    )  # which round down to the middle
    spec = [*below, [one], [two], [three, [one, middle], 7], [7, three, one]]
    return tree_from_lists(_rounded(spec), True)


def fractions(rng):
    """Fractions of thousands and of millions."""
    unit = rng.choice((1002, 50_000, 10**6, 3_000_000, 70_000_000))
    spec = [[unit + 0.5, unit + 3], unit + 0.25, [unit + 0.75, unit + 0.5], [[unit + 0.75]]]
    rng.shuffle(spec)
    return tree_from_lists([unit, *spec], True)


def _rounded(spec):
    return [*map(_rounded, spec)] if isinstance(spec, list) else round(spec, DIGITS)


def traps(rng):
    """Moves worth more than any window that is made up."""
    unit = rng.choice((10**8, 1.5 * 10**8, 2 * 10**8))
    one, two, three = (sign_of * rng.randint(0, 99) for sign_of in (1, 1, 1))
    bad, less, worst = (-int(k * unit) - n for k, n in ((2, one), (3, two), (4, three)))
    spec = [[less + 1, worst], [less], [bad, worst - 9, bad + 5], bad - 10**8]
    if rng.random() < 0.5:  # the same among gains
        spec = [
            [[-less, -bad]],
            [[-worst]],
            [[-bad, -worst - 9, -bad]],
            -less,
            [-less, -bad],
        ]
    rng.shuffle(spec)
    return tree_from_lists(spec, True)


def equal_moves(rng):
    """Equal moves that win at once or later."""
    best, worst = rng.choice(((1, -1), (0, -1), (2, -2), (100, -100), (0, -3)))
    parts = [
        best,
        [[float(best)], [best]],
        [float(best)],
        [[best]],
        float(best),
        [best, 9999],
    ]
    rng.shuffle(parts)
    return tree_from_lists(
        [[best, worst], [[worst, best]], *parts[: rng.randint(3, 6)]], True
    )


def single_leaf(rng):
    """A root that is a leaf, asked from several windows."""
    value = rng.choice((-3, 0.5, 2, 7))
    spec = value if rng.random() < 0.5 else {"value": value, "children": [9, [-9, 8]]}
    whole = isinstance(spec, dict)
    ends = [(value - 1, value + 2), (0, math.inf), (-math.inf, 0), (value + 1, value + 3)]
    depths = (0, 0, 0, 0) if whole else (MOST_DEPTH, 0, 1, 7)
    searches = [Search(depth, True, *window) for depth, window in zip(depths, ends)]
    rng.shuffle(searches)
    return tree_from_lists(spec, True, [*searches, Search(0, True)])


def long_lines(rng):
    """Lines of twelve plies, asked at many depths."""
    palette, count = rng.choice((_large, _close))(rng), rng.choice((2, 2, 3))
    rows = [sorted(rng.sample(palette, count), reverse=True) for _ in range(MOST_PLIES)]

    def line(index):
        spec = rows[-1][index]
        for row in reversed(rows[:-1]):
            spec = {"value": row[index], "children": [spec]}
        return spec

    depths = [
        *rng.sample(range(1, MOST_PLIES - 1), 4),
        MOST_PLIES - 1,
        MOST_PLIES,
        MOST_DEPTH,
    ]
    rng.shuffle(depths)
    searches = [Search(depth, True) for depth in depths]
    return tree_from_lists([line(index) for index in range(count)], True, searches)


def most_visits(rng):
    """Five hundred visits: at every node the best child is last."""
    numbers = iter(range(10**6))
    cut = rng.sample(range(128), 7)  # of the lowest nodes, these are leaves

    def shape(height):
        if height == 1 and next(numbers) in cut:
            return ()
        return tuple(shape(height - 1) for _ in range(2)) if height else ()

    def count(part):
        return sum(map(count, part)) or 1

    def fill(part, low, maximizing):
        if not part:
            return low * 7 - 900
        sizes = [*map(count, part)]
        above = [
            sum(sizes[:at] if maximizing else sizes[at + 1 :]) for at in range(len(part))
        ]
        return [fill(child, low + a, not maximizing) for child, a in zip(part, above)]

    spec = fill(shape(8), 0, True)
    return tree_from_lists([*spec, [-(10**6), 0], -(10**6)], True, [Search(8, True, -MOST)])


def _large(rng):
    """Return values on both sides of powers of ten, up to the largest."""
    sign = rng.choice((1, -1, 0))
    values = {MOST, -MOST, MOST - rng.randint(9, 99), rng.randint(9, 99) - MOST}
    for power in POWERS[4:]:
        for number in (
            power,
            power - rng.randint(1, 9),
            power + rng.randint(1, power // 2),
        ):
            values |= {number * (sign or rng.choice((1, -1)))}
    return sorted(values)


def _close(rng):
    """Return values around one number that differ by 10^-1 to 10^-6."""
    middle = rng.choice((0, 0, 0.5, -0.5, 1, -1, 2.5, -3, 1000, -1002, 2000.5))
    steps = {0.0} | {sign * 10**-k for k in range(1, 7) for sign in (1, -1)}
    steps = {step for step in steps if abs(step) > 2e-9 * abs(middle)}
    steps |= {rng.randint(-9, 9) * 10**-5 for _ in range(5)}
    return sorted({round(middle + step, DIGITS) for step in steps})


def _mixed(rng):
    """Return numbers of all kinds, none too close to another."""
    fine = (
        0.5,
        -0.5,
        0.001,
        0.500001,
        2.00001,
        1.000001,
        1000.5,
        -1_000_000.25,
        3_000_000.75,
    )
    round_ones = (sign * power for power in POWERS for sign in (1, -1))
    return sorted(
        rng.sample(sorted({0, 99, 999, 9999, MOST, -MOST, *fine, *round_ones}), 14)
    )


class _Filling:
    """Fills a shape in the order of a search, and knows what the search would know."""

    def __init__(self, rng, palette, static):
        self.rng, self.palette, self.static = rng, palette, static

    def fill(self, shape, alpha, beta, maximizing):
        """Return (spec, value): what an alpha-beta search from this window returns."""
        best, parts = (-math.inf if maximizing else math.inf), []
        place = self.rng.choice((len(shape) - 2, self.rng.randint(0, len(shape))))
        for index, part in enumerate(shape):
            if alpha >= beta:
                parts.append(self.unneeded(part, maximizing))
                continue
            if part:
                spec, value = self.fill(part, alpha, beta, not maximizing)
            else:
                spec = value = self.leaf(alpha, beta, maximizing, index == place)
            parts.append(spec)
            best = (max if maximizing else min)(best, value)
            alpha, beta = (
                (max(alpha, best), beta) if maximizing else (alpha, min(beta, best))
            )
        return self.interior(parts), best

    def leaf(self, alpha, beta, maximizing, cuts):
        """Return a value that cuts off, often by a tie, or is a little better, or idle."""
        own, other, sign = (alpha, beta, 1) if maximizing else (beta, alpha, -1)
        cutting = [v for v in self.palette if sign * v >= sign * other]
        better = [v for v in self.palette if sign * own < sign * v < sign * other]
        idle = [
            v for v in self.palette if sign * v <= sign * own and sign * v < sign * other
        ]
        if cuts and cutting:
            tied = math.isfinite(other) and self.rng.random() < 0.6
            return other if tied else self.rng.choice(cutting)
        if better and self.rng.random() < 0.6:
            return better[0 if sign > 0 else -1]
        return self.rng.choice(idle or better or self.palette)

    def unneeded(self, part, maximizing):
        """Return a subtree that no right search looks at, with values that would decide."""
        if not part:
            decides = self.palette[-1] if maximizing else self.palette[0]
            return decides if self.rng.random() < 0.7 else self.rng.choice(self.palette)
        return self.interior([self.unneeded(each, not maximizing) for each in part])

    def interior(self, parts):
        """Return the node of these children."""
        return (
            {"value": self.rng.choice(self.palette), "children": parts}
            if self.static
            else parts
        )


def _shape(rng, height, children):
    if height == 0 or rng.random() < 0.25:
        return ()
    return tuple(_shape(rng, height - 1, children) for _ in range(rng.choice(children)))


def _spine(rng, plies):
    """Return one long line with a leaf or two beside it at most plies."""
    shape = ((),) * rng.choice((1, 2, 2))
    for _ in range(plies - 1):
        row = [()] * rng.choice((0, 1, 1, 1, 2))
        row.insert(rng.choice((0, len(row))), shape)
        shape = tuple(row)
    return shape


def edges(rng):
    """Values and windows of all kinds."""
    palette = rng.choice((_large, _close, _mixed))(rng)
    parts = ((), ((),) * MOST_CHILDREN, ((),), ((), ()))
    shape = rng.choice((
        tuple(_shape(rng, 2, (1, 2, 3)) for _ in range(3)),
        tuple(rng.choice(parts) for _ in range(rng.choice((3, MOST_CHILDREN)))),
        _spine(rng, rng.choice((9, 11, MOST_PLIES))),
    ))  # fmt: skip
    static = rng.random() < 0.6
    spec, value = _Filling(rng, palette, static).fill(shape, -math.inf, math.inf, True)
    tree = tree_from_lists(spec, True)
    bounds = sorted({value, 0, *palette})
    searches = [Search(rng.choice((tree.root.height, MOST_DEPTH)), True)]
    for _ in range(rng.choice((2, 3, 4))):
        depth = rng.choice((tree.root.height, MOST_DEPTH))
        if static and rng.random() < 0.4:
            depth = rng.randint(0, tree.root.height)
        low = rng.choice([-math.inf, *(bound for bound in bounds if bound <= value)])
        high = rng.choice([math.inf, *(bound for bound in bounds if bound > value)])
        searches.append(Search(depth, rng.random() < 0.85, low, high))
    rng.shuffle(searches)
    return replace(tree, searches=tuple(dict.fromkeys(searches)))


def game(rng):
    """A game played to its end."""
    while True:
        if rng.random() < 0.5:
            root = GAMES["coins"].start(rng.randint(3, 9), maximizing=rng.random() < 0.5)
        else:
            board = [*"........."]
            for cell, mark in zip(rng.sample(range(9), rng.choice((3, 4, 4, 5))), "XOXOX"):
                board[cell] = mark
            try:
                rows = ("".join(board[at : at + 3]) for at in (0, 3, 6))
                root = GAMES["tictactoe"].start(" ".join(rows))
            except ValueError:  # the game was over before
                continue
        if root.children:
            whole = Search(root.height, root.maximizing)
            return Tree("game", "game", "", root, root.maximizing, (whole,))


def mirrored(tree: Tree) -> Tree:
    """Return the tree with MAX and MIN exchanged: all values and bounds turned round."""

    def turned(spec):
        if isinstance(spec, dict):
            return {
                "value": 0 - spec["value"],
                "children": [*map(turned, spec["children"])],
            }
        return [*map(turned, spec)] if isinstance(spec, list) else 0 - spec

    searches = [
        replace(each, maximizing=not each.maximizing, alpha=-each.beta, beta=-each.alpha)
        for each in tree.searches
    ]
    return tree_from_lists(turned(lists_of(tree.root)), not tree.maximizing, searches)


SPECIAL = (
    *(every_ply, every_child_cuts, every_child_raises, every_child_decides, no_value_yet),
    *(partial(no_move_yet, group=group) for group in range(3)),
    *(leaps, hairlines, fractions, traps, equal_moves, single_leaf, long_lines),
    *(most_visits, edges),
)
COMMON = (small, plain, windows, refuted, bound_from_above, game)


def family_trees(rng: random.Random, families=SPECIAL) -> Iterator[Tree]:
    """Yield a tree of each family for either player, its title the family's."""
    for make in families:
        for turn in (False, True):
            tree = make(rng)
            if turn and make is not game:
                tree = mirrored(tree)
            words = getattr(make, "func", make).__doc__
            yield replace(tree, title=words.splitlines()[0].rstrip("."))
