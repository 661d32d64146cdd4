"""Run one search on one tree in this process, and write down what it looks at."""

from __future__ import annotations

from gametree.node import Node
from gametree.trace import (
    EVALUATE,
    EXPAND,
    OUT_OF_QUERIES,
    RAISED,
    Answer,
    Ending,
    Trace,
)


class OutOfQueries(BaseException):
    """Ends a search that looks at far more nodes than any right one needs."""


class Recorder:
    """Answers a node's looks from a tree and keeps the ordered events.

    `budget` is the number of looks after which the search is ended. A recorder
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
