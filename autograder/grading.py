"""Grade one submission: run it, judge it, score it. Nothing is shown or written."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from autograder.counterexample import Counterexample, find_counterexample
from autograder.judging.scores import make_rows
from autograder.judging.verdict import judge
from autograder.kit import stage_as_taught
from autograder.mistakes.diagnosis import diagnose
from autograder.ordering import FUNCTION, Ordering, judge_ordering, ordering_tasks
from autograder.sandbox import NotGradable, Sandbox, run_tasks
from autograder.tasks import RunPair
from gametree.trace import NOT_RUN, Answer, Ending, Trace


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

    rows: tuple
    refusal: str = ""
    load_failure: Ending | None = None
    layers: tuple = ((), ())
    diagnoses: tuple = ()
    counterexample: Counterexample | None = None
    convention: str = "equality"
    ordering: Ordering | None = None

    @property
    def traces(self):
        """The first run of every search, row by row."""
        return [verdict.trace for row in self.rows for verdict in row.verdicts]

    @property
    def cents(self):
        """The total score in hundredths of a point."""
        extra = self.ordering.cents if self.ordering else 0
        return sum(row.cents for row in self.rows) + extra

    @property
    def most_cents(self):
        """The most that could be had, in hundredths of a point."""
        return sum(row.most_cents for row in self.rows)


def grade(kit, source, sandbox=None):
    """Grade the bytes of a search.py. `sandbox` may be one that is open already."""
    if sandbox is None:
        with Sandbox(kit.rubric.limits) as sandbox:
            return grade(kit, source, sandbox)
    deadline = time.monotonic() + kit.rubric.limits.total_seconds
    runs = run_tasks(sandbox, source, kit.tasks, deadline)
    verdicts = _verdicts(kit, runs)
    grading = Grading(
        rows=tuple(make_rows(verdicts, kit.rubric, kit.public_names)),
        load_failure=_load_failure(runs),
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


def grade_path(kit, path):
    """Grade the submission at a path. Raises FileNotFoundError where there is none."""
    try:
        source = stage_as_taught(path, kit.rubric.cutoff, kit.root)
    except NotGradable as reason:
        return refuse(kit, str(reason))
    return grade(kit, source)


def _ordering(kit, source, sandbox, deadline):
    cents = kit.rubric.extra_cents[FUNCTION]
    if not cents:
        return None
    tasks = ordering_tasks(kit.reference)
    runs = run_tasks(sandbox, source, tasks, deadline)
    return judge_ordering(tasks, runs, cents)


def refuse(kit, reason):
    """Return the Grading of a submission that holds nothing to run: 0 in every row."""
    ending = Ending(NOT_RUN, message=reason)
    runs = [RunPair(Trace(t.function, t.search, [], Answer(), ending)) for t in kit.tasks]
    rows = make_rows(_verdicts(kit, runs), kit.rubric, kit.public_names)
    return Grading(tuple(rows), refusal=reason)


def _verdicts(kit, runs):
    return [judge(task, pair) for task, pair in zip(kit.tasks, runs)]


def _load_failure(runs):
    endings = (pair.first.ending for pair in runs)
    return next((ending for ending in endings if ending.loading), None)
