"""One submission in a sandbox: its workers, its time, and when it is sealed."""

from __future__ import annotations

import contextlib
import marshal
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby, islice
from types import CodeType

from autograder.sandbox.conversation import Answers, Ended
from autograder.sandbox.sandbox import Sandbox
from autograder.tasks import RunPair, Task, coarse
from gametree.functions import NUMBER
from gametree.saying import say
from gametree.trace import NOT_RUN, RETURNED, TIMED_OUT, Answer, Trace

SLOW_LOAD = 0.5  # CPU seconds
FIRST_AT_ONCE, MOST_AT_ONCE = 8, 512  # searches that a changed submission is asked for
MOST_LOADING = 0.5  # of the submission's time, then trees share the worker that is there


def out_of_time() -> Ended:
    """Return how a search ended that the submission's time did not last for."""
    return Ended(NOT_RUN, reason=say("ending.time used up"))


class Session:
    """Runs one submission's searches, in fresh workers or together in one.

    A session is sealed by the first search of a hidden tree, for good: workers can tell
    each other a little, so whatever a later one says may speak of that tree. Traces that
    come after it have no text, and where they may be shown, no number that could hold
    content (tasks.coarse). One may be `sealed` from its start.

    The submission's time begins with its session. What is left when it is used up, and
    what follows a file that cannot be loaded, is not run, and the traces say so.
    """

    def __init__(self, sandbox: Sandbox, source: bytes, sealed: bool = False):
        self._sealed = sealed
        self.slow_to_load = False
        self.deadline = time.monotonic() + sandbox.limits.total_seconds
        self._sandbox = sandbox
        self._source = source
        self._failure = None  # why the file cannot be loaded, as an Ended
        self._loaded = False  # at least once
        self._loading = 0.0  # seconds on the wall so far
        sandbox.end_worker()

    @property
    def sealed(self) -> bool:
        """Whether the submission may have seen a hidden tree."""
        return self._sealed

    def run_together(
        self, tasks: Iterable[Task], answers: Answers | None = None
    ) -> Iterator[Trace]:
        """Yield the Trace of each task, run once, in the order given, in one worker.

        Where it dies, those that follow have another one. `answers` are asked in the
        place of the submission's own functions.
        """
        self._sandbox.end_worker()
        try:
            for task in tasks:
                ended = self._not_to_run(task)
                if ended:
                    yield self._trace_of_nothing(task, ended)
                else:
                    yield self._search(task, answers)
        finally:
            self._sandbox.end_worker()

    def run_afresh(
        self, tasks: Iterable[Task], timeouts: Counter | None = None
    ) -> list[RunPair]:
        """Return the RunPair of each task: every search twice, a fresh worker a tree.

        `timeouts` counts the searches of each function that timed out, these included;
        after too many, its others are not run.
        """
        if self._loaded:
            self._failure = None
        timeouts = Counter() if timeouts is None else timeouts
        pairs = []
        for _, group in groupby(tasks, key=lambda task: task.tree.name):
            if self._loading < MOST_LOADING * self._sandbox.limits.total_seconds:
                self._sandbox.end_worker()
            pairs += [self._run_twice(task, timeouts) for task in group]
        self._sandbox.end_worker()
        return pairs

    def use_tool(self, modules: Iterable[tuple[str, CodeType]], *given: object) -> bytes:
        """Return what a tool makes of the submission's text, b"" where it made nothing.

        The tool is trusted modules, (name, code) of each; `made(source, *given)` of the
        last is called in a worker of its own, which runs nothing of the submission.
        """
        program = marshal.dumps((list(modules), (self._source, *given)))
        return self._sandbox.use_tool(program, self.deadline) or b""

    def run_changed(self, code: bytes, tasks: Iterable[Task]) -> Iterator[Trace]:
        """Yield the Trace of each public task, run once, by a changed submission.

        The worker has the trees whole, a few at first and then ever more, and stays for
        the next call. `code` is what a tool made; b"" stands for the submission as it is.
        """
        tasks, most, loaded = iter(tasks), FIRST_AT_ONCE, False
        while at_once := list(islice(tasks, most)):
            most = min(4 * most, MOST_AT_ONCE)
            while at_once:
                ended = out_of_time() if self.out_of_time() else None
                if ended is None and not (loaded and self._sandbox.has_worker):
                    ended = self._load_changed(code)
                    loaded = ended is None
                if ended is None:
                    traces = self._sandbox.search_here(at_once)
                else:
                    traces = [self._trace_of_nothing(task, ended) for task in at_once]
                yield from traces
                at_once = at_once[len(traces) :]

    def _load_changed(self, code):
        if code:
            return self._sandbox.load_code(code, self.deadline)
        return self._sandbox.start_worker(self._source, self.deadline)

    def out_of_time(self) -> bool:
        """Tell whether the submission's time is used up."""
        return time.monotonic() > self.deadline

    @property
    def source(self) -> bytes:
        """The submission's bytes."""
        return self._source

    @property
    def load_cpu_seconds(self) -> float:
        """How long loading the submission may take."""
        return self._sandbox.limits.load_cpu_seconds

    def seconds_left(self) -> float:
        """Return how much of the submission's time is left."""
        return max(0.0, self.deadline - time.monotonic())

    @contextlib.contextmanager
    def limited(
        self, seconds: float, search_cpu_seconds: float, **others: float
    ) -> Iterator[None]:
        """Give what runs within the context so many seconds, and each search so many.

        `others` are further fields of Limits.
        """
        usual = self.deadline
        self.deadline = min(usual, time.monotonic() + seconds)
        try:
            with self._sandbox.limited(search_cpu_seconds, **others):
                yield
        finally:
            self.deadline = usual

    def _run_twice(self, task, timeouts):
        pair = RunPair(self._run_counted(task, timeouts))
        if pair.first.ending.kind != RETURNED:
            return pair
        second = self._run_counted(task, timeouts)
        return pair if second.ending.kind == NOT_RUN else RunPair(pair.first, second)

    def _run_counted(self, task, timeouts):
        most = self._sandbox.limits.most_timeouts
        if timeouts[task.function] >= most:
            why = say("ending.too many timeouts", function=task.function, count=most)
            return self._trace_of_nothing(task, Ended(NOT_RUN, reason=why))
        ended = self._not_to_run(task)
        if ended is not None:
            return self._trace_of_nothing(task, ended)
        trace = self._search(task)
        timeouts[task.function] += trace.ending.kind == TIMED_OUT
        return trace

    def _not_to_run(self, task):
        """Return None, with a worker that has loaded the file, or the Ended that tells."""
        if self._failure is None and self.out_of_time():
            return out_of_time()
        if self._failure is None and not self._sandbox.has_worker:
            self._load()
        return self._failure

    def _load(self):
        begun = time.monotonic()
        self._failure = self._sandbox.start_worker(self._source, self.deadline)
        self._loading += time.monotonic() - begun
        if self._failure is None:
            self._loaded = True
            self.slow_to_load |= self._sandbox.worker_cpu_seconds() > SLOW_LOAD
        elif self.out_of_time():
            self._failure = out_of_time()

    def _trace_of_nothing(self, task, ended):
        text = None if self._sealed else ended.text
        return Trace(task.function, task.search, [], Answer(), ended.ending, text)

    def _search(self, task, answers=None):
        self._sealed |= task.hidden
        trace = self._sandbox.search(task, answers)
        if not self._sealed:
            return trace
        answer = trace.answer
        if answer.kind == NUMBER and not task.hidden:
            answer = replace(answer, number=coarse(task, trace))
        return replace(trace, answer=answer, text=None)
