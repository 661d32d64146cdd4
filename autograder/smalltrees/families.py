"""Families of trees: each family reveals certain mistakes.

A program may be correct on all trees that are small, plain and shallow. So there is a
family for each place where programs go wrong: every ply, every child, sentinel numbers for
"no value yet", the largest and the closest values, and many visits. families.yaml has the
families whose trees differ only in their numbers.

A `spec` is a tree in the format of tree_from_lists(). Each family builds trees with a MAX
root, and mirror() turns them into trees with a MIN root.
"""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from autograder.ground.files import load_data
from autograder.smalltrees.build import flow, grow_below, lists_of, tree_from_lists
from autograder.smalltrees.values import (
    FAMILIAR_NUMBERS,
    MAGNITUDES,
    MAX_CHILDREN,
    MAX_DEPTH,
    MAX_PLIES,
    MAX_TIE,
    MAX_VALUE,
    PALETTES,
    SENTINELS,
    add_exactly,
    palette_of,
)
from gametree.support.tree import Position, Search, Tree
from gametree.support.treefile import parse_tree

MAX_LEAVES = 20  # in a tree that both players search completely


class Family(NamedTuple):
    """A kind of tree.

    title: what the trees show, in a few words; it becomes the title of each tree.
    make: function of a random.Random that returns a tree of this kind.
    wanted: the number of such trees that a set needs for each player at the root.
    """

    title: str
    make: Callable[[random.Random], Tree]
    wanted: int = 0


def family(title: str, wanted: int = 0) -> Callable[[Callable], Family]:
    """Return a decorator that turns a function into the Family with this title."""
    return partial(Family, title, wanted=wanted)


TERM = re.compile(r"([+-]?)([a-z]|[0-9.]+)")


def _fill_in(entry, rng):
    """Return the tree of an entry of families.yaml, with random numbers for its letters."""
    chosen = {}
    for letter, numbers in entry["choose"].items():
        chosen[letter] = rng.choice(palette_of(numbers))

    def value_of(match):
        text = match[1]
        if isinstance(chosen.get(text), str):
            return chosen[text]
        total = 0
        for sign, term in TERM.findall(text):
            value = chosen[term] if term in chosen else float(term)
            total += -value if sign == "-" else value
        return flow(add_exactly(total, 0))

    return parse_tree(re.sub("<(.*?)>", value_of, entry["file"]), entry["title"])


def _written_family(entry):
    return Family(entry["title"], partial(_fill_in, entry), entry.get("trees", 0))


WRITTEN = [_written_family(entry) for entry in load_data("families.yaml", __file__)]


def family_trees(rng: random.Random, families: Iterable[Family]) -> Iterator[Tree]:
    """Yield two trees of each family; the second tree has MAX and MIN exchanged.

    Each tree of a list has at least two searches, so that state between them shows.
    """
    for kind in families:
        for tree in (kind.make(rng), mirror(kind.make(rng))):
            yield replace(_search_again(rng, tree), title=kind.title)


def _search_again(rng, tree):
    """Return the tree; if it has one search, add a cheap second search.

    The second search repeats the first, has the other player, or has another bound. It may
    come first.
    """
    if len(tree.searches) > 1 or type(tree.root) is not Position:
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
    """Return the tree with MAX and MIN exchanged and all values and bounds negated.

    A game, or a tree of random numbers, is returned unchanged.
    """
    if type(tree.root) is not Position:
        return tree
    spec = _negate(lists_of(tree.root))
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
        worse_first = rng.randint(0, 1)
        for step in range(worse_first, 0, -1):
            children.append(value - sign * (distance + step))
        children.append(spec)
        for _ in range(rng.choice((1, 1, 2))):
            place = rng.choice((1, 1, 2))
            children.append(_make_tie(value, maximizing, place))
        for _ in range(rng.randint(0, 1)):
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


@family("Moves that improve in large steps", wanted=1)
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
        plain = value > LEAST_REFUTED
        moves.append(rng.choice(shapes[:2] if plain else shapes))
    return _search_once(rng, moves)


WINS_AND_LOSSES = ((1, -1), (0, -0.25), (2.5, -2), (0.5, -0.25))


@family("Equal moves that win immediately or later", wanted=1)
def equal_moves(rng):
    """Return a tree with several best moves, including leaves, integers and floats."""
    best, worst = rng.choice(WINS_AND_LOSSES)
    decimal = float(best)
    losses = [worst] * rng.choice((0, 2, 2, 3))
    late = [[decimal], [best]]
    refuting = [best, 99]
    chosen = [worst, best]
    wins = [[decimal], [[best]], decimal, refuting, [chosen]]
    rng.shuffle(wins)
    count = rng.randint(0, 5)
    first = [best, worst]
    moves = [first, late, best, *wins[:count], *losses][:MAX_CHILDREN]
    return _search_once(rng, moves)


