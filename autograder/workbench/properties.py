"""What a tree shows that tells wrong programs from right: one table of properties.

`make check` reads it to say what a set lacks or leaves open, with a cure for each;
`make trees` chooses trees by it, and writes into each file which property it is there for.
The limits that trees keep to, and that a set's titles and lessons differ, are checked here
too.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import cached_property, partial
from typing import NamedTuple

from autograder.judging.concepts import cuts_off_far_below
from autograder.judging.divergence import CUTOFF, ENTER, LEAF, LEAVE, UPDATE, replay
from autograder.smalltrees.build import described, lists_of
from autograder.smalltrees.families import (
    DIGITS,
    HAIR,
    MOST,
    MOST_CHILDREN,
    MOST_DEPTH,
    MOST_PLIES,
    MOST_VISITS,
    ODD,
)
from autograder.tasks import tasks_for
from gametree import Position
from gametree.games import GamePosition
from gametree.tree import Search, Tree

MOST_LETTERS = 69  # of a title or a lesson
MOST_WALKED = 5000  # positions of a lazy tree that are looked at
TIE_PLIES = range(1, MOST_PLIES)
BOUND_PLIES = range(1, 8)
PLACES = range(1, MOST_CHILDREN)  # of a child that others follow, from 1
FAR_DOWN = 9  # plies between the root and what its bound cuts off
KEPT = 30  # numbers of one tree that a worse leaf follows
PLAYERS = {"MAX": True, "MIN": False}


class Decision(NamedTuple):
    """A node whose window is closed or empty while children are left.

    `place` is the last child searched, from 1. The bound from above was set at the ply
    `set_ply`, as its child `set_place` returned; None if it was given.
    """

    ply: int
    maximizing: bool
    place: int
    tied: bool
    bound: float
    set_ply: int | None
    set_place: int | None


class Move(NamedTuple):
    """What the children of a root are worth, and which is best, for a search."""

    search: Search
    worth: list[float]
    best: int

    @property
    def gains(self) -> list[float]:
        """By how much the best move is better than each one before it."""
        sign = 1 if self.search.maximizing else -1
        return [sign * (self.worth[self.best] - value) for value in self.worth[: self.best]]


class Facts:
    """What is looked at of a tree: positions, right searches, and where they decide."""

    def __init__(self, tree: Tree, reference):
        self.tree, self.root, self.searches = tree, tree.root, tree.searches
        self.positions = list(itertools.islice(tree.root.subtree(), MOST_WALKED))
        self.leaves = [position for position in self.positions if position.terminal]
        self.values = [leaf.value for leaf in self.leaves]
        self.low, self.high = min(self.values, default=0), max(self.values, default=0)
        self.tasks = tasks_for([tree], reference)
        self.visited = {path for task in self.tasks for path in task.expected.visited}
        convention = reference.convention
        self.replays = [(each, replay(tree, each, convention)) for each in self.searches]
        self.decisions = [
            d for each, steps in self.replays for d in self._decide(each, steps)
        ]
        self.ties = {d for d in self.decisions if d.tied}
        self.moves = [self._move(search) for search in tree.searches_for("best_move")]
        self.answers = {(m.search.maximizing, m.worth[m.best]) for m in self.moves}

    def _decide(self, search, steps):
        """Yield where a search decides to cut off, or would under the other convention."""
        given = {"alpha": (search.alpha, None, None), "beta": (search.beta, None, None)}
        bounds = {
            (): given
        }  # path of a node -> bound -> (value, the ply and child that set it)
        for step in steps:
            if step.kind == ENTER and step.path:
                bounds[step.path] = dict(bounds[step.path[:-1]])
            if step.kind != UPDATE:
                continue
            own, place = bounds[step.path], step.child_path[-1] + 1
            for name, value in (("alpha", step.alpha), ("beta", step.beta)):
                if value != own[name][0]:
                    own[name] = value, len(step.path), place
            left = place < len(self.root.at(step.path).children)
            if left and step.alpha >= step.beta:
                maximizing = search.max_moves_at(step.path)
                tied, other = step.alpha == step.beta, "beta" if maximizing else "alpha"
                yield Decision(len(step.path), maximizing, place, tied, *own[other])

    def _move(self, search):
        steps = replay(self.tree, search, None)
        values = {step.path: step.value for step in steps if step.kind in (LEAF, LEAVE)}
        worth = [values[child.path] for child in self.root.children]
        return Move(search, worth, worth.index((min, max)[search.maximizing](worth)))

    @cached_property
    def numbers(self) -> list:
        """Every number that a search meets, bounds among them, in order."""
        known = {self.root.at(path).static_value() for path in self.visited}
        bounds = {bound for each in self.searches for bound in (each.alpha, each.beta)}
        return sorted(known | {bound for bound in bounds if math.isfinite(bound)})

    def kept(self, maximizing) -> set:
        """Return the values of a player's nodes that a leaf after the best one has not."""
        return {
            step.value
            for search, steps in self.replays
            for step in steps
            if step.kind == UPDATE and search.max_moves_at(step.path) == maximizing
            for child in [self.root.at(step.child_path)]
            if child.terminal and child.value != step.value and step.child_path[-1]
        }

    def best_places(self, maximizing) -> set:
        """Return the places of the best child in a player's full nodes, if alone."""
        places = set()
        for each in self.positions:
            row = [child.static_value() for child in each.children]
            mine = self.searches[0].max_moves_at(each.path) == maximizing
            best = (min, max)[maximizing](row, default=None)
            if mine and len(row) == MOST_CHILDREN and row.count(best) == 1:
                places.add(row.index(best))
        return places

    def cuts_after_a_hair(self, maximizing) -> bool:
        """Tell whether a player's node goes on in a window of 10^-6, then is cut off."""
        near, found = set(), False
        for search, steps in self.replays:
            for step in steps:
                if step.kind == UPDATE and 0 < step.beta - step.alpha < 2 * HAIR:
                    near.add((search, step.path))
                elif step.kind == CUTOFF and search.max_moves_at(step.path) == maximizing:
                    found = found or (search, step.path) in near
        return found

    def equal_moves(self, maximizing, quick_first) -> bool:
        """Tell whether a best move, quick or slow, has an equal of the other kind."""
        return any(
            move.worth[move.best] == value and child.terminal != quick_first
            for move in self.moves
            if move.search.maximizing == maximizing
            and self.root.children[move.best].terminal == quick_first
            for value, child in zip(move.worth, self.root.children)
        )

    def visits(self, function) -> int:
        """Return the most visits of any right search by a function."""
        counts = [t.expected.node_count for t in self.tasks if t.function == function]
        return max(counts, default=0)

    @cached_property
    def shown(self) -> set[str]:
        """The names of the properties that the tree has."""
        return {each.name for each in PROPERTIES if each.test(self)}


