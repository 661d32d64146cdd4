"""What a tree shows that tells wrong programs from right: one table of properties.

`make check` reads it to say what a set lacks, with a cure, or leaves open; `make trees`
chooses trees by it, and writes into each file which property it is there for.
The limits that trees keep to, that a set's titles and lessons differ, and that published
figures are the reference's are checked here too.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from operator import attrgetter
from types import ModuleType
from typing import NamedTuple

from autograder.judging.concepts import cuts_off_far_below
from autograder.judging.steps import ENTER, LEAF, LEAVE, UPDATE, replay
from autograder.smalltrees.build import describe_root, lists_of
from autograder.smalltrees.values import (
    DECIMALS,
    FAMILIAR_NUMBERS,
    MAGNITUDES,
    MAX_CHILDREN,
    MAX_DEPTH,
    MAX_PLIES,
    MAX_VALUE,
    MAX_VISITS,
    MIN_DIFFERENCE,
    SENTINELS,
)
from autograder.tasks import tasks_for
from gametree import Position, observe
from gametree.functions import FUNCTIONS
from gametree.games import GamePosition
from gametree.support.judging import proves_value
from gametree.support.tree import Published, Search, Tree

MAX_LETTERS = 69  # of a title or a lesson
MAX_WALKED = 5000  # positions of a lazy tree that are looked at
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
        earlier = self.worth[: self.best]
        return min((abs(self.value - worth) for worth in earlier), default=1)

    @property
    def equal(self) -> list[bool]:
        """Of each move that is as good, itself first, whether it is a leaf."""
        return [leaf for worth, leaf in zip(self.worth, self.leaves) if worth == self.value]


class Facts:
    """What is looked at of a tree: positions, right searches, and where they decide."""

    def __init__(self, tree: Tree, reference):
        self.tree, self.root, self.searches = tree, tree.root, tree.searches
        self.convention = reference.convention
        self.depths = {search.depth for search in tree.searches}
        self.positions = list(itertools.islice(tree.root.subtree(), MAX_WALKED))
        self.leaves = [position for position in self.positions if position.terminal]
        self.values = [leaf.value for leaf in self.leaves]
        self.low, self.high = min(self.values, default=0), max(self.values, default=0)
        self.tasks = tasks_for([tree], reference)
        self.visited = {path for task in self.tasks for path in task.expected.visited}

    @cached_property
    def replays(self) -> list:
        """Each search, with the Steps of the right alpha-beta."""
        return [(each, replay(self.tree, each, self.convention)) for each in self.searches]

    @cached_property
    def moves(self) -> list[Move]:
        """What each search for the best move finds."""
        return [self._move(search) for search in self.tree.searches_for("best_move")]

    @cached_property
    def moments(self) -> dict[tuple, set[Moment]]:
        """The kind of Moments, and whether they are at MAX -> all of them."""
        found = {}
        for search, steps in self.replays:
            for moment in self._meet(search, steps):
                found.setdefault(moment[:2], set()).add(moment)
        return found

    def met(self, kind, maximizing) -> set[Moment]:
        """Return the Moments of a kind, for a player."""
        return self.moments.get((kind, maximizing), set())

    def meets(self, numbers, kind, maximizing) -> bool:
        """Tell whether a player's Moments of a kind are there at each of some numbers."""
        return {*numbers} <= {m.number for m in self.met(kind, maximizing)}

    @cached_property
    def numbers(self) -> list:
        """Every number that a search meets, bounds among them, in order."""
        known = {self.root.at(path).static_value() for path in self.visited}
        return sorted(known | self.bounds)

    @property
    def bounds(self) -> set:
        """The bounds that are given."""
        bounds = {bound for each in self.searches for bound in (each.alpha, each.beta)}
        return {bound for bound in bounds if math.isfinite(bound)}

    def visits(self, function) -> int:
        """Return the most visits of any right search by a function."""
        counts = [t.expected.node_count for t in self.tasks if t.function == function]
        return max(counts, default=0)

    @cached_property
    def shown(self) -> set[str]:
        """The names of the properties that the tree has."""
        return {each.name for each in PROPERTIES if each.test(self)}

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
            depth = min(search.depth - len(path), MAX_PLIES)
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
            if 0 < step.beta - step.alpha < 2 * MIN_DIFFERENCE:
                hairs.add(path)

    def _move(self, search):
        steps = replay(self.tree, search, None)
        values = {step.path: step.value for step in steps if step.kind in (LEAF, LEAVE)}
        worth = [values[child.path] for child in self.root.children]
        best = worth.index((min, max)[search.maximizing](worth))
        leaves = [child.terminal for child in self.root.children]
        return Move(search.maximizing, search.depth, worth, best, leaves)


