"""The processors that this machine has: pin to one of them, or work on all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator

MIN_ITEMS = 8  # fewer are not worth a process
CHUNK = 4  # items that a process is given at a time
_CPUS_BEFORE_PINNING = []  # a set of CPUs for each pin that was not undone, oldest first
_INHERITED = []  # (work, items) of each call of in_parallel() that is not done


def cores() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def pin_to_one_cpu(index: int | None = None) -> Callable[[], None]:
    """Keep this process and its children on one CPU; return the function that undoes it.

    Grader and worker take turns, so a second CPU only adds the time that waking
    it takes. `index` picks among the CPUs that this process may use.
    """
    if not hasattr(os, "sched_setaffinity"):
        return _do_nothing
    before = os.sched_getaffinity(0)
    cpus = sorted(before)
    if index is None:
        index = os.getpid()
    os.sched_setaffinity(0, {cpus[index % len(cpus)]})
    _CPUS_BEFORE_PINNING.append(before)
    return _unpin


def _do_nothing():
    """Undo nothing: this system cannot pin a process."""


def _unpin():
    os.sched_setaffinity(0, _CPUS_BEFORE_PINNING.pop())


@contextlib.contextmanager
def on_all_cpus() -> Iterator[None]:
    """Lift every pin_to_one_cpu() within the context."""
    if not _CPUS_BEFORE_PINNING:
        yield
        return
    pinned = os.sched_getaffinity(0)
    os.sched_setaffinity(0, _CPUS_BEFORE_PINNING[0])
    try:
        yield
    finally:
        os.sched_setaffinity(0, pinned)


def in_parallel(
    work: Callable,
    items: Iterable,
    step: Callable[[], None] | None = None,
) -> list:
    """Return [work(item) for item in items], computed on every core.

    `step()` is called as each result comes. Forking hands over the items, and what
    `work` refers to, without packing them.
    """
    items = list(items)
    workers = cores()
    if workers == 1 or len(items) < MIN_ITEMS:
        return _collect(map(work, items), step)
    # Imported here, since grading a right submission does not need them.
    import gc
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    _INHERITED.append((work, items))
    gc.freeze()  # else each process goes through all that it inherits when it collects
    try:
        with ProcessPoolExecutor(workers, get_context("fork")) as pool:
            results = pool.map(_work_on, range(len(items)), chunksize=CHUNK)
            return _collect(results, step)
    finally:
        gc.unfreeze()
        _INHERITED.pop()


def _work_on(index):
    """Return the result of an item, in a process that inherited all of them."""
    work, items = _INHERITED[-1]
    return work(items[index])


def _collect(results, step):
    collected = []
    for result in results:
        collected.append(result)
        if step is not None:
            step()
    return collected