class Property(NamedTuple):
    """A property: its name, what an instructor adds where a set lacks it, and its test.

    A set without a `required` one is not fit.
    """

    name: str
    advice: str
    test: Callable[[Facts], bool]
    required: bool = False


# name, advice, test, numbers: once for each player p (True is MAX) and number n. What
# stands first says most of a tree.
BY_PLAYER = (
    ("a tie decides at {p}, ply {n}", "a line of {n} plies that ends in [v, v - 1, 99]",
     lambda f, p, n: any((d.ply, d.maximizing) == (n, p) for d in f.ties), TIE_PLIES),
    ("a bound that {p} sets at ply {n} cuts off", "{n} plies, then [v, [v, v - 1, 99]]",
     lambda f, p, n: any((d.set_ply, d.maximizing) == (n, not p) for d in f.decisions),
     BOUND_PLIES),
    ("{p} is cut off after child {n}", "a node with a tie at child {n}, and two more",
     lambda f, p, n: any((d.place, d.maximizing) == (n, p) for d in f.ties), PLACES),
    ("the bound that child {n} of {p} sets cuts off", "a best child {n}, and [v, 99] next",
     lambda f, p, n: any((d.set_place, d.maximizing) == (n, not p) for d in f.decisions),
     PLACES),
    ("{n} is best for {p}", "a move worth {n}, and worse ones behind it",
     lambda f, p, n: (p, n) in f.answers, ODD),
    ("numbers taken for no value yet, at {p}", "many nodes, each a number and a worse leaf",
     lambda f, p, n: len(f.kept(p)) >= KEPT),
    ("each of nine children is best once at {p}", "nine nodes of nine leaves",
     lambda f, p, n: len(f.best_places(p)) == MOST_CHILDREN),
    ("a bound from the root cuts off {p} far down", "ten plies that end in [v, v - 1, 99]",
     lambda f, p, n: any(d.maximizing == p and d.set_ply is not None
                         and d.ply - d.set_ply >= FAR_DOWN for d in f.decisions)),
    ("a bound beyond 10^8 cuts off at {p}", "a tie at -300000000",
     lambda f, p, n: any(d.maximizing == p and 10**8 < abs(d.bound) < math.inf
                         for d in f.decisions)),
    ("a bound that differs by 10^-6 decides at {p}", "4, [5, 3, 7] in millionths",
     lambda f, p, n: f.cuts_after_a_hair(p)),
    ("a better move by 10^-6, for {p}", "moves such as 0.5 and 0.500001",
     lambda f, p, n: any(m.search.maximizing == p and min(m.gains, default=1) < 2 * HAIR
                         for m in f.moves)),
    ("a better move after a win of a million, for {p}", "moves such as 1000000, 100000000",
     lambda f, p, n: any(m.search.maximizing == p
                         and any((v if p else -v) >= 10**6 for v in m.worth[: m.best])
                         for m in f.moves)),
    ("a later move worth 0 is best for {p}", "moves such as -3 and 0",
     lambda f, p, n: any(m.search.maximizing == p and m.best and m.worth[m.best] == 0
                         for m in f.moves)),
    ("a fraction of thousands is best for {p}", "a value such as 2000.5",
     lambda f, p, n: any(who == p and abs(v) > 1000 and v != int(v)
                         for who, v in f.answers)),
    ("nothing but sums beyond 10^8, {p} first", "two moves, two replies: -200000000, ...",
     lambda f, p, n: f.tree.maximizing == p and len(f.leaves) > 2
     and min(map(abs, f.values)) > 10**8),
    ("a quick win, and a slow one after it, for {p}", "equal moves such as [3, [[3]]]",
     lambda f, p, n: f.equal_moves(p, True)),
    ("a slow win, and a quick one after it, for {p}", "equal moves such as [[[3]], 3]",
     lambda f, p, n: f.equal_moves(p, False)),
)  # fmt: skip
EDGES = (
    ("a value just below 10^9", "a best value such as 999999999",
     lambda f: any(value > 0.99 * MOST for _, value in f.answers)),
    ("a value just above -10^9", "a best value such as -999999999",
     lambda f: any(value < -0.99 * MOST for _, value in f.answers)),
    ("a difference of 10^-6", "two values such as 0.5 and 0.500001, of which one decides",
     lambda f: any(b - a < 1.01 * HAIR for a, b in itertools.pairwise(f.numbers))),
    ("a fraction beyond a million", "a best value such as 2000000.5",
     lambda f: any(abs(v) > 10**6 and v != int(v) for _, v in f.answers)),
    ("nine children", "a node with nine children, the last of which matter",
     lambda f: any(len(each.children) == MOST_CHILDREN for each in f.positions)),
    ("twelve plies", "a line of twelve plies, such as one side leaf at each",
     lambda f: MOST_PLIES in map(len, f.visited)),
    ("a depth of 30 on twelve plies", "`depth: 30` on a line of twelve plies",
     lambda f: MOST_PLIES in map(len, f.visited)
     and any(each.depth == MOST_DEPTH for each in f.searches)),
    ("a move at depth 11, over static values", "`depth: 11` on twelve plies with values",
     lambda f: any(m.search.depth == MOST_PLIES - 1 for m in f.moves)
     and f.root.height == MOST_PLIES),
    ("a hundred visits by minimax", "a tree of a hundred nodes, searched whole",
     lambda f: f.visits("minimax") >= 100),
    ("five hundred visits", "500 nodes, the best child always last, `alpha: -999999999`",
     lambda f: f.visits("alphabeta") > MOST_VISITS - 5),
    ("a bound of 0", "a window such as {alpha: 0}",
     lambda f: any(0 in (each.alpha, each.beta) for each in f.searches)),
    ("one open side", "a search with `alpha:` or `beta:` alone",
     lambda f: any(math.isinf(s.alpha) != math.isinf(s.beta) for s in f.searches)),
    ("a leaf as the root, with a window", "`tree: 5` with `alpha: 4` and `beta: 6`",
     lambda f: f.root.terminal and any(map(_closed, f.searches))),
    ("no depth, with a window", "`depth: 0` with `alpha:` and `beta:` on a larger tree",
     lambda f: any(not s.depth and not s.full_window and f.root.children
                   for s in f.searches)),
    ("a shallow search in a window", "`depth: 1` with both bounds, on a deeper tree",
     lambda f: any(0 < s.depth < f.root.height and _closed(s) for s in f.searches)),
    ("the other player", "a search with `player:`, the root's other one",
     lambda f: any(each.maximizing != f.tree.maximizing for each in f.searches)),
    ("a narrow search after one for the other player", "{player: min}, then {alpha: 1}",
     lambda f: any(one.maximizing != two.maximizing and not two.full_window
                   for one, two in itertools.pairwise(f.searches))),
    ("a narrow search first", "a search with a window before the full one",
     lambda f: not f.searches[0].full_window and any(s.full_window for s in f.searches)),
    ("an int that equals a float", "values such as 2 and 2.0 on the two sides of a tie",
     lambda f: len(set(f.values)) < len({(type(value), value) for value in f.values})),
    ("a game", "`game: {name: coins, coins: 4}`",
     lambda f: isinstance(f.root, GamePosition)),
    ("two leaves", "a tree of two leaves", lambda f: len(f.leaves) == 2),
)  # fmt: skip
REQUIRED = (
    ("a deep cutoff", "a bound that cuts off three plies below, as in [1, [[[1, 1]]]]",
     lambda f: any(cuts_off_far_below(steps) for _, steps in f.replays)),
    ("a tie that cuts off", "a leaf equal to the bound, such as MAX [1, [1, 1]]",
     lambda f: bool(f.ties)),
    ("a depth limit over static values", "a `depth:` that ends at interior nodes",
     lambda f: not all(f.root.at(path).terminal for path in f.visited)),
    ("a narrow window", "a search with `alpha:` and `beta:`",
     lambda f: not all(each.full_window for each in f.searches)),
    ("a best move that is not the first", "a tree whose best child is not the leftmost",
     lambda f: any(move.best for move in f.moves)),
    ("uneven depth", "a leaf beside a subtree, such as [1, [2, 3]]",
     lambda f: len({len(leaf.path) for leaf in f.leaves}) > 1),
    ("a single child", "an interior node with one child, such as [1, [2]]",
     lambda f: any(len(each.children) == 1 for each in f.positions)),
    ("a fraction", "a value such as 2.5", lambda f: any(v != int(v) for v in f.values)),
    ("a value above 10,000", "a value such as 20000", lambda f: f.high > 10_000),
    ("a value below -10,000", "a value such as -20000", lambda f: f.low < -10_000),
    ("all values negative", "a tree whose values are all below zero", lambda f: f.high < 0),
    ("all values positive", "a tree whose values are all above zero", lambda f: f.low > 0),
    ("a zero", "a tree with 0 among its values", lambda f: 0 in f.values),
    ("MAX root", "a tree with `root: max`", lambda f: f.tree.maximizing),
    ("MIN root", "a tree with `root: min`", lambda f: not f.tree.maximizing),
)  # fmt: skip


