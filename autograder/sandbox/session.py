"""Run one submission's searches in a sandbox, within its time."""

from __future__ import annotations

import contextlib
import marshal
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache

from autograder.sandbox import protocol
from autograder.sandbox.conversation import SearchFailure
from autograder.sandbox.sandbox import Sandbox
from autograder.scoring.tasks import Task
from gametree.support.texts import sentence
from gametree.support.trace import NO_TEXT, NOT_RUN, TIMED_OUT, Ending, Trace


class Session:
    """Runs one submission's searches in sequence.

    The first search of a hidden tree seals a session permanently, so later traces have no
    text. Workers can leak a little information to later workers, so any later text could
    describe that tree. A session may be `sealed` from its start.

    The submission's time starts with its session. If the time is used up, or if the file
    cannot be loaded, the remaining searches are not run and their traces give the reason.

    source: the bytes of search.py.
    limits: the Limits that apply now.
    deadline: the end of the submission's time, in seconds of time.monotonic().
    has_run_hidden: whether the submission was run on a hidden tree.
    """

    def __init__(self, sandbox: Sandbox, source: bytes, sealed: bool = False):
        self.source = source
        self.limits = sandbox.limits
        self.has_run_hidden = False
        self.deadline = time.monotonic() + self.limits.total_seconds
        self._sealed_from_start = sealed
        self._sandbox = sandbox
        self._timeouts = Counter()  # of each function
        self._load_failure = None
        sandbox.end_worker()

    @property
    def sealed(self) -> bool:
        """Whether traces have no text from now on."""
        return self._sealed_from_start or self.has_run_hidden

    def run(self, tasks: Iterable[Task]) -> Iterator[Trace]:
        """Run each task once, in this order, in a fresh worker, and yield its Trace.

        A worker that dies or times out is replaced before the next search. After too many
        timeouts of a function, its other searches are not run.
        """
        self._sandbox.end_worker()
        try:
            for task in tasks:
                try:
                    self._prepare_worker(task)
                    trace = self._search_within_time(task)
                except SearchFailure as failure:
                    trace = task.not_begun(failure.ending, failure.text)
                if self.sealed:
                    trace = replace(trace, text=NO_TEXT, sealed=True)
                yield trace
        finally:
            self._sandbox.end_worker()

    def use_tool(
        self, tool: Callable[..., bytes], *arguments: object, helpers: Iterable[str] = ()
    ) -> bytes:
        """Return the result of a tool for the submission's text, or b"" if it failed.

        The tool is a function of a trusted module that imports only the standard library
        and the modules that `helpers` names. A separate worker calls
        `tool(source, *arguments)` and runs none of the submission's code.
        """
        modules = [(name, _code_of(name)) for name in (*helpers, tool.__module__)]
        program = marshal.dumps((modules, tool.__name__, (self.source, *arguments)))
        worker = self._sandbox.fork_worker(self.limits, self.deadline)
        result = worker.use_tool(program)
        self._sandbox.end_worker()
        return result

    def run_changed(self, change: bytes, tasks: Iterable[Task]) -> Iterator[Trace]:
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
                self._check_time()
                if not loaded or self._sandbox.worker is None:
                    self._load_changed(change)
                    loaded = True
                trace = self._search(task)
            except SearchFailure as failure:
                trace = task.not_begun(failure.ending, failure.text)
            yield trace

    def out_of_time(self) -> bool:
        """Return whether the submission's time is used up."""
        return time.monotonic() > self.deadline

    @contextlib.contextmanager
    def limited(self, seconds: float = math.inf, **limits: float) -> Iterator[None]:
        """Apply a shorter deadline and tighter Limits within the context.

        Timeouts in the context do not count outside it. The worker ends with the context.
        """
        usual_deadline = self.deadline
        usual_limits = self.limits
        usual_timeouts = self._timeouts
        tighter = {}
        for name, limit in limits.items():
            tighter[name] = min(limit, getattr(usual_limits, name))
        self.deadline = min(usual_deadline, time.monotonic() + seconds)
        self.limits = usual_limits._replace(**tighter)
        self._timeouts = Counter()
        try:
            yield
        finally:
            self.deadline = usual_deadline
            self.limits = usual_limits
            self._timeouts = usual_timeouts
            self._sandbox.end_worker()

    def _prepare_worker(self, task):
        """Ensure that a worker has loaded the file.

        If the task must not run, raise SearchFailure with the reason.
        """
        if self._load_failure is not None:
            raise self._load_failure
        self._check_time()
        max_timeouts = self.limits.max_timeouts
        if self._timeouts[task.function] >= max_timeouts:
            reason = sentence(
                "ending.too many timeouts", function=task.function, count=max_timeouts
            )
            raise SearchFailure(Ending(NOT_RUN, reason=reason))
        if self._sandbox.worker is not None:
            return
        try:
            self._load()
        except SearchFailure as failure:
            self._check_time()
            self._load_failure = failure
            raise

    def _search_within_time(self, task):
        """Run a task and return its Trace. Raise SearchFailure if time ran out."""
        if task.is_hidden:
            self.has_run_hidden = True
        trace = self._search(task)
        if trace.ending.kind == TIMED_OUT:
            self._check_time()
            self._timeouts[task.function] += 1
        return trace

    def _search(self, task):
        """Run a task; end the worker if the search neither returned nor raised."""
        trace = self._sandbox.worker.search(task)
        if not trace.ending.by_itself:
            self._sandbox.end_worker()
        return trace

    def _load_changed(self, change):
        """Make a change in a worker that has loaded the file."""
        if self._sandbox.worker is None or not change:
            self._load()
        if change:
            self._send_to_worker(protocol.CHANGE, change)

    def _load(self):
        """Load the file in a fresh worker. Raise SearchFailure if it fails."""
        self._sandbox.fork_worker(self.limits, self.deadline)
        self._send_to_worker(protocol.LOAD, self.source)

    def _send_to_worker(self, order, program):
        """Make the worker load a program; end the worker if it fails."""
        try:
            self._sandbox.worker.load(order, program)
        except SearchFailure:
            self._sandbox.end_worker()
            raise

    def _check_time(self):
        """Raise SearchFailure if the submission's time is used up."""
        if self.out_of_time():
            reason = sentence("ending.time used up", seconds=self.limits.total_seconds)
            raise SearchFailure(Ending(NOT_RUN, reason=reason, undecided=True))


@cache
def _code_of(name):
    """Return the code of a module that has been imported."""
    return sys.modules[name].__spec__.loader.get_code(name)