class Property(NamedTuple):
    """A property: its name, its test, and what to add to a set that is not fit without it.

    `worth` says how much a fresh set wants it.
    """

    name: str
    test: Callable[[Facts], bool]
    advice: str = ""
    worth: int = 2


EDGE = 40  # the worth of a property that a fresh set has wherever it can
# name, kind of Moment, its attribute, numbers: once for each player p and each number n.
# What stands first says most of a tree.
MOMENTS = (
    ("a tie decides at {p}, ply {n}", "tie", "ply", range(1, MAX_PLIES)),
    ("a bound that {p} sets at ply {n} cuts off", "set", "ply", range(1, MAX_PLIES - 2)),
    ("{p} is cut off after child {n}", "tie", "child", range(1, MAX_CHILDREN)),
    ("the bound that child {n} of {p} sets cuts off", "set", "child",
     range(1, MAX_CHILDREN - 1)),
    ("a tie leaves out {n} children of {p}", "tie", "left", range(1, MAX_CHILDREN - 1)),
    ("a tie at a node of {n} children, at {p}", "tie", "among",
     range(2, MAX_CHILDREN + 1)),
    ("a bound from {n} plies above cuts off {p}", "tie", "above",
     range(1, MAX_PLIES - 1, 2)),
    ("a better child for {p} at ply {n}", "better", "ply", range(MAX_PLIES)),
    ("all children so far are too bad for {p} at ply {n}", "outside", "ply",
     range(MAX_PLIES - 2)),
    ("a worse child for {p} at ply {n}", "worse", "ply", range(MAX_PLIES)),
    ("a tie at {p} with a depth of {n} left", "tie", "depth", range(7, MAX_PLIES + 1)),
    ("a tie at {p} after {n} hundred visits", "tie", "hundreds", (1, 4)),
    ("a bound that differs by 10^-6 decides at {p}", "cut", "hair", (True,)),
)  # fmt: skip
# name, test of a Move, numbers: the same.
MOVES = (
    ("{n} is best for {p}", lambda m, n: m.value == n, SENTINELS),
    ("a better move by 10^-6, for {p}", lambda m, n: m.gain < 2 * MIN_DIFFERENCE),
    ("a better leaf by 10^-6, for {p}",
     lambda m, n: m.gain < 2 * MIN_DIFFERENCE and m.equal[0]),
    ("a better move after a win of {n}, for {p}",
     lambda m, n: any(abs(w) >= n and (w > 0) == m.maximizing for w in m.worth[: m.best]),
     (10**6, 5 * 10**8)),
    ("a later move worth 0 is best by little for {p}",
     lambda m, n: m.value == 0 and m.gain < 0.5),
    ("a best move is worth a millionth or so, for {p}",
     lambda m, n: 0 < abs(m.value) < 10 * MIN_DIFFERENCE),
    ("a fraction of thousands is best for {p}",
     lambda m, n: abs(m.value) > 1000 and m.value % 1),
    ("the last of {n} moves is best for {p}",
     lambda m, n: m.best + 1 == len(m.worth) == n, range(2, MAX_CHILDREN + 1)),
    ("two of {n} moves are best for {p}",
     lambda m, n: len(m.worth) == n and len(m.equal) > 1, range(2, MAX_CHILDREN + 1)),
    ("three moves are best for {p}", lambda m, n: len(m.equal) > 2),
    ("a quick win, and a slow one after it, for {p}",
     lambda m, n: m.equal[0] and not all(m.equal)),
    ("a slow win, and a quick one after it, for {p}",
     lambda m, n: not m.equal[0] and any(m.equal)),
)  # fmt: skip
# name, test of a player's Facts, numbers: the same.
BY_PLAYER = (
    ("numbers taken for no value yet, at {p} ({n} of 9)",
     lambda f, p, n: f.meets({*FAMILIAR_NUMBERS[n - 1 :: 9], *SENTINELS}, "worse", p),
     range(1, 10)),
    ("ties at many numbers, at {p} ({n} of 9)",
     lambda f, p, n: f.meets(FAMILIAR_NUMBERS[n - 1 :: 9], "tie", p), range(1, 10)),
    ("ties at many sizes, at {p} ({n} of 6)",
     lambda f, p, n: f.meets(MAGNITUDES[n - 1 :: 6], "tie", p), range(1, 7)),
    ("fractions tie at {p}, at ply {n} or below",
     lambda f, p, n: any(m.ply >= n and m.number % 1 for m in f.met("tie", p)), (6, 10)),
    ("child {n} of nine is best at {p}",
     lambda f, p, n: any(m[3:5] == (n, MAX_CHILDREN) for m in f.met("best", p)),
     range(1, MAX_CHILDREN + 1)),
    ("nothing but sums beyond {n}, {p} first",
     lambda f, p, n: f.tree.maximizing == p and len(f.leaves) > 2
     and min(map(abs, f.values)) > n, (10**8, 5 * 10**8)),
)  # fmt: skip
# name, test of Facts: what a fresh set has of each at least once, if its trees can be so.
EDGES = (
    ("a value just below 10^9", lambda f: any(m.value > 0.99 * MAX_VALUE for m in f.moves)),
    ("a value just above -10^9",
     lambda f: any(m.value < -0.99 * MAX_VALUE for m in f.moves)),
    ("a difference of 10^-6",
     lambda f: any(b - a < 1.01 * MIN_DIFFERENCE
                   for a, b in itertools.pairwise(f.numbers))),
    ("a fraction beyond a million",
     lambda f: any(abs(m.value) > 10**6 and m.value % 1 for m in f.moves)),
    ("nine children",
     lambda f: any(len(each.children) == MAX_CHILDREN for each in f.positions)),
    ("twelve plies", lambda f: MAX_PLIES in map(len, f.visited)),
    ("a depth of 30 on twelve plies",
     lambda f: MAX_PLIES in map(len, f.visited) and MAX_DEPTH in f.depths),
    ("a depth of 13 to 19", lambda f: any(13 <= m.depth < 20 for m in f.moves)),
    ("a depth of 20 to 29", lambda f: any(20 <= m.depth < 30 for m in f.moves)),
    ("a move at depth 11, over static values",
     lambda f: f.root.height == MAX_PLIES
     and any(m.depth == MAX_PLIES - 1 for m in f.moves)),
    ("two hundred visits by minimax", lambda f: f.visits("minimax") >= 200),
    ("five hundred visits", lambda f: f.visits("alphabeta") > MAX_VISITS - 5),
    ("an alpha of 0", lambda f: any(search.alpha == 0 for search in f.searches)),
    ("a beta of 0", lambda f: any(search.beta == 0 for search in f.searches)),
    ("one open side",
     lambda f: any(math.isinf(s.alpha) != math.isinf(s.beta) for s in f.searches)),
    ("a leaf as the root", lambda f: f.root.terminal and any(f.depths)),
    ("a leaf as the root, with a window",
     lambda f: f.root.terminal and any(map(_closed, f.searches))),
    ("no depth",
     lambda f: f.root.children and any(s.full_window and not s.depth for s in f.searches)),
    ("no depth, with a window",
     lambda f: f.root.children and any(_closed(s) and not s.depth for s in f.searches)),
    ("a shallow search in a window",
     lambda f: any(0 < s.depth < f.root.height and _closed(s) for s in f.searches)),
    ("the other player",
     lambda f: any(each.maximizing != f.tree.maximizing for each in f.searches)),
    ("a narrow search after one for the other player",
     lambda f: any(one.maximizing != two.maximizing and not two.full_window
                   for one, two in itertools.pairwise(f.searches))),
    ("a narrow search first",
     lambda f: not f.searches[0].full_window and any(s.full_window for s in f.searches)),
    ("an int that equals a float",
     lambda f: len(set(f.values)) < len({(type(value), value) for value in f.values})),
    ("a game", lambda f: isinstance(f.root, GamePosition)),
    ("two leaves", lambda f: len(f.leaves) == 2),
)  # fmt: skip
# name, test of Facts, what an instructor adds where a set lacks it.
REQUIRED = (
    ("a deep cutoff", lambda f: any(cuts_off_far_below(steps) for _, steps in f.replays),
     "a bound that cuts off three plies below, as in [1, [[[1, 1]]]]"),
    ("a tie that cuts off", lambda f: f.met("tie", True) or f.met("tie", False),
     "a leaf equal to the bound, such as MAX [1, [1, 1]]"),
    ("a depth limit over static values",
     lambda f: not all(f.root.at(path).terminal for path in f.visited),
     "a `depth:` that ends at interior nodes"),
    ("a narrow window", lambda f: not all(each.full_window for each in f.searches),
     "a search with `alpha:` and `beta:`"),
    ("a best move that is not the first", lambda f: any(move.best for move in f.moves),
     "a tree whose best child is not the leftmost"),
    ("uneven depth", lambda f: len({len(leaf.path) for leaf in f.leaves}) > 1,
     "a leaf beside a subtree, such as [1, [2, 3]]"),
    ("a single child", lambda f: any(len(each.children) == 1 for each in f.positions),
     "an interior node with one child, such as [1, [2]]"),
    ("a fraction", lambda f: any(v != int(v) for v in f.values), "a value such as 2.5"),
    ("a value above 10,000", lambda f: f.high > 10_000, "a value such as 20000"),
    ("a value below -10,000", lambda f: f.low < -10_000, "a value such as -20000"),
    ("all values negative", lambda f: f.high < 0, "a tree whose values are below zero"),
    ("all values positive", lambda f: f.low > 0, "a tree whose values are above zero"),
    ("a zero", lambda f: 0 in f.values, "a tree with 0 among its values"),
    ("MAX root", lambda f: f.tree.maximizing, "a tree with `root: max`"),
    ("MIN root", lambda f: not f.tree.maximizing, "a tree with `root: min`"),
)  # fmt: skip


