"""The Trace: everything that was observed of one search, and what follows from it."""

import inspect
import math
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from gametree.node import Node
from gametree.support.tree import Position, Search, Tree

EXPAND, EVALUATE = "expand", "evaluate"

# How a search ended.
RETURNED, RAISED, TIMED_OUT, NOT_RUN = "returned", "raised", "timed out", "not run"
OUT_OF_QUERIES, DIED, BROKE_PROTOCOL = "out of queries", "died", "broke the protocol"


class Ending(NamedTuple):
    """How a search ended: a fact, and nothing that the student's code worded.

    `error` is the exception's class name; the autograder knows those of a fixed list
    only. `reason` says, in the grader's words, why a search was not run. `loading` is
    True where search.py itself did not run to its end, so that no search began;
    `undecided` where it was not run since the time was used up: it might have been right.
    """

    kind: str = RETURNED
    error: str = ""
    reason: str = ""
    loading: bool = False
    undecided: bool = False

    @property
    def by_itself(self) -> bool:
        """Whether the search came to its end by itself: it returned, or raised."""
        return self.kind in (RETURNED, RAISED)


class Text(NamedTuple):
    """What the student's code put into words, and so may hold whatever it has seen.

    `printed` is what it printed, capped; `message` is the text of the exception that
    ended it, and `line` the line of search.py that this came from.
    """

    printed: str = ""
    message: str = ""
    line: int | None = None


class Answer(NamedTuple):
    """What a search returned: a number, a node (by its path), or neither.

    `kind` is "number", "node", or the name of another type ("NoneType", "tuple").
    """

    kind: str = "NoneType"
    number: float | None = None
    path: tuple[int, ...] | None = None


@dataclass(frozen=True, eq=False)
class Trace:
    """One search, observed: its ordered events, its answer and its ending.

    `events` is a list of (EXPAND or EVALUATE, path) in the order they happened.
    `text` is what the code worded. It is None in a sealed trace: one of a hidden tree, or
    made after the code had seen one. Only the autograder seals.
    """

    function: str
    search: Search
    events: list[tuple[str, tuple[int, ...]]]
    answer: Answer
    ending: Ending
    text: Text | None = None

    @cached_property
    def evaluated(self) -> list[tuple[int, ...]]:
        """The paths of the evaluated nodes in order, repeats included."""
        return [path for kind, path in self.events if kind == EVALUATE]

    @property
    def in_order(self) -> list[tuple[int, ...]]:
        """The evaluated paths without those that equal the one before."""
        paths = self.evaluated
        return [path for path, before in zip(paths, [None, *paths]) if path != before]

    @cached_property
    def visited(self) -> frozenset[tuple[int, ...]]:
        """The visited leaves: the set of paths that were evaluated."""
        return frozenset(self.evaluated)

    @cached_property
    def node_count(self) -> int:
        """The number of visits of nodes. The root counts."""
        return sum(1 for _ in self.visits())

    def visits(self) -> Iterator[tuple[int, ...]]:
        """Yield the path of each visit of a node, in the order in which they begin."""
        open_visits = []
        return (path for _, path in self.events if begins_visit(open_visits, path))


def begins_visit(open_visits: list, path: tuple[int, ...]) -> bool:
    """Tell whether an event at `path` begins a visit of the node there.

    It does where no visit of the node is open. A visit ends when an event falls outside
    the node's subtree. `open_visits` holds the paths of the open ones, from the top
    down; it is brought up to date.
    """
    while open_visits and open_visits[-1] != path[: len(open_visits[-1])]:
        open_visits.pop()
    begins = not open_visits or open_visits[-1] != path
    if begins:
        open_visits.append(path)
    return begins


class OutOfQueries(BaseException):
    """Ends a search that makes far more queries than any right one needs."""


class Recorder:
    """Answers the queries of nodes from a tree in memory, and keeps them in order.

    `budget` is the number of queries after which OutOfQueries ends the search. `events`
    are as a Trace has them. Without `keeps_nodes`, nodes that the search lets go of are
    made again when it comes back.
    """

    keeps_nodes = True

    def __init__(self, budget: float = math.inf):
        self.budget, self.queries, self.events = budget, 0, []

    def root(self, position: Position) -> Node:
        """Return the Node from which a search starts at this position."""
        return Node(self, position, position.terminal)

    def expand(self, position: Position) -> list[tuple[Position, bool]]:
        """Record an expansion; return (key, terminal) of each child."""
        self._count(EXPAND, position.path)
        return [(child, child.terminal) for child in position.children]

    def evaluate(self, position: Position) -> float:
        """Record a visit of a leaf; return its value."""
        self._count(EVALUATE, position.path)
        return position.static_value()

    def name(self, position: Position) -> str:
        """Return the position's name; nothing is recorded."""
        return position.name

    def _count(self, kind, path):
        self.queries += 1
        self._record(kind, path)
        if self.queries > self.budget:
            raise OutOfQueries

    def _record(self, kind, path):
        self.events.append((kind, path))


class Counter(Recorder):
    """Counts in `nodes` what Trace.node_count counts, in memory that grows with depth."""

    keeps_nodes, nodes = False, 0

    def _record(self, kind, path):
        self.nodes += begins_visit(self.events, path)  # of those that are open


def observe(
    function: Callable,
    name: str,
    tree: Tree,
    search: Search,
    budget: float = math.inf,
    catch: type[BaseException] | tuple = Exception,
) -> Trace:
    """Call `function` as `name` on the tree's root and return the Trace.

    budget: the number of queries after which the search is ended.
    catch: exceptions of these kinds end up in the trace's ending, so that one search
        cannot stop the next; others pass through.
    """
    __tracebackhide__ = True  # pytest shows the student's lines, not this one
    recorder = Recorder(budget)
    answer, ending, text = Answer(), Ending(), Text()
    try:
        answer = describe(function(recorder.root(tree.root), *search.arguments(name)))
    except OutOfQueries as stopped:
        ending = Ending(OUT_OF_QUERIES)
        text = Text(line=_line_in(function, stopped.__traceback__))
    except catch as error:
        ending = Ending(RAISED, type(error).__name__)
        text = Text("", str(error), _line_in(function, error.__traceback__))
    return Trace(name, search, recorder.events, answer, ending, text)


def _line_in(function, frames):
    """Return the innermost line of the function's file in a traceback, or None."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    file, calls = getattr(code, "co_filename", None), traceback.walk_tb(frames)
    lines = [line for frame, line in calls if frame.f_code.co_filename == file]
    return lines[-1] if lines else None


def describe(returned) -> Answer:
    """Turn what a search returned into an Answer."""
    if isinstance(returned, Node):
        return Answer("node", path=returned._key.path)
    if isinstance(returned, (int, float)) and not isinstance(returned, bool):
        return Answer("number", number=returned)
    return Answer(type(returned).__name__)
