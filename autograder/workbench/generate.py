"""Generate a fresh hidden set: `make trees SEED=7 [COUNT=40] [FORCE=1] [KEEP=1]`.

Trees that name a `source` (the textbooks') stay and count; all others are made
anew. With KEEP=1 all trees stay, and the fresh ones fill the gaps that they leave.
The same seed gives the same files, byte for byte.
"""

from __future__ import annotations

import itertools
import os
import shutil
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.kit import ROOT, load_reference
from autograder.progress import Progress
from autograder.rubric import load_rubric
from autograder.running.reference import tasks_for
from autograder.running.variants import load_variants
from autograder.workbench.candidates import candidates
from autograder.workbench.command import Parser, Refused, run
from autograder.workbench.killmatrix import WANTED, rows_lost
from autograder.workbench.lessons import lesson_of
from autograder.workbench.parallel import in_parallel
from autograder.workbench.properties import properties_of, written_root
from autograder.workbench.selection import choose, shortfalls
from autograder.workbench.toorder import leaves_below
from gametree import TreeError, dump_tree, load_trees, parse_tree
from gametree.position import FUNCTIONS

POOL = 900  # candidates that a set is chosen from
MOST_LOOKS = 300  # of the reference, in all searches of one tree


@dataclass(frozen=True)
class Pool:
    """Candidates and what is known of each, by name.

    `kills` maps tree -> Counter of mistake -> rows that kill it; `given` is that
    Counter for the trees that stay.
    """

    trees: dict
    sizes: dict
    properties: dict
    kills: dict
    given: Counter


def make_pool(seed, mistakes, reference, staying=(), count=POOL, step=None):
    """Run every mistake on every candidate tree of a seed; return the Pool."""
    trees, sizes, tasks = {}, {}, []
    shapes = {(written_root(tree), tree.maximizing) for tree in staying}
    for tree in candidates(seed, count):
        own = tasks_for([tree], reference)
        looks = sum(len(task.expected.events) for task in own)
        shape = written_root(tree), tree.maximizing
        if looks <= MOST_LOOKS and shape not in shapes and can_be_written(tree):
            shapes.add(shape)
            trees[tree.name], sizes[tree.name] = tree, looks
            tasks += own
    staying_tasks = tasks_for(staying, reference)

    def killed_by(mistake):
        functions = mistake.shows or FUNCTIONS
        return (
            rows_lost(mistake, tasks, functions),
            len(rows_lost(mistake, staying_tasks, functions)),
        )

    kills, given = {name: Counter() for name in trees}, Counter()
    for mistake, (rows, already) in zip(mistakes, in_parallel(killed_by, mistakes, step)):
        given[mistake.name] = already
        for _, tree in rows:
            kills[tree][mistake.name] += 1
    properties = {name: properties_of(tree, reference) for name, tree in trees.items()}
    return Pool(trees, sizes, properties, kills, given)


def can_be_written(tree):
    """Tell whether a tree file can hold the tree, searches and all."""
    try:
        return not tree.root.terminal and parse_tree(dump_tree(tree), tree.name)
    except TreeError:
        return False


def name_trees(pool, chosen, staying, convention="equality"):
    """Return the chosen trees with file names, titles and lessons of their own."""
    taken, named = {tree.lesson for tree in staying}, []
    used = {tree.name for tree in staying}
    numbers = (n for n in itertools.count(1) if f"fresh-{n:02d}" not in used)
    for number, name in zip(numbers, sorted(chosen)):
        tree, properties = pool.trees[name], pool.properties[name]
        leaves = leaves_below(tree.root)
        player = "MAX" if tree.maximizing else "MIN"
        named.append(
            replace(
                tree,
                name=f"fresh-{number:02d}",
                title=f"Fresh tree {number}: {player} root, {leaves} leaves",
                lesson=lesson_of(tree, properties, taken, convention),
            )
        )
    return named


def write_set(folder, trees, staying):
    """Replace the folder by one that holds these trees, in one step.

    The files of the trees that stay are copied as they are.
    """
    fresh = folder.with_name(f".{folder.name}.new")
    old = folder.with_name(f".{folder.name}.old")
    for leftover in (fresh, old):
        shutil.rmtree(leftover, ignore_errors=True)
    fresh.mkdir(parents=True)
    for tree in staying:
        shutil.copyfile(folder / f"{tree.name}.yaml", fresh / f"{tree.name}.yaml")
    for tree in trees:
        text = dump_tree(tree)
        (fresh / f"{tree.name}.yaml").write_text(text, encoding="utf-8", newline="\n")
    if folder.exists():
        os.replace(folder, old)
    os.replace(fresh, folder)
    shutil.rmtree(old, ignore_errors=True)


def parse(arguments):
    """Return the command's options."""
    parser = Parser(prog="make trees", description=__doc__)
    parser.add_argument("--seed", type=int, required=True, help="a number: SEED=7")
    parser.add_argument("--count", type=int, default=40, help="fresh trees: COUNT=40")
    parser.add_argument("--out", default=str(ROOT / "trees" / "hidden"), help="folder")
    parser.add_argument("--keep", action="store_true", help="add to the set: KEEP=1")
    parser.add_argument("--force", action="store_true", help="replace a set: FORCE=1")
    options = parser.parse_args(arguments)
    if options.count < 1:
        raise Refused("COUNT: at least one fresh tree; leave it out for 40")
    return options


def main(arguments=None):
    """Generate the set and say what it kills; 2 where nothing may be written."""
    options = parse(arguments)
    folder = Path(options.out)
    present = load_trees(folder) if folder.is_dir() else []
    staying = [tree for tree in present if tree.source or options.keep]
    if len(staying) < len(present) and not options.force:
        made = len(present) - len(staying)
        print(
            f"trees: {folder} holds a set ({made} trees); write FORCE=1 to replace it",
            file=sys.stderr,
        )
        return 2
    convention = load_rubric(ROOT / "autograder" / "rubric.yaml").cutoff
    reference = load_reference(ROOT, convention)
    mistakes = load_variants(ROOT / "solution" / "mistakes", convention)
    with Progress(len(mistakes), done="mistakes run") as progress:
        pool = make_pool(options.seed, mistakes, reference, staying, step=progress.step)
    chosen = choose(pool.kills, pool.sizes, options.count, pool.properties, pool.given)
    write_set(folder, name_trees(pool, chosen, staying, convention), staying)
    report(pool, mistakes, chosen, folder, staying)
    return 0


def report(pool, mistakes, chosen, folder, staying):
    """Print what was written, how often mistakes are killed, and the next step."""
    print(f"wrote {len(chosen)} fresh trees to {folder}, beside {len(staying)} that stay")
    short = shortfalls(pool.kills, set(chosen), given=pool.given)
    enough = len(mistakes) - len(short)
    print(
        f"{enough} of {len(mistakes)} mistakes are killed by {WANTED} rows, "
        "or by all that can"
    )
    for name, (have, able) in sorted(short.items()):
        print(f"  {name}: {have} rows, {able} could; a larger COUNT helps")
    print("now run: make check")


if __name__ == "__main__":
    run("trees", main)
