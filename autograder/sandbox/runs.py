"""Run a whole submission: every task, twice, in a fresh worker for each tree."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from autograder.sandbox.sandbox import Sandbox
from autograder.tasks import RunPair, Task
from gametree.trace import NOT_RUN, RETURNED, TIMED_OUT, Answer, Ending, Trace


def run_tasks(
    sandbox: Sandbox, source: bytes, tasks: Iterable[Task], deadline: float | None = None
) -> list[RunPair]:
    """Return the RunPair of each task, in order.

    `deadline` is on time.monotonic()'s clock. What is left when it passes, what
    follows a file that cannot be loaded, and a function's searches after it timed
    out too often are not run, and their traces say so.
    """
    runner = _Runner(sandbox, source, deadline)
    pairs = []
    for _, group in groupby(tasks, key=lambda task: task.tree.name):
        sandbox.end_worker()
        pairs += [runner.run(task) for task in group]
    sandbox.end_worker()
    return pairs


class _Runner:
    def __init__(self, sandbox, source, deadline):
        self.sandbox = sandbox
        self.source = source
        self.deadline = deadline
        self.load_failure = None
        self.loaded_before = False
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
        """Return None, with a worker that has loaded the file, or the Ending that tells."""
        if self.load_failure is not None:
            return self.load_failure
        if self.deadline is not None and time.monotonic() > self.deadline:
            return Ending(NOT_RUN, message="the time for this submission is used up")
        most = self.sandbox.limits.most_timeouts
        if self.timeouts[task.function] >= most:
            message = f"{task.function} ran out of time on {most} searches before"
            return Ending(NOT_RUN, message=message)
        if not self.sandbox.has_worker:
            self.load_failure = self._load()
        return self.load_failure

    def _load(self):
        """Load the file in a fresh worker; return None or the Ending.

        Where it loaded before and fails now, its text is dropped: it may tell of a
        hidden tree, if a worker found a way to tell the next.
        """
        failure = self.sandbox.start_worker(self.source)
        if failure is not None and self.loaded_before:
            failure = replace(failure, message="", line=None)
        self.loaded_before = True
        return failure

    def _search(self, task):
        trace = self.sandbox.search(task)
        if trace.ending.kind == TIMED_OUT:
            self.timeouts[task.function] += 1
        return trace
