"""Grade one submission: run it, judge it, score it. Nothing is shown or written.

The steps are the same for every submission. Each public search is run once, in order, and
the probes of each function that is right so far. If any is wrong, it is explained on public
and small trees: the smallest tree, the line, state that leaks. Then each hidden search is
run once, in order. Everything that students read
is found before the first hidden search, except the smallest tree if only hidden ones fail.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from autograder.grading.hints import Hints
from autograder.grading.record import Grading
from autograder.judging.scores import VISIBLE, score_rows
from autograder.kit import Kit, complete_source
from autograder.sandbox import NotGradable, Sandbox, Session, Zygote, stage
from autograder.sandbox.submission import BYHAND_YAML
from gametree.support.judging import judge
from gametree.support.trace import NOT_RUN, Answer, Ending, Text, Trace


def grade(
    kit: Kit, source: bytes, sandbox: Sandbox | None = None, sealed: bool = False
) -> Grading:
    """Grade the bytes of a search.py.

    sandbox: one that is open already; None opens one.
    sealed: whether to store nothing that the submission worded, on public trees neither.
    """
    if sandbox is None:
        with Sandbox(kit.rubric.limits) as sandbox:
            return grade(kit, source, sandbox, sealed)
    probes = kit.probes  # may have to be chosen: outside of the submission's time
    session = Session(sandbox, source, sealed)
    hints = Hints(kit, session)
    public = _run_and_judge(session, kit.tasks, hidden=False)
    hints.guarded(hints.explain, public, probes)
    verdicts = public + _run_and_judge(session, kit.tasks, hidden=True)
    shown = public
    if kit.rubric.visibility == VISIBLE:
        shown = verdicts
    hints.guarded(hints.explain_late, shown)
    grading = Grading(
        rows=score_rows(kit.rows, verdicts, kit.rubric),
        load_failure=_load_failure(verdicts, hints, sealed),
        slow_to_load=session.slow_to_load,
        layers=sandbox.zygote.layers,
    )
    return hints.add_to(grading)


def _run_and_judge(session, tasks, hidden):
    """Return the verdicts on the tasks of all hidden trees, or of all public ones."""
    tasks_to_run = [task for task in tasks if task.is_hidden == hidden]
    traces = session.run(tasks_to_run)
    return [judge(task, trace) for task, trace in zip(tasks_to_run, traces)]


def _load_failure(verdicts, hints, sealed):
    """Return the first trace if search.py could not be loaded, else None.

    In a sealed session the line of a syntax error is found by a worker that runs nothing
    of the file: what runs could tell of other students' hidden trees.
    """
    if not verdicts:
        return None
    failure = verdicts[0].trace
    if not failure.ending.loading:
        return None
    if sealed and failure.ending.error == "SyntaxError":
        return replace(failure, text=Text(line=hints.reading.error_line))
    return failure


def grade_path(kit: Kit, path: Path, zygote: Zygote | None = None) -> Grading:
    """Grade the submission at a path. Raises FileNotFoundError where there is none.

    zygote: one that was begun already; None begins one.
    """
    try:
        staged = stage(path)
    except NotGradable as reason:
        return refuse(kit, str(reason))
    source = complete_source(staged.source, path, kit.rubric.cutoff, kit.root)
    with Sandbox(kit.rubric.limits, zygote=zygote) as sandbox:
        grading = grade(kit, source, sandbox)
    return replace(grading, note=staged.note)


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
    verdicts = []
    for task in kit.tasks:
        trace = Trace(task.function, task.search, [], Answer(), ending)
        verdicts.append(judge(task, trace))
    rows = score_rows(kit.rows, verdicts, kit.rubric)
    return Grading(rows, refusal=reason)
