"""Makers of telling trees: at the edges of what a tree may hold, with values that decide.

Wide, deep, large, close: a program may be right on all that is small. A tree is filled
as a search goes through it, so that cutoffs come late, ties meet bounds, and a leaf that
is left out would change the answer. How large and how close all may be is said here,
and to students in the handout.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from autograder.smalltrees.build import tree_from_lists
from gametree import parse_tree
from gametree.tree import Search, Tree

MOST = 10**9 - 1  # the largest value, and its negative the smallest
HAIR = 10**-6  # the smallest difference of two values that differ
DIGITS = 6  # after the point
MOST_CHILDREN = 9
MOST_PLIES = 12
MOST_DEPTH = 30
MOST_VISITS = 500  # of a right search

POWERS = tuple(10**k for k in range(2, 9))
# Numbers that people take for "no value yet", or for infinity.
ODD = sorted(
    {sign * n for n in (0, 1, 10, 99, 100, 999, 1000, 9999, 10_000) for sign in (1, -1)}
)


def telling_trees(rng: random.Random) -> Iterator[Tree]:
    """Yield one tree of each family, with random shapes and values."""
    for make in FAMILIES:
        yield make(rng)


def _large(rng):
    """Return values on both sides of powers of ten, up to the largest."""
    sign = rng.choice((1, -1, 0))
    values = {MOST, -MOST, MOST - rng.randint(1, 99), rng.randint(1, 99) - MOST}
    for power in POWERS[2:]:
        for number in (power - rng.randint(1, 9), power + rng.randint(1, power // 2)):
            values |= {number * (sign or rng.choice((1, -1)))}
    return sorted(values)


def _close(rng):
    """Return values around one number that differ by 10^-1 to 10^-6."""
    middle = rng.choice((0, 0, 0.5, -0.5, 1, -1, 2.5, -3))
    steps = {0.0} | {sign * 10**-k for k in range(1, 7) for sign in (1, -1)}
    steps |= {rng.randint(-9, 9) * HAIR for _ in range(5)}
    return sorted({round(middle + step, 6) for step in steps})


def _odd(rng):
    """Return numbers that people take for no value yet, and their neighbours."""
    some = rng.sample(ODD, 5)
    return sorted({n + d for n in some for d in (-1, 0, 1)} | {MOST, -MOST})


def _plain(rng):
    return list(range(-9, 10))


def _wide_shape(rng, most_inner=2):
    """Return nine children, most of them leaves, a few of nine children each."""
    inner = set(rng.sample(range(MOST_CHILDREN), rng.randint(1, most_inner)))
    inner.add(MOST_CHILDREN - 1)
    return tuple(
        ((),) * rng.choice((3, MOST_CHILDREN, MOST_CHILDREN)) if index in inner else ()
        for index in range(MOST_CHILDREN)
    )


def _square_shape(rng):
    return (((),) * MOST_CHILDREN,) * MOST_CHILDREN


def _spine_shape(rng, plies=MOST_PLIES):
    """Return one long line with a leaf or two beside it at most plies."""
    shape = ((),) * rng.choice((1, 2, 2))
    for _ in range(plies - 1):
        leaves = rng.choice((0, 1, 1, 1, 2))
        row = [()] * leaves
        row.insert(rng.choice((0, leaves, leaves)), shape)
        shape = tuple(row)
    return shape


def _small_shape(rng, height=3):
    if height == 0 or height < 3 and rng.random() < 0.3:
        return ()
    counts = (2, 2, 3) if height == 3 else (1, 2, 2, 3)
    return tuple(_small_shape(rng, height - 1) for _ in range(rng.choice(counts)))


class _Filling:
    """Fills a shape in the order of a search, and knows what the search would know."""

    def __init__(self, rng, palette, static=None):
        self.rng, self.palette, self.static = rng, palette, static

    def fill(self, shape, alpha, beta, maximizing):
        """Return (spec, value): what an alpha-beta search from this window returns."""
        if not shape:
            value = self.rng.choice(self.palette)
            return value, value
        best, parts, cut = (-math.inf if maximizing else math.inf), [], False
        wide = len(shape) > 4
        late = len(shape) - 2  # the last child after which something is cut off
        place = self.rng.choice((late, self.rng.randint(len(shape) // 2, len(shape))))
        for index, part in enumerate(shape):
            if cut:
                parts.append(self.unneeded(part, maximizing))
                continue
            if part:
                spec, value = self.fill(part, alpha, beta, not maximizing)
            else:
                late = (index + 1) / len(shape)
                chance = float(index == place) if wide else late**3 * (late < 1)
                spec = value = self.leaf(alpha, beta, maximizing, late, chance)
            parts.append(spec)
            if maximizing:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            cut = alpha >= beta
        return self.interior(parts), best

    def leaf(self, alpha, beta, maximizing, late, cut):
        """Return a value that does nothing, is better, or by the chance `cut` cuts off."""
        own, other, sign = (alpha, beta, 1) if maximizing else (beta, alpha, -1)
        better = [
            v for v in self.palette if sign * v > sign * own and sign * v < sign * other
        ]
        cutting = [v for v in self.palette if sign * v >= sign * other]
        idle = [
            v for v in self.palette if sign * v <= sign * own and sign * v < sign * other
        ]
        chance = self.rng.random()
        if cutting and self.rng.random() < cut:
            tie = math.isfinite(other) and self.rng.random() < 0.6
            return other if tie else self.rng.choice(cutting)
        if better and chance < 0.3 + 0.6 * late**2:
            if self.rng.random() < 0.7:  # a small step, so that more can follow
                return better[0 if sign > 0 else -1]
            return self.rng.choice(better)
        return self.rng.choice(idle or better or self.palette)

    def unneeded(self, part, maximizing):
        """Return a subtree that no right search looks at, with values that would decide."""
        if not part:
            decides = self.palette[-1] if maximizing else self.palette[0]
            return decides if self.rng.random() < 0.7 else self.rng.choice(self.palette)
        return self.interior([self.unneeded(each, not maximizing) for each in part])

    def interior(self, parts):
        if self.static is None:
            return parts
        return {"value": self.rng.choice(self.static), "children": parts}


def _filled(rng, shape, palette, windows=0, static=None):
    """Return a tree of that shape, asked from the full window and from narrow ones."""
    maximizing = rng.random() < 0.5
    spec, value = _Filling(rng, palette, static).fill(
        shape, -math.inf, math.inf, maximizing
    )
    whole = tree_from_lists(spec, maximizing)
    depth = rng.choice((whole.root.height, MOST_DEPTH))
    searches = [Search(depth, maximizing)]
    for _ in range(windows):
        narrow = Search(depth, maximizing, *_window(rng, palette, value))
        searches.insert(rng.randint(0, len(searches)), narrow)
    return _asked(whole, searches)


def _window(rng, palette, value):
    """Return a window with the value in it, on its edge or outside; often open or at 0."""
    low = rng.choice([v for v in palette if v < value] or [-math.inf])
    high = rng.choice([v for v in palette if v > value] or [math.inf])
    window = rng.choice(
        [(low, high), (low, math.inf), (-math.inf, high), (value, high), (low, value),
         (value, math.inf), (-math.inf, value)]
    )  # fmt: skip
    if rng.random() < 0.4:
        window = rng.choice([(0, math.inf), (-math.inf, 0), (0, MOST), (-MOST, 0)])
    return window if window[0] < window[1] else (low, math.inf)


def _lines(rng):
    """Return two or three long lines with static values, asked at many depths."""
    palette = rng.choice((_large, _odd, _close))(rng)
    count, plies = rng.choice((2, 2, 3)), MOST_PLIES
    maximizing = rng.random() < 0.5
    rows = [_decisive_row(rng, palette, count, maximizing) for _ in range(plies)]

    def line(index):
        spec = rows[-1][index]
        for row in reversed(rows[:-1]):
            spec = {"value": row[index], "children": [spec]}
        return spec

    depths = [*rng.sample(range(1, plies + 1), 4), MOST_DEPTH]
    rng.shuffle(depths)
    searches = [Search(depth, maximizing) for depth in depths]
    return tree_from_lists([line(index) for index in range(count)], maximizing, searches)


def _decisive_row(rng, palette, count, maximizing):
    """Return values, in most rows the best first, so that it is to be kept."""
    row = rng.sample(palette, count)
    if rng.random() < 0.6:
        row.sort(reverse=maximizing)
    return row


def _rows(rng, maximizing, group):
    """Return short lines with static values: at each depth an odd number, then worse.

    Whoever takes the number for no value at all moves to what is worse, or does not stop
    where it reaches the window's other bound. The three groups hold all odd numbers.
    """
    sign, numbers = (1 if maximizing else -1), ODD[group::3]
    rng.shuffle(numbers)
    worse = [number - sign * rng.choice((1, 2, 500)) for number in numbers]

    def line(column):
        spec = column[-1]
        for number in reversed(column[:-1]):
            spec = {"value": number, "children": [spec]}
        return spec

    worst = min(worse) if maximizing else max(worse)
    refuted = {"value": worst, "children": [worst, *[sign * MOST] * (group + 1)]}
    searches = []
    for depth, number in enumerate(numbers, start=1):
        window = (-math.inf, number) if maximizing else (number, math.inf)
        searches += [Search(depth, maximizing), Search(depth, maximizing, *window)]
    searches.append(Search(len(numbers), maximizing, -MOST, MOST))
    return tree_from_lists([line(numbers), line(worse), refuted], maximizing, searches)


def _many(rng):
    """Return a tree that is searched whole, and large: asked from one window only."""
    width, plies = rng.choice(((2, 7), (3, 5), (4, 4)))
    recipe = f"branching: {width}, depth: {plies}, values: [-{MOST}, {MOST}]"
    text = f"random: {{{recipe}, seed: {rng.randrange(10**9)}, order: worst}}"
    window = rng.choice((f"alpha: -{MOST}", f"beta: {MOST}"))
    root = rng.choice(("max", "min"))
    return parse_tree(f"root: {root}\n{text}\nsearches: [{{{window}}}]\n", "many")


def _wide(rng):
    palette = rng.choice((_large, _large, _close, _odd, _plain))(rng)
    return _filled(rng, _wide_shape(rng), palette, rng.choice((0, 1, 2, 3)))


def _square(rng):
    return _filled(
        rng, _square_shape(rng), rng.choice((_large, _plain))(rng), rng.choice((0, 1))
    )


def _deep(rng):
    palette = rng.choice((_plain, _plain, _large, _close, _odd))(rng)
    static = palette if rng.random() < 0.5 else None
    tree = _filled(rng, _spine_shape(rng), palette, rng.choice((0, 1, 2, 3)), static)
    if static:
        return _asked(tree, [Search(rng.randint(5, 11), tree.maximizing), *tree.searches])
    return tree


def _small_extreme(rng):
    palette = rng.choice((_large, _close, _odd))(rng)
    return _filled(rng, _small_shape(rng), palette, rng.choice((0, 1, 2)))


def _windows(rng):
    """Return a small tree with static values, asked from many windows, some less deep.

    The last search is for the other player.
    """
    palette = rng.choice((_plain, _close))(rng)
    tree = _filled(rng, _small_shape(rng), palette, 3, palette)
    depth = rng.randint(0, max(0, tree.root.height - 1))
    low, high = sorted(rng.sample(palette, 2))
    first = Search(depth, tree.maximizing, low, high)
    other = Search(tree.root.height, not tree.maximizing)
    return _asked(tree, [first, *tree.searches, other])


def _root_leaf(rng):
    """Return a root with a static value, asked at depth 0, or a tree that is one leaf.

    The value lies in the windows, outside of them, or on their edge.
    """
    palette = rng.choice((_plain, _close))(rng)
    value = rng.choice(palette[1:-1])
    low = rng.choice([v for v in palette if v < value])
    high = rng.choice([v for v in palette if v > value])
    maximizing = rng.random() < 0.5
    children = [rng.choice(palette), [rng.choice(palette), rng.choice(palette)]]
    lone = rng.random() < 0.5
    spec = value if lone else {"value": value, "children": children}
    windows = [(low, high), (0, math.inf), (-math.inf, 0), ()]
    rng.shuffle(windows)
    depths = (MOST_DEPTH, 0, 1, 7) if lone else (0, 0, 0, 0)
    searches = [Search(d, maximizing, *window) for d, window in zip(depths, windows)]
    return tree_from_lists(spec, maximizing, searches)


def _far_depth(rng):
    """Return a small tree that is searched far deeper than it is."""
    tree = _filled(rng, _small_shape(rng), _plain(rng))
    plies = rng.sample(range(7, MOST_DEPTH), 2)
    return _asked(tree, [Search(d, tree.maximizing) for d in (MOST_DEPTH, *plies)])


def _kinds(rng):
    """Return wins that are quick and slow, and values that are equal as int and float."""
    win, loss = rng.choice(((1, -1), (1, 0), (2, -2), (100, -100)))
    maximizing = rng.random() < 0.5
    best, worst = (win, loss) if maximizing else (loss, win)
    quick, slow = best, [[float(best)], [best]]
    parts = [[[worst, best], [best]], slow, quick, [float(best)], [[best]], float(best)]
    rng.shuffle(parts)
    parts = parts[: rng.randint(3, 6)]
    tied = [float(best), [best, worst]]
    depth = rng.choice((3, MOST_DEPTH))
    return tree_from_lists([*parts, tied], maximizing, [Search(depth, maximizing)])


MIXED = (  # numbers of all kinds, none too close to another
    *(0, 1, -1, 0.5, -0.5, 2, 2.0, 99, -99, 100, -100, 999, -999, 1000, -1000, 9999, -9999),
    *(10_000, -10_001, 99_999, 100_001, -100_001, 999_999, -1_000_001, 10_000_001),
    *(-10_000_003, 100_000_007, -100_000_007, MOST, -MOST, MOST - 50, 50 - MOST),
    *(0.001, -0.001, 0.5001, 0.500001, -0.500001, 2.00001, HAIR, -HAIR, 1.000001),
)


def _mixed_values(rng):
    """Return numbers of several kinds at once, or hairlines around one number."""
    if rng.random() < 0.5:
        return sorted(rng.sample(MIXED, rng.randint(8, 16)))
    middle = rng.choice((0, 0.5, -0.5, 2, -1))
    steps = {sign * 10**-k for k in range(1, 7) for sign in (1, -1)}
    close = {round(middle + step, DIGITS) for step in steps}
    return sorted({middle, 0, MOST, -MOST} | close | set(rng.sample(MIXED, 4)))


def _mixed_shape(rng):
    """Return a small shape, one with a wide node in it, or a long line."""
    kind = rng.random()
    if kind < 0.35:
        return tuple(_small_shape(rng, rng.choice((1, 2, 3))) for _ in range(3))
    if kind < 0.7:
        parts = ((), ((),) * MOST_CHILDREN, ((),), ((), ()))
        return tuple(rng.choice(parts) for _ in range(rng.choice((2, 3, MOST_CHILDREN))))
    return _spine_shape(rng, rng.choice((9, 11, 12, 12)))


def _mixed(rng):
    """Return a tree on which several edges meet, asked from many windows and depths."""
    palette, shape = _mixed_values(rng), _mixed_shape(rng)
    maximizing, static = rng.random() < 0.5, palette if rng.random() < 0.7 else None
    filling = _Filling(rng, palette, static)
    spec, value = filling.fill(shape, -math.inf, math.inf, maximizing)
    tree = tree_from_lists(spec, maximizing)
    between = (number + 0.5 for number in palette if abs(number) in (0, 1, 99))
    bounds = sorted({value, 0, *palette, *between})
    searches = [Search(rng.choice((tree.root.height, MOST_DEPTH)), maximizing)]
    for _ in range(rng.choice((2, 3, 4))):
        depth = rng.choice((tree.root.height, MOST_DEPTH))
        if static and rng.random() < 0.4:
            depth = rng.randint(0, tree.root.height)
        low = rng.choice([bound for bound in bounds if bound <= value])
        high = rng.choice([bound for bound in bounds if bound > value] or [math.inf])
        open_ends = (-math.inf, math.inf), (low, math.inf), (-math.inf, high)
        window = rng.choice((*open_ends, (low, high), (low, high)))
        player = maximizing if rng.random() < 0.85 else not maximizing
        searches.insert(rng.randint(0, len(searches)), Search(depth, player, *window))
    return _asked(tree, searches)


def _asked(tree, searches):
    """Return the tree with these searches, each once."""
    return replace(tree, searches=tuple(dict.fromkeys(searches)))


FAMILIES = (
    _wide, _square, _deep, _deep, _lines, _small_extreme, _windows, _root_leaf, _far_depth,
    _many, _kinds,
    _mixed, _mixed, _mixed, _mixed,
    *(partial(_rows, maximizing=m, group=g) for m in (True, False) for g in range(3)),
)  # fmt: skip
