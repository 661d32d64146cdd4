"""How numbers, calls, endings and findings are put into words.

The words are for public trees, unless a function says that they fit hidden ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from autograder.judging import verdict as v
from autograder.tasks import Task
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
)
from gametree.tree import Position, Search

MOST_NAMES = 8
ALL_RIGHT = "Every value, every leaf and every node count is right."
STOPPED = {
    TIMED_OUT: "it ran out of time and was stopped",
    OUT_OF_QUERIES: "it looked at far more nodes than the tree needs and was stopped",
    DIED: "its process ended before it returned",
    BROKE_PROTOCOL: "it used a node that it was not given and was stopped",
}


def ending(end: Ending, public: bool) -> str:
    """Say how a search ended that did not return.

    For a hidden tree it names at most an exception out of a fixed list.
    """
    if end.kind == NOT_RUN:
        return f"not run: {end.message}"
    if end.kind != RAISED:
        return STOPPED[end.kind]
    if end.error == "NotImplementedError":
        return "not written yet (it raised NotImplementedError)"
    if end.error == "function missing":
        return "search.py has no function of this name"
    text = printable(end.message) if public and end.message else end.error
    where = f" (search.py, line {end.line})" if public and end.line else ""
    return f"it raised {text}{where}"


def not_loaded(end: Ending) -> str:
    """Say that search.py could not be loaded, and how that ended."""
    return f"search.py could not be loaded: {ending(end, public=True)}"


def printable(text: str, most: int = 300) -> str:
    """Return student-made text with control characters replaced, cut to `most`."""
    kept = "".join(c if c.isprintable() or c == "\n" else "?" for c in text[: most + 1])
    return kept if len(kept) <= most else kept[:most] + " ..."


def number(value: float | None) -> str:
    """Return a number as people write it: 3, -0.5, infinity."""
    if value is None:
        return "nothing"
    if math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return str(value)


def answer(task: Task, returned: Answer) -> str:
    """Return an Answer to a task as people write it: 3, C, None, tuple."""
    if returned.kind == "number":
        return number(returned.number)
    if returned.kind == "node":
        return task.tree.root.at(returned.path).name
    return _kind(returned.kind)


def _kind(name):
    return "None" if name == "NoneType" else name


def call(task: Task) -> str:
    """Return the call that a task makes, as a student would write it."""
    values = task.search.arguments(task.function)
    labels = KNOWN[task.function].arguments
    shown = ", ".join(f"{label}={_argument(x)}" for label, x in zip(labels, values))
    return f"{task.function}({task.tree.root.name}, {shown})"


def _argument(value):
    return str(value) if isinstance(value, bool) else number(value)


def names(root: Position, paths: Sequence[tuple]) -> str:
    """Return the names of positions as a list in words, the first few of many."""
    listed = [root.at(path).name for path in paths[:MOST_NAMES]]
    more = len(paths) - len(listed)
    return in_words([*listed, f"{more} more"] if more > 0 else listed)


def in_words(parts: list[str]) -> str:
    """Return words as people list them: "", "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def player(root: Position, search: Search, path: tuple) -> str:
    """Return a node's name and who moves there: "C (MIN)"."""
    who = "MAX" if search.max_moves_at(path) else "MIN"
    return f"{root.at(path).name} ({who})"


def findings(verdict: v.Verdict) -> list[str]:
    """Return the sentences for all findings of a verdict on a public tree."""
    root = verdict.task.tree.root
    by_kind = {}
    for finding in verdict.findings:
        by_kind.setdefault(finding.kind, []).append(finding)
    return [_sentence(kind, alike, root) for kind, alike in by_kind.items()]


def _sentence(kind, alike, root):
    """Return the sentence for the findings of one kind."""
    first = alike[0]
    if kind == v.DID_NOT_RETURN:
        return ending(first.got, public=True)
    if kind == v.WRONG_TYPE:
        expected = "one of node.children" if first.expected == "node" else "a number"
        return f"returned {_kind(first.got)}, expected {expected}"
    if kind == v.WRONG_VALUE:
        return f"returned {number(first.got)}, expected {number(first.expected)}"
    if kind == v.WRONG_MOVE:
        got, expected = root.at(first.got).name, root.at(first.expected).name
        return f"chose {got}, expected {expected}"
    if kind == v.UNPROVEN:
        return (
            "the answer is right, but the leaves it visited do not prove it: "
            "other values in the leaves it left out would change it"
        )
    if kind == v.TOO_FEW:
        return "visited too few leaves to know any move to be best"
    if kind == v.STATE_KEPT:
        return (
            "a second search of the same tree went differently: something is kept "
            "from one call to the next (a global, a default argument, a table)"
        )
    if kind == v.WRONG_COUNT:
        return (
            f"{first.got} node visits, expected {first.expected}: the leaves are "
            "right, but nodes are searched more often than needed"
        )
    listed = names(root, [finding.path for finding in alike])
    return {
        v.MISSED: f"did not visit {listed}, which can matter",
        v.NEEDLESS: f"visited {listed} needlessly: a cutoff comes before",
        v.NOT_A_LEAF: f"evaluated {listed}, which is no leaf of this search",
    }[kind]
