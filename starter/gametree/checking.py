"""Run a student's search and judge it: for the public tests and `python -m gametree`.

A search is right or wrong here as it is on Gradescope; hidden trees are only there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from itertools import islice

from gametree.course import ASKED
from gametree.judging import Task, judge, right_trace
from gametree.saying import say
from gametree.sentences import deciding, findings
from gametree.trace import OUT_OF_QUERIES, RETURNED, Trace, observe
from gametree.tree import Search, Tree

BUDGET = 200_000  # queries, so that a search of a huge tree fits in memory
MOST_LEAVES = 20_000  # of a search that is judged


@dataclass(frozen=True)
class Checked:
    """One search that was run, and judged where it returned and the tree is small enough.

    `right` says whether it is, None where it was not judged. `wrong` has a line for each
    thing that is wrong, `why` is the sentence that decides, "" where there is none to say.
    `right_leaves` are the paths that a right search visits, None in a tree too large.
    """

    trace: Trace
    right_leaves: frozenset[tuple] | None
    right: bool | None = None
    wrong: tuple[str, ...] = ()
    why: str = ""


def check(
    function: Callable, name: str, tree: Tree, search: Search, catch: type | tuple = ()
) -> Checked:
    """Run a function of search.py on a tree, twice, and return what came of it.

    The second run has new nodes, as on Gradescope, and shows whether anything was kept
    from the first one. `catch` is as in observe().
    """
    __tracebackhide__ = True  # pytest shows the student's lines, not these
    nodes = []  # kept, so that a table by id(node) is not led astray

    @wraps(function)
    def searched(node, *arguments):
        __tracebackhide__ = True
        nodes.append(node)
        return function(node, *arguments)

    task, leaves = None, islice(tree.root.frontier(search.depth), MOST_LEAVES + 1)
    if sum(1 for _ in leaves) <= MOST_LEAVES:
        expected, aspects = right_trace(tree, name, search), tuple(ASKED.get(name, ()))
        task = Task(tree, name, search, expected, aspects)
    right_leaves = task and task.expected.visited
    verdicts, kept = [], say("finding.state kept")
    for _ in range(2):
        trace = observe(searched, name, tree, search, BUDGET, catch)
        if trace.ending.kind != RETURNED:
            wrong = (*_stopped(trace), *[kept] * len(verdicts))
            return Checked(trace, right_leaves, None, wrong)
        verdicts.append(task and judge(task, trace))
    first, again = verdicts
    if task is None:
        return Checked(trace, None)
    if first.right:
        wrong = () if again.right else (kept,)
        return Checked(again.trace, right_leaves, again.right, wrong)
    changed = (kept,) * (first.findings != again.findings)
    wrong = (*findings(first), *changed)
    return Checked(first.trace, right_leaves, False, wrong, deciding(first))


def _stopped(trace):
    """Return the line about a search that was stopped, none about one that raised."""
    if trace.ending.kind != OUT_OF_QUERIES:
        return ()
    where = say("finding.at line", line=trace.text.line) + ": " if trace.text.line else ""
    return (where + say("finding.stopped", count=BUDGET),)
