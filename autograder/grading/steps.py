"""Grade one submission: run it, judge it, score it. Nothing is shown or written.

The steps are the same for every submission. Each public search is run once, in order. If
any is wrong, it is explained on public and small trees: the smallest tree, the line, state
that leaks. Then each hidden search is run once, in order. Everything that students read
is found before the first hidden search, except the smallest tree if only hidden ones fail.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from autograder.grading.hints import Hints
from autograder.grading.record import Grading
from autograder.judging.rubric import VISIBLE
from autograder.judging.scores import score_rows
from autograder.kit import Kit, complete_source
from autograder.sandbox import NotGradable, Sandbox, Session, Zygote, stage
from autograder.sandbox.submission import BYHAND_YAML
from gametree.support.judging import judge
from gametree.support.trace import NOT_RUN, Answer, Ending, Text, Trace


def grade(
    kit: Kit, source: bytes, sandbox: Sandbox | None = None, sealed: bool = False
) -> Grading:
    """Grade the bytes of a search.py.

    `sandbox` may be one that is open already. Where `sealed`, nothing is stored that
    the submission worded, on public trees neither.
    """
    if sandbox is None:
        with Sandbox(kit.rubric.limits) as sandbox:
            return grade(kit, source, sandbox, sealed)
    session = Session(sandbox, source, sealed)
    hints = Hints(kit, session)
    public = _judge_all(session, [task for task in kit.tasks if not task.hidden])
    hints.guarded(hints.explain, public)
    hidden = _judge_all(session, [task for task in kit.tasks if task.hidden])
    verdicts = public + hidden
    hidden_rows_are_shown = kit.rubric.visibility == VISIBLE
    hints.guarded(hints.explain_late, verdicts if hidden_rows_are_shown else public)
    return Grading(
        rows=score_rows(kit.rows, verdicts, kit.rubric),
        load_failure=_load_failure(verdicts, hints, sealed),
        slow_to_load=session.slow_to_load,
        layers=sandbox.zygote.layers,
        diagnoses=hints.diagnoses,
        counterexample=hints.counterexample,
        localisation=hints.localisation,
        state_leaks=hints.state_leaks,
        reading=hints.reading_shown,
        faults=hints.faults,
        hints=kit.rubric.hints,
    )


def _judge_all(session, tasks):
    return [judge(task, trace) for task, trace in zip(tasks, session.run(tasks))]


def _load_failure(verdicts, hints, sealed):
    """Return the first trace if search.py could not be loaded, else None.

    In a sealed session the line of a syntax error is found by a worker that runs nothing
    of the file: what runs could tell of other students' hidden trees.
    """
    if not verdicts or not verdicts[0].trace.ending.loading:
        return None
    failure = verdicts[0].trace
    if sealed and failure.ending.error == "SyntaxError":
        return replace(failure, text=Text(line=hints.reading.error_line))
    return failure


def grade_path(kit: Kit, path: Path, zygote: Zygote | None = None) -> Grading:
    """Grade the submission at a path. Raises FileNotFoundError where there is none.

    `zygote` may be one that was begun already.
    """
    try:
        staged = stage(path)
    except NotGradable as reason:
        return refuse(kit, str(reason))
    source = complete_source(staged.source, path, kit.rubric.cutoff, kit.root)
    with Sandbox(kit.rubric.limits, zygote=zygote) as sandbox:
        return replace(grade(kit, source, sandbox), note=staged.note)


def with_by_hand(
    grading: Grading, kit: Kit, sheet: bytes | str, ids: Iterable[str] | None
) -> Grading:
    """Return a grading with what byhand.yaml earns; arguments as in grade_by_hand()."""
    from autograder.byhand import grade_by_hand

    graded = grade_by_hand(sheet, ids, kit.rubric.by_hand_cents, kit.reference)
    return replace(grading, by_hand=graded)


def sheet_in(path: Path) -> bytes | str:
    """Return the bytes of a submission's byhand.yaml, or the line that says why not."""
    try:
        return stage(path, BYHAND_YAML).source
    except NotGradable as reason:
        return str(reason)


def refuse(kit: Kit, reason: str) -> Grading:
    """Return the Grading of a submission that holds nothing to run: 0 in every row."""
    ending = Ending(NOT_RUN, reason=reason)
    verdicts = [
        judge(task, Trace(task.function, task.search, [], Answer(), ending))
        for task in kit.tasks
    ]
    rows = score_rows(kit.rows, verdicts, kit.rubric)
    return Grading(rows, refusal=reason)
