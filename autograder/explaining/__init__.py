"""Explain a wrong submission: the smallest tree, the line, the known mistake.

explain() is called twice. After the public trees it finds what can be shown in full: state
leaks, the smallest failing tree and the line. After the hidden trees it adds the known
mistakes, and the smallest tree if only hidden trees fail.

The budgets are counts of searches, queries and changed programs, so that every machine
finds the same explanation. A limit of CPU seconds only stops slow programs, and the screen
says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from autograder.explaining import reading, syntax
from autograder.explaining.explanation import Explanation
from autograder.sandbox import Budget, Session
from autograder.scoring.rubric import LINE, MISTAKE
from autograder.scoring.scores import (
    all_right,
    functions_by_loss,
    plan_rows,
    score_rows,
)
from gametree.functions import FUNCTIONS
from gametree.support.judging import Verdict

__all__ = ["Explanation", "explain"]

MAX_SHARE = 0.5  # seconds of each call of explain(), as a share of the submission's time


def explain(
    session: Session,
    verdicts: Sequence[Verdict],
    kit,
    guarded: Callable,
    earlier: Explanation | None = None,
) -> Explanation:
    """Return the Explanation of a submission; it is empty if nothing is wrong.

    verdicts: the verdicts so far, those on public trees first.
    kit: the Kit, of which the rubric, the ladder and the known mistakes are used.
    guarded: calls a function with arguments, and returns None if it has an internal error.
    earlier: the Explanation after the public trees, if the hidden trees have run.
    """
    verdicts = [verdict for verdict in verdicts if verdict.was_run]
    if any(verdict.trace.ending.loading for verdict in verdicts):
        return Explanation()
    if all_right(verdicts):
        return earlier or Explanation()
    if earlier is None:
        return _explain_public_trees(session, verdicts, kit, guarded)
    return _explain_all_trees(session, verdicts, kit, earlier)


def read_text(session: Session, budget: Budget) -> reading.Reading:
    """Read a submission's text in a worker that runs none of the submission's code."""
    arguments = {name: function.arguments for name, function in FUNCTIONS.items()}
    data = session.use_tool(
        reading.read_program, arguments, helpers=[syntax.__name__], budget=budget
    )
    return reading.reading_from(data)


def _explain_public_trees(session, verdicts, kit, guarded):
    """Return the Explanation of wrong searches of public trees.

    An internal error in the search for lines loses only the lines.
    """
    budget = session.new_budget(MAX_SHARE)
    found = _explain_by_smallest(session, verdicts, kit, budget)
    if found.smallest and kit.rubric.allows(LINE):
        lines = _find_lines(session, verdicts, kit, found, budget)
        found = replace(found, lines=tuple(guarded(list, lines) or ()))
    return replace(found, cut_short=budget.is_used_up())


def _explain_all_trees(session, verdicts, kit, earlier):
    """Return the earlier Explanation with what follows from all trees."""
    from autograder.explaining.known import diagnose

    found = earlier
    if all_right(_on_public_trees(verdicts)):
        budget = session.new_budget(MAX_SHARE)
        found = _explain_by_smallest(session, verdicts, kit, budget)
    if not kit.rubric.allows(MISTAKE):
        return replace(found, reading=reading.Reading())
    diagnoses = diagnose(kit.library, kit.ladder, verdicts, found)
    found = replace(found, diagnoses=diagnoses)
    lines = [line for line in found.lines if not _rests_on_others(line.function, found)]
    return replace(found, lines=tuple(lines))


def _explain_by_smallest(session, verdicts, kit, budget):
    """Return an Explanation with the text, the state leaks and the smallest tree."""
    from autograder.explaining.smallest import find_smallest, find_state_leaks

    text = read_text(session, budget)
    leaks = find_state_leaks(session, _on_public_trees(verdicts), budget)
    order = _functions_to_explain(verdicts, kit, text)
    smallest, leak = find_smallest(session, kit.ladder, verdicts, leaks, order, budget)
    if leak:
        leaks.append(leak)
    return Explanation(
        smallest,
        state_leaks=tuple(leaks),
        reading=text,
        cut_short=budget.is_used_up(),
    )


def _on_public_trees(verdicts):
    return [verdict for verdict in verdicts if not verdict.task.is_hidden]


def _functions_to_explain(verdicts, kit, text):
    """Return the wrong functions, largest loss of points first.

    The points are calculated as if there were no other trees.
    """
    tasks = [verdict.task for verdict in verdicts]
    planned = plan_rows(tasks, kit.rubric)
    rows = score_rows(planned, verdicts, kit.rubric)
    return functions_by_loss(rows, text.calls)


def _find_lines(session, verdicts, kit, found, budget):
    """Yield the line of the drawn function, and of a second wrong function.

    The second function does not call a wrong function.
    """
    from autograder.explaining.line import find_line
    from autograder.explaining.smallest import find_smallest

    text_of = found.reading.text_of
    wrong = _functions_to_explain(verdicts, kit, found.reading)
    alone = [name for name in wrong if set(text_of(name).calls).isdisjoint(wrong)]
    candidates = dict.fromkeys([found.smallest.function, *alone])
    for function in list(candidates)[:2]:
        smallest = found.smallest
        if text_of(function).other_order:
            continue
        if function != smallest.function:
            smallest, _ = find_smallest(
                session, kit.ladder, verdicts, found.state_leaks, [function], budget
            )
        if smallest is None:
            continue
        line = find_line(session, kit.ladder, verdicts, smallest, budget, found.reading)
        if line:
            yield line


def _rests_on_others(function, found):
    """Tell whether a function may be wrong only because it calls a wrong function."""
    diagnosis = found.diagnosis_of(function)
    return diagnosis is not None and bool(diagnosis.others)
