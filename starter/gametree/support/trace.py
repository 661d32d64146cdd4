"""The Trace: the observed events of one search, and figures derived from them."""

import math
from collections import Counter
from collections.abc import Callable
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

from gametree.functions import FUNCTIONS, NODE, NUMBER
from gametree.node import Node
from gametree.support.tree import NodePath, Position, Search, Tree

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

SLEPT = "slept"  # the reason of a search that timed out while it used no CPU time


class Ending(NamedTuple):
    """How a search ended. It contains no text of the student's code.

    kind: one of the kinds above.
    error: the class name of the exception; the autograder uses only names of a fixed
        list.
    reason: why the search was not run, or SLEPT.
    loading: whether search.py failed while it was loaded, so that no search began.
    undecided: whether the search was not run because the time was used up. It might
        have been correct.
    """

    kind: str = RETURNED
    error: str = ""
    reason: str = ""
    loading: bool = False
    undecided: bool = False

    @property
    def by_itself(self) -> bool:
        """Whether the search returned or raised, and was not stopped."""
        return self.kind in (RETURNED, RAISED)


class Text(NamedTuple):
    """Text that the student's code produced. It may reveal anything the code has seen.

    printed: the printed text, truncated.
    message: the text of the exception that ended it.
    line: the line of search.py that raised it, from 1, or None if unknown.
    path: the path of the node that its function received, or None if unknown.
    arguments: the names and values of the numbers that its function received.
    """

    printed: str = ""
    message: str = ""
    line: int | None = None
    path: NodePath | None = None
    arguments: tuple[tuple[str, float], ...] = ()


NO_TEXT = Text()


class Answer(NamedTuple):
    """The result of a search: a number, a node, or neither.

    kind: NUMBER, NODE, or the name of another type ("NoneType", "tuple").
    number: the int or float, if it is a number.
    path: the path of the node, if it is a node.
    """

    kind: str = "NoneType"
    number: Any = None
    path: Any = None


class Trace:
    """One observed search.

    function: the name of the function that was called.
    search: its arguments: depth, player and window.
    events: pairs (EXPAND or EVALUATE, path), in order.
    answer: the result of the function.
    ending: how the search ended.
    text: text of the student's code. The autograder omits it after a hidden tree.
    """

    def __init__(
        self,
        function: str,
        search: Search,
        events: list[tuple[str, NodePath]],
        answer: Answer,
        ending: Ending,
        text: Text = NO_TEXT,
    ):
        self.function = function
        self.search = search
        self.events = events
        self.answer = answer
        self.ending = ending
        self.text = text

    @cached_property
    def evaluated(self) -> list[NodePath]:
        """The paths of the evaluated nodes in order, repeats included."""
        return [path for kind, path in self.events if kind == EVALUATE]

    @property
    def in_order(self) -> list[NodePath]:
        """The evaluated paths in the order in which they are compared.

        A path that equals the one before is skipped. A function without a window may visit
        leaves in any order, so its paths are sorted, without repeats.
        """
        if not FUNCTIONS[self.function].has_window:
            return sorted(self.visited)
        return [path for path, _ in groupby(self.evaluated)]

    @cached_property
    def visited(self) -> frozenset[NodePath]:
        """The visited leaves: the set of paths that were evaluated."""
        return frozenset(self.evaluated)

    @cached_property
    def node_count(self) -> int:
        """The number of node visits, with the root."""
        return len(self.visits())

    def visits(self) -> list[NodePath]:
        """Return the path of each visit of a node, in the order in which they begin."""
        open_visits = []
        return [path for _, path in self.events if begins_visit(open_visits, path)]

    @property
    def revisited(self) -> list[NodePath]:
        """The paths of the nodes that were visited more than once, by their first visit."""
        return [path for path, visits in Counter(self.visits()).items() if visits > 1]


def begins_visit(open_visits: list, path: NodePath) -> bool:
    """Tell whether an event at `path` begins a visit of the node there.

    It does if no visit of the node is open. A visit ends when an event falls outside the
    node's subtree. `open_visits` contains the paths of the open visits from the top down,
    and is updated.
    """
    while open_visits and open_visits[-1] != path[: len(open_visits[-1])]:
        open_visits.pop()
    begins = not open_visits or open_visits[-1] != path
    if begins:
        open_visits.append(path)
    return begins


