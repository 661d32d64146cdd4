"""The Trace: everything that was observed of one search, and what follows from it."""

import inspect
import math
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from gametree.functions import NODE, NUMBER
from gametree.node import Node
from gametree.support.tree import Position, Search, Tree

# Kinds of events.
EXPAND = "expand"
EVALUATE = "evaluate"

# Kinds of endings.
RETURNED = "returned"
RAISED = "raised"
TIMED_OUT = "timed out"
NOT_RUN = "not run"
OUT_OF_QUERIES = "out of queries"
DIED = "died"
BROKE_PROTOCOL = "broke the protocol"


class Ending(NamedTuple):
    """How a search ended: a fact, and nothing that the student's code worded.

    kind: one of the kinds above.
    error: the class name of the exception that ended it; the autograder uses those of a
        fixed list only.
    reason: why the search was not run, in the grader's words.
    loading: whether search.py itself did not run to its end, so that no search began.
    undecided: whether the search was not run since the time was used up: it might have
        been correct.
    """

    kind: str = RETURNED
    error: str = ""
    reason: str = ""
    loading: bool = False
    undecided: bool = False

    @property
    def by_itself(self) -> bool:
        """Whether the search ended by itself: it returned, or raised."""
        return self.kind in (RETURNED, RAISED)


class Text(NamedTuple):
    """What the student's code put into words, and so may hold whatever it has seen.

    printed: what it printed, capped.
    message: the text of the exception that ended it.
    line: the line of search.py that raised it, from 1; None where none is known.
    """

    printed: str = ""
    message: str = ""
    line: int | None = None


class Answer(NamedTuple):
    """What a search returned: a number, a node, or neither.

    kind: NUMBER, NODE, or the name of another type ("NoneType", "tuple").
    number: the int or float, of a number.
    path: the path of the node, of a node.
    """

    kind: str = "NoneType"
    number: float | None = None
    path: tuple[int, ...] | None = None


@dataclass(frozen=True, eq=False)
class Trace:
    """One search, observed.

    function: the name of the function that was called.
    search: its arguments: depth, player and window.
    events: (EXPAND or EVALUATE, path) in the order they happened.
    answer: what the function returned.
    ending: how the search ended.
    text: what the code worded. It is None in a sealed trace: one of a hidden tree, or made
        after the code had seen one. Only the autograder seals.
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
    """Answers the queries of nodes from a tree in memory, and records them in order.

    budget: the number of queries after which OutOfQueries ends the search.
    queries: the number of queries so far in this search.
    events: the events of this search so far, as a Trace has them.
    keeps_nodes: whether a node stores its children. If not, each expansion creates new
        ones, so that memory holds only the nodes that the search refers to.
    """

    keeps_nodes = True

    def __init__(self, budget: float = math.inf):
        self.start(budget)

    def start(self, budget: float) -> None:
        """Begin the record of a search."""
        self.budget = budget
        self.queries = 0
        self.events = []

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

    keeps_nodes = False
    nodes = 0

    def _record(self, kind, path):
        if begins_visit(self.events, path):  # events holds the open visits only
            self.nodes += 1


def new_root(tree: Tree) -> Node:
    """Return a new node at the root of a tree, for observe()."""
    return Recorder().root(tree.root)


def observe(
    function: Callable,
    name: str,
    tree: Tree,
    search: Search,
    budget: float = math.inf,
    catch: type[BaseException] | tuple = Exception,
    root: Node | None = None,
) -> Trace:
    """Call `function` as `name` on the tree's root and return the Trace.

    budget: the number of queries after which the search is ended.
    catch: exceptions of these kinds end up in the trace's ending, so that one search
        cannot stop the next; others pass through.
    root: the tree's root, as new_root() returns it. Searches with one root get the same
        nodes; without it, a search gets new ones.
    """
    __tracebackhide__ = True  # pytest shows the student's lines, not this one
    if root is None:
        root = new_root(tree)
    recorder = root._queries
    recorder.start(budget)
    answer = Answer()
    ending = Ending()
    text = Text()
    try:
        answer = describe(function(root, *search.arguments(name)))
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
    file = getattr(code, "co_filename", None)
    innermost = None
    for frame, line in traceback.walk_tb(frames):
        if frame.f_code.co_filename == file:
            innermost = line
    return innermost


def describe(returned) -> Answer:
    """Turn what a search returned into an Answer."""
    if isinstance(returned, Node):
        return Answer(NODE, path=returned._key.path)
    if isinstance(returned, (int, float)) and not isinstance(returned, bool):
        return Answer(NUMBER, number=returned)
    return Answer(type(returned).__name__)
