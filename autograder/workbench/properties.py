"""What a tree shows that tells wrong programs from right: one table of properties.

`make check` reads it to say what a set lacks or leaves open, with a cure for each;
`make trees` chooses trees by it, and writes into each file which property it is there for.
The limits that trees keep to, and that a set's titles and lessons differ, are checked here
too.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import NamedTuple

from autograder.judging.concepts import cuts_off_far_below
from autograder.judging.steps import ENTER, LEAF, LEAVE, UPDATE, replay
from autograder.smalltrees.build import described, lists_of
from autograder.smalltrees.families import (
    DIGITS,
    HAIR,
    LIKED,
    MOST,
    MOST_CHILDREN,
    MOST_DEPTH,
    MOST_PLIES,
    MOST_VISITS,
    ODD,
    SIZES,
)
from autograder.tasks import tasks_for
from gametree import Position
from gametree.games import GamePosition
from gametree.tree import Tree

MOST_LETTERS = 69  # of a title or a lesson
MOST_WALKED = 5000  # positions of a lazy tree that are looked at
PLAYERS = {"MAX": True, "MIN": False}


class Moment(NamedTuple):
    """Something that a right search meets, which a wrong one may miss, and where.

    `kind` is "cut" (children are left out, by a bound that the other player's node has
    set, or that was given), "tie" (the same, and the two bounds are equal), "set" (a
    bound is set that cuts off later), "outside" (below a node whose children
    are all worse than that bound, so far), "better" (a child, after others), "worse"
    (the last child) or "best" (of all children of its node).
    `child` is the child's place of `among`, `number` the best value at the node so far,
    `above` how many plies above the bound was set, None if it was given; `hair` says that
    bounds have been 10^-6 apart there.
    """

    kind: str
    maximizing: bool
    ply: int
    child: int
    among: int
    number: float
    depth: int = 0
    hundreds: int = 0
    above: int | None = None
    hair: bool = False

    @property
    def left(self) -> int:
        """How many children come after it."""
        return self.among - self.child


class Move(NamedTuple):
    """What the moves of a root are worth to a search, and the place of the best one.

    `leaves` says of each whether it is a leaf.
    """

    maximizing: bool
    depth: int
    worth: list[float]
    best: int
    leaves: list[bool]

    @property
    def value(self) -> float:
        """What the best move is worth."""
        return self.worth[self.best]

    @property
    def gain(self) -> float:
        """By how much it is better than the next best of those before it; 1 if first."""
        return min(
            (abs(self.value - worth) for worth in self.worth[: self.best]), default=1
        )

    @property
    def equal(self) -> list[bool]:
        """Of each move that is as good, itself first, whether it is a leaf."""
        return [leaf for worth, leaf in zip(self.worth, self.leaves) if worth == self.value]


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
        self.moments = {m for each, steps in self.replays for m in self._meet(each, steps)}
        self.moves = [self._move(search) for search in tree.searches_for("best_move")]

    def _meet(self, search, steps) -> Iterator[Moment]:
        """Yield the Moments of a search."""
        given = {"alpha": (search.alpha, None), "beta": (search.beta, None)}
        bounds = {
            (): given
        }  # path of a node -> bound -> (its value, the Moment that set it)
        worth, best, hairs, visits = {}, {}, set(), 0
        for step in steps:
            path, players = step.path, search.max_moves_at(step.path)
            visits += step.kind in (ENTER, LEAF)
            if step.kind in (LEAF, LEAVE):
                worth[path] = step.value
            if step.kind == ENTER and path:
                bounds[path] = dict(bounds[path[:-1]])
            if step.kind != UPDATE:
                continue
            child = step.child_path[-1] + 1
            left = len(self.root.at(path).children) - child
            depth = min(search.depth - len(path), MOST_PLIES)
            where = len(path), child, child + left, step.value, depth, visits // 100
            now = Moment("better", players, *where)
            for name, value in (("alpha", step.alpha), ("beta", step.beta)):
                if value != bounds[path][name][0]:
                    bounds[path][name] = value, now
            if child == 1 or step.value != best[path].number:
                best[path] = now
            if left and step.alpha >= step.beta:
                bound, setter = bounds[path]["beta" if players else "alpha"]
                above = setter and len(path) - setter.ply
                cut = now._replace(kind="cut", above=above, hair=path in hairs)
                yield cut
                if step.alpha == step.beta:
                    yield cut._replace(kind="tie")
                if setter:
                    yield setter._replace(kind="set")
                for ply in range(len(path) - 1, setter.ply if setter else -1, -2):
                    if path[:ply] in best and best[path[:ply]].number != bound:
                        yield best[path[:ply]]._replace(kind="outside")
            if child > 1 and best[path] == now:
                yield now
            elif child > 1 and not left and worth[step.child_path] != step.value:
                yield now._replace(kind="worse")
            if not left:
                yield best[path]._replace(kind="best")
            if 0 < step.beta - step.alpha < 2 * HAIR:
                hairs.add(path)

    def _move(self, search):
        steps = replay(self.tree, search, None)
        values = {step.path: step.value for step in steps if step.kind in (LEAF, LEAVE)}
        worth = [values[child.path] for child in self.root.children]
        best = worth.index((min, max)[search.maximizing](worth))
        leaves = [child.terminal for child in self.root.children]
        return Move(search.maximizing, search.depth, worth, best, leaves)

    def met(self, kind, maximizing=None, **where) -> bool:
        """Tell whether a Moment of a kind is there, for a player, with these attributes."""
        return any(
            m.kind == kind
            and maximizing in (None, m.maximizing)
            and all(getattr(m, key) == value for key, value in where.items())
            for m in self.moments
        )

    @cached_property
    def numbers(self) -> list:
        """Every number that a search meets, bounds among them, in order."""
        known = {self.root.at(path).static_value() for path in self.visited}
        bounds = {bound for each in self.searches for bound in (each.alpha, each.beta)}
        return sorted(known | {bound for bound in bounds if math.isfinite(bound)})

    def meets(self, numbers, kind, maximizing) -> bool:
        """Tell whether a player's Moments of a kind are there at each of some numbers."""
        return {*numbers} <= {m.number for m in self.moments if m[:2] == (kind, maximizing)}

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


