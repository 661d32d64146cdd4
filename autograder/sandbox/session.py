"""Run one submission's searches in a sandbox, within its time."""

from __future__ import annotations

import marshal
import sys
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import cache
from importlib.machinery import SourceFileLoader
from itertools import islice, takewhile
from typing import Any

from autograder.sandbox.conversation import MAX_SLOWDOWN, SearchFailure
from autograder.sandbox.protocol import SUBMISSION, TOOLS
from autograder.sandbox.sandbox import Sandbox
from autograder.scoring.rubric import Limits
from autograder.scoring.tasks import not_begun
from gametree.functions import FUNCTIONS
from gametree.support.judging import Task
from gametree.support.texts import sentence
from gametree.support.trace import (
    NO_TEXT,
    NOT_RUN,
    OUT_OF_QUERIES,
    TIMED_OUT,
    Ending,
    Trace,
)

MAX_BATCH = 64  # searches whose orders are sent together
WALL_FACTOR = 4  # wall seconds for each second of CPU time, if a program sleeps


class Budget:
    """The limits of a series of searches, and the time that they have.

    Time is CPU time, so that no score depends on the load of the machine. Each function has
    its own share of it. A far limit of wall time ends programs that sleep. If a program
    slept for less than a quarter of it, the machine was busy or stopped, and the other
    searches are undecided.

    limits: the Limits of each search.
    wall_deadline: the end of wall time, in seconds of time.monotonic().
    load_failure: the failure of the load, if the file could not be loaded.
    """

    def __init__(
        self,
        limits: Limits,
        seconds: float,
        clock: Callable[[], float] = time.process_time,
    ):
        self.limits = limits
        self.load_failure: SearchFailure | None = None
        self._cpu_seconds = seconds
        self._deadline = seconds
        self._wall_seconds = WALL_FACTOR * seconds
        self.wall_deadline = self._wall_seconds
        self._share = limits.total_seconds / len(FUNCTIONS)
        self._slept = 0.0  # wall time in which searches did not compute
        self._seconds = defaultdict(float)  # CPU time of each function
        self._stops = Counter()  # stopped searches of each function
        self.resume(clock)

    def resume(self, clock: Callable[[], float]) -> None:
        """Let time pass from now on, by a clock of CPU time."""
        self._clock = clock
        self._deadline += clock()
        self.wall_deadline += time.monotonic()

    def pause(self) -> None:
        """Let no time pass until resume(). A paused budget can be pickled."""
        self._deadline -= self._clock()
        self.wall_deadline -= time.monotonic()
        del self._clock

    def is_used_up(self) -> bool:
        """Tell whether no time is left."""
        return self._clock() > self._deadline or time.monotonic() > self.wall_deadline

    def tighter(self, **limits: Any) -> Budget:
        """Return a Budget with the same deadlines and with these limits of a search."""
        budget = copy(self)
        budget.limits = self.limits._replace(**limits)
        budget._seconds = defaultdict(float)
        budget._stops = Counter()
        return budget

    def start_clock(self) -> None:
        """Start to count the seconds of a search."""
        self._start = self._clock()
        self._wall_start = time.monotonic()

    def count(self, trace: Trace) -> None:
        """Count a search that ends now, and start the clock of the next one."""
        start = self._start
        wall_start = self._wall_start
        self.start_clock()
        seconds = self._start - start
        self._seconds[trace.function] += seconds
        slept = self._wall_start - wall_start - MAX_SLOWDOWN * seconds
        if slept > 0:
            self._slept += min(slept, self.limits.search_wall_seconds)
        if trace.ending.kind in (TIMED_OUT, OUT_OF_QUERIES):
            self._stops[trace.function] += 1

    def refusal_of(self, function: str) -> Ending | None:
        """Return the Ending of all further searches of a function; None if they may run.

        It is decided by the time at which the clock was started.
        """
        max_stops = self.limits.max_timeouts
        if self._start > self._deadline:
            return _time_used_up(self._cpu_seconds)
        if self._wall_start > self.wall_deadline:
            has_slept = self._slept > self._wall_seconds / 4
            return _time_used_up(self._wall_seconds, undecided=not has_slept)
        if self._stops[function] >= max_stops:
            reason = sentence("ending.too many stops", function=function, count=max_stops)
            return Ending(NOT_RUN, reason=reason)
        if self._seconds[function] > self._share:
            return _time_used_up(self._share)
        return None


def _time_used_up(seconds, undecided=True):
    """Return the Ending of a search that is not run because the time was used up."""
    reason = sentence("ending.time used up", seconds=seconds)
    return Ending(NOT_RUN, reason=reason, undecided=undecided)


