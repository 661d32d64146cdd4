"""Run mutants on tasks without being stalled by one, on every core."""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import signal
from multiprocessing import get_context

from autograder.running.variants import quietly
from autograder.workbench.aspects import failures

CPU_SECONDS = 0.5  # of one mutant on one tree; a right search needs a thousandth
MEMORY = 2 * 2**30
CHUNK = 16


class Endless(BaseException):
    """Ends a mutant that computes on without looking at any node."""


@contextlib.contextmanager
def cpu_limit(seconds):
    """Raise Endless in the body once it has used so much of the processor."""

    def end(*_):
        raise Endless

    previous = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)


def fails(mutant, tasks, seconds=CPU_SECONDS):
    """Tell whether the mutant goes wrong on any of one tree's tasks.

    What runs into the limit is given four times as long before it counts as wrong:
    the limit includes whatever else the process has to do, as collecting garbage.
    """
    for limit in (seconds, 4 * seconds):
        try:
            with cpu_limit(limit), quietly():
                return any(True for _ in failures(mutant, tasks))
        except Endless:
            continue
        except Exception:
            return True
    return True


def first_failure(mutant, pool):
    """Return the index of the first of the pool's trees that it fails on, or None."""
    return next((index for index, tasks in enumerate(pool) if fails(mutant, tasks)), None)


def equivalent(mutants, pool, step=None):
    """Return the mutants that no tree of the pool tells from a right submission.

    `pool` holds one list of tasks for each tree, with the reference's traces.
    """
    found = in_processes(first_failure, mutants, pool, step)
    return [mutant for mutant, index in zip(mutants, found) if index is None]


def in_processes(work, mutants, pool, step=None):
    """Return [work(mutant, pool) for each mutant], by forked processes.

    `step()` is called as results come. Forking hands mutants and pool over without
    packing them; each process has a bound on its memory.
    """
    _WORK[:] = [work, mutants, pool]
    gc.freeze()  # else each process goes through the whole pool when it collects
    context = get_context("fork")
    try:
        with context.Pool(os.cpu_count(), _bound_memory) as workers:
            found = []
            for result in workers.imap(_run, range(len(mutants)), CHUNK):
                found.append(result)
                if step:
                    step()
            return found
    finally:
        gc.unfreeze()
        _WORK.clear()


_WORK = []


def _run(index):
    work, mutants, pool = _WORK
    return work(mutants[index], pool)


def _bound_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
