"""Prove that the hidden trees catch mutants: `make check MUTANTS=1`.

First those of mutants.py, changed in one place; then those of conditional.py, which go
wrong only where a tree is wide, deep, large, or close.
"""

from __future__ import annotations

import ast
import random
import signal
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import groupby, islice

from autograder.mistakes.variants import load_variants
from autograder.smalltrees.enumeration import trees_up_to
from autograder.smalltrees.randomtrees import random_trees
from autograder.smalltrees.telling import telling_trees
from autograder.tasks import tasks_for
from autograder.utilities import Progress, in_parallel
from autograder.workbench.conditional import Reach, conditionals, sites_of
from autograder.workbench.killmatrix import failures
from autograder.workbench.mutants import mutants_of_all

BAR = 0.995  # of the mutants that any tree tells apart, the share to be caught
SMALL_LEAVES = 2
RANDOM_TREES = 400
CPU_SECONDS = 0.5  # of one mutant on one tree; a right search needs a thousandth
MEMORY = 2 * 2**30  # bytes, of a process that runs mutants
# Right programs in other styles, whose changes are tried too.
BASES = ("aima_order", "move_by_alphabeta", "move_by_loop", "move_with_running_window")
CONDITIONAL_BAR = 0.9  # the aim is 0.99; what is left are mostly rare pairs
SHARE = 12  # one in so many conditional mutants is run: all of them would take an hour
TELLING_SEEDS = 12  # of the pool's trees that are wide, deep, large or close
MOST_TRIED = 60  # trees of the pool that a conditional mutant is run on


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


@cache
def conditional_sites(root, convention, bases=BASES):
    """Return the sites of the reference, and of right programs in other styles."""
    originals = list(load_variants(root / "solution", convention))
    others = load_variants(root / "solution" / "correct", convention)
    originals += [variant for variant in others if variant.name in bases]
    sites, known = [], set()
    for variant in originals:
        sites += sites_of(variant, known)
        known |= set(map(ast.dump, ast.parse(variant.source).body))
    return sites


def check_conditionals(kit, report, share=SHARE):
    """Prove that the hidden trees catch conditional mutants; list those that escape.

    Those that no tree of a pool tells from right are set aside as equivalent: it holds
    telling trees, which go to the edges of what a tree may hold, and random ones.
    """
    sites = conditional_sites(kit.root, kit.rubric.cutoff)
    hidden = [task for task in kit.tasks if task.tree.name not in kit.public_names]
    reach = Reach(sites, hidden)
    mutants = conditionals(sites, share)
    with Progress(len(mutants), done="conditional mutants run") as progress:
        alive = uncaught(mutants, reach, step=progress.step)
    pool = [
        tree for seed in range(TELLING_SEEDS) for tree in telling_trees(random.Random(seed))
    ]
    pool += random_trees(RANDOM_TREES // 4, seed=2)
    pool = [replace(tree, name=f"pool-{index}") for index, tree in enumerate(pool)]
    reach = Reach(sites, tasks_for(pool, kit.reference))
    with Progress(len(alive), done="survivors run on the pool") as progress:
        equivalent = set(uncaught(alive, reach, MOST_TRIED, progress.step))
    escaped = [mutant for mutant in alive if mutant not in equivalent]
    killable = Counter(mutant.kind for mutant in mutants if mutant not in equivalent)
    missed = Counter(mutant.kind for mutant in escaped)
    caught = 1 - len(escaped) / max(1, killable.total())
    report(
        f"they catch {CONDITIONAL_BAR:.0%} of those that go wrong under a condition only",
        [mutant.name for mutant in escaped] if caught < CONDITIONAL_BAR else (),
        f"{caught:.2%}: {killable.total() - len(escaped)} of {killable.total()}; "
        f"{len(equivalent)} of {len(mutants)} set aside as equivalent; "
        f"one in {share} of all was run",
    )
    for kind, number in sorted(killable.items()):
        print(f"        {number - missed[kind]:6} of {number:6}  {kind or 'elsewhere'}")
    _list("escaped, though a tree of the pool tells them apart", [m.name for m in escaped])


def uncaught(mutants, reach, most_trees=None, step=None):
    """Return the conditional mutants that no tree of a Reach tells from right.

    Each is run on the first `most_trees` that it may be told apart on.
    """

    def is_caught(mutant):
        trees = islice(reach.of(mutant), most_trees)
        return any(fails(mutant, tasks, twice=mutant.stateful) for tasks in trees)

    caught = in_parallel(is_caught, mutants, step, MEMORY)
    return [mutant for mutant, wrong in zip(mutants, caught) if not wrong]


def all_catching(mutants, reach, step=None):
    """Return, for each conditional mutant, the names of all trees that catch it."""

    def names(mutant):
        return [
            tasks[0].tree.name
            for tasks in reach.of(mutant)
            if fails(mutant, tasks, twice=mutant.stateful)
        ]

    return in_parallel(names, mutants, step, MEMORY)


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


def fails(mutant, tasks, seconds=CPU_SECONDS, twice=True):
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
                return next(failures(mutant, tasks, twice), None) is not None
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
