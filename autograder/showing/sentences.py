"""How numbers, calls, endings and findings are put into words.

The words are for public trees, unless a function says that they fit hidden ones.
"""

from __future__ import annotations

import sys

from autograder.judging import edges
from autograder.judging import verdict as v
from autograder.plaintext import printable
from autograder.tasks import Task
from gametree.explaining import STATE_KEPT, UNPROVEN
from gametree.functions import KNOWN
from gametree.trace import (
    BROKE_PROTOCOL,
    DIED,
    NOT_RUN,
    OUT_OF_QUERIES,
    RAISED,
    TIMED_OUT,
    Answer,
    Ending,
    Text,
    Trace,
)
from gametree.words import names, number

ALL_RIGHT = "Every value, every leaf and every node count is right."
ALL_BUT_COUNTED = "Every answer and every leaf is right."
SEEN_RIGHT = "Every row that you see is right."
STOPPED = {
    TIMED_OUT: "it ran out of time and was stopped",
    OUT_OF_QUERIES: (
        "it was stopped after far more queries than the tree needs: an endless loop?"
    ),
    DIED: "its process ended before it returned",
    BROKE_PROTOCOL: "it used a node that it was not given and was stopped",
}

EDGES = {  # for hidden trees too
    edges.LARGE: (
        "right on small numbers; wrong from {:,} on: is your infinity large enough?"
    ),
    edges.CLOSE: "right on most; wrong where values differ by {:g}: is anything rounded?",
    edges.WIDE: "right on narrow trees; wrong where a node has {} children or more",
    edges.DEEP: "right on flat trees; wrong {} plies down: do both bounds get that far?",
    edges.FAR: "right at small depths; wrong from a depth of {} on, however small the tree",
    edges.MANY: "right on small trees; wrong where a search looks at many nodes",
}

PYTHON = "Python {}.{}".format(*sys.version_info)
# What the autograder does not have or allow, by the error that it leads to.
REFUSED = {
    "SyntaxError": f"the autograder reads it as {PYTHON}",
    "ModuleNotFoundError": f"the autograder has the standard library of {PYTHON} only",
    "EOFError": "in the autograder nobody answers input()",
    "PermissionError": "the autograder allows no files, processes or connections",
    "BlockingIOError": "the autograder starts no processes",
}


def unseen(count: int) -> str:
    """Say that so many rows are not shown, and count in no figure that is."""
    rows = "1 more row is" if count == 1 else f"{count} more rows are"
    return f"{rows} not shown now; no figure here counts them."


def edge(found: edges.Edge) -> str:
    """Say from where on a function goes wrong that is right on all below."""
    return EDGES[found.kind].format(found.size)


def ending(end: Ending, text: Text | None = None) -> str:
    """Say how a search ended that did not return, in the words of its text if given.

    Without them, as for a hidden tree, it names an exception out of a fixed list.
    """
    if end.kind == NOT_RUN:
        return f"not run: {end.reason}"
    if end.kind != RAISED:
        return STOPPED[end.kind]
    if end.error == "NotImplementedError":
        return "not written yet (it raised NotImplementedError)"
    if end.error == "function missing":
        return "search.py has no function of this name"
    error = " ".join(printable(text.message).split()) if text else ""
    where = f" (search.py, line {text.line})" if text and text.line else ""
    why = f"; {REFUSED[end.error]}" if end.error in REFUSED else ""
    return f"it raised {error or end.error}{where}{why}"


def not_loaded(trace: Trace) -> str:
    """Say that search.py could not be loaded, and how that ended."""
    return f"search.py could not be loaded: {ending(trace.ending, trace.text)}"


def answer(task: Task, returned: Answer) -> str:
    """Return an Answer to a task as people write it: 3, C, None, tuple."""
    if returned.kind == "number":
        return number(returned.number)
    if returned.kind == "node":
        return task.tree.root.at(returned.path).name
    return _kind(returned.kind)


def _kind(name):
    return {"NoneType": "None", "number": "a number"}.get(name, name)


def call(task: Task) -> str:
    """Return the call that a task makes, as a student would write it."""
    values = task.search.arguments(task.function)
    labels = KNOWN[task.function].arguments
    shown = ", ".join(f"{label}={_argument(x)}" for label, x in zip(labels, values))
    return f"{task.function}({task.tree.root.name}, {shown})"


def _argument(value):
    return str(value) if isinstance(value, bool) else number(value)


def findings(verdict: v.Verdict) -> list[str]:
    """Return the sentences for all findings of a verdict on a public tree."""
    by_kind = {}
    for finding in verdict.findings:
        by_kind.setdefault(finding.kind, []).append(finding)
    return [_sentence(kind, alike, verdict) for kind, alike in by_kind.items()]


def _sentence(kind, alike, verdict):
    """Return the sentence for the findings of one kind."""
    first, root = alike[0], verdict.task.tree.root
    if kind == v.DID_NOT_RETURN:
        return ending(first.got, verdict.trace.text)
    if kind == v.WRONG_TYPE:
        expected = "one of node.children" if first.expected == "node" else "a number"
        return f"returned {_kind(first.got)}, expected {expected}"
    if kind == v.WRONG_VALUE:
        return f"returned {number(first.got)}, expected {number(first.expected)}"
    if kind == v.WRONG_MOVE:
        got, expected = root.at(first.got).name, root.at(first.expected).name
        return f"chose {got}, expected {expected}"
    if kind == v.UNPROVEN:
        return UNPROVEN
    if kind == v.TOO_FEW:
        return "visited too few leaves to know any move to be best"
    if kind == v.STATE_KEPT:
        return STATE_KEPT
    if kind == v.LOOKED_BEYOND:
        return (
            f"{first.got} node visits, expected {first.expected}: the leaves are right, "
            f"but it read the children of {root.at(first.path).name}, which cannot matter"
        )
    if kind == v.WRONG_COUNT:
        got = "another number of" if first.got is None else first.got
        return (
            f"{got} node visits, expected {first.expected}: the leaves are "
            "right, but nodes are searched more often than needed"
        )
    listed = names(root, [finding.path for finding in alike])
    these = "is not a leaf" if len(alike) == 1 else "are not leaves"
    return {
        v.MISSED: f"did not visit {listed}, which can matter",
        v.NEEDLESS: f"visited {listed} needlessly: you should have cut off before this",
        v.NOT_A_LEAF: f"evaluated {listed}, which {these} of this search",
    }[kind]
