"""Pin this process to one processor, or use all processors."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial

MIN_ITEMS = 8  # with fewer items, it is not worth starting processes
CHUNK = 4  # items that a process receives at a time
_INHERITED = []  # (work, items) of each call of in_parallel() that is still running


def _usable_cpus():
    """Return the numbers of the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


ALL_CPUS = _usable_cpus()  # before this process is pinned


def cores() -> int:
    """Return the number of processors that this process may use."""
    return len(_usable_cpus())


def pin_to_one_cpu(index: int | None = None) -> Callable[[], None]:
    """Pin this process and its children to one CPU; return a function that undoes it.

    The grader and its worker take turns, so a second CPU would only add the time to wake
    it. `index` selects one of the CPUs that this process may use.
    """
    cpus = _usable_cpus()
    if index is None:
        index = os.getpid()
    return _use_cpus([cpus[index % len(cpus)]])


def _use_cpus(cpus):
    """Use only these CPUs, if the system can do it; return a function that undoes it."""
    before = _usable_cpus()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, cpus)
    return partial(_use_cpus, before)


@contextlib.contextmanager
def on_all_cpus() -> Iterator[None]:
    """Suspend every pin_to_one_cpu() within the context."""
    undo = _use_cpus(ALL_CPUS)
    try:
        yield
    finally:
        undo()


@on_all_cpus()
def in_parallel(
    work: Callable,
    items: Iterable,
    step: Callable[[], None] | None = None,
) -> list:
    """Return [work(item) for item in items], computed on all CPUs.

    `step()` is called after each result. The forked processes inherit `work` and the
    items, so these need not be pickled.
    """
    items = list(items)
    workers = cores()
    if workers == 1 or len(items) < MIN_ITEMS:
        return _collect(map(work, items), step)
    # Imported here, because grading a correct submission does not need them.
    import gc
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    _INHERITED.append((work, items))
    gc.freeze()  # otherwise each process's garbage collector visits all objects
    try:
        with ProcessPoolExecutor(workers, get_context("fork")) as pool:
            results = pool.map(_work_on, range(len(items)), chunksize=CHUNK)
            return _collect(results, step)
    finally:
        gc.unfreeze()
        _INHERITED.pop()


def _work_on(index):
    """Return the result for an item that this process has inherited."""
    work, items = _INHERITED[-1]
    return work(items[index])


def _collect(results, step):
    collected = []
    for result in results:
        collected.append(result)
        if step is not None:
            step()
    return collected
