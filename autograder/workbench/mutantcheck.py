"""The mutants' part of `make check MUTANTS=1`: generated slips that nobody listed."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from autograder.progress import Progress
from autograder.running.reference import tasks_for
from autograder.running.smalltrees import small_trees
from autograder.running.variants import load_variants
from autograder.workbench.mutants import mutants_of_all
from autograder.workbench.mutation_runs import equivalent
from autograder.workbench.randomtrees import random_trees

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
        *small_trees(SMALL_LEAVES, special_leaves=1),
    ]
    return [replace(tree, name=f"pool-{turn}") for turn, tree in enumerate(trees)]


def _survivors(mutants, tasks, done):
    by_tree = [list(group) for _, group in groupby(tasks, key=lambda task: task.tree.name)]
    with Progress(len(mutants), done=done) as progress:
        return equivalent(mutants, by_tree, progress.step)


def _list(title, names):
    print(f"        {len(names)} {title}" + (":" if names else ""))
    for name in names:
        print(f"          {name}")