def _closed(search):
    return math.isfinite(search.alpha) and math.isfinite(search.beta)


def _meets(kind, key, facts, p, n):
    return any(getattr(moment, key) == n for moment in facts.met(kind, p))


def _moves(test, facts, p, n):
    return any(move.maximizing == p and test(move, n) for move in facts.moves)


def _table():
    rows = [(name, partial(_meets, *where), n) for name, *where, n in MOMENTS]
    rows += [(name, partial(_moves, test), *n) for name, test, *n in MOVES]
    for name, test, *numbers in (*rows, *BY_PLAYER):
        for (player, p), n in itertools.product(PLAYERS.items(), *(numbers or [(None,)])):
            yield Property(name.format(p=player, n=n), partial(test, p=p, n=n))
    yield from (Property(*row, worth=EDGE) for row in (*EDGES, *REQUIRED))


PROPERTIES = tuple(_table())


def not_shown(sets: Iterable[Facts]) -> list[Property]:
    """Return the properties that no tree shows."""
    shown = set().union(*(facts.shown for facts in sets))
    return [each for each in PROPERTIES if each.name not in shown]


def how_many_shown(sets: Iterable[Facts]) -> list[str]:
    """Return a line: how many properties the trees show; and one: some that they do not."""
    missing = [each.name for each in not_shown(sets)]
    line = f"{len(PROPERTIES) - len(missing)} of {len(PROPERTIES)} properties are shown"
    return [line, f"  not shown, such as: {'; '.join(missing[:3])}"] if missing else [line]