# Families about bounds, cutoffs and plies.


@family("Cutoffs after the first child, the second, and so on", wanted=1)
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


@family("Worse moves, ties and the best move at every ply", wanted=1)
def every_ply_decides(rng):
    """Return a tree with one long line that has children to compare at every ply."""
    whole = rng.randint(-9, 9)
    fraction = rng.choice((0, 0.5, 0.25))
    spec = _make_long_line(rng, whole + fraction, rng.choice((10, 11)))
    return tree_from_lists(spec, True)


# Families about numbers that stand for "no value yet".


EXTREME = 200_000  # beyond all familiar numbers


@family("Common initial values, each before a worse leaf", wanted=1)
def numbers(rng):
    """Return a tree whose nodes each have a number and then an extremely bad one."""
    return _numbers_before_extremes(rng, len(FAMILIAR_NUMBERS) - 2, 1)


@family("Nearly five hundred visits, with decisions until the last")
def most_visits(rng):
    """Return a tree such as numbers(), with more than 400 leaves."""
    return _numbers_before_extremes(rng, 45, 8)


def _numbers_before_extremes(rng, count, followers):
    """Return a tree of `count` nodes, each with a number before extremely bad leaves.

    Each number matters, and the last node has a cutoff.
    """
    nodes = []
    for number in sorted(rng.sample(FAMILIAR_NUMBERS, count), reverse=True):
        worse = [-EXTREME - rng.randint(1, EXTREME) for _ in range(followers)]
        nodes.append([number, *worse])
    first = nodes[0][0]
    while len(nodes) > MAX_CHILDREN:
        nodes = [[row] for row in _split(nodes, MAX_CHILDREN)]
    nodes.append([first, 1, 2])
    return mirror(tree_from_lists(nodes, False))


@family("Ties at many numbers", wanted=1)
def ties_at_numbers(rng):
    """Return a tree with a tie of alpha and beta at each of the numbers."""
    magnitudes = [number for number in MAGNITUDES if abs(number) < MAX_TIE]
    numbers = sorted({*rng.sample(FAMILIAR_NUMBERS, 60), *rng.sample(magnitudes, 6)})
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


LIKELY_MARKS = [*SENTINELS, -999_999, -99_999, 99_999, 100_000, 999_999, 10**6]


@family("Depth limits, each with common initial values", wanted=3)
def no_move_yet(rng):
    """Return two lines; at each depth, the first line ends in a sentinel and is best."""
    first = rng.sample(LIKELY_MARKS, 5)
    second = rng.sample(LIKELY_MARKS, 5)
    moves = [_make_static_line(first), _make_static_line(second)]
    searches = []
    for depth, pair in enumerate(zip(first, second), start=1):
        searches.append(Search(depth, pair[0] > pair[1]))
    rng.shuffle(searches)
    return tree_from_lists(moves, True, searches)


@family("A line of twelve plies, searched at many depths")
def twelve_plies(rng):
    """Return a line with a static value at each ply, searched with and without windows."""
    values = rng.sample(range(-99, 100), MAX_PLIES + 1)
    searches = [Search(MAX_DEPTH, False)]
    for depth in rng.sample(range(MAX_DEPTH), 7):
        value = values[min(depth, MAX_PLIES)]
        maximizing = rng.random() < 0.5
        search = Search(depth, maximizing)
        bounded = (replace(search, alpha=value - 0.5), replace(search, beta=value))
        searches += [search, rng.choice(bounded)]
    return tree_from_lists(_make_static_line(values), True, searches)


# Random trees in which many nodes decide.

SHAPES = (  # the most plies, and numbers of other children of a node
    (1, (1, 3, 8)),
    (2, (1, 2, 5, 8)),
    (3, (1, 2, 3)),
    (4, (0, 1, 2, 3)),
    (6, (0, 1, 2)),
    (9, (0, 1, 1, 2)),
    (11, (0, 0, 1, 1)),
)
SMALL = (0.000001, 0.00001, 0.001, 0.01, 0.25)
USUAL = (0.25, 0.5, 1, 1, 1, 2, 3, 10, 100)
LARGE = (1000, 10_000, 10**6, 10**8)
DIFFERENCES = (SMALL, USUAL, USUAL, (1, 2), (*SMALL, *USUAL), LARGE, (*USUAL, *LARGE))
SEARCHES = 14  # of which a set uses those that show most


