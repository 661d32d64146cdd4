"""The text of one row, as Gradescope and the terminal show it. No colour."""

from __future__ import annotations

from autograder.judging.verdict import DID_NOT_RETURN
from autograder.ordering import FUNCTION, WANTED
from autograder.showing import sentences
from gametree.drawing import draw, marks_of
from gametree.functions import FUNCTIONS, KNOWN, NODE

WIDTH = 80
MOST_PRINTED = 1000  # characters


def row_text(row):
    """Return what a student reads on a row."""
    return _public(row) if row.public else _hidden(row)


def aspects_line(aspects):
    """Return "value right, leaves wrong" for aspect -> (held, of)."""
    parts = []
    for aspect, (held, total) in aspects.items():
        word = "right" if held == total else "wrong"
        if 0 < held < total:
            word = f"right on {held} of {total} searches"
        parts.append(f"{aspect} {word}")
    return ", ".join(parts)


def _hidden(row):
    """Aspects, and how the search ended if it did not return; nothing else."""
    return "\n".join([f"hidden tree: {aspects_line(row.aspects)}", *hidden_endings(row)])


def hidden_endings(row):
    """Say, each once, how searches of a hidden tree ended that did not return."""
    endings = [
        sentences.ending(finding.got, public=False)
        for verdict in row.verdicts
        for finding in verdict.findings
        if finding.kind == DID_NOT_RETURN
    ]
    return list(dict.fromkeys(endings))


def _public(row):
    lines = [f"{row.tree.title}: {aspects_line(row.aspects)}"]
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


def printed_lines(trace):
    """Return the lines that show what a program printed, none where it was silent."""
    if not trace.printed:
        return []
    return ["", "printed:", sentences.printable(trace.printed, MOST_PRINTED)]


def drawing(verdict):
    """Return the terminal drawing of a verdict: the right visits beside its own."""
    task = verdict.task
    return draw(task.tree, task.search, marks_beside(task, verdict.trace), width=WIDTH)


def marks_beside(task, trace):
    """Return the marks of a run beside the right one; best_move's leaves are free."""
    expected = task.expected.visited if KNOWN[task.function].answer != NODE else None
    return marks_of(task.tree, task.search, trace, expected)


NAME = f"{FUNCTION}: extra credit, good children first"
NUMBER = f"{len(FUNCTIONS) + 1}.01"  # after the rows of the functions
COLUMN = "Nodes saved by move ordering, %"


def extra_text(ordering):
    """Return what a student reads of an Ordering."""
    lines = [f"right on {ordering.right} of {ordering.trees} trees"]
    if ordering.right < ordering.trees:
        lines.append("points begin where every value is right, and proven by its leaves")
    else:
        lines.append(
            f"{percent(ordering)} % fewer nodes expanded than from left to right; "
            f"{WANTED:.0%} earn full points"
        )
    return "\n".join(lines)


def percent(ordering):
    """Return the share of nodes saved in per cent, with one decimal."""
    return round(100 * ordering.saved, 1)
