"""Find the smallest tree on which a submission fails, by running it on small trees."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

from autograder.judging.verdict import STATE_KEPT, Verdict, judge
from autograder.mistakes.diagnosis import wrong_and_written
from autograder.sandbox import Sandbox, run_tasks
from autograder.smalltrees.enumeration import Ladder
from autograder.tasks import RunPair
from gametree.functions import FUNCTIONS

MOST_AFRESH = 250  # trees tried where each needs a worker of its own
SEARCH_CPU_SECONDS = 0.5
MOST_SECONDS = 10.0  # a safeguard for code that sleeps: then there is no counterexample


@dataclass(frozen=True)
class Counterexample:
    """The first small tree on which a function fails, and how it fails.

    `verdict` is the one that a grading would give. `tried` is the tree's place on
    the ladder, counted from 1: the function is right on all trees before it.
    """

    verdict: Verdict
    tried: int


def find_counterexample(
    sandbox: Sandbox,
    source: bytes,
    ladder: Ladder,
    verdicts: Sequence[Verdict],
    deadline: float | None = None,
) -> Counterexample | None:
    """Return the Counterexample of the first wrong function that has one, or None.

    `verdicts` are the grading's; `deadline` is on time.monotonic()'s clock. Functions
    come in the order minimax, alphabeta, best_move, since each builds on what the one
    before teaches.
    """
    latest = time.monotonic() + MOST_SECONDS
    deadline = latest if deadline is None else min(latest, deadline)
    climber = _Climber(sandbox, source, ladder, deadline)
    with sandbox.limited(SEARCH_CPU_SECONDS):
        for function in FUNCTIONS:
            if wrong_and_written(function, verdicts):
                counterexample = climber.climb(function, _keeps_state(function, verdicts))
                if counterexample is not None or climber.out_of_time():
                    return counterexample
    return None


def _keeps_state(function, verdicts):
    return any(
        finding.kind == STATE_KEPT
        for verdict in verdicts
        if verdict.task.function == function
        for finding in verdict.findings
    )


class _Climber:
    """Runs one submission up the ladder, many trees to a worker where that is fair."""

    def __init__(self, sandbox, source, ladder, deadline):
        self.sandbox = sandbox
        self.source = source
        self.ladder = ladder
        self.deadline = deadline

    def out_of_time(self):
        return time.monotonic() > self.deadline

    def climb(self, function, keeps_state):
        """Return the function's Counterexample or None.

        What fails in a worker that has searched other trees is tried once more
        afresh. If it is right there, state is kept from tree to tree, and the ladder
        is climbed again with a worker for each tree.
        """
        if not keeps_state:
            self.sandbox.end_worker()
            first = self._first_wrong(function, self._run_on)
            if first is None or not self.sandbox.has_worker:
                return first
            again = self._run_afresh(first.verdict.task)
            if again is not None:
                return replace(first, verdict=again)
        return self._first_wrong(function, self._run_afresh, MOST_AFRESH)

    def _first_wrong(self, function, run, most=None):
        """Return the first Counterexample among at most so many trees, or None.

        `run(task)` returns the Verdict on the submission, or None where it is right.
        """
        for place, task in enumerate(islice(self.ladder.tasks(function), most), start=1):
            if self.out_of_time():
                return None
            verdict = run(task)
            if verdict is not None:
                return Counterexample(verdict, place)
        return None

    def _run_on(self, task):
        """Run a task once, in the worker that ran those before it."""
        if (
            not self.sandbox.has_worker
            and self.sandbox.start_worker(self.source) is not None
        ):
            return self._run_afresh(task)
        trace = self.sandbox.search(task)
        return None if task.is_met_by(trace) else _unless_right(task, RunPair(trace))

    def _run_afresh(self, task):
        """Run a task twice, in a worker of its own."""
        return _unless_right(task, *run_tasks(self.sandbox, self.source, [task]))


def _unless_right(task, runs):
    verdict = judge(task, runs)
    return None if verdict.right else verdict