def lacking(hidden: Iterable[Facts]) -> Iterator[str]:
    """Yield one line for each property that a set must show and does not, with a cure."""
    for each in not_shown(hidden):
        if each.advice:
            yield f"no hidden tree shows {each.name}: add {each.advice}"


def lint(public: Iterable[Tree], hidden: Iterable[Tree]) -> Iterator[str]:
    """Yield one line for each title, lesson or tree to mend, with what to do."""
    trees = [*public, *hidden]
    for tree in trees:
        if not tree.lesson:
            yield f"{tree.name}: it has no lesson; write `lesson:` and what it is about"
        for key, text in (("title", tree.title), ("lesson", tree.lesson)):
            if len(text) > MAX_LETTERS:
                yield f"{tree.name}: the {key} has {len(text)} letters; shorten it"
    for key in ("title", "lesson"):
        with_text = [tree for tree in trees if getattr(tree, key)]
        for tree, first in _repeats(with_text, attrgetter(key)):
            text = getattr(tree, key)
            yield f"{tree.name}: the {key} of {first.name} too; reword one: {text!r}"
    for tree, first in _repeats(trees, lambda tree: (content_of(tree), tree.searches)):
        yield f"{tree.name}: the same tree as {first.name}; change or remove one"


def beyond_limits(facts: Facts) -> Iterator[str]:
    """Yield one line for each thing that the rules do not let a tree hold."""
    name = facts.tree.name
    values = {each.value for each in facts.positions if each.value is not None}
    numbers = sorted(values | facts.bounds)
    for number in numbers:
        if abs(number) > MAX_VALUE or round(number, DECIMALS) != number:
            yield f"{name}: {number} is beyond {MAX_VALUE}, or has over {DECIMALS} decimals"
    for one, other in itertools.pairwise(numbers):
        if other - one < 0.99 * MIN_DIFFERENCE or math.isclose(one, other):
            yield f"{name}: {one} and {other} are too close to tell apart; change one"
    for what, most, largest in (
        ("children", MAX_CHILDREN, max(len(each.children) for each in facts.positions)),
        ("plies", MAX_PLIES, facts.root.height),
        ("plies of depth", MAX_DEPTH, max(facts.depths)),
        ("visits", MAX_VISITS, max(map(facts.visits, FUNCTIONS))),
    ):
        if largest > most:
            yield f"{name}: {largest} {what}, and {most} is the most; make it smaller"


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
    content = describe_root(tree.root) if lazy else lists_of(tree.root)
    return repr(content), tree.maximizing