def _closed(search):
    return math.isfinite(search.alpha) and math.isfinite(search.beta)


def _table():
    for name, advice, test, *numbers in BY_PLAYER:
        for (player, p), n in itertools.product(PLAYERS.items(), *(numbers or [(None,)])):
            words = {"p": player, "n": n}
            yield Property(
                name.format(**words), advice.format(**words), partial(test, p=p, n=n)
            )
    yield from (Property(*row) for row in EDGES)
    yield from (Property(*row, required=True) for row in REQUIRED)


PROPERTIES = tuple(_table())


def properties_of(tree: Tree, reference) -> set[str]:
    """Return the names of the properties that the tree has."""
    return Facts(tree, reference).shown


def lacking(hidden, reference):
    """Yield one line for each required property that no tree shows, with a cure."""
    for each in _not_shown(hidden, reference):
        if each.required:
            yield f"no hidden tree shows {each.name}: add {each.advice}"


def left_open(hidden, reference):
    """Yield one line for each other property that no tree shows, with what to add."""
    for each in _not_shown(hidden, reference):
        if not each.required:
            yield f"{each.name}: add {each.advice}"


def _not_shown(trees, reference):
    shown = set().union(*(properties_of(tree, reference) for tree in trees))
    return [each for each in PROPERTIES if each.name not in shown]


