"""The text of the smallest tree on which a submission fails."""

from __future__ import annotations

import textwrap

from autograder.judging.signature import without_repeats
from autograder.showing import sentences
from autograder.showing.explanation import explain
from gametree.drawing import draw, marks_of

WIDTH = 80
MOST_LEAVES = 12


def counterexample_line(counterexample):
    """Return one line that names the tree: "alphabeta on MAX [1, [1, 1]]"."""
    task = counterexample.verdict.task
    return f"{task.function} on {task.tree.name}"


def counterexample_text(counterexample, convention="equality", width=WIDTH):
    """Return what a student reads of the counterexample, its drawing included.

    The tree comes from a public enumeration, so what the submission returned,
    raised or printed may be shown.
    """
    verdict = counterexample.verdict
    task = verdict.task
    before = counterexample.tried - 1
    lead = f"The smallest tree on which your {task.function} fails"
    if before:
        lead += f"; it is right on the {before:,} trees that were tried before it"
    lines = [*textwrap.wrap(f"{lead}.", width), "", _as_file(task), ""]
    lines += [sentences.call(task), "", _drawing(verdict, width), ""]
    if verdict.judged:
        lines += [*_both(verdict), ""]
    lines += textwrap.wrap(explain(verdict, convention), width)
    if verdict.trace.printed:
        lines += ["", "printed:", sentences.printable(verdict.trace.printed, 1000)]
    return "\n".join(lines)


def _as_file(task):
    """Return the tree as the lines of a tree file, to try it out."""
    player, _, rest = task.tree.name.partition(" ")
    tree, brace, search = rest.partition(" {depth")
    lines = [f"root: {player.lower()}", f"tree: {tree}"]
    if brace:
        lines.append(f"searches: [{{depth{search}]")
    return "\n".join(f"    {line}" for line in lines)


def _drawing(verdict, width):
    task = verdict.task
    expected = None if task.function == "best_move" else task.expected.visited
    marks = marks_of(task.tree, task.search, verdict.trace, expected)
    return draw(task.tree, task.search, marks, width=width)


def _both(verdict):
    """Return the right visits beside the student's, each with its answer."""
    task = verdict.task
    right = _visits(task, task.expected)
    if task.function == "best_move":
        right = "any leaves that prove the move"
    return [
        f"right search: {right}; returns {_answer(task, task.expected.answer)}",
        f"your search:  {_visits(task, verdict.trace)}; "
        f"returns {_answer(task, verdict.trace.answer)}",
    ]


def _visits(task, trace):
    paths = without_repeats(trace.evaluated)
    listed = ", ".join(task.tree.root.at(path).name for path in paths[:MOST_LEAVES])
    return (listed or "no leaf") + (", ..." if len(paths) > MOST_LEAVES else "")


def _answer(task, answer):
    if answer.kind == "number":
        return sentences.number(answer.number)
    if answer.kind == "node":
        return task.tree.root.at(answer.path).name
    return answer.kind