def mismatches(trees: Iterable[Tree], reference: ModuleType) -> Iterator[str]:
    """Yield one line for each published figure that the reference does not reproduce.

    Figures are published for `cutoff: equality`, and so is the reference to be.
    """
    for tree in trees:
        for search in tree.searches:
            found = figures(tree, search, reference)
            for key, own, figure in zip(found._fields, search.published, found):
                if own != figure:
                    yield (
                        f"{tree.name}: published {key} is {_shown(tree, own)}, "
                        f"the reference's is {_shown(tree, figure)}; mend the file"
                    )


def figures(tree: Tree, search: Search, reference: ModuleType) -> Published:
    """Return the reference's figure for each that is published of a search.

    A published value stays where the reference's leaves prove it. Pruned are those of the
    leaves published as pruned that the reference does not visit.
    """
    published = search.published
    given = {key for key, figure in published._asdict().items() if figure is not None}
    if not given:
        return published
    trace = observe(reference.alphabeta, "alphabeta", tree, search)
    value, answer = published.value, trace.answer.number
    proven = value is not None and proves_value(search, value, value, answer)
    found = {
        "value": value if proven else answer,
        "leaves": trace.visited,
        "evaluations": len(trace.visited),
        "nodes": trace.node_count,
        "pruned": (published.pruned or frozenset()) - trace.visited,
    }
    if "move" in given and search in tree.searches_for("best_move"):
        trace = observe(reference.best_move, "best_move", tree, search)
        found["move"] = trace.answer.path
    return Published(**{key: found.get(key) for key in given})


def _shown(tree, figure):
    """Return a figure as people write it; paths become names."""
    if isinstance(figure, frozenset):
        return ", ".join(tree.root.at(path).name for path in sorted(figure)) or "nothing"
    return tree.root.at(figure).name if isinstance(figure, tuple) else str(figure)
