"""Run a whole submission: every task, twice, in a fresh worker for each tree."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace
from itertools import groupby

from gametree.trace import NOT_RUN, RAISED, RETURNED, TIMED_OUT, Answer, Ending, Trace

LEAVES_THE_WORKER_USABLE = (RETURNED, RAISED)


@dataclass(frozen=True)
class RunPair:
    """One task's two runs.

    `second` is None where the first did not return, or used up the submission's time.
    """

    first: Trace
    second: Trace | None = None


def run_tasks(sandbox, source, tasks, deadline=None):
    """Return the RunPair of each task, in order.

    `deadline` is on time.monotonic()'s clock. What is left when it passes, what
    follows a file that cannot be loaded, and a function's searches after it timed
    out too often are not run, and their traces say so.
    """
    runner = _Runner(sandbox, source, deadline)
    runs = []
    for _, group in groupby(tasks, key=lambda task: task.tree.name):
        runner.usable = False
        runs += [runner.run(task) for task in group]
    sandbox.end_worker()
    return runs


class _Runner:
    def __init__(self, sandbox, source, deadline):
        self.sandbox = sandbox
        self.source = source
        self.deadline = deadline
        self.usable = False
        self.load_failure = None
        self.loaded = False
        self.timeouts = Counter()

    def run(self, task):
        ending = self._reason_not_to_run(task)
        if ending is not None:
            return RunPair(Trace(task.function, task.search, [], Answer(), ending))
        first = self._search(task)
        if first.ending.kind != RETURNED or self._reason_not_to_run(task):
            return RunPair(first)
        return RunPair(first, self._search(task))

    def _reason_not_to_run(self, task):
        if self.load_failure is not None:
            return self.load_failure
        if self.deadline is not None and time.monotonic() > self.deadline:
            return Ending(NOT_RUN, message="the time for this submission is used up")
        if self.timeouts[task.function] >= self.sandbox.limits.most_timeouts:
            times = self.sandbox.limits.most_timeouts
            message = f"{task.function} ran out of time on {times} searches before"
            return Ending(NOT_RUN, message=message)
        if not self.usable:
            self.load_failure = self._load()
            self.usable = self.load_failure is None
        return self.load_failure

    def _load(self):
        """Load the file in a fresh worker.

        Where it loaded before and fails now, its text is dropped: it may tell of a
        hidden tree, if a worker found a way to tell the next.
        """
        failure = self.sandbox.start_worker(self.source)
        if failure is not None and self.loaded:
            failure = replace(failure, message="", line=None)
        self.loaded = True
        return failure

    def _search(self, task):
        budget = self.sandbox.limits.query_budget(len(task.expected.events))
        trace = self.sandbox.search(task.tree, task.function, task.search, budget)
        if trace.ending.kind not in LEAVES_THE_WORKER_USABLE:
            self.usable = False
        if trace.ending.kind == TIMED_OUT:
            self.timeouts[task.function] += 1
        return trace