# name, advice, kind of Moment, its attribute, numbers: once for each player p and number n.
# What stands first says most of a tree.
MOMENTS = (
    ("a tie decides at {p}, ply {n}", "a line of {n} plies that ends in [v, v - 1, 99]",
     "tie", "ply", range(1, MOST_PLIES)),
    ("a bound that {p} sets at ply {n} cuts off", "{n} plies, then [v, [v, v - 1, 99]]",
     "set", "ply", range(1, MOST_PLIES - 2)),
    ("{p} is cut off after child {n}", "a node with a tie at child {n}, and two more",
     "tie", "child", range(1, MOST_CHILDREN)),
    ("the bound that child {n} of {p} sets cuts off", "a best child {n}, and [v, 99] next",
     "set", "child", range(1, MOST_CHILDREN - 1)),
    ("a tie leaves out {n} children of {p}", "a tie, and {n} more children after it",
     "tie", "left", range(1, MOST_CHILDREN - 1)),
    ("a tie at a node of {n} children, at {p}", "a tie, and {n} children in all",
     "tie", "among", range(2, MOST_CHILDREN + 1)),
    ("a bound from {n} plies above cuts off {p}", "{n} plies that end in [v, v - 1, 99]",
     "tie", "above", range(1, MOST_PLIES - 1, 2)),
    ("a better child for {p} at ply {n}", "a line of {n} plies that ends in [1, 2, 3]",
     "better", "ply", range(MOST_PLIES)),
    ("all children so far are too bad for {p} at ply {n}", "10, then {n} plies, [3, 2, 1]",
     "outside", "ply", range(MOST_PLIES - 2)),
    ("a worse child for {p} at ply {n}", "a line of {n} plies that ends in [3, 2, 1]",
     "worse", "ply", range(MOST_PLIES)),
    ("a tie at {p} with a depth of {n} left", "a tie, and a larger `depth:`",
     "tie", "depth", range(7, MOST_PLIES + 1)),
    ("a tie at {p} after {n} hundred visits", "a large tree that ends in ties",
     "tie", "hundreds", (1, 4)),
)  # fmt: skip
# name, advice, test of a Move, numbers: the same.
MOVES = (
    ("{n} is best for {p}", "a move worth {n}, and worse ones behind it",
     lambda m, n: m.value == n, ODD),
    ("a better move by 10^-6, for {p}", "moves such as [0.5, 2] and 0.500001",
     lambda m, n: m.gain < 2 * HAIR),
    ("a better leaf by 10^-6, for {p}", "moves such as 0.5 and 0.500001",
     lambda m, n: m.gain < 2 * HAIR and m.equal[0]),
    ("a better move after a win of {n}, for {p}", "moves such as {n}, 999999999",
     lambda m, n: any(abs(w) >= n and (w > 0) == m.maximizing for w in m.worth[: m.best]),
     (10**6, 5 * 10**8)),
    ("a later move worth 0 is best by little for {p}", "moves such as -0.25 and 0",
     lambda m, n: m.value == 0 and m.gain < 0.5),
    ("a best move is worth a millionth or so, for {p}", "moves such as 0 and 0.000001",
     lambda m, n: 0 < abs(m.value) < 10 * HAIR),
    ("a fraction of thousands is best for {p}", "a value such as 2000.5",
     lambda m, n: abs(m.value) > 1000 and m.value % 1),
    ("the last of {n} moves is best for {p}", "{n} moves such as 1, 2, 3",
     lambda m, n: m.best + 1 == len(m.worth) == n, range(2, MOST_CHILDREN + 1)),
    ("two of {n} moves are best for {p}", "{n} moves, of which two are equal and best",
     lambda m, n: len(m.worth) == n and len(m.equal) > 1, range(2, MOST_CHILDREN + 1)),
    ("three moves are best for {p}", "equal moves such as [3, [3], 3]",
     lambda m, n: len(m.equal) > 2),
    ("a quick win, and a slow one after it, for {p}", "equal moves such as [3, [[3]]]",
     lambda m, n: m.equal[0] and not all(m.equal)),
    ("a slow win, and a quick one after it, for {p}", "equal moves such as [[[3]], 3]",
     lambda m, n: not m.equal[0] and any(m.equal)),
)  # fmt: skip
# name, advice, test of a player's Facts, numbers: the same.
BY_PLAYER = (
    ("numbers taken for no value yet, at {p} ({n} of 9)", "many nodes such as [7, -9999]",
     lambda f, p, n: f.meets({*LIKED[n - 1 :: 9], *ODD}, "worse", p), range(1, 10)),
    ("ties at many numbers, at {p} ({n} of 9)", "many nodes such as [7, [7, 6, 99]]",
     lambda f, p, n: f.meets(LIKED[n - 1 :: 9], "tie", p), range(1, 10)),
    ("ties at many sizes, at {p} ({n} of 6)", "nodes such as [5000, [5000, 4999, 99]]",
     lambda f, p, n: f.meets(SIZES[n - 1 :: 6], "tie", p), range(1, 7)),
    ("fractions tie at {p}, at ply {n} or below", "a long line that ends in a fraction",
     lambda f, p, n: any(m[:2] == ("tie", p) and m.ply >= n and m.number % 1
                         for m in f.moments), (6, 10)),
    ("child {n} of nine is best at {p}", "a node of nine leaves",
     lambda f, p, n: f.met("best", p, child=n, among=MOST_CHILDREN),
     range(1, MOST_CHILDREN + 1)),
    ("a bound that differs by 10^-6 decides at {p}", "4, [5, 3, 7] in millionths",
     lambda f, p, n: f.met("cut", p, hair=True)),
    ("nothing but sums beyond {n}, {p} first", "two moves, two replies: -{n}, ...",
     lambda f, p, n: f.tree.maximizing == p and len(f.leaves) > 2
     and min(map(abs, f.values)) > n, (10**8, 5 * 10**8)),
)  # fmt: skip
EDGES = (
    ("a value just below 10^9", "a best value such as 999999999",
     lambda f: any(m.value > 0.99 * MOST for m in f.moves)),
    ("a value just above -10^9", "a best value such as -999999999",
     lambda f: any(m.value < -0.99 * MOST for m in f.moves)),
    ("a difference of 10^-6", "two values such as 0.5 and 0.500001, of which one decides",
     lambda f: any(b - a < 1.01 * HAIR for a, b in itertools.pairwise(f.numbers))),
    ("a fraction beyond a million", "a best value such as 2000000.5",
     lambda f: any(abs(m.value) > 10**6 and m.value % 1 for m in f.moves)),
    ("nine children", "a node with nine children, the last of which matter",
     lambda f: any(len(each.children) == MOST_CHILDREN for each in f.positions)),
    ("twelve plies", "a line of twelve plies, such as one side leaf at each",
     lambda f: MOST_PLIES in map(len, f.visited)),
    ("a depth of 30 on twelve plies", "`depth: 30` on a line of twelve plies",
     lambda f: MOST_PLIES in map(len, f.visited)
     and any(each.depth == MOST_DEPTH for each in f.searches)),
    ("a depth of 13 to 19", "`depth: 15` on any tree",
     lambda f: any(13 <= m.depth < 20 for m in f.moves)),
    ("a depth of 20 to 29", "`depth: 20` on any tree",
     lambda f: any(20 <= m.depth < 30 for m in f.moves)),
    ("a move at depth 11, over static values", "`depth: 11` on twelve plies with values",
     lambda f: any(m.depth == MOST_PLIES - 1 for m in f.moves)
     and f.root.height == MOST_PLIES),
    ("two hundred visits by minimax", "a tree of 200 nodes, searched whole",
     lambda f: f.visits("minimax") >= 200),
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
     lambda f: f.met("tie")),
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


def _any_move(test, facts, p, n):
    return any(move.maximizing == p and test(move, n) for move in facts.moves)


def _table():
    rows = [
        (
            name,
            advice,
            lambda f, p, n, kind=kind, key=key: f.met(kind, p, **{key: n}),
            numbers,
        )
        for name, advice, kind, key, numbers in MOMENTS
    ]
    for name, advice, test, *numbers in MOVES:
        of_moves = partial(_any_move, test)
        rows.append((name, advice, of_moves, *numbers))
    for name, advice, test, *numbers in (*rows, *BY_PLAYER):
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