class _Decisions(NamedTuple):
    """A maker of random specs in which many nodes decide.

    rng: its source of chance.
    differences: the differences between the values of children.
    others: the numbers of other children beside a best child.
    """

    rng: random.Random
    differences: Sequence[float]
    others: Sequence[int]

    def worth(self, value, maximizing, plies):
        """Return a spec of this value, of up to `plies` plies below its best children."""
        if plies == 0:
            return value
        others = self.rng.choice(self.others)
        place = self.rng.randint(0, others)
        children = [self._worse(value, maximizing, plies, False) for _ in range(place)]
        children.append(self.worth(value, not maximizing, plies - 1))
        for _ in range(others - place):
            children.append(self._worse(value, maximizing, plies, True))
        return {"value": self._beside(value), "children": children}

    def _worse(self, value, maximizing, plies, may_tie):
        """Return a child that is worse than `value`, or as good if it may tie."""
        sign = _sign(maximizing)
        difference = self.rng.choice(self.differences)
        if may_tie and abs(value) < MAX_TIE:
            difference *= self.rng.randint(0, 1)
        worse = _limited(value - sign * difference)
        if plies == 1 or self.rng.random() < 0.3:
            return worse
        replies = []
        for _ in range(self.rng.choice((0, 0, 1, 2))):
            replies.append(_limited(worse + sign * self.rng.choice(self.differences)))
        below = self.rng.choice((0, 0, 0, 1, 2))
        replies.append(self.worth(worse, maximizing, min(below, plies - 2)))
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            replies.append(self._beside(worse))
        return {"value": self._beside(value), "children": replies}

    def _beside(self, value):
        sign = self.rng.choice((-1, 0, 1))
        return _limited(value + sign * self.rng.choice(self.differences))


def _limited(value):
    """Return the value without a rounding error, or the closest that a tree may have."""
    return max(-MAX_VALUE, min(MAX_VALUE, add_exactly(value, 0)))


@family("Decisions at many nodes")
def decisions(rng):
    """Return a tree whose searches have cutoffs, ties and best children at many nodes."""
    plies, others = rng.choice(SHAPES)
    differences = rng.choice(DIFFERENCES)
    value = rng.choice(
        (
            rng.choice(FAMILIAR_NUMBERS),
            rng.choice(FAMILIAR_NUMBERS),
            rng.choice(MAGNITUDES),
            add_exactly(rng.uniform(-99, 99), 0),
            rng.choice((-1, 1)) * rng.randint(10**6, 998 * 10**6),
        )
    )
    spec = _Decisions(rng, differences, others).worth(value, True, plies)
    tree = tree_from_lists(spec, True)
    searches = [Search(tree.root.height, True), Search(rng.randint(1, MAX_DEPTH), True)]
    for _ in range(SEARCHES):
        searches.append(_decisive_search(rng, tree, value, differences))
    return replace(tree, searches=tuple(dict.fromkeys(searches)))


def _decisive_search(rng, tree, value, differences):
    """Return a search of any depth, often with bounds close to values of the tree."""
    values = [node.value for node in tree.root.subtree()]
    height = tree.root.height
    depths = (height, height, rng.randint(0, height), rng.randint(0, MAX_DEPTH), MAX_DEPTH)
    bounds = []
    for near in (value, rng.choice(values)):
        difference = rng.choice((-1, 0, 0, 1)) * rng.choice(differences)
        bounds.append(rng.choice((_limited(near + difference),) * 9 + (0,)))
    alpha, beta = sorted(bounds)
    if alpha == beta or rng.random() < 0.4:
        alpha, beta = rng.choice(((alpha, math.inf), (-math.inf, beta)))
    if rng.random() < 0.2:
        alpha, beta = -math.inf, math.inf
    return Search(rng.choice(depths), rng.random() < 0.6, alpha, beta)


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
    return tree_from_lists(spec, True, [Search(plies, True), Search(plies, False)])


@family("Six to nine moves, and as many replies")
def wide(rng):
    """Return a tree with wide nodes, in which any move may be the best."""
    values = rng.sample(range(-99, 100), MAX_CHILDREN)
    moves = values[: rng.randint(6, MAX_CHILDREN)]
    replies = rng.sample(range(-99, 100), rng.randint(6, MAX_CHILDREN))
    place = rng.randrange(len(moves))
    moves[place] = replies
    return _search_once(rng, moves)


COMMON = (small, windows)
FAMILIES = (
    leaps,
    equal_moves,
    every_child_cuts,
    every_ply_decides,
    numbers,
    most_visits,
    ties_at_numbers,
    no_move_yet,
    twelve_plies,
    wide,
    plain,
    *COMMON,
    *WRITTEN,
)


def random_trees(count: int, seed: int) -> Iterator[Tree]:
    """Return `count` trees of the common families, each with several searches."""
    trees = family_trees(random.Random(seed), itertools.cycle(COMMON))
    return itertools.islice(trees, count)
