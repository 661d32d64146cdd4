"""Run mutants on tasks without being stalled by one, on every core."""

from __future__ import annotations

import contextlib
import signal
from dataclasses import replace
from itertools import groupby

from autograder.mistakes.variants import load_variants
from autograder.smalltrees.enumeration import trees_up_to
from autograder.smalltrees.randomtrees import random_trees
from autograder.tasks import tasks_for
from autograder.utilities import Progress, in_parallel
from autograder.workbench.killmatrix import failures
from autograder.workbench.mutants import mutants_of_all

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
            with cpu_limit(limit):
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


BAR = 0.995  # of the mutants that any tree tells apart, the share to be caught
SMALL_LEAVES = 2
RANDOM_TREES = 400


def check_mutants(kit, report):
    """Prove that the hidden trees catch generated mutants; list those that escape.

    The mutants that no tree of a large pool (small trees, exhaustively, and random
    ones) tells from right either are set aside as equivalent.
    """
    originals = load_variants(kit.root / "solution", kit.rubric.cutoff)
    originals += load_variants(kit.root / "solution" / "correct", kit.rubric.cutoff)
    mutants = mutants_of_all(originals)
    hidden = [task for task in kit.tasks if task.tree.name not in kit.public_names]
    survivors = _survivors(mutants, hidden, "mutants run on the hidden trees")
    pool = tasks_for(_pool(), kit.reference)
    equal = _survivors(survivors, pool, "survivors run on the pool")
    alike = {mutant.name for mutant in equal}
    escaped = [mutant.name for mutant in survivors if mutant.name not in alike]
    killable = len(mutants) - len(equal)
    caught = 1 - len(escaped) / killable
    report(
        f"the hidden trees catch {BAR:.1%} of the mutants that any tree tells apart",
        escaped if caught < BAR else (),
        f"{caught:.2%}: {killable - len(escaped)} of {killable}; {len(equal)} of "
        f"{len(mutants)} set aside as equivalent",
    )
    _list("escaped, though a tree of the pool tells them apart", escaped)
    _list("set aside as equivalent", sorted(alike))


def _pool():
    trees = [
        *random_trees(RANDOM_TREES, seed=1),
        *trees_up_to(SMALL_LEAVES, special_leaves=1),
    ]
    return [replace(tree, name=f"pool-{index}") for index, tree in enumerate(trees)]


def _survivors(mutants, tasks, done):
    by_tree = [list(group) for _, group in groupby(tasks, key=lambda task: task.tree.name)]
    with Progress(len(mutants), done=done) as progress:
        return equivalent(mutants, by_tree, progress.step)


def _list(title, names):
    print(f"        {len(names)} {title}" + (":" if names else ""))
    for name in names:
        print(f"          {name}")
