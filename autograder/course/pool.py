"""A pool of processes: the death of one costs the item in its hand only.

An executor of concurrent.futures cannot serve: one death breaks it for all items and
hides how the process ended, none of its calls ends a process that hangs, and it forks
the next process beside its own threads, which may hold locks.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import connection
from typing import NamedTuple

DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
SECONDS_TO_STOP = 5.0  # that a process has to leave by itself, which takes milliseconds
SECONDS_BETWEEN_LOOKS = 0.25  # at the clock; also how fast a Ctrl-C is seen
MAX_MESSAGE = 200  # characters of an exception's text


class WorkerFailure(NamedTuple):
    """Why an item has no result.

    message: one line that says how the process failed: it died, raised, hung, or could
        not start.
    at_start: whether it could not start. Then the next process will hardly start, either.
    """

    message: str
    at_start: bool = False


def run_in_pool(
    make_work: Callable, items: Iterable, jobs: int, patience: float
) -> Iterator[tuple]:
    """Yield (item, work(item)) for each item, as `jobs` processes get them done.

    make_work: is called as make_work(index) once in each process, with the number of the
        process from 0. It returns a context manager whose value is the function `work`.
    patience: seconds that an item may take. A process that takes longer is killed.

    Where a process fails, a WorkerFailure stands in place of the result, and the next item
    has a process of its own. Where the disk is full, the OSError is the result. Closing
    the generator stops all processes at once.
    """
    waiting = deque(items)
    workers = []
    for index in range(jobs):
        workers.append(_Worker(make_work, index, workers))
    try:
        while True:
            for worker in workers:
                worker.take_from(waiting)
            busy = [worker for worker in workers if worker.is_busy]
            if not busy:
                return
            connection.wait([worker.pipe for worker in busy], SECONDS_BETWEEN_LOOKS)
            for worker in busy:
                item = worker.item
                result = worker.poll_result(patience)
                if result is not None:
                    yield item, result
    finally:
        _stop([worker for worker in workers if worker.process])


class _Worker:
    """A place in the pool.

    process: the process that works here, None before the first.
    pipe: this end of the pipe to it.
    item: the item in hand, None if there is none.
    """

    def __init__(self, make_work, index, workers):
        self.process = None
        self.pipe = None
        self.item = None
        self._make_work = make_work
        self._index = index
        self._workers = workers

    @property
    def is_busy(self):
        """Whether an item is in hand."""
        return self.item is not None

    def take_from(self, waiting):
        """Take the next item if none is in hand, and there is one."""
        if self.is_busy or not waiting:
            return
        if self.process is None or self.process.exitcode is not None:
            self._start()
        self.item = waiting.popleft()
        self._taken_at = time.monotonic()
        with contextlib.suppress(OSError):  # it died just now: poll_result() finds out
            self.pipe.send(self.item)

    def _start(self):
        context = multiprocessing.get_context("fork")
        self.pipe, pipe_of_process = context.Pipe()
        inherited = [worker.pipe for worker in self._workers if worker.pipe]
        arguments = (pipe_of_process, inherited, self._make_work, self._index)
        self.process = context.Process(target=_serve, args=arguments, daemon=True)
        self.process.start()
        pipe_of_process.close()

    def poll_result(self, patience):
        """Return the result of the item in hand, or None if it is not there yet."""
        if self.pipe.poll():
            result = self._receive()
        elif time.monotonic() - self._taken_at > patience:
            self.process.kill()
            self.process.join()
            result = WorkerFailure(f"its grader gave no answer for {patience:g} s")
        else:
            return None
        self.item = None
        return result

    def _receive(self):
        try:
            result = self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            how = _how_it_ended(self.process.exitcode)
            return WorkerFailure(f"its grader ended ({how})")
        if isinstance(result, WorkerFailure):  # then the process leaves
            self.process.join()
        return result


def _how_it_ended(exitcode):
    if exitcode < 0:
        return f"killed by {signal.Signals(-exitcode).name}"
    return f"exit status {exitcode}"


def _stop(workers):
    """Have the processes leave by themselves; kill those that do not in time."""
    deadline = time.monotonic() + SECONDS_TO_STOP
    for worker in workers:
        worker.process.terminate()
        worker.pipe.close()
    for worker in workers:
        remaining = deadline - time.monotonic()
        worker.process.join(max(0.0, remaining))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()


# ---- in a process of the pool


def _serve(pipe, inherited, make_work, index):
    """Work on what comes through the pipe, until the pool closes it.

    The terminal sends Ctrl-C to every process. Only the pool acts on it, and stops
    this process by a terminate, which raises KeyboardInterrupt here.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for pipe_of_another in inherited:
        pipe_of_another.close()
    gc.freeze()  # the kit came by the fork, for good: no need to go through it
    with (
        contextlib.suppress(KeyboardInterrupt, EOFError, OSError),  # the pool is closed
        contextlib.ExitStack() as stack,
    ):
        try:
            work = stack.enter_context(make_work(index))
        except Exception as error:
            pipe.send(_failure_of(error, "the grader could not start", at_start=True))
            return
        _work_until_one_fails(work, pipe)


def _work_until_one_fails(work, pipe):
    """Send the result of each item that comes; return after the first failure."""
    result = None
    while not isinstance(result, WorkerFailure):
        item = pipe.recv()
        try:
            result = work(item)
        except Exception as error:
            result = _failure_of(error, "the grader failed")
        pipe.send(result)


def _failure_of(error, what_happened, at_start=False):
    """Return the WorkerFailure of an exception, or the exception if the disk is full."""
    if getattr(error, "errno", None) in DISK_FULL:
        return error
    text = " ".join(str(error).split())[:MAX_MESSAGE]
    message = f"{what_happened}: {type(error).__name__}: {text}"
    return WorkerFailure(message, at_start)
