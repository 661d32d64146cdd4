"""Do the same work for many items by forked processes, on every core."""

from __future__ import annotations

import gc
import resource
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context

from autograder.running.limits import cores

FEW = 8  # items that are not worth a process
CHUNK = 4  # items that are handed out at a time


def in_parallel(work, items, step=None, most_memory=None):
    """Return [work(item) for item in items].

    `step()` is called as each result comes. Forking hands over the items, and what
    `work` refers to, without packing them. With `most_memory`, in bytes, each process
    is bound to it, and nothing is done in this one.
    """
    items, workers = list(items), cores()
    if most_memory is None and (workers == 1 or len(items) < FEW):
        return [work(item) for item in items]
    _INHERITED.append((work, items))
    gc.freeze()  # else each process goes through all that it inherits when it collects
    try:
        fork, bind = get_context("fork"), partial(_bind, most_memory)
        with ProcessPoolExecutor(workers, fork, bind) as pool:
            found = []
            for result in pool.map(_call, range(len(items)), chunksize=CHUNK):
                found.append(result)
                if step:
                    step()
            return found
    finally:
        gc.unfreeze()
        _INHERITED.pop()


_INHERITED = []


def _bind(most_memory):
    if most_memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (most_memory, most_memory))


def _call(index):
    work, items = _INHERITED[-1]
    return work(items[index])
