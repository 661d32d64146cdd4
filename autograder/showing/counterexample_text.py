"""The text of the smallest tree on which a submission fails."""

from __future__ import annotations

import textwrap

from autograder.judging.signature import without_repeats
from autograder.showing import sentences
from autograder.showing.explanation import explain
from autograder.showing.rowtext import WIDTH, drawing, printed_lines

MOST_LEAVES = 12


def counterexample_line(counterexample):
    """Return one line that names the tree: "alphabeta on MAX [1, [1, 1]]"."""
    task = counterexample.verdict.task
    return f"{task.function} on {task.tree.name}"


def counterexample_text(counterexample, convention="equality"):
    """Return what a student reads of the counterexample, its drawing included.

    The tree comes from a public enumeration, so what the submission returned,
    raised or printed may be shown.
    """
    verdict = counterexample.verdict
    task = verdict.task
    lead = f"The smallest tree on which your {task.function} fails"
    lead += right_before(counterexample)
    lines = [*textwrap.wrap(f"{lead}.", WIDTH), "", _as_file(task), ""]
    lines += [sentences.call(task), "", drawing(verdict), ""]
    if verdict.judged:
        lines += [*_both(verdict), ""]
    lines += textwrap.wrap(explain(verdict, convention), WIDTH)
    return "\n".join([*lines, *printed_lines(verdict.trace)])


def right_before(counterexample):
    """Return "; it is right on the 12 trees that were tried before it", "" for none."""
    before = counterexample.tried - 1
    if not before:
        return ""
    trees = "one tree that was" if before == 1 else f"{before:,} trees that were"
    return f"; it is right on the {trees} tried before it"


def _as_file(task):
    """Return the tree as the lines of a tree file, to try it out."""
    player, _, rest = task.tree.name.partition(" ")
    tree, brace, search = rest.partition(" {depth")
    lines = [f"root: {player.lower()}", f"tree: {tree}"]
    if brace:
        lines.append(f"searches: [{{depth{search}]")
    return "\n".join(f"    {line}" for line in lines)


def _both(verdict):
    """Return the right visits beside the student's, each with its answer."""
    task = verdict.task
    right = _visits(task, task.expected)
    if task.function == "best_move":
        right = "any leaves that prove the move"
    return [
        f"right search: {right}; returns {sentences.answer(task, task.expected.answer)}",
        f"your search:  {_visits(task, verdict.trace)}; "
        f"returns {sentences.answer(task, verdict.trace.answer)}",
    ]


def _visits(task, trace):
    paths = without_repeats(trace.evaluated)
    listed = ", ".join(task.tree.root.at(path).name for path in paths[:MOST_LEAVES])
    return (listed or "no leaf") + (", ..." if len(paths) > MOST_LEAVES else "")
