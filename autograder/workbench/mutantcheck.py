"""Prove that the hidden trees catch mutants: `make check MUTANTS=1`."""

from __future__ import annotations

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

BAR = 0.995  # of the mutants that any tree tells apart, the share to be caught
SMALL_LEAVES = 2
RANDOM_TREES = 400
CPU_SECONDS = 0.5  # of one mutant on one tree; a right search needs a thousandth
MEMORY = 2 * 2**30  # bytes, of a process that runs mutants


def check_mutants(kit, report):
    """Prove that the hidden trees catch generated mutants; list those that escape.

    The mutants that no tree of a large pool (small trees, exhaustively, and random
    ones) tells from right either are set aside as equivalent.
    """
    originals = load_variants(kit.root / "solution", kit.rubric.cutoff)
    originals += load_variants(kit.root / "solution" / "correct", kit.rubric.cutoff)
    mutants = mutants_of_all(originals)
    hidden = [task for task in kit.tasks if task.tree.name not in kit.public_names]
    with Progress(len(mutants), done="mutants run on the hidden trees") as progress:
        alive = survivors(mutants, hidden, progress.step)
    trees = [
        *random_trees(RANDOM_TREES, seed=1),
        *trees_up_to(SMALL_LEAVES, special_leaves=1),
    ]
    pool = [replace(tree, name=f"pool-{index}") for index, tree in enumerate(trees)]
    with Progress(len(alive), done="survivors run on the pool") as progress:
        equivalent = survivors(alive, tasks_for(pool, kit.reference), progress.step)
    names = {mutant.name for mutant in equivalent}
    escaped = [mutant.name for mutant in alive if mutant.name not in names]
    killable = len(mutants) - len(equivalent)
    caught = 1 - len(escaped) / killable
    report(
        f"the hidden trees catch {BAR:.1%} of the mutants that any tree tells apart",
        escaped if caught < BAR else (),
        f"{caught:.2%}: {killable - len(escaped)} of {killable}; {len(equivalent)} of "
        f"{len(mutants)} set aside as equivalent",
    )
    _list("escaped, though a tree of the pool tells them apart", escaped)
    _list("set aside as equivalent", sorted(names))


def _list(title, names):
    print(f"        {len(names)} {title}" + (":" if names else ""))
    for name in names:
        print(f"          {name}")


def survivors(mutants, tasks, step=None):
    """Return the mutants that no tree of the tasks tells from a right submission.

    They run in processes with a bound on memory; `step()` is called as each is done.
    """
    trees = [list(group) for _, group in groupby(tasks, key=lambda task: task.tree.name)]

    def is_caught(mutant):
        return any(fails(mutant, tasks_of_tree) for tasks_of_tree in trees)

    caught = in_parallel(is_caught, mutants, step, MEMORY)
    return [mutant for mutant, wrong in zip(mutants, caught) if not wrong]


def fails(mutant, tasks, seconds=CPU_SECONDS):
    """Tell whether the mutant goes wrong on any of one tree's tasks.

    What runs into the limit is given four times as long before it counts as wrong:
    the limit includes whatever else the process has to do, as collecting garbage.
    """

    def end(*_):
        raise Endless

    previous = signal.signal(signal.SIGVTALRM, end)
    try:
        for limit in (seconds, 4 * seconds):
            try:
                signal.setitimer(signal.ITIMER_VIRTUAL, limit)
                return next(failures(mutant, tasks), None) is not None
            except Endless:
                continue
            except Exception:
                return True
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return True
    finally:
        signal.signal(signal.SIGVTALRM, previous)


class Endless(BaseException):
    """Ends a mutant that computes on without looking at any node."""
