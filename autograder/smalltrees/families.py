"""Families of trees: each family reveals certain mistakes.

A program may be correct on all trees that are small, plain and shallow. So there is a
family for each place where programs go wrong: every ply, every child, sentinel numbers for
"no value yet", the largest and the closest values, and many visits.

A `spec` is a tree in the format of tree_from_lists(). Each family builds trees with a MAX
root, and mirror() turns them into trees with a MIN root.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from autograder.smalltrees.build import grow_below, lists_of, tree_from_lists
from autograder.smalltrees.values import (
    FAMILIAR_NUMBERS,
    MAGNITUDES,
    MAX_CHILDREN,
    MAX_DEPTH,
    MAX_TIE,
    MAX_VALUE,
    MAX_VISITS,
    MIN_DIFFERENCE,
    PALETTES,
    SENTINELS,
    add_exactly,
)
from gametree.support.tree import Search, Tree

MAX_LEAVES = 20  # in a tree that both players search completely


class Family(NamedTuple):
    """A kind of tree.

    title: what the trees show, in a few words; it becomes the title of each tree.
    make: function of a random.Random that returns a tree of this kind.
    """

    title: str
    make: Callable[[random.Random], Tree]


def family(title: str) -> Callable[[Callable], Family]:
    """Return a decorator that turns a function into the Family with this title."""
    return partial(Family, title)


def family_trees(rng: random.Random, families: Iterable[Family]) -> Iterator[Tree]:
    """Yield two trees of each family; the second tree has MAX and MIN exchanged.

    Each tree has at least two searches, so that state between searches becomes visible.
    """
    for kind in families:
        for tree in (kind.make(rng), mirror(kind.make(rng))):
            yield replace(_search_again(rng, tree), title=kind.title)


def _search_again(rng, tree):
    """Return the tree; if it has one search, add a cheap second search.

    The second search repeats the first, has the other player, or has another bound. It may
    come first.
    """
    if len(tree.searches) > 1:
        return tree
    (search,) = tree.searches
    values = [node.value for node in tree.root.subtree() if node.terminal]
    if len(values) > MAX_LEAVES:
        values = [min(values) if search.maximizing else max(values)]  # prunes most
    bound = rng.choice(values)
    others = []
    if len(values) > 1:
        others += [search, replace(search, maximizing=not search.maximizing)]
    if search.maximizing and search.alpha < bound:
        others.append(replace(search, beta=bound))
    elif bound < search.beta:
        others.append(replace(search, alpha=bound))
    other = rng.choice(others)
    if other == search:
        return replace(tree, searches=(search, replace(search, earlier=1)))
    searches = [search, other]
    rng.shuffle(searches)
    return replace(tree, searches=tuple(searches))


def mirror(tree: Tree) -> Tree:
    """Return the tree with MAX and MIN exchanged and all values and bounds negated."""
    spec = _negate(lists_of(tree.root))
    searches = []
    for search in tree.searches:
        alpha = -search.beta
        beta = -search.alpha
        searches.append(Search(search.depth, not search.maximizing, alpha, beta))
    return tree_from_lists(spec, not tree.maximizing, searches)


def _negate(spec):
    if isinstance(spec, list):
        return [_negate(child) for child in spec]
    if isinstance(spec, dict):
        children = _negate(spec["children"])
        return {"value": -spec["value"], "children": children}
    return 0 - spec


# Random specs and searches.


def _random_spec(rng, palette, height, static=False):
    """Return a random spec of at most `height` plies; some lines end earlier.

    static: whether interior nodes have static values.
    """
    if height == 0 or rng.random() < 0.3:
        return rng.choice(palette)
    children = []
    for _ in range(rng.randint(1, 4)):
        child = _random_spec(rng, palette, height - 1, static)
        children.append(child)
    if static:
        return {"value": rng.choice(palette), "children": children}
    return children


def _random_search(rng, tree, palette):
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


def _with_searches(tree, searches):
    """Return the tree with these additional searches, without duplicates."""
    distinct = dict.fromkeys([*tree.searches, *searches])
    return replace(tree, searches=tuple(distinct))


def _search_once(rng, spec):
    """Return the tree of the spec, with one search.

    The search often ends above the last ply, or its depth exceeds the tree's height.
    """
    height = tree_from_lists(spec, True).root.height
    deeper = rng.randint(height, MAX_DEPTH)
    depth = rng.choice((height, height, deeper, MAX_DEPTH))
    if depth == height:
        spec = grow_below(spec, height, lambda value: [9])
    return tree_from_lists(spec, True, [Search(depth, True)])


# Parts of specs.

UNVISITED = 99  # or -99: the value of the last leaf of a tie


def _make_tie(value, maximizing, place=1):
    """Return a reply whose leaf number `place` ties with a bound of the player above.

    Under equality the cutoff occurs at that leaf, under strict cutoffs one leaf later. The
    last leaf changes the value of any search that visits it.
    """
    sign = _sign(maximizing)
    leaves = []
    for step in range(place - 1, 0, -1):
        leaves.append(value + sign * step)
    leaves += [value, value - sign, sign * UNVISITED]
    return leaves


def _sign(maximizing):
    return 1 if maximizing else -1


def _make_long_line(rng, value, plies):
    """Return a long line worth `value`; each ply has worse children and a tie."""
    worse = value - _sign(plies % 2 == 0)
    spec = [worse, value, worse]
    for ply in range(plies - 1, -1, -1):
        maximizing = ply % 2 == 0
        sign = _sign(maximizing)
        distance = 2 * (plies - ply)
        children = []
        worse_first = rng.randint(0, 2)
        for step in range(worse_first, 0, -1):
            children.append(value - sign * (distance + step))
        children.append(spec)
        for _ in range(rng.randint(0, 2)):
            place = rng.randint(1, 3)
            children.append(_make_tie(value, maximizing, place))
        for _ in range(rng.randint(0, 2)):
            loss = rng.randint(1, 5)
            children.append(value - sign * loss)
        spec = children
    return spec


def _make_static_line(values):
    """Return a line of single children with these static values; the last is a leaf."""
    *above, spec = values
    for value in reversed(above):
        spec = {"value": value, "children": [spec]}
    return spec


def _split(items, size):
    """Return the items in rows of this length; the last row may be shorter."""
    starts = range(0, len(items), size)
    return [items[start : start + size] for start in starts]


# Families about best moves.


LEAST_REFUTED = 910_000_000  # larger than all values of leaps(), except the last


@family("Moves that improve in large steps")
def leaps(rng):
    """Return a tree whose moves have ever larger values, up to the largest value."""
    numbers = [1, 10, 100, *MAGNITUDES]
    count = rng.randint(0, MAX_CHILDREN - 2)
    values = set(rng.sample(numbers, count))
    values.add(rng.choice((-1, 0, 9 * 10**8)))
    values.add(MAX_VALUE)
    moves = []
    others = rng.sample(range(LEAST_REFUTED, MAX_VALUE), len(values))
    for value, larger in zip(sorted(values), others):
        refuted = [larger, value]
        chosen = [value, -larger]
        shapes = (value, [value], refuted, [chosen])
        is_largest = value > LEAST_REFUTED
        moves.append(rng.choice(shapes[:2] if is_largest else shapes))
    return _search_once(rng, moves)


MIDDLES = (0, 0.5, -1, 2.5, 99.5, 600)


@family("Moves and bounds with small differences")
def hairlines(rng):
    """Return a tree in which differences of 10^-6 decide."""
    middle = rng.choice(MIDDLES)
    exponents = rng.sample(range(1, 6), 4)
    below = [add_exactly(middle, -(10**-exponent)) for exponent in exponents]
    moves = sorted(below)
    low = add_exactly(middle, 3 * MIN_DIFFERENCE)
    high = add_exactly(middle, 4 * MIN_DIFFERENCE)
    highest = add_exactly(middle, 5 * MIN_DIFFERENCE)
    moves.append([low])
    second = rng.choice((high, [high]))
    moves.append(second)
    moves.append([highest, [low, middle], 7])
    moves.append([7, highest, low])
    moves.append(add_exactly(moves[0], -MIN_DIFFERENCE))
    tree = _search_once(rng, moves)
    (search,) = tree.searches
    return _with_searches(tree, [replace(search, maximizing=False)])


LEAST_LOSS = 990_000_000  # larger than most substitutes for infinity


@family("Moves that lose more than a made-up infinity")
def traps(rng):
    """Return a tree whose moves all lose more than LEAST_LOSS, for either player."""
    losses = rng.sample(range(LEAST_LOSS, MAX_VALUE), 8)
    nodes = [_lose_for_either(loss) for loss in losses]
    moves = [nodes[:2], nodes[2:4], nodes[4:7], nodes[7:]]
    rng.shuffle(moves)
    searches = [Search(2, True), Search(3, False)]
    return tree_from_lists(moves, True, searches)


def _lose_for_either(loss):
    """Return a node that loses for both players: for MAX now, for MIN a ply later."""
    return {"value": -loss, "children": [loss]}


WINS_AND_LOSSES = ((1, -1), (0, -0.25), (2.5, -2), (0.5, -0.25))


@family("Equal moves that win immediately or later")
def equal_moves(rng):
    """Return a tree with several best moves, including leaves, integers and floats."""
    best, worst = rng.choice(WINS_AND_LOSSES)
    decimal = float(best)
    losses = [worst] * rng.choice((0, 2, 2, 3))
    late = [[decimal], [best]]
    refuting = [best, 99]
    chosen = [worst, best]
    wins = [best, late, [decimal], [[best]], decimal, refuting, [chosen]]
    rng.shuffle(wins)
    count = rng.randint(1, 7)
    first = [best, worst]
    moves = [first, *wins[:count], *losses][:MAX_CHILDREN]
    return _search_once(rng, moves)


# Families about bounds, cutoffs and plies.


@family("One given bound, zero or a fraction near zero")
def one_bound(rng):
    """Return a small tree that each player searches once with alpha and once with beta.

    One value equals the bound. Another value is so close that rounding would make it equal.
    """
    near = rng.choice((0.1, 0.25, 0.3, 0.45))
    fraction = rng.choice((2, -2)) * near
    around = [near, 0, -near]
    larger = rng.randint(1, 9)
    moves = [around, 0, near, 2 * near, larger]
    if fraction < 0:
        moves = _negate(moves)
    searches = []
    for maximizing in (True, False):
        search = Search(2, maximizing)
        searches.append(search)
        for bound in (0, fraction):
            searches += [replace(search, alpha=bound), replace(search, beta=bound)]
    rng.shuffle(searches)
    return tree_from_lists(moves, True, searches)


@family("Cutoffs after the first child, the second, and so on")
def every_child_cuts(rng):
    """Return a tree in which each child of a MIN node once causes the cutoff."""
    value = rng.randint(-9, 9)
    width = rng.choice((4, 6, 8, MAX_CHILDREN))
    children = [value]
    for place in range(MAX_CHILDREN - 1):
        leaves = []
        for _ in range(place):
            leaves.append(value + rng.randint(1, 30))
        leaves += [value, value - 1, value + 40]
        leaves += [value + 50] * MAX_CHILDREN
        count = max(width, place + 2)
        children.append(leaves[:count])
    search = Search(MAX_DEPTH, True, -MAX_VALUE)
    return tree_from_lists(children, True, [search])


@family("Worse moves, ties and the best move at every ply")
def every_ply_decides(rng):
    """Return a tree with one long line that has children to compare at every ply."""
    whole = rng.randint(-9, 9)
    fraction = rng.choice((0, 0.5, 0.25))
    plies = rng.choice((5, 8, 10, 11))
    spec = _make_long_line(rng, whole + fraction, plies)
    return tree_from_lists(spec, True)


# Families about sentinel numbers for "no value yet".


@family("Common initial values, each before a worse leaf")
def no_value_yet(rng):
    """Return a tree whose nodes each have a familiar number followed by a worse number."""
    numbers = sorted({*FAMILIAR_NUMBERS, *SENTINELS})
    pairs = []
    for number in numbers:
        worse = rng.randint(-20_000, -10_001)
        pairs.append([number, worse])
    pairs.reverse()
    rows = _split(pairs, MAX_CHILDREN)
    spec = [[row] for row in rows]
    return mirror(tree_from_lists(spec, False))


@family("Ties at many numbers")
def ties_at_numbers(rng):
    """Return a tree with a tie of alpha and beta at each of the numbers."""
    magnitudes = [number for number in MAGNITUDES if abs(number) < MAX_TIE]
    numbers = rng.choice((FAMILIAR_NUMBERS, magnitudes))
    size = math.ceil(len(numbers) / MAX_CHILDREN)
    groups = _split(numbers, size)
    rows = [_ties_in_row(group) for group in groups]
    rows.reverse()
    search = Search(MAX_DEPTH, False, -MAX_VALUE, MAX_VALUE)
    return tree_from_lists(rows, False, [search])


def _ties_in_row(numbers):
    """Return a MAX node with ties at three of the numbers, and the other ties below it."""
    children = [numbers[0] - 1]
    for number in numbers[:3]:
        children += [number, _make_tie(number, True)]
    others = numbers[3:]
    if others:
        children.append([_ties_in_row(others)])
    return children


@family("Depth limits, each with a common initial value")
def no_move_yet(rng):
    """Return two lines; at each depth the first line ends in a sentinel and is best."""
    first = rng.sample(SENTINELS, 7)
    second = []
    for number in first:
        loss = rng.choice((1, 2, 500))
        second.append(number - loss)
    moves = [_make_static_line(first), _make_static_line(second)]
    tree = tree_from_lists(moves, True)
    plies = len(first)
    searches = [Search(depth, True) for depth in range(1, plies)]
    rng.shuffle(searches)
    for depth in rng.sample(range(1, 6), 3):
        beta = first[depth - 1]
        searches.append(Search(depth, True, beta=beta))
    wide = Search(plies, True, -MAX_VALUE, MAX_VALUE)
    return _with_searches(tree, [*searches, wide])


@family("Five hundred visits, with decisions until the last")
def most_visits(rng):
    """Return a tree with the maximum number of visits; a long line comes last."""
    value = rng.randint(-9, 9)
    spec = _make_long_line(rng, value, 9)
    visits = MAX_VISITS - _count_visits(spec)
    spec.insert(0, _fill_up(visits))
    search = Search(MAX_DEPTH, True, -MAX_VALUE)
    return tree_from_lists(spec, True, [search])


def _count_visits(spec):
    """Return how many nodes of a long line are visited: all except two per tie."""
    if isinstance(spec, list):
        return 1 + sum(map(_count_visits, spec))
    return -1 if abs(spec) == UNVISITED else 1


def _fill_up(nodes):
    """Return a MIN node with this many nodes, all visited.

    Its 81 leaves are below MAX nodes. Each leaf is smaller than all leaves before it.
    """
    count = MAX_CHILDREN**2
    length, longer = divmod(nodes - 1 - MAX_CHILDREN, count)
    lines = []
    for number in range(count):
        line = -1000 - number
        plies_above = length if number < longer else length - 1
        for _ in range(plies_above):
            line = [line]
        lines.append(line)
    return _split(lines, MAX_CHILDREN)


# Common families.


@family("A small tree")
def small(rng):
    """Return a random tree of at most three plies."""
    palette = rng.choice(PALETTES)
    height = rng.choice((0, 1, 1, 2))
    moves = rng.choice((2, 2, 3))
    spec = []
    for _ in range(moves):
        move = _random_spec(rng, palette, height)
        spec.append(move)
    return tree_from_lists(spec, True)


@family("Several depths and windows")
def windows(rng):
    """Return a random tree with several searches."""
    palette = rng.choice(PALETTES)
    height = rng.randint(2, 4)
    spec = _random_spec(rng, palette, height, static=True)
    tree = tree_from_lists(spec, True)
    searches = [_random_search(rng, tree, palette) for _ in range(3)]
    whole = Search(tree.root.height, False)
    searches += [Search(0, True), Search(1, True), whole]
    rng.shuffle(searches)
    return _with_searches(tree, searches)


@family("Several cutoffs among plain values")
def plain(rng):
    """Return a tree whose leaves all lie at the last ply and rarely have equal values."""
    plies, moves = rng.choice(((2, 3), (3, 3), (3, 3), (4, 2)))
    spec = [rng.randint(1, 999) for _ in range(moves**plies)]
    while len(spec) > moves:
        spec = _split(spec, moves)
    return tree_from_lists(spec, True)


COMMON = (small, windows)
FAMILIES = (
    leaps,
    hairlines,
    traps,
    equal_moves,
    one_bound,
    every_child_cuts,
    every_ply_decides,
    no_value_yet,
    ties_at_numbers,
    no_move_yet,
    most_visits,
    plain,
    plain,  # twice, because most rows are about such trees
    *COMMON,
)


def random_trees(count: int, seed: int) -> Iterator[Tree]:
    """Return `count` trees of the common families, each with several searches."""
    trees = family_trees(random.Random(seed), itertools.cycle(COMMON))
    return itertools.islice(trees, count)
