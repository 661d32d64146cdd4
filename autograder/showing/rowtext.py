"""The text of one row, as Gradescope and the terminal show it. No colour."""

from __future__ import annotations

from autograder.judging.scores import Row
from autograder.judging.verdict import DID_NOT_RETURN, Verdict
from autograder.ordering import FULL_SAVING, FUNCTION, Ordering
from autograder.showing import sentences
from autograder.tasks import Task
from gametree.drawing import draw, marks_of
from gametree.functions import FUNCTIONS, KNOWN, NODE
from gametree.trace import Trace
from gametree.view import Marks

WIDTH = 80
MOST_PRINTED = 1000  # characters
EXTRA_NAME = f"{FUNCTION}: extra credit, good children first"
EXTRA_NUMBER = f"{len(FUNCTIONS) + 1}.01"  # after the rows of the functions
EXTRA_COLUMN = "Nodes saved by move ordering, %"


def row_text(row: Row) -> str:
    """Return what a student reads on a row.

    Of a hidden tree: its aspects, and how the search ended if it did not return;
    nothing else.
    """
    aspects = aspects_line(row.aspects)
    if not row.public:
        return "\n".join([f"hidden tree: {aspects}", *hidden_endings(row)])
    lines = [f"{row.tree.title}: {aspects}"]
    for verdict in row.verdicts:
        lines += ["", sentences.call(verdict.task)]
        if verdict.right:
            lines.append("right")
            continue
        lines += [f"- {sentence}" for sentence in sentences.findings(verdict)]
        if verdict.judged:
            lines += ["", drawing(verdict)]
        lines += printed_lines(verdict.trace)
    return "\n".join(lines)


def aspects_line(aspects: dict) -> str:
    """Return "value right, leaves wrong" for aspect -> (searches held, searches)."""
    parts = []
    for aspect, (held, total) in aspects.items():
        word = "right" if held == total else "wrong"
        if 0 < held < total:
            word = f"right on {held} of {total} searches"
        parts.append(f"{aspect} {word}")
    return ", ".join(parts)


def hidden_endings(row: Row) -> list[str]:
    """Say, each once, how searches of a hidden tree ended that did not return."""
    endings = [
        sentences.ending(finding.got, public=False)
        for verdict in row.verdicts
        for finding in verdict.findings
        if finding.kind == DID_NOT_RETURN
    ]
    return list(dict.fromkeys(endings))


def printed_lines(trace: Trace) -> list[str]:
    """Return the lines that show what a program printed, none where it was silent."""
    if not trace.printed:
        return []
    return ["", "printed:", sentences.printable(trace.printed, MOST_PRINTED)]


def drawing(verdict: Verdict) -> str:
    """Return the terminal drawing of a verdict: the right visits beside its own."""
    task = verdict.task
    return draw(task.tree, task.search, marks_beside(task, verdict.trace), width=WIDTH)


def marks_beside(task: Task, trace: Trace) -> Marks:
    """Return the marks of a run beside the right one.

    Where the answer is a move, the leaves are free: no leaf is marked wrong.
    """
    expected = task.expected.visited if KNOWN[task.function].answer != NODE else None
    return marks_of(task.tree, task.search, trace, expected)


def extra_text(ordering: Ordering) -> str:
    """Return what a student reads of the extra credit."""
    lines = [f"right on {ordering.right} of {ordering.trees} trees"]
    if ordering.right < ordering.trees:
        lines.append("points begin where every value is right, and proven by its leaves")
    else:
        lines.append(
            f"{percent(ordering)} % fewer nodes expanded than from left to right; "
            f"{FULL_SAVING:.0%} earn full points"
        )
    return "\n".join(lines)


def percent(ordering: Ordering) -> float:
    """Return the share of nodes saved in per cent, with one decimal."""
    return round(100 * ordering.saved, 1)
