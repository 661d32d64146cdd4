"""The Trace: everything that was observed of one search, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gametree.node import Node
from gametree.tree import Search

EXPAND, EVALUATE = "expand", "evaluate"

RETURNED = "returned"
RAISED = "raised"
TIMED_OUT = "timed out"
OUT_OF_QUERIES = "out of queries"
DIED = "died"
BROKE_PROTOCOL = "broke the protocol"
NOT_RUN = "not run"


@dataclass(frozen=True)
class Ending:
    """How a search ended, and what is known of it.

    `error` is the exception's class name, `message` its text and `line` the
    line of search.py it came from. The three come from the student's code: they
    may be shown for a public tree, never for a hidden one. `loading` is True where
    search.py itself did not run to its end, so that no search began.
    """

    kind: str = RETURNED
    error: str = ""
    message: str = ""
    line: int | None = None
    loading: bool = False


@dataclass(frozen=True)
class Answer:
    """What a search returned: a number, a node (by its path), or neither.

    `kind` is "number", "node", or the name of another type ("NoneType", "tuple").
    """

    kind: str = "NoneType"
    number: float | None = None
    path: tuple | None = None

    def in_words(self):
        """Return "a number", "a node", "a tuple", or "None"."""
        return "None" if self.kind == "NoneType" else f"a {self.kind}"


@dataclass(frozen=True, eq=False)
class Trace:
    """One search, observed: its ordered events, its answer and its ending.

    `events` is a list of (EXPAND or EVALUATE, path) in the order they happened.
    `printed` is what the code printed, capped; it is shown for public trees only.
    """

    function: str
    search: Search
    events: list
    answer: Answer
    ending: Ending
    printed: str = ""

    @cached_property
    def evaluated(self):
        """The paths of the evaluated nodes in order, repeats included."""
        return [path for kind, path in self.events if kind == EVALUATE]

    @cached_property
    def visited(self):
        """The visited leaves: the set of paths that were evaluated."""
        return frozenset(self.evaluated)

    @cached_property
    def node_count(self):
        """The number of visits of nodes. The root counts."""
        return sum(1 for _ in self.visits())

    def visits(self):
        """Yield the path of each visit of a node, in the order in which they begin.

        A visit of a node begins with an event on it while no visit of it is
        open, and ends when an event falls outside its subtree.
        """
        open_visits = []
        for _, path in self.events:
            while open_visits and open_visits[-1] != path[: len(open_visits[-1])]:
                open_visits.pop()
            if not open_visits or open_visits[-1] != path:
                open_visits.append(path)
                yield path


class OutOfQueries(BaseException):
    """Ends a search that looks at far more nodes than any right one needs."""


class Recorder:
    """Answers a node's queries from a tree and keeps the ordered events.

    `budget` is the number of queries after which the search is ended. A recorder
    with `keeps_nodes=False` lets go of nodes that the search has let go of.
    """

    def __init__(self, budget=None, keeps_nodes=True):
        self.events = []
        self.budget = budget
        self.keeps_nodes = keeps_nodes

    def _record(self, kind, position):
        self.events.append((kind, position.path))
        if self.budget is not None and len(self.events) > self.budget:
            raise OutOfQueries

    def expand(self, position):
        """Record an expansion; return (key, terminal) of each child."""
        self._record(EXPAND, position)
        return [(child, child.terminal) for child in position.children]

    def evaluate(self, position):
        """Record a visit of a leaf; return its value."""
        self._record(EVALUATE, position)
        return position.static_value()

    def name(self, position):
        """Return the position's name; nothing is recorded."""
        return position.name


def observe(function, name, tree, search, budget=None, catch=Exception):
    """Call `function` as `name` on the tree's root and return the Trace.

    An exception of the kinds in `catch` ends up in the trace's ending, so that
    one search cannot stop the next; other exceptions pass through.
    """
    __tracebackhide__ = True  # pytest shows the student's lines, not this one
    recorder = Recorder(budget)
    root = Node(recorder, tree.root, tree.root.terminal)
    answer, ending = Answer(), Ending()
    try:
        answer = describe(function(root, *search.arguments(name)))
    except OutOfQueries:
        ending = Ending(OUT_OF_QUERIES)
    except catch as error:
        ending = Ending(RAISED, type(error).__name__, str(error))
    return Trace(name, search, recorder.events, answer, ending)


def describe(returned):
    """Turn what a search returned into an Answer."""
    if isinstance(returned, Node):
        return Answer("node", path=returned._key.path)
    if isinstance(returned, (int, float)) and not isinstance(returned, bool):
        return Answer("number", number=returned)
    return Answer(type(returned).__name__)


class Counter:
    """Answers a node's queries like a Recorder, in memory that grows with depth only.

    `nodes` counts visits as Trace.node_count does. More than `budget` queries
    raise OutOfQueries; None allows any number.
    """

    keeps_nodes = False

    def __init__(self, budget=None):
        self.nodes = 0
        self.queries = 0
        self.budget = budget
        self._open = []

    def _count(self, path):
        self.queries += 1
        if self.budget is not None and self.queries > self.budget:
            raise OutOfQueries
        while self._open and self._open[-1] != path[: len(self._open[-1])]:
            self._open.pop()
        if not self._open or self._open[-1] != path:
            self._open.append(path)
            self.nodes += 1

    def expand(self, position):
        """Count the visit; return (key, terminal) of each child."""
        self._count(position.path)
        return [(child, child.terminal) for child in position.children]

    def evaluate(self, position):
        """Count the visit; return the position's value."""
        self._count(position.path)
        return position.static_value()

    def name(self, position):
        """Return the position's name; nothing is counted."""
        return position.name

    def root(self, position):
        """Return the Node from which a search starts at this position."""
        return Node(self, position, position.terminal)
