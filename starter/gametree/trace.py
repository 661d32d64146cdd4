"""The Trace: everything that was observed of one search, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gametree.position import Search

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
