"""The text of one row, as Gradescope and the terminal show it. No colour."""

from __future__ import annotations

from autograder.judging.verdict import DID_NOT_RETURN
from autograder.showing import sentences
from gametree.drawing import draw, marks_of

WIDTH = 80


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
    lines = [f"hidden tree: {aspects_line(row.aspects)}"]
    endings = [
        sentences.ending(finding.got, public=False)
        for verdict in row.verdicts
        for finding in verdict.findings
        if finding.kind == DID_NOT_RETURN
    ]
    return "\n".join(lines + list(dict.fromkeys(endings)))


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
        if verdict.trace.printed:
            lines += ["", "printed:", sentences.printable(verdict.trace.printed, 1000)]
    return "\n".join(lines)


def drawing(verdict, width=WIDTH):
    """Return the terminal drawing of a verdict: the right visits beside its own."""
    task = verdict.task
    expected = task.expected.visited if task.function != "best_move" else None
    marks = marks_of(task.tree, task.search, verdict.trace, expected)
    return draw(task.tree, task.search, marks, width=width)
