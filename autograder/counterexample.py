"""Find the smallest tree on which a submission fails, by running it on the ladder."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from autograder.judging.verdict import STATE_KEPT, judge
from autograder.mistakes.diagnosis import wrong_and_written
from autograder.sandbox.runs import LEAVES_THE_WORKER_USABLE, RunPair, run_tasks
from gametree.functions import FUNCTIONS

MOST_AFRESH = 250  # trees tried where each needs a worker of its own
SEARCH_CPU_SECONDS = 0.5
MOST_SECONDS = 10.0  # a safeguard for code that sleeps: then there is no counterexample


@dataclass(frozen=True)
class Counterexample:
    """The first tree of the ladder on which a function fails, and how it fails.

    `verdict` is the one that a grading would give. `tried` is the tree's place on
    the ladder, counted from 1: the function is right on all trees before it.
    """

    verdict: object
    tried: int


def find_counterexample(sandbox, source, ladder, verdicts, deadline=None):
    """Return the Counterexample of the first wrong function that has one, or None.

    `verdicts` are the grading's. Functions come in the order minimax, alphabeta,
    best_move, since each builds on what the one before teaches.
    """
    latest = time.monotonic() + MOST_SECONDS
    deadline = latest if deadline is None else min(latest, deadline)
    seeker = _Seeker(sandbox, source, ladder, deadline)
    usual, sandbox.limits = sandbox.limits, _limits(sandbox.limits)
    try:
        for function in FUNCTIONS:
            if wrong_and_written(function, verdicts):
                found = seeker.seek(function, _keeps_state(function, verdicts))
                if found is not None or seeker.out_of_time():
                    return found
    finally:
        sandbox.limits = usual
        sandbox.end_worker()
    return None


def _limits(limits):
    seconds = min(SEARCH_CPU_SECONDS, limits.search_cpu_seconds)
    return replace(limits, search_cpu_seconds=seconds)


def _keeps_state(function, verdicts):
    return any(
        finding.kind == STATE_KEPT
        for verdict in verdicts
        if verdict.task.function == function
        for finding in verdict.findings
    )


class _Seeker:
    """Runs one submission up the ladder, many trees to a worker where that is fair."""

    def __init__(self, sandbox, source, ladder, deadline):
        self.sandbox = sandbox
        self.source = source
        self.ladder = ladder
        self.deadline = deadline

    def out_of_time(self):
        return time.monotonic() > self.deadline

    def seek(self, function, keeps_state):
        """Return the function's Counterexample or None.

        What fails in a worker that has searched other trees is tried once more
        afresh. If it is right there, state is kept from tree to tree, and the ladder
        is climbed again with a worker for each tree.
        """
        if not keeps_state:
            for place, task in enumerate(self.ladder.tasks(function), start=1):
                if self.out_of_time():
                    return None
                verdict = self._in_shared_worker(task, place == 1)
                if verdict is None or verdict.right:
                    continue
                if verdict.trace.ending.kind in LEAVES_THE_WORKER_USABLE:
                    verdict = self._afresh(task)
                if not verdict.right:
                    return Counterexample(verdict, place)
                break
            else:
                return None
        for place, task in enumerate(self.ladder.tasks(function), start=1):
            if place > MOST_AFRESH or self.out_of_time():
                return None
            verdict = self._afresh(task)
            if not verdict.right:
                return Counterexample(verdict, place)
        return None

    def _in_shared_worker(self, task, first):
        """Return the verdict on one run, None where it is plainly right."""
        if first and self.sandbox.start_worker(self.source) is not None:
            return self._afresh(task)
        budget = self.sandbox.limits.query_budget(len(task.expected.events))
        trace = self.sandbox.search(task.tree, task.function, task.search, budget)
        return None if task.is_met_by(trace) else judge(task, RunPair(trace))

    def _afresh(self, task):
        return judge(task, run_tasks(self.sandbox, self.source, [task])[0])
