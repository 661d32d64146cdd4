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
from gametree.support.tree import Search, Tree

MOST = 10**9 - 1  # the largest value, and its negative the smallest
HAIR = 10**-6  # the smallest difference of two values that differ
DIGITS = 6  # after the point
MAX_CHILDREN = 9
MAX_PLIES = 12
MAX_DEPTH = 30
MAX_VISITS = 500  # of a right search

POWERS = (1, 10, 100, 1000, 10**4, 10**5, 10**6, 10**7, 10**8)
# Numbers that people take for "no value yet", for infinity, or for an example.
ODD = {2, *(10**n - less for n in range(5) for less in (0, 1))}
ODD = sorted({sign * n for n in ODD for sign in (1, -1)})
LIKED = (*range(18), 20, 25, 30, 33, 42, 50, 64, 75, 99)
LIKED = sorted({sign * n for n in LIKED for sign in (1, -1)})
SIZES = sorted(
    sign * n * power for power in POWERS[3:] for n in (1, 5, 9) for sign in (1, -1)
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
        others = (_any_search(rng, tree, palette) for _ in range(rng.randint(1, 3)))
        yield asked(tree, *others)


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


def windows(rng, palette=None):
    """Several depths and windows."""
    palette = palette or rng.choice(PALETTES)
    tree = tree_from_lists(random_spec(rng, palette, rng.randint(2, 4), (1, 3), 1.0), True)
    others = [_any_search(rng, tree, palette) for _ in range(3)]
    others.append(Search(tree.root.height, False))
    rng.shuffle(others)
    return asked(tree, *others)


def extremes(rng):
    """Large or very close values, in several windows."""
    return windows(rng, rng.choice((_large, _close))(rng))


def refuted(rng):
    """A first move that refutes others."""
    good = rng.randint(5, 20)

    def reply():
        worse = [rng.randint(-20, good) for _ in range(rng.choice((1, 1, 2)))]
        other = [rng.randint(-20, 20) for _ in range(rng.choice((1, 2)))]
        return [worse, *other] if rng.random() < 0.3 else worse + other

    return tree_from_lists([good, *(reply() for _ in range(rng.randint(1, 3)))], True)


def bound_from_above(rng):
    """A bound from above, with worse leaves on the way."""
    value, plies = rng.randint(-9, 9), rng.choice((2, 4, 6))
    spec = [value - rng.choice((0, 1, 3)), value - 5, 99]
    for ply in range(plies, 0, -1):
        aside = value + rng.randint(1, 5) * (1 if ply % 2 else -1)
        spec = rng.choice(([aside, spec], [aside, spec], [aside, spec, aside]))
    return tree_from_lists([value, spec], True)


def _tie(value, maximizing, most=1):
    """Return a reply that ties with a bound of the player above, as its leaf number `most`.

    With equality it is cut off there, with strict cutoffs one leaf later; its last leaf
    would decide for whoever searches on.
    """
    sign = 1 if maximizing else -1
    before = sorted((sign * n for n in range(most - 1, 0, -1)), key=abs, reverse=True)
    return [*(value + n for n in before), value, value - sign, 99 * sign]


def _chain(plies, spec):
    for _ in range(plies):
        spec = [spec]
    return spec


def _choices(rng, value, plies, most=2):
    """Return a long line worth `value`: at every ply worse children, ties, and the best."""
    worse = value + (1 if plies % 2 else -1)
    spec = [worse, value, worse]
    for ply in range(plies - 1, -1, -1):
        maximizing = ply % 2 == 0
        sign, far = (1 if maximizing else -1), 2 * (plies - ply)
        before = [value - sign * (far + n) for n in range(rng.randint(0, most), 0, -1)]
        ties = [
            _tie(value, maximizing, rng.randint(1, 3)) for _ in range(rng.randint(0, most))
        ]
        worse = [value - sign * rng.randint(1, 5) for _ in range(rng.randint(0, most))]
        spec = [*before, spec, *ties, *worse]
    return spec


def every_ply_decides(rng):
    """Worse moves, ties and the best one at every ply."""
    value = rng.randint(-9, 9) + rng.choice((0, 0.5, 0.25))
    return tree_from_lists(_choices(rng, value, rng.choice((5, 8, 10, 11))), True)


def far_bounds(rng):
    """A bound from the root that cuts off at many plies."""
    value = rng.randint(-9, 9)
    far = [
        _chain(plies, [value - 3, _tie(value, True)] if plies % 2 else _tie(value, True))
        for plies in range(MAX_CHILDREN - 1)
    ]
    return [value, *rng.sample(far, len(far))]


def every_child_cuts(rng):
    """Cutoffs after the first child, the second, and so on."""
    value, most = rng.randint(-9, 9), rng.choice((4, 6, 8, MAX_CHILDREN))
    parts = [
        [*(value + rng.randint(1, 30) for _ in range(place)), value, value - 1, value + 40]
        for place in range(MAX_CHILDREN - 1)
    ]
    more = [value + 50] * MAX_CHILDREN
    return [
        value,
        *([*part, *more][: max(most, place + 2)] for place, part in enumerate(parts)),
    ]


def every_child_raises(rng):
    """Bounds set by the first child, the second, and so on."""
    parts, most = [], rng.randint(6, MAX_CHILDREN)
    for place in range(most - 1):
        value = 3 * place + rng.randint(1, 2)
        bounds = sorted(rng.sample(range(40, 99), place), reverse=rng.random() < 0.5)
        ending = [value + 1, _tie(value + 1, False), value + 2, value]
        parts.append([*bounds, *ending][:most])
    return parts


def every_child_decides(rng):
    """Nine nodes of nine children: each child is best once."""
    palette = rng.choice((range(1, 40), _large(rng), _close(rng)))
    some = sorted(rng.sample(palette, min(len(palette), 12)))
    rows = [[some[-1]] * MAX_CHILDREN for _ in range(MAX_CHILDREN)]
    for place, row in enumerate(rows):
        row[place] = some[place]
    return rows


def no_value_yet(rng):
    """Numbers taken for no value yet, a worse leaf after each."""
    pairs = [[n, rng.randint(-20_000, -10_001)] for n in sorted({*LIKED, *ODD})][::-1]
    rows = [pairs[at : at + MAX_CHILDREN] for at in range(0, len(pairs), MAX_CHILDREN)]
    return mirrored(tree_from_lists([[row] for row in rows], False))


def ties_at_numbers(rng, numbers):
    """Ties at many numbers."""

    def row(some):
        spec = [part for n in some[:3] for part in (n, _tie(n, True))]
        return [some[0] - 1, *spec, *([[row(some[3:])]] if some[3:] else ())]

    size = -(-len(numbers) // MAX_CHILDREN)
    spec = [row(numbers[at : at + size]) for at in range(0, len(numbers), size)][::-1]
    return tree_from_lists(spec, False, [Search(MAX_DEPTH, False, -MOST, MOST)])


def no_move_yet(rng, group):
    """Depth limits: at each a number taken for no value yet.

    The three groups, 0 to 2, hold all such numbers.
    """
    numbers = ODD[group::3]
    rng.shuffle(numbers)
    worse = [number - rng.choice((1, 2, 500)) for number in numbers]
    tree = tree_from_lists([_line(numbers), _line(worse)], True)
    searches = [Search(depth, True) for depth in range(1, tree.root.height)]
    rng.shuffle(searches)
    windows = [Search(d, True, beta=numbers[d - 1]) for d in rng.sample(range(1, 6), 3)]
    return asked(tree, *searches, *windows, Search(len(numbers), True, -MOST, MOST))


def _line(values):
    """Return a line of single children with these static values, the last one a leaf."""
    *above, spec = values
    for value in reversed(above):
        spec = {"value": value, "children": [spec]}
    return spec


def leaps(rng):
    """Moves that improve by leaps."""
    steps = rng.sample([1, 10, 100, *SIZES], rng.randint(0, MAX_CHILDREN - 2))

    def move(value):
        return rng.choice((value, value, [value], [[value, -MOST]], [MOST, value]))

    return [*map(move, sorted({*steps, rng.choice((-1, 0, 9 * 10**8)), MOST}))]


def hairlines(rng):
    """Moves and bounds that differ by little."""
    middle = rng.choice((0, 0.5, -1, 2.5, 99.5, 600))
    below = sorted(round(middle - 10**-k, DIGITS) for k in rng.sample(range(1, 6), 4))
    one, two, three = (round(middle + n * HAIR, DIGITS) for n in (3, 4, 5))
    near = [[one], rng.choice((two, [two])), [three, [one, middle], 7], [7, three, one]]
    return [*below, *near]


def fractions(rng):
    """Fractions of thousands and of millions."""
    unit = rng.choice((1002, 50_000, 10**6, 3_000_000, 70_000_000))
    spec = [[unit + 0.5, unit + 3], unit + 0.25, [unit + 0.75, unit + 0.5], [[unit + 0.75]]]
    rng.shuffle(spec)
    return [unit, *spec]


def traps(rng):
    """Moves worth more than any window that is made up."""
    unit = rng.choice((10**8, 1.5 * 10**8, 2.4 * 10**8))
    bad, less, worst = (-int(k * unit) - rng.randint(0, 99) for k in (2.2, 3, 4))
    spec = [[less + 1, worst], [less], [bad, worst - 9, bad + 5], bad - 10**7]
    if rng.random() < 0.5:  # the same among gains
        more = [-bad, -worst - 9, -bad]
        spec = [[[-less, -bad]], [[-worst]], [more], -less, [-less, -bad]]
    rng.shuffle(spec)
    return spec


def equal_moves(rng):
    """Equal moves that win at once or later."""
    best, worst = rng.choice(((1, -1), (0, -0.25), (2, -2), (100, -100), (0, -0.25)))
    late, more = [[float(best)], [best]], [worst] * rng.randint(0, 3)
    parts = [best, late, [float(best)], [[best]], float(best), [best, 99], [[worst, best]]]
    rng.shuffle(parts)
    return [[best, worst], *parts[: rng.randint(1, 5)], *more]


def single_leaf(rng):
    """A root that is a leaf, asked from several windows."""
    value = rng.choice((-3, 0.5, 2, 7))
    leaf = rng.random() < 0.5
    spec = value if leaf else {"value": value, "children": [9, [-9, 8]]}
    ends = [(value - 1, value + 2), (0, math.inf), (-math.inf, 0), (value + 1, value + 3)]
    depths = (MAX_DEPTH, 0, 1, 7) if leaf else (0, 0, 0, 0)
    searches = [Search(depth, True, *window) for depth, window in zip(depths, ends)]
    rng.shuffle(searches)
    return tree_from_lists(spec, True, [*searches, Search(0, True)])


def long_lines(rng):
    """Lines of twelve plies, asked at many depths."""
    palette, count = rng.choice((_large, _close))(rng), rng.choice((2, 2, 3))
    rows = [sorted(rng.sample(palette, count), reverse=True) for _ in range(MAX_PLIES)]
    depths = [*rng.sample(range(1, MAX_PLIES - 1), 4), MAX_PLIES - 1, MAX_PLIES]
    searches = [Search(depth, True) for depth in rng.sample([*depths, MAX_DEPTH], 7)]
    return tree_from_lists([*map(_line, zip(*rows))], True, searches)


def most_visits(rng):
    """Five hundred visits, with choices on the way to the last."""

    def parts(nodes):
        half = (nodes - 1) // 2
        return [*filter(None, (half, nodes - 1 - half))]

    def leaves(nodes):
        return sum(map(leaves, parts(nodes))) or 1

    def fill(nodes, low, maximizing):  # at every node the best child is last
        below, spec = parts(nodes), []
        for place, child in enumerate(below):
            less = sum(map(leaves, below[:place] if maximizing else below[place + 1 :]))
            spec.append(fill(child, low + less, not maximizing))
        return spec or 3 * low - 2000

    spec = _choices(rng, rng.randint(-9, 9), 9)
    spec.insert(0, fill(MAX_VISITS - _visits(spec), 0, False))
    return tree_from_lists(spec, True, [Search(MAX_DEPTH, True, -MOST)])


def _visits(spec):
    """Return how many nodes of _choices() are visited; of each tie's two last, none is."""
    if isinstance(spec, list):
        return 1 + sum(map(_visits, spec))
    return -1 if abs(spec) == 99 else 1


def _large(rng):
    """Return values on both sides of powers of ten, up to the largest."""
    sign = rng.choice((1, -1, 0))
    values = {MOST, -MOST, MOST - rng.randint(9, 99), rng.randint(9, 99) - MOST}
    for power in POWERS[4:]:
        more = power - rng.randint(1, 9), power + rng.randint(1, power // 2)
        values |= {number * (sign or rng.choice((1, -1))) for number in (power, *more)}
    return sorted(values)


def _close(rng):
    """Return values around one number that differ by 10^-1 to 10^-6."""
    middle = rng.choice((0, 0, 0.5, -0.5, 1, -1, 2.5, -3, 1000, -1002, 2000.5))
    steps = {0.0} | {sign * 10**-k for k in range(1, 7) for sign in (1, -1)}
    steps = {step for step in steps if abs(step) > 2e-9 * abs(middle)}
    steps |= {rng.randint(-9, 9) * 10**-5 for _ in range(5)}
    return sorted({round(middle + step, DIGITS) for step in steps})


def game(rng):
    """A game played to its end."""
    if rng.random() < 0.5:
        root = GAMES["coins"].start(rng.randint(3, 9), maximizing=rng.random() < 0.5)
    else:
        board = [*"........."]
        for cell, mark in zip(rng.sample(range(9), 4), "XOXO"):  # nobody has won yet
            board[cell] = mark
        rows = ("".join(board[at : at + 3]) for at in (0, 3, 6))
        root = GAMES["tictactoe"].start(" ".join(rows))
    whole = Search(root.height, root.maximizing)
    return Tree("game", "game", "", root, root.maximizing, (whole,))


def mirrored(tree: Tree) -> Tree:
    """Return the tree with MAX and MIN exchanged: all values and bounds turned round."""

    def turned(spec):
        if isinstance(spec, list):
            return [*map(turned, spec)]
        if isinstance(spec, dict):
            return {"value": -spec["value"], "children": turned(spec["children"])}
        return 0 - spec

    searches = [
        replace(each, maximizing=not each.maximizing, alpha=-each.beta, beta=-each.alpha)
        for each in tree.searches
    ]
    return tree_from_lists(turned(lists_of(tree.root)), not tree.maximizing, searches)


def _goes_on(spec, plies):
    """Return the spec of a game that goes on below its leaves at so many plies."""
    if isinstance(spec, list):
        return [_goes_on(part, plies - 1) for part in spec]
    return spec if plies else {"value": spec, "children": [9]}


def _set_down(rng, make):
    """Return a tree of a family, often below single children, unless it is of ROOTS.

    Often its search has depth to spare; or the game goes on where the depth ends. A tree
    of BOUNDS is asked from a wide window, which is one for alphabeta alone.
    """
    spec = make(rng)
    room = MAX_PLIES - tree_from_lists(spec, True).root.height
    above = 0 if make in ROOTS else min(room, rng.choice((0, 1, rng.randint(0, 8))))
    tree = tree_from_lists(_chain(above, spec), above % 2 == 0)
    height = tree.root.height
    most = height if make in ROOTS else MAX_DEPTH
    depth = rng.choice((height, height, most, rng.randint(height, MAX_DEPTH)))
    if depth == height < MAX_PLIES:
        tree = tree_from_lists(_goes_on(lists_of(tree.root), height), tree.maximizing)
    window = rng.choice(((-MOST,), (-MOST, MOST))) if make in BOUNDS else ()
    return replace(tree, searches=(Search(depth, tree.maximizing, *window),))


ROOTS = (leaps, hairlines, fractions, traps, equal_moves)  # about best moves
BOUNDS = (far_bounds, every_child_cuts, every_child_raises)
SPECIAL = (
    *(*ROOTS, *ROOTS, *BOUNDS, every_child_decides, every_ply_decides, no_value_yet),
    *(partial(ties_at_numbers, numbers=numbers) for numbers in (LIKED, SIZES)),
    *(partial(no_move_yet, group=group) for group in range(3)),
    *(single_leaf, long_lines, most_visits, extremes),
)
COMMON = (small, plain, windows, refuted, bound_from_above, game)


def family_trees(rng: random.Random, families=SPECIAL) -> Iterator[Tree]:
    """Yield a tree of each family for either player, its title the family's."""
    for make in families:
        for turn in (False, True):
            bare = make in (*ROOTS, *BOUNDS, every_child_decides)
            tree = _set_down(rng, make) if bare else make(rng)
            tree = mirrored(tree) if turn and make is not game else tree
            words = getattr(make, "func", make).__doc__
            yield replace(tree, title=words.splitlines()[0].rstrip("."))
