"""Processes that do the work of a course, so that the death of one costs one item."""

from __future__ import annotations

import contextlib
import errno
import gc
import multiprocessing
import signal
import time
from collections import deque
from dataclasses import dataclass
from multiprocessing import connection

DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
SECONDS_TO_STOP = 0.5  # that a process has to leave by itself after a Ctrl-C
SECONDS_TO_END = 10  # and when all is done
GLANCE_SECONDS = 0.25  # between two looks at the clock; also how fast a Ctrl-C is seen


@dataclass(frozen=True)
class Lost:
    """No result: the process died, raised or hung. `reason` says which, in a line."""

    reason: str


@dataclass(frozen=True)
class Full(Lost):
    """No result, and none for anybody: what was graded cannot be written."""

    def __str__(self):
        return f"{self.reason}; make room, and the same command goes on from here"


def pooled(make_work, items, jobs, patience):
    """Yield (item, work(item) or Lost) for each item, as `jobs` processes get them done.

    `make_work(index)` is called once in each process and returns a context manager
    whose value is `work`; `index` counts the processes from 0. A death costs the item
    in hand only. An item that takes longer than `patience` seconds is lost and its
    process killed. Closing the generator stops all at once.

    An executor of concurrent.futures cannot serve: one death breaks it for all items
    and hides how the process ended, no call of it ends a process that hangs, and it
    forks the next process beside its own threads, which may hold locks.
    """
    waiting, workers, done = deque(items), [], False
    try:
        for index in range(jobs):
            workers.append(_Worker(make_work, index, workers))
        while True:
            for worker in workers:
                if worker.item is None and waiting:
                    worker.begin(waiting.popleft())
            busy = [worker for worker in workers if worker.item is not None]
            if not busy:
                done = True
                return
            ready = connection.wait([worker.pipe for worker in busy], GLANCE_SECONDS)
            for worker in busy:
                item = worker.item
                if worker.pipe in ready:
                    result = worker.finish()
                elif time.monotonic() - worker.since > patience:
                    worker.process.kill()
                    worker.process.join()
                    result = Lost(f"its grader gave no answer for {patience:g} s")
                else:
                    continue
                if worker.process.exitcode is not None:
                    worker.pipe.close()
                    workers.remove(worker)
                    workers.append(_Worker(make_work, worker.index, workers))
                yield item, result
    finally:
        _stop(workers, at_once=not done)


class _Worker:
    """One process, the pool's end of its pipe, and since when it has an item in hand."""

    def __init__(self, make_work, index, others):
        context = multiprocessing.get_context("fork")
        self.index = index
        self.item = None
        self.pipe, theirs = context.Pipe()
        inherited = [self.pipe, *(other.pipe for other in others)]
        arguments = (theirs, inherited, make_work, index)
        self.process = context.Process(target=_serve, args=arguments, daemon=True)
        self.process.start()
        theirs.close()

    def begin(self, item):
        """Hand over an item."""
        self.item, self.since = item, time.monotonic()
        with contextlib.suppress(OSError):  # it died idle: finish() tells
            self.pipe.send(item)

    def finish(self):
        """Return the result of the item in hand, or Lost where the process ended."""
        self.item = None
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            code = self.process.exitcode
            how = f"killed by {signal.Signals(-code).name}" if code < 0 else ""
            return Lost(f"its grader ended ({how or f'exit status {code}'})")


def _stop(workers, at_once):
    """Have the processes leave by themselves; kill those that do not in time."""
    deadline = time.monotonic() + (SECONDS_TO_STOP if at_once else SECONDS_TO_END)
    for worker in workers:
        if at_once:
            worker.process.terminate()
        worker.pipe.close()
    for worker in workers:
        worker.process.join(max(0.0, deadline - time.monotonic()))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()


def _serve(pipe, others, make_work, index):
    """Serve the pool from a process of its own until the pipe is closed.

    The terminal sends Ctrl-C to every process; only the pool acts on it, and stops
    this process by a terminate, which raises KeyboardInterrupt here.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for other in others:
        other.close()
    gc.freeze()  # the kit came by the fork, for good: no need to go through it
    with (
        contextlib.suppress(KeyboardInterrupt, EOFError, OSError),
        make_work(index) as work,
    ):
        while True:
            item = pipe.recv()
            try:
                result = work(item)
            except Exception as error:
                text = " ".join(str(error).split())[:200]
                result = Lost(f"the grader failed: {type(error).__name__}: {text}")
                if getattr(error, "errno", None) in DISK_FULL:
                    result = Full(error.strerror)
            pipe.send(result)
