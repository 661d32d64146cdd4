"""Run one submission's searches in a sandbox, within its time."""

from __future__ import annotations

import contextlib
import marshal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from autograder.sandbox import protocol
from autograder.sandbox.conversation import SearchFailure
from autograder.sandbox.sandbox import Sandbox
from autograder.scoring.rubric import Limits
from autograder.scoring.tasks import Task, not_begun
from gametree.support.texts import sentence
from gametree.support.trace import NO_TEXT, NOT_RUN, TIMED_OUT, Ending, Trace


class Budget:
    """The limits of a series of searches, and the time until which all of them must end.

    limits: the Limits of each search.
    deadline: the end of the time, in seconds of time.monotonic().
    timeouts: function -> the number of its searches that timed out.
    """

    def __init__(self, limits: Limits, seconds: float):
        self.limits = limits
        self.deadline = time.monotonic() + seconds
        self.timeouts = Counter()

    def is_used_up(self) -> bool:
        """Tell whether no time is left."""
        return time.monotonic() > self.deadline

    def tighter(self, **limits: Any) -> Budget:
        """Return a Budget with the same deadline and with tighter limits of a search."""
        for name, limit in limits.items():
            limits[name] = min(limit, getattr(self.limits, name))
        budget = Budget(self.limits._replace(**limits), 0)
        budget.deadline = self.deadline
        return budget

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock within the context."""
        start = time.monotonic()
        try:
            yield
        finally:
            self.deadline += time.monotonic() - start


class Session:
    """Runs one submission's searches in sequence.

    The first search of a hidden tree seals a session permanently, so later traces have no
    text. Workers can leak a little information to later workers, so any later text could
    describe that tree. A session may be `sealed` from its start.

    The submission's time starts with its session. If the time is used up, or if the file
    cannot be loaded, the remaining searches are not run and their traces give the reason.

    source: the bytes of search.py.
    budget: the submission's own Budget, which applies unless another is given.
    has_run_hidden: whether the submission was run on a hidden tree.
    """

    def __init__(self, sandbox: Sandbox, source: bytes, sealed: bool = False):
        self.source = source
        self.budget = Budget(sandbox.limits, sandbox.limits.total_seconds)
        self.has_run_hidden = False
        self._sealed_from_start = sealed
        self._sandbox = sandbox
        self._load_failure = None
        sandbox.end_worker()

    @property
    def sealed(self) -> bool:
        """Whether traces have no text from now on."""
        return self._sealed_from_start or self.has_run_hidden

    def run(self, tasks: Iterable[Task], budget: Budget | None = None) -> Iterator[Trace]:
        """Run each task once, in this order, in a fresh worker, and yield its Trace.

        A worker that dies or times out is replaced before the next search. After too many
        timeouts of a function, its other searches are not run.
        """
        budget = budget or self.budget
        self._sandbox.end_worker()
        try:
            for task in tasks:
                try:
                    self._prepare_worker(task, budget)
                    trace = self._search_within_time(task, budget)
                except SearchFailure as failure:
                    trace = not_begun(task, failure.ending, failure.text)
                if self.sealed:
                    trace = replace(trace, text=NO_TEXT, sealed=True)
                yield trace
        finally:
            self._sandbox.end_worker()

    def use_tool(
        self,
        tool: Callable[..., bytes],
        *arguments: object,
        budget: Budget,
        helpers: Iterable[str] = (),
    ) -> bytes:
        """Return the result of a tool for the submission's text, or b"" if it failed.

        The tool is a function of a trusted module that imports only the standard library
        and the modules that `helpers` names. A separate worker calls
        `tool(source, *arguments)` and runs none of the submission's code.
        """
        modules = [(name, _code_of(name)) for name in (*helpers, tool.__module__)]
        order: Any = modules, tool.__name__, (self.source, *arguments)
        program = marshal.dumps(order)
        worker = self._sandbox.fork_worker(budget.limits, budget.deadline)
        result = worker.use_tool(program)
        self._sandbox.end_worker()
        return result

    def run_changed(
        self, change: bytes, tasks: Iterable[Task], budget: Budget
    ) -> Iterator[Trace]:
        """Run a changed submission once on each public task, and yield the Traces.

        The worker continues to run for the next call, with the file loaded. `change` is
        code from a tool, which replaces definitions of the file, or b"" for the unchanged
        submission. Raises ValueError for a hidden task.
        """
        loaded = False
        for task in tasks:
            if task.is_hidden:
                raise ValueError("a changed submission must not run on a hidden tree")
            try:
                self._check_time(budget)
                if not loaded or self._sandbox.worker is None:
                    self._load_changed(change, budget)
                    loaded = True
                trace = self._search(task)
            except SearchFailure as failure:
                trace = not_begun(task, failure.ending, failure.text)
            yield trace

    def _prepare_worker(self, task, budget):
        """Ensure that a worker has loaded the file.

        If the task must not run, raise SearchFailure with the reason.
        """
        if self._load_failure is not None:
            raise self._load_failure
        self._check_time(budget)
        max_timeouts = budget.limits.max_timeouts
        if budget.timeouts[task.function] >= max_timeouts:
            reason = sentence(
                "ending.too many timeouts", function=task.function, count=max_timeouts
            )
            raise SearchFailure(Ending(NOT_RUN, reason=reason))
        if self._sandbox.worker is not None:
            return
        try:
            self._load(budget)
        except SearchFailure as failure:
            self._check_time(budget)
            self._load_failure = failure
            raise

    def _search_within_time(self, task, budget):
        """Run a task and return its Trace. Raise SearchFailure if time ran out."""
        if task.is_hidden:
            self.has_run_hidden = True
        trace = self._search(task)
        if trace.ending.kind == TIMED_OUT:
            self._check_time(budget)
            budget.timeouts[task.function] += 1
        return trace

    def _search(self, task):
        """Run a task; end the worker if the search neither returned nor raised."""
        trace = self._sandbox.worker.search(task)
        if not trace.ending.by_itself:
            self._sandbox.end_worker()
        return trace

    def _load_changed(self, change, budget):
        """Make a change in a worker that has loaded the file."""
        if self._sandbox.worker is None or not change:
            self._load(budget)
        if change:
            self._send_to_worker(protocol.CHANGE, change)

    def _load(self, budget):
        """Load the file in a fresh worker. Raise SearchFailure if it fails."""
        self._sandbox.fork_worker(budget.limits, budget.deadline)
        self._send_to_worker(protocol.LOAD, self.source)

    def _send_to_worker(self, order, program):
        """Make the worker load a program; end the worker if it fails."""
        try:
            self._sandbox.worker.load(order, program)
        except SearchFailure:
            self._sandbox.end_worker()
            raise

    def _check_time(self, budget):
        """Raise SearchFailure if the time of a budget is used up."""
        if budget.is_used_up():
            seconds = budget.limits.total_seconds
            reason = sentence("ending.time used up", seconds=seconds)
            raise SearchFailure(Ending(NOT_RUN, reason=reason, undecided=True))


@cache
def _code_of(name):
    """Return the code of a module that has been imported."""
    return sys.modules[name].__spec__.loader.get_code(name)
