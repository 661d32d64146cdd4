"""Grade one submission: run it, judge it, score it. Nothing is shown or written.

The steps are the same for every submission. Each public search runs once, in order, and so
do the probes of each correct function. If a search is wrong, hints are found on public and
small trees: the smallest tree, the line, state leaks. Then each hidden search runs once, in
order. All texts for students are found before the first hidden search, except the smallest
tree if only hidden trees fail.
"""

from __future__ import annotations

from dataclasses import replace

from autograder.grading.hints import Hints, run_and_judge
from autograder.grading.record import Grading
from autograder.kit import Kit
from autograder.sandbox import Sandbox, Session
from autograder.scoring.rubric import VISIBLE
from autograder.scoring.scores import score_rows
from gametree.support.judging import judge
from gametree.support.trace import NOT_RUN, Ending, Text


def grade(
    kit: Kit, source: bytes, sandbox: Sandbox | None = None, sealed: bool = False
) -> Grading:
    """Grade the bytes of a search.py.

    sandbox: an open sandbox; None opens a new sandbox.
    sealed: whether to discard all text from the submission, even on public trees.
    """
    if sandbox is None:
        with Sandbox(kit.rubric.limits) as sandbox:
            return grade(kit, source, sandbox, sealed)
    probes = kit.probes  # choosing them must not use the submission's time
    session = Session(sandbox, source, sealed)
    grading = Grading(hints=kit.rubric.hints)
    hints = Hints(kit, session, grading)
    public = run_and_judge(session, [task for task in kit.tasks if not task.is_hidden])
    grading.guarded(hints.explain, public, probes)
    hidden = run_and_judge(session, [task for task in kit.tasks if task.is_hidden])
    verdicts = public + hidden
    is_visible = kit.rubric.visibility == VISIBLE
    grading.guarded(hints.explain_late, verdicts if is_visible else public)
    grading.rows = score_rows(kit.rows, verdicts, kit.rubric)
    grading.load_failure = _load_failure(verdicts, hints, sealed)
    grading.missing_layers = sandbox.missing_layers
    return grading


def _load_failure(verdicts, hints, sealed):
    """Return the first trace if search.py could not be loaded, else None.

    In a sealed session, a worker that runs none of the file finds the line of a syntax
    error. Code that runs could leak the hidden trees of other students.
    """
    if not verdicts:
        return None
    failure = verdicts[0].trace
    if not failure.ending.loading:
        return None
    if sealed and failure.ending.error == "SyntaxError":
        return replace(failure, text=Text(line=hints.reading.error_line))
    return failure


def refuse(kit: Kit, reason: str) -> Grading:
    """Return the Grading of a submission that cannot be run: 0 points in every row."""
    ending = Ending(NOT_RUN, reason=reason)
    verdicts = [judge(task, task.not_begun(ending)) for task in kit.tasks]
    rows = score_rows(kit.rows, verdicts, kit.rubric)
    return Grading(rows, refusal=reason)
