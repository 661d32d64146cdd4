"""Grade one submission: run it, judge it, score it. Nothing is shown or written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.judging.scores import Row, make_rows
from autograder.judging.verdict import judge, not_run
from autograder.kit import Kit, stage_as_taught
from autograder.sandbox import NotGradable, Sandbox, Session, Zygote
from gametree.trace import Trace

# What only a wrong submission, or the extra credit, needs is imported there.
if TYPE_CHECKING:
    from autograder.counterexample import Counterexample
    from autograder.mistakes.diagnosis import Diagnosis
    from autograder.ordering import Ordering


@dataclass(frozen=True)
class Grading:
    """What grading one submission found.

    `rows` are all rows in order. `refusal` is the one line why nothing could be
    run (no search.py), else "". `load_failure` is the trace of a search that never
    began since search.py could not be loaded, else None; `slow_to_load` says that it
    took long. `layers` is (held, missing) of the sandbox.
    A wrong submission has `diagnoses`, a tuple that may be empty, and perhaps a
    `counterexample`; `convention` is the cutoff's. `ordering` is the extra credit's
    outcome, None where it is off.
    """

    rows: tuple[Row, ...]
    refusal: str = ""
    load_failure: Trace | None = None
    slow_to_load: bool = False
    layers: tuple[tuple[str, ...], tuple[tuple[str, str], ...]] = ((), ())
    diagnoses: tuple[Diagnosis, ...] = ()
    counterexample: Counterexample | None = None
    convention: str = "equality"
    ordering: Ordering | None = None

    @property
    def traces(self) -> list[Trace]:
        """The first run of every search, row by row."""
        return [verdict.trace for row in self.rows for verdict in row.verdicts]

    @property
    def cents(self) -> int:
        """The total score in hundredths of a point."""
        extra = self.ordering.cents if self.ordering else 0
        return sum(row.cents for row in self.rows) + extra

    @property
    def most_cents(self) -> int:
        """The most that could be had, in hundredths of a point."""
        return sum(row.most_cents for row in self.rows)


def grade(kit: Kit, source: bytes, sandbox: Sandbox | None = None) -> Grading:
    """Grade the bytes of a search.py. `sandbox` may be one that is open already."""
    if sandbox is None:
        with Sandbox(kit.rubric.limits) as sandbox:
            return grade(kit, source, sandbox)
    session = Session(sandbox, source)
    runs, verdicts, counterexample, timeouts = [], [], None, Counter()
    for tasks in _public_first(kit.tasks):
        pairs = session.run_afresh(tasks, timeouts)
        runs += pairs
        verdicts += [judge(task, pair) for task, pair in zip(tasks, pairs)]
        if counterexample is None and not _all_right(verdicts):
            from autograder.counterexample import find_counterexample

            counterexample = find_counterexample(session, kit.ladder, verdicts)
    failed = (pair.first for pair in runs if pair.first.ending.loading)
    grading = Grading(
        rows=make_rows(kit.rows, verdicts, kit.rubric),
        load_failure=next(failed, None),
        slow_to_load=session.slow_to_load,
        layers=sandbox.layers,
        counterexample=counterexample,
        convention=kit.rubric.cutoff,
        ordering=_ordering(kit, session),
    )
    if grading.load_failure or _all_right(verdicts):
        return grading
    from autograder.answered import clues_of
    from autograder.mistakes.diagnosis import diagnose

    clues = clues_of(session, source, kit.reference, kit.ladder, verdicts, counterexample)
    return replace(grading, diagnoses=diagnose(kit.library, runs, verdicts, clues))


def _public_first(tasks):
    """Return the tasks of public trees, then those of hidden ones."""
    return [[task for task in tasks if task.hidden == hidden] for hidden in (False, True)]


def _all_right(verdicts):
    return all(verdict.right for verdict in verdicts)


def grade_path(kit: Kit, path: Path, zygote: Zygote | None = None) -> Grading:
    """Grade the submission at a path. Raises FileNotFoundError where there is none.

    `zygote` may be one that was begun already.
    """
    try:
        source = stage_as_taught(path, kit.rubric.cutoff, kit.root)
    except NotGradable as reason:
        return refuse(kit, str(reason))
    with Sandbox(kit.rubric.limits, zygote=zygote) as sandbox:
        return grade(kit, source, sandbox)


def refuse(kit: Kit, reason: str) -> Grading:
    """Return the Grading of a submission that holds nothing to run: 0 in every row."""
    verdicts = [not_run(task, reason) for task in kit.tasks]
    return Grading(make_rows(kit.rows, verdicts, kit.rubric), refusal=reason)


def _ordering(kit, session):
    if not any(kit.rubric.extra_cents.values()):
        return None
    from autograder.ordering import FUNCTION, judge_ordering, ordering_tasks

    most_cents = kit.rubric.extra_cents[FUNCTION]
    hidden = [t for t in kit.tasks if t.tree.name not in kit.public_names]
    tasks = ordering_tasks(kit.reference, hidden)
    return judge_ordering(tasks, session.run_afresh(tasks), most_cents)