def lint(public, hidden, reference):
    """Yield one line for each thing to mend in the sets, with what to do."""
    trees = [*public, *hidden]
    for tree in trees:
        if not tree.lesson:
            yield f"{tree.name}: it has no lesson; write `lesson:` and what it is about"
    for key in ("title", "lesson"):
        with_text = [tree for tree in trees if getattr(tree, key)]
        for tree, first in _repeats(with_text, lambda tree, key=key: getattr(tree, key)):
            text = getattr(tree, key)
            yield f"{tree.name}: the {key} of {first.name} too; reword one: {text!r}"
    for tree, first in _repeats(trees, lambda tree: (content_of(tree), tree.searches)):
        yield f"{tree.name}: the same tree as {first.name}; change or remove one"
    for tree in trees:
        for key, text in (("title", tree.title), ("lesson", tree.lesson)):
            if len(text) > MOST_LETTERS:
                yield f"{tree.name}: the {key} has {len(text)} letters; shorten it"
            if "should" in text.lower():
                yield f"{tree.name}: the {key} says 'should'; say what is so"
        yield from beyond_limits(tree, reference)


def beyond_limits(tree, reference):
    """Yield one line for each thing that the rules do not let a tree hold."""
    positions = list(itertools.islice(tree.root.subtree(), MOST_WALKED))
    bounds = {bound for search in tree.searches for bound in (search.alpha, search.beta)}
    numbers = {position.value for position in positions if position.value is not None}
    numbers = sorted(numbers | {bound for bound in bounds if math.isfinite(bound)})
    for number in numbers:
        if abs(number) > MOST or round(number, DIGITS) != number:
            yield f"{tree.name}: {number} is beyond {MOST}, or has over {DIGITS} decimals"
    for one, other in itertools.pairwise(numbers):
        if other - one < 0.99 * HAIR or math.isclose(one, other):
            yield f"{tree.name}: {one} and {other} are too close to tell apart; change one"
    visits = [task.expected.node_count for task in tasks_for([tree], reference)]
    for what, most, largest in (
        ("children", MOST_CHILDREN, max(len(each.children) for each in positions)),
        ("plies", MOST_PLIES, tree.root.height),
        ("plies of depth", MOST_DEPTH, max(search.depth for search in tree.searches)),
        ("visits", MOST_VISITS, max(visits, default=0)),
    ):
        if largest > most:
            yield f"{tree.name}: {largest} {what}, and {most} is the most; make it smaller"


def _repeats(trees, key):
    """Yield (tree, the first tree that has the same key) of those that repeat one."""
    first = {}
    for tree in trees:
        earlier = first.setdefault(key(tree), tree)
        if earlier is not tree:
            yield tree, earlier


def content_of(tree):
    """Return what a tree is, names and texts apart: equal for equal trees."""
    lazy = type(tree.root) is not Position  # also a game: it is not written out
    content = described(tree.root) if lazy else lists_of(tree.root)
    return repr(content), tree.maximizing
