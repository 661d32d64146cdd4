"""One submission in a sandbox: its workers, its time, and when it is sealed."""

from __future__ import annotations

import contextlib
import marshal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache

from autograder.sandbox import protocol
from autograder.sandbox.conversation import Ended, cpu_seconds_of
from autograder.sandbox.sandbox import Sandbox
from autograder.tasks import Task
from gametree.support.saying import say
from gametree.support.trace import NOT_RUN, TIMED_OUT, Answer, Trace

SLOW_LOAD = 0.5  # CPU seconds


class Session:
    """Runs one submission's searches, one after the other, in one worker.

    A session is sealed by the first search of a hidden tree, for good: workers can tell
    each other a little, so whatever a later one says may speak of that tree. Traces that
    come after it have no text. One may be `sealed` from its start.

    The submission's time begins with its session. Searches that are left when it is used
    up, or when the file cannot be loaded, are not run, and their traces say so.
    """

    def __init__(self, sandbox: Sandbox, source: bytes, sealed: bool = False):
        self.source = source
        self.limits = sandbox.limits
        self.slow_to_load = False
        self.begun = time.monotonic()
        self.deadline = self.begun + self.limits.total_seconds
        self.hidden_seen = False  # whether it was run on a hidden tree
        self._sealed = sealed
        self._sandbox = sandbox
        self._timeouts = Counter()  # searches of each function that ran out of time
        self._failure = None  # why the file cannot be loaded, as an Ended
        sandbox.end_worker()

    @property
    def sealed(self) -> bool:
        """Whether nothing that the submission words is kept any more."""
        return self._sealed or self.hidden_seen

    def run(self, tasks: Iterable[Task]) -> Iterator[Trace]:
        """Yield the Trace of each task, run once, in the order given, in one fresh worker.

        A worker that dies or runs out of time is replaced, and the next search goes on.
        After too many searches of a function that ran out of time, its others are not run.
        """
        self._sandbox.end_worker()
        try:
            for task in tasks:
                ended = self._not_to_run(task)
                trace = _trace_of_nothing(task, ended) if ended else self._search(task)
                yield replace(trace, text=None) if self.sealed else trace
        finally:
            self._sandbox.end_worker()

    def use_tool(self, tool: Callable[..., bytes], *arguments: object) -> bytes:
        """Return what a tool makes of the submission's text, b"" where it made nothing.

        The tool is a function of a trusted module that imports the standard library only.
        `tool(source, *arguments)` is called in a worker of its own, which runs none of the
        submission's code.
        """
        module = sys.modules[tool.__module__]
        call = tool.__name__, (self.source, *arguments)
        program = marshal.dumps((module.__name__, _code_of(module), *call))
        worker = self._sandbox.fork_worker(self.limits, self.deadline)
        result = worker.use_tool(program)
        self._sandbox.end_worker()
        return result

    def run_changed(self, code: bytes, tasks: Iterable[Task]) -> Iterator[Trace]:
        """Yield the Trace of each public task, run once, by a changed submission.

        The worker stays for the next call. `code` is what a tool made; b"" stands for the
        submission as it is. Raises ValueError for a hidden task.
        """
        loaded = False
        for task in tasks:
            if task.hidden:
                raise ValueError("a changed submission is given no hidden tree")
            ended = self._out_of_time() if self.out_of_time() else None
            if ended is None and not (loaded and self._sandbox.worker):
                ended = self._load(code)
                loaded = ended is None
            yield _trace_of_nothing(task, ended) if ended else self._searched(task)

    def out_of_time(self) -> bool:
        """Tell whether the submission's time is used up."""
        return time.monotonic() > self.deadline

    def seconds_left(self) -> float:
        """Return how much of the submission's time is left."""
        return max(0.0, self.deadline - time.monotonic())

    def seconds_spent(self) -> float:
        """Return how much time the submission has had so far."""
        return time.monotonic() - self.begun

    @contextlib.contextmanager
    def limited(self, seconds: float, **limits: float) -> Iterator[None]:
        """Give what runs within the context so many seconds, and tighter Limits.

        What runs out of time in here counts for nothing outside. The worker is ended with
        the context.
        """
        usual = self.deadline, self.limits, self._timeouts
        tighter = {
            name: min(most, getattr(self.limits, name)) for name, most in limits.items()
        }
        self.deadline = min(self.deadline, time.monotonic() + seconds)
        self.limits, self._timeouts = self.limits._replace(**tighter), Counter()
        try:
            yield
        finally:
            self.deadline, self.limits, self._timeouts = usual
            self._sandbox.end_worker()

    def _search(self, task):
        self.hidden_seen |= task.hidden
        trace = self._searched(task)
        if trace.ending.kind == TIMED_OUT and self.out_of_time():
            return _trace_of_nothing(task, self._out_of_time())
        self._timeouts[task.function] += trace.ending.kind == TIMED_OUT
        return trace

    def _searched(self, task):
        """Return a task's Trace; end a worker that neither returned nor raised."""
        trace = self._sandbox.worker.search(task)
        if not trace.ending.by_itself:
            self._sandbox.end_worker()
        return trace

    def _not_to_run(self, task):
        """Return None, with a worker that has loaded the file, or the Ended that tells."""
        if self._failure is not None:
            return self._failure
        if self.out_of_time():
            return self._out_of_time()
        most = self.limits.most_timeouts
        if self._timeouts[task.function] >= most:
            why = say("ending.too many timeouts", function=task.function, count=most)
            return Ended(NOT_RUN, reason=why)
        if self._sandbox.worker:
            return None
        ended = self._load()
        if ended is None:
            if not self.hidden_seen:  # nor can what is told of loading speak of one
                spent = cpu_seconds_of(self._sandbox.worker.channel.pid)
                self.slow_to_load |= spent > SLOW_LOAD
        elif self.out_of_time():
            return self._out_of_time()
        self._failure = ended
        return ended

    def _load(self, code=b""):
        """Have a worker load the file, or a changed one; return None or how that ended.

        The file itself is loaded by a fresh worker, a changed one by the present one.
        """
        worker = code and self._sandbox.worker
        worker = worker or self._sandbox.fork_worker(self.limits, self.deadline)
        order = protocol.RUN_CODE if code else protocol.RUN_SOURCE
        ended = worker.load(order, code or self.source)
        if ended is not None:
            self._sandbox.end_worker()
        return ended

    def _out_of_time(self):
        why = say("ending.time used up", seconds=self.limits.total_seconds)
        return Ended(NOT_RUN, reason=why, undecided=True)


@cache
def _code_of(module):
    return module.__spec__.loader.get_code(module.__name__)


def _trace_of_nothing(task, ended):
    return Trace(task.function, task.search, [], Answer(), ended.ending, ended.text)
