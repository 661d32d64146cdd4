"""Grade one submission: run it, judge it, score it. Nothing is shown or written."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.counterexample import Counterexample, find_counterexample
from autograder.judging.scores import Row, make_rows
from autograder.judging.verdict import judge, not_run
from autograder.kit import Kit, stage_as_taught
from autograder.mistakes.diagnosis import Diagnosis, diagnose
from autograder.ordering import FUNCTION, Ordering, judge_ordering, ordering_tasks
from autograder.sandbox import NotGradable, Sandbox, run_tasks
from gametree.trace import Ending, Trace


@dataclass(frozen=True)
class Grading:
    """What grading one submission found.

    `rows` are all rows in order. `refusal` is the one line why nothing could be
    run (no search.py), else "". `load_failure` is the Ending of a search.py that
    could not be loaded, else None. `layers` is (held, missing) of the sandbox.
    A wrong submission has `diagnoses`, a tuple that may be empty, and perhaps a
    `counterexample`; `convention` is the cutoff's. `ordering` is the extra credit's
    outcome, None where it is off.
    """

    rows: tuple[Row, ...]
    refusal: str = ""
    load_failure: Ending | None = None
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
    deadline = time.monotonic() + kit.rubric.limits.total_seconds
    runs = run_tasks(sandbox, source, kit.tasks, deadline)
    verdicts = [judge(task, pair) for task, pair in zip(kit.tasks, runs)]
    endings = (pair.first.ending for pair in runs)
    grading = Grading(
        rows=_rows(kit, verdicts),
        load_failure=next((ending for ending in endings if ending.loading), None),
        layers=(tuple(sandbox.held), tuple(map(tuple, sandbox.missing))),
        convention=kit.rubric.cutoff,
        ordering=_ordering(kit, source, sandbox, deadline),
    )
    if grading.load_failure or all(verdict.right for verdict in verdicts):
        return grading
    return replace(
        grading,
        diagnoses=diagnose(kit.library, runs, verdicts),
        counterexample=find_counterexample(sandbox, source, kit.ladder, verdicts, deadline),
    )


def grade_path(kit: Kit, path: Path) -> Grading:
    """Grade the submission at a path. Raises FileNotFoundError where there is none."""
    try:
        source = stage_as_taught(path, kit.rubric.cutoff, kit.root)
    except NotGradable as reason:
        return refuse(kit, str(reason))
    return grade(kit, source)


def refuse(kit: Kit, reason: str) -> Grading:
    """Return the Grading of a submission that holds nothing to run: 0 in every row."""
    verdicts = [not_run(task, reason) for task in kit.tasks]
    return Grading(_rows(kit, verdicts), refusal=reason)


def _rows(kit, verdicts):
    return tuple(make_rows(verdicts, kit.rubric, kit.public_names))


def _ordering(kit, source, sandbox, deadline):
    most_cents = kit.rubric.extra_cents[FUNCTION]
    if not most_cents:
        return None
    tasks = ordering_tasks(kit.reference)
    return judge_ordering(tasks, run_tasks(sandbox, source, tasks, deadline), most_cents)
