"""Work on many items in processes, and pin processes to processors.

A failed process of run_in_pool() costs only its current item, and in_parallel() stops at
the first failure. An executor of concurrent.futures is not suitable. One dead process
breaks it for all items and hides the exit status. It cannot end a process that hangs. It
also forks beside its own threads, which may hold locks.
"""

from __future__ import annotations

import contextlib
import gc
import math
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import NamedTuple

from autograder.ground.plaintext import sanitize
from gametree.support.errors import InputError

# multiprocessing is imported where it is used, because a grading does not need it.

SECONDS_TO_STOP = 5.0  # for a process to exit, which takes milliseconds
SECONDS_BETWEEN_LOOKS = 0.25  # at the clock; also the longest delay of a Ctrl-C


def _usable_cpus():
    """Return the numbers of the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


ALL_CPUS = _usable_cpus()  # before this process is pinned


def cores() -> int:
    """Return the number of processors that this process may use, if it is not pinned."""
    return len(ALL_CPUS)


def pin_to_one_cpu(index: int | None = None) -> None:
    """Pin this process and its later children, but not those of in_parallel(), to one CPU.

    The grader and its worker take turns, so a second CPU would only add the time to wake
    it. `index` selects one of the CPUs that this process may use.
    """
    cpus = _usable_cpus()
    if index is None:
        index = os.getpid()
    use_cpus([cpus[index % len(cpus)]])


def use_cpus(cpus: Iterable[int]) -> None:
    """Use only these CPUs from now on, if the system can do it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cpus)


def in_parallel(
    work: Callable,
    items: Iterable,
    after_each: Callable[[], None] | None = None,
) -> list:
    """Return [work(item) for item in items], computed on all CPUs.

    `after_each()` is called after each result. The forked processes inherit `work` and the
    items, so only results are pickled. Raises RuntimeError if work() fails.
    """
    items = list(items)

    def work_on(index):
        return index, work(items[index])

    def make_work(_):
        use_cpus(ALL_CPUS)
        return contextlib.nullcontext(work_on)

    pool = run_in_pool(make_work, range(len(items)), cores(), patience=math.inf)
    results = {}
    with contextlib.closing(pool):
        for _, done in pool:
            if isinstance(done, WorkerFailure):
                raise RuntimeError(done.message)
            index, result = done
            results[index] = result
            if after_each is not None:
                after_each()
    return [results[index] for index in range(len(items))]


class WorkerFailure(NamedTuple):
    """The reason why an item has no result: a process died, raised an error or hung."""

    message: str


def run_in_pool(
    make_work: Callable, items: Iterable, jobs: int, patience: float
) -> Generator[tuple]:
    """Yield (item, work(item)) for each item, as `jobs` processes finish the items.

    make_work: called once in each process as make_work(index), with the number of the
        process, from 0. It returns a context manager that yields the function `work`.
    patience: the limit for an item, in seconds. A process that exceeds it is killed.

    If a process fails, the result is a WorkerFailure, and the next item has a new process.
    Raises InputError if a process cannot start. Closing the generator stops all processes
    at once.
    """
    from multiprocessing import connection

    waiting = deque(items)
    workers: list[_Worker] = []
    try:
        for index in range(min(jobs, len(waiting))):
            workers.append(_Worker(make_work, index, workers))
        while True:
            for worker in workers:
                worker.take_from(waiting)
            busy = [worker for worker in workers if worker.item is not None]
            if not busy:
                return
            connection.wait([worker.pipe for worker in busy], SECONDS_BETWEEN_LOOKS)
            for worker in busy:
                item = worker.item
                result = worker.poll_result(patience)
                if isinstance(result, InputError):
                    raise result
                if result is not None:
                    yield item, result
    finally:
        _stop(workers)


class _Worker:
    """A worker of the pool, with one process at a time.

    process: the current process.
    pipe: the pool's end of the pipe to the process.
    item: the current item, None if the worker is idle.
    """

    def __init__(self, make_work, index, workers):
        self.item = None
        self._make_work = make_work
        self._index = index
        self._workers = workers
        self._start()

    def take_from(self, waiting):
        """Take the next waiting item, if the worker is idle."""
        if self.item is not None or not waiting:
            return
        if self.process.exitcode is not None:
            self._start()
        self.item = waiting.popleft()
        self._taken_at = time.monotonic()
        with contextlib.suppress(OSError):  # it has just died; poll_result() detects this
            self.pipe.send(self.item)

    def _start(self):
        from multiprocessing import get_context

        context = get_context("fork")
        self.pipe, pipe_of_process = context.Pipe()
        inherited = [worker.pipe for worker in (*self._workers, self)]
        arguments = (pipe_of_process, inherited, self._make_work, self._index)
        self.process = context.Process(target=_serve, args=arguments, daemon=True)
        self.process.start()
        pipe_of_process.close()

    def poll_result(self, patience):
        """Return the result of the current item, or None if it is not ready."""
        if self.pipe.poll():
            result = self._receive()
        elif time.monotonic() - self._taken_at > patience:
            self.process.kill()
            self.process.join()
            result = WorkerFailure(f"the grader did not answer within {patience:g} s")
        else:
            return None
        self.item = None
        return result

    def _receive(self):
        try:
            result = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            return WorkerFailure(f"the grader ended ({_describe_exit(self.process)})")
        if isinstance(result, WorkerFailure):  # the process exits after a failure
            self.process.join()
        return result


def _describe_exit(process):
    """Return the exit status of a process, or the signal that killed it."""
    status = process.exitcode
    if status >= 0:
        return f"exit status {status}"
    return f"killed by signal {-status}"


def _stop(workers):
    """Terminate the processes, and kill those that do not exit in time."""
    for worker in workers:
        worker.process.terminate()
        worker.pipe.close()
    for worker in workers:
        worker.process.join(SECONDS_TO_STOP)
        worker.process.kill()
        worker.process.join()


# ---- in a process of the pool


def _serve(pipe, inherited, make_work, index):
    """Work on items from the pipe until the pool closes it, or until one fails.

    The terminal sends Ctrl-C to every process. Only the pool handles it. The pool then
    sends SIGTERM to this process, which raises KeyboardInterrupt here.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for pipe_of_another in inherited:
        pipe_of_another.close()
    gc.freeze()  # the kit is never freed, so the collector can skip it
    with (
        contextlib.suppress(KeyboardInterrupt, EOFError, OSError),  # the pool is closed
        contextlib.ExitStack() as stack,
    ):
        # Python's own exit must not be interrupted: it would print a traceback.
        stack.callback(signal.signal, signal.SIGTERM, signal.SIG_DFL)
        try:
            work = stack.enter_context(make_work(index))
        except Exception as error:
            why = f"the grader could not start: {_describe(error)}"
            pipe.send(InputError(f"{why}; fix this and run the same command again"))
            return
        result = None
        while not isinstance(result, WorkerFailure):
            result = _try_to(work, pipe.recv())
            pipe.send(result)


def _try_to(work, item):
    """Return the result of an item or a WorkerFailure."""
    try:
        return work(item)
    except Exception as error:
        return WorkerFailure(f"the grader failed: {_describe(error)}")


def _describe(error):
    if isinstance(error, InputError):
        return sanitize(str(error))
    return f"{type(error).__name__}: {sanitize(str(error))}"