class OutOfQueries(BaseException):
    """Raised to end a search that makes far more queries than a correct one."""


class Recorder:
    """Answers the queries of nodes from a tree in memory, and records them.

    root: the Node from which its searches start. They all get the same nodes.
    budget: the number of events after which OutOfQueries ends the search.
    events: the events of this search so far, as in a Trace.
    keeps_nodes: whether a node stores its children. If not, each expansion creates new
        nodes, so that memory contains only the nodes that the search refers to.
    """

    keeps_nodes = True
    tree = 0

    def __init__(self, position: Position):
        self.root = Node(self, position, position.terminal)
        self.start(math.inf)

    def start(self, budget: float) -> None:
        """Start the record of a search."""
        self.budget = budget
        self.events = []

    def expand(self, position: Position) -> list[tuple[Position, bool]]:
        """Record an expansion; return (key, terminal) of each child."""
        self.record(EXPAND, position.path)
        return [(child, child.terminal) for child in position.children]

    def evaluate(self, position: Position) -> float:
        """Record a visit of a leaf; return its value."""
        self.record(EVALUATE, position.path)
        return position.static_value()

    def name(self, position: Position) -> str:
        """Return the position's name without recording anything."""
        return position.name

    def record(self, kind: str, path: NodePath) -> None:
        """Record an event; raise OutOfQueries if there are too many."""
        self.events.append((kind, path))
        if len(self.events) > self.budget:
            raise OutOfQueries


class VisitCounter(Recorder):
    """Counts node visits in `nodes`.

    `events` contains the paths of the open visits only, so without `keeps_nodes` the
    memory grows only with the depth.
    """

    nodes = 0

    def record(self, kind, path):
        """Count the visit that an event begins."""
        if begins_visit(self.events, path):
            self.nodes += 1


def observe(
    function: Callable,
    name: str,
    tree: Tree,
    search: Search,
    budget: float = math.inf,
    catch: type[BaseException] | tuple = Exception,
    recorder: Recorder | None = None,
) -> Trace:
    """Call `function` as `name` on the tree's root and return the Trace.

    budget: the number of queries after which the search ends.
    catch: exceptions that are recorded in the trace's ending. Others are raised.
    recorder: a Recorder of the tree's root, for several searches of the same nodes. Without
        it, the search gets nodes of its own.
    """
    __tracebackhide__ = True  # pytest shows the student's lines, not this one
    recorder = recorder or Recorder(tree.root)
    recorder.start(budget)
    answer = Answer()
    ending = Ending()
    text = Text()
    try:
        returned = function(recorder.root, *search.arguments(name))
        if isinstance(returned, Node) and returned._queries is not recorder:
            ending = Ending(BROKE_PROTOCOL)
        else:
            answer = read_answer(returned)
    except OutOfQueries as stopped:
        ending = Ending(OUT_OF_QUERIES)
        text = Text(line=_innermost_line(stopped))
    except catch as error:
        ending = Ending(RAISED, type(error).__name__)
        text = Text("", str(error), _innermost_line(error))
    return Trace(name, search, recorder.events, answer, ending, text)


def _innermost_line(error):
    """Return the innermost line that led to an error in the file of the called function.

    Return None if the call itself failed.
    """
    call = error.__traceback__.tb_next  # the first is observe()
    file = innermost = None
    while call:
        code = call.tb_frame.f_code
        file = file or code.co_filename
        if code.co_filename == file:
            innermost = call.tb_lineno
        call = call.tb_next
    return innermost


def read_answer(returned: object) -> Answer:
    """Turn what a search returned into an Answer, as the autograder does."""
    if isinstance(returned, Node):
        return Answer(NODE, path=returned._key.path)
    kind = type(returned).__name__
    if isinstance(returned, (int, float)) and not isinstance(returned, bool):
        if isinstance(returned, float) or -(2**63) <= returned < 2**63:
            return Answer(NUMBER, number=returned)
        kind = "int beyond 64 bits"
    return Answer(kind)