class Session:
    """Runs one submission's searches in sequence.

    A run of hidden trees seals a session permanently, so its traces and all later ones have
    no text. Workers can leak a little information to later workers, so any later text could
    describe a hidden tree.

    The submission's time starts with its session. If the time is used up, or if the file
    cannot be loaded, the remaining searches are not run and their traces give the reason.
    Time is the CPU time of the workers and of this process.

    source: the bytes of search.py.
    budget: the submission's own Budget, which applies unless another is given. An earlier
        Session of the same grading may have left it.
    is_sealed: whether a sealed run has begun.
    """

    def __init__(self, sandbox: Sandbox, source: bytes, budget: Budget | None = None):
        self.source = source
        self._sandbox = sandbox
        self.is_sealed = False
        self.budget = budget or self.new_budget()
        if budget is not None:
            budget.resume(sandbox.cpu_seconds)
        sandbox.end_worker()
        self.end_tools()

    def end_tools(self) -> None:
        """End the worker that runs tools, if there is one."""
        self._sandbox.end_worker(TOOLS)

    def leave(self) -> Budget:
        """Return the submission's own Budget, paused, for the next Session."""
        self.budget.pause()
        return self.budget

    def new_budget(self, share: float = 1.0) -> Budget:
        """Return a Budget that starts now, with a share of a submission's time."""
        limits = self._sandbox.limits
        return Budget(limits, share * limits.total_seconds, self._sandbox.cpu_seconds)

    def run(
        self, tasks: Iterable[Task], budget: Budget | None = None, *, sealed: bool
    ) -> Iterator[Trace]:
        """Run each task once, in this order, in a fresh worker, and yield its Trace.

        A worker that dies or is stopped is replaced before the next search. After too many
        stops of a function, its other searches are not run.

        sealed: whether the traces have no text, because the trees are hidden. It seals the
            session.
        """
        self.is_sealed = self.is_sealed or sealed
        budget = budget or self.budget
        self._sandbox.end_worker()
        try:
            unchanged = ((b"", task) for task in tasks)
            for trace in self._search_all(unchanged, budget):
                if self.is_sealed:
                    trace.text = NO_TEXT
                yield trace
        finally:
            self._sandbox.end_worker()

    def run_changed(
        self, searches: Iterable[tuple[bytes, Task]], budget: Budget
    ) -> Iterator[Trace]:
        """Run changed submissions, and yield the Traces.

        The worker continues to run for the next call, with the file loaded. Raises
        ValueError if the session is sealed.

        searches: (change, task) of each search. A change is code from a tool, which
            replaces definitions of the file, or b"" for the unchanged submission.
        """
        if self.is_sealed:
            raise ValueError("a changed submission must not run after a hidden tree")
        yield from self._search_all(searches, budget)

    def _search_all(self, searches, budget):
        """Yield the Trace of each (change, task). Several searches are ordered together.

        The batches grow, because a caller may stop after any search. The worker is ended if
        a search neither returned nor raised, or if its function has no more time.
        """
        searches = iter(searches)
        waiting = deque()  # searches that were taken, but have no Trace
        size = 1
        while True:
            waiting.extend(islice(searches, size - len(waiting)))
            if not waiting:
                return
            _, task = waiting[0]
            try:
                worker = self._prepare_worker(budget, task.function)
            except SearchFailure as failure:
                waiting.popleft()
                yield not_begun(task, failure.ending, failure.text)
                continue
            for trace in worker.search(_next_batch(waiting)):
                waiting.popleft()
                budget.count(trace)
                goes_on = trace.ending.by_itself and not budget.refusal_of(trace.function)
                if not goes_on:
                    self._sandbox.end_worker()
                yield trace
                if not goes_on:
                    break
            size = min(2 * size, MAX_BATCH)

    def _prepare_worker(self, budget, function):
        """Return a worker that has loaded the file and has no results to send.

        Start the clock of the next search. Raises SearchFailure if it fails, or if no more
        searches of the function may run. The file is not loaded again if it failed.
        """
        budget.start_clock()
        refusal = budget.refusal_of(function)
        if refusal is not None:
            raise SearchFailure(refusal)
        if budget.load_failure is not None:
            raise budget.load_failure
        worker = self._sandbox.workers.get(SUBMISSION)
        if worker is not None and worker.drain():
            return worker
        worker = self._sandbox.fork_worker(budget.limits)
        try:
            worker.load(self.source)
        except SearchFailure as failure:
            if self.is_sealed:  # the name of an exception could tell of a hidden tree
                failure.ending = Ending(failure.ending.kind)
            budget.load_failure = failure
            self._sandbox.end_worker()
            raise
        budget.start_clock()  # the time for loading is not that of a function
        return worker

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
        `tool(source, *arguments)` and runs none of the submission's code. It has the
        modules of earlier calls, until a tool fails.
        """
        worker = self._sandbox.workers.get(TOOLS)
        if worker is None:
            worker = self._sandbox.fork_worker(budget.limits, TOOLS)
        names = [*helpers, tool.__module__]
        new = [(name, _code_of(name)) for name in names if name not in worker.modules]
        worker.modules.update(names)
        order: Any = new, tool.__module__, tool.__name__, (self.source, *arguments)
        result = worker.use_tool(marshal.dumps(order))
        if not result:
            self._sandbox.end_worker(TOOLS)
        return result


def _next_batch(waiting):
    """Return the first searches, as many as are of one function."""
    _, first = waiting[0]
    return list(takewhile(lambda one: one[1].function == first.function, waiting))


@cache
def _code_of(name):
    """Return the code of a module that has been imported."""
    path = str(sys.modules[name].__file__)
    return SourceFileLoader(name, path).get_code(name)
