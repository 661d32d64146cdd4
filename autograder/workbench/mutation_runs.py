"""Run mutants on tasks without being stalled by one, on every core."""

from __future__ import annotations

import contextlib
import signal

from autograder.running.variants import quietly
from autograder.workbench.aspects import failures
from autograder.workbench.parallel import in_parallel

CPU_SECONDS = 0.5  # of one mutant on one tree; a right search needs a thousandth
MEMORY = 2 * 2**30  # bytes, of a process that runs mutants


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


def first_failures(mutants, pool, step=None):
    """Return the first_failure of each mutant, by processes with a bound on memory.

    `step()` is called as results come.
    """
    return in_parallel(lambda mutant: first_failure(mutant, pool), mutants, step, MEMORY)


def equivalent(mutants, pool, step=None):
    """Return the mutants that no tree of the pool tells from a right submission.

    `pool` holds one list of tasks for each tree, with the reference's traces.
    """
    found = first_failures(mutants, pool, step)
    return [mutant for mutant, index in zip(mutants, found) if index is None]
