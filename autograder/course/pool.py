"""A pool of processes in which the death of one costs one item, never the pool.

Unlike concurrent.futures, which gives up all that is under way when one process
dies, this pool knows which item a process had in hand, and how long it has had it.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import time
from collections import deque
from dataclasses import dataclass
from multiprocessing import connection

SECONDS_TO_STOP = 0.5  # that a process has to leave by itself after a Ctrl-C
GLANCE_SECONDS = 0.25  # between two looks at the clock; also how fast a Ctrl-C is seen


@dataclass(frozen=True)
class Lost:
    """No result: the process died, raised or hung. `reason` says which, in a line."""

    reason: str


@dataclass
class _Process:
    """One process, the pool's end of its pipe, and the item it has in hand."""

    process: object
    pipe: object
    turn: int
    item: object = None
    since: float = 0.0


class Pool:
    """Runs `work(item)` for many items in `jobs` processes.

    `make_work(turn)` is called once in each process and returns a context manager
    whose value is `work`; `turn` counts the processes from 0. An item that takes
    longer than `patience` seconds is lost and its process killed. Use it as a
    context manager: leaving by an exception stops at once, else it ends in peace.
    """

    def __init__(self, jobs, make_work, patience):
        self._context = multiprocessing.get_context("fork")
        self._make_work = make_work
        self._patience = patience
        self._processes = []
        self._jobs = jobs

    def __enter__(self):
        for turn in range(self._jobs):
            self._start(turn)
        return self

    def __exit__(self, kind, *_):
        for one in self._processes:
            if kind is not None:
                one.process.terminate()
            one.pipe.close()
        deadline = time.monotonic() + (SECONDS_TO_STOP if kind else 10)
        for one in self._processes:
            one.process.join(max(0.0, deadline - time.monotonic()))
            if one.process.is_alive():
                one.process.kill()
                one.process.join()

    def run(self, items):
        """Yield (item, result or Lost) for each item, in the order they are done."""
        waiting = deque(items)
        while waiting or any(one.item is not None for one in self._processes):
            for one in list(self._processes):
                if one.item is None and waiting:
                    self._give(one, waiting.popleft())
            yield from self._collect()

    def _start(self, turn):
        ours, theirs = self._context.Pipe()
        others = [one.pipe for one in self._processes] + [ours]
        process = self._context.Process(
            target=_serve, args=(theirs, others, self._make_work, turn), daemon=True
        )
        process.start()
        theirs.close()
        self._processes.append(_Process(process, ours, turn))

    def _give(self, one, item):
        one.item, one.since = item, time.monotonic()
        with contextlib.suppress(OSError):  # it died idle: the next look finds that
            one.pipe.send(item)

    def _collect(self):
        busy = [one for one in self._processes if one.item is not None]
        ready = connection.wait([one.pipe for one in busy], GLANCE_SECONDS)
        for one in busy:
            item = one.item
            if one.pipe in ready:
                yield item, self._receive(one)
            elif time.monotonic() - one.since > self._patience:
                one.process.kill()
                self._replace(one)
                yield item, Lost(f"its grader gave no answer for {self._patience:g} s")

    def _receive(self, one):
        try:
            result = one.pipe.recv()
        except (EOFError, OSError):
            self._replace(one)
            return Lost(f"its grader ended ({_how(one.process.exitcode)})")
        one.item = None
        return result

    def _replace(self, one):
        one.pipe.close()
        one.process.join()
        self._processes.remove(one)
        self._start(one.turn)


def _how(exitcode):
    if exitcode is not None and exitcode < 0:
        return f"killed by {signal.Signals(-exitcode).name}"
    return f"exit status {exitcode}"


def _serve(pipe, others, make_work, turn):
    """Serve the pool from a process of its own until the pipe is closed.

    The terminal sends Ctrl-C to every process; only the pool acts on it, and stops
    this process by a terminate, which raises KeyboardInterrupt here.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for other in others:
        other.close()
    with contextlib.suppress(KeyboardInterrupt, EOFError, OSError), make_work(turn) as work:
        while True:
            item = pipe.recv()
            try:
                result = work(item)
            except Exception as error:
                text = " ".join(str(error).split())[:200]
                result = Lost(f"the grader failed: {type(error).__name__}: {text}")
            pipe.send(result)
