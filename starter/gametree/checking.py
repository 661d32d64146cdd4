"""Run a student's search and judge it: for the public tests and `python -m gametree`.

A search is right or wrong here as it is on Gradescope; hidden trees are only there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from itertools import islice

from gametree.course import ASKED
from gametree.judging import Task, Verdict, judge, right_trace
from gametree.saying import say
from gametree.sentences import deciding, findings
from gametree.trace import OUT_OF_QUERIES, RETURNED, Trace, observe
from gametree.tree import Search, Tree

BUDGET = 200_000  # queries, so that a search of a huge tree fits in memory
MOST_LEAVES = 20_000  # of a search that is judged


@dataclass(frozen=True)
class Checked:
    """One search that was run, and judged where it returned and the tree is small enough.

    `wrong` has a line for each thing that is wrong, `why` is the sentence that decides, ""
    where there is none to say. `verdict` is None where it was not judged.
    """

    trace: Trace
    verdict: Verdict | None
    wrong: tuple[str, ...] = ()
    why: str = ""

    @property
    def right_leaves(self) -> frozenset[tuple] | None:
        """The paths that a right search visits, None where nobody says."""
        return self.verdict and self.verdict.task.expected.visited


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

    first = observe(searched, name, tree, search, BUDGET, catch)
    if first.ending.kind != RETURNED:
        return Checked(first, None, _stopped(first))
    second = observe(searched, name, tree, search, BUDGET, catch)
    if second.ending.kind != RETURNED:
        return Checked(second, None, (*_stopped(second), say("finding.state kept")))
    leaves = islice(tree.root.frontier(search.depth), MOST_LEAVES + 1)
    if sum(1 for _ in leaves) > MOST_LEAVES:
        return Checked(first, None)
    expected, aspects = right_trace(tree, name, search), tuple(ASKED.get(name, ()))
    task = Task(tree, name, search, expected, aspects)
    verdict, again = judge(task, first), judge(task, second)
    if verdict.right and again.right:
        return Checked(first, verdict)
    if verdict.right:
        return Checked(second, again, (say("finding.state kept"),))
    wrong = findings(verdict)
    if verdict.findings != again.findings:
        wrong.append(say("finding.state kept"))
    return Checked(first, verdict, tuple(wrong), deciding(verdict))


def _stopped(trace):
    """Return the line about a search that was stopped, none about one that raised."""
    if trace.ending.kind != OUT_OF_QUERIES:
        return ()
    where = say("finding.at line", line=trace.text.line) + ": " if trace.text.line else ""
    return (where + say("finding.stopped", count=BUDGET),)
