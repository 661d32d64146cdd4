"""Make a hidden set: few trees that between them kill every mistake often enough."""

from __future__ import annotations

import itertools
import random
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.command import Parser, Refused, run
from autograder.kit import ROOT, load_reference
from autograder.mistakes.variants import load_variants
from autograder.rubric import load_rubric
from autograder.smalltrees.build import dump_tree, tree_from_lists
from autograder.smalltrees.enumeration import filled, shapes, weak_orders
from autograder.smalltrees.randomtrees import random_trees, random_window
from autograder.tasks import tasks_for
from autograder.utilities import Progress, finish_replacing, in_parallel, replace_folder
from autograder.workbench.killmatrix import ENOUGH, rows_lost
from autograder.workbench.treesets import (
    content_of,
    leaves_below,
    lesson_of,
    properties_of,
)
from gametree import TreeError, load_trees, parse_tree
from gametree.functions import FUNCTIONS
from gametree.tree import Search

POOL = 900  # candidates that a set is chosen from
MOST_QUERIES = 300  # of the reference, in all searches of one tree


def main(arguments=None):
    """Generate the set and say what it kills; 2 where nothing may be written."""
    options = parse(arguments)
    folder = Path(options.out)
    finish_replacing(folder)
    present = load_trees(folder) if folder.is_dir() else []
    staying = [tree for tree in present if tree.source or options.keep]
    if len(staying) < len(present) and not options.force:
        made = len(present) - len(staying)
        print(
            f"trees: {folder} holds a set ({made} trees); write FORCE=1 to replace it",
            file=sys.stderr,
        )
        return 2
    pool = make_pool(options.seed, staying)
    chosen = choose(pool.kills, pool.sizes, options.count, pool.properties, pool.given)
    write_set(folder, name_trees(pool, chosen, staying), staying)
    report(pool, chosen, folder, staying)
    return 0


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


@dataclass(frozen=True)
class Pool:
    """Candidate trees and what is known of each, by name, under a cutoff convention.

    `sizes` maps a tree to the queries that the reference needs, `properties` to the set
    of what it shows, `kills` to a Counter of mistake -> rows that kill it. `given` is
    that Counter, with every mistake in it, for the trees that stay.
    """

    convention: str
    trees: dict
    sizes: dict
    properties: dict
    kills: dict
    given: Counter


def make_pool(seed, staying=()):
    """Run every mistake on every candidate tree of a seed; return the Pool.

    Reference and mistakes are read in the cutoff convention of the kit's rubric. No
    candidate has the shape and values of a tree that stays.
    """
    convention = load_rubric(ROOT / "autograder" / "rubric.yaml").cutoff
    reference = load_reference(ROOT, convention)
    mistakes = load_variants(ROOT / "solution" / "mistakes", convention)
    trees, sizes, tasks = {}, {}, []
    known = {content_of(tree) for tree in staying}
    for tree in candidates(seed, POOL):
        key = content_of(tree)
        tasks_of_tree = tasks_for([tree], reference)
        queries = sum(len(task.expected.events) for task in tasks_of_tree)
        if queries <= MOST_QUERIES and key not in known and can_be_written(tree):
            known.add(key)
            trees[tree.name], sizes[tree.name] = tree, queries
            tasks += tasks_of_tree
    staying_tasks = tasks_for(staying, reference)

    def killed_by(mistake):
        functions = mistake.shows or FUNCTIONS
        return [rows_lost(mistake, each, functions) for each in (tasks, staying_tasks)]

    kills, given = {name: Counter() for name in trees}, Counter()
    with Progress(len(mistakes), done="mistakes run") as progress:
        for mistake, (rows, rows_given) in zip(
            mistakes, in_parallel(killed_by, mistakes, progress.step)
        ):
            given[mistake.name] = len(rows_given)
            for _, tree in rows:
                kills[tree][mistake.name] += 1
    properties = {name: properties_of(tree, reference) for name, tree in trees.items()}
    return Pool(convention, trees, sizes, properties, kills, given)


def can_be_written(tree):
    """Tell whether a tree file can hold the tree, searches and all."""
    try:
        return not tree.root.terminal and parse_tree(dump_tree(tree), tree.name)
    except TreeError:
        return False


def choose(kills, sizes, count, properties=None, given=None, enough=ENOUGH):
    """Return the chosen tree names, at most `count`, best first.

    `kills`, `sizes`, `properties` and `given` are as a Pool has them. A mistake that few
    trees kill weighs more; every property is wanted once, every kill up to `enough`
    times, beyond that less and less. A large tree has to earn its size.
    """
    properties = properties or {}
    killers = Counter(itertools.chain.from_iterable(kills.values()))
    rarity = {name: 1 + 20 / times for name, times in killers.items()}
    have, shown, chosen = Counter(given or {}), set(), []
    left = sorted(kills)

    def worth(tree):
        gain = 50 * len(properties.get(tree, set()) - shown)
        for name, rows in kills[tree].items():
            missing = enough - have[name]
            if missing > 0:
                gain += rarity[name] * min(rows, missing)
            else:
                gain += 0.1 * rows / (1 + have[name])
        return gain / (40 + sizes[tree]), tree

    while left and len(chosen) < count:
        best = max(left, key=worth)
        left.remove(best)
        chosen.append(best)
        have.update(kills[best])
        shown |= properties.get(best, set())
    return chosen


def shortfalls(kills, chosen, enough=ENOUGH, given=None):
    """Return mistake -> (rows that kill it, rows that could), where they are not enough."""
    able, have = Counter(), Counter(given or {})
    for tree, rows_by_mistake in kills.items():
        able.update(rows_by_mistake)
        if tree in chosen:
            have.update(rows_by_mistake)
    able.update(given or {})
    short = {name: (have[name], times) for name, times in able.items()}
    return {name: pair for name, pair in short.items() if pair[0] < min(enough, pair[1])}


def name_trees(pool, chosen, staying):
    """Return the chosen trees with file names, titles and lessons of their own."""
    lessons, named = {tree.lesson for tree in staying}, []
    names = {tree.name for tree in staying}
    numbers = (n for n in itertools.count(1) if f"fresh-{n:02d}" not in names)
    for number, name in zip(numbers, sorted(chosen)):
        tree = pool.trees[name]
        player = "MAX" if tree.maximizing else "MIN"
        title = f"Fresh tree {number}: {player} root, {leaves_below(tree.root)} leaves"
        lesson = lesson_of(tree, pool.properties[name], lessons, pool.convention)
        named.append(replace(tree, name=f"fresh-{number:02d}", title=title, lesson=lesson))
    return named


def write_set(folder, trees, staying):
    """Replace the folder by one that holds these trees; those that stay keep their text."""
    files = {f"{tree.name}.yaml": dump_tree(tree).encode() for tree in trees}
    for tree in staying:
        files[f"{tree.name}.yaml"] = (folder / f"{tree.name}.yaml").read_bytes()
    replace_folder(folder, files)


def report(pool, chosen, folder, staying):
    """Print what was written, how often mistakes are killed, and the next step."""
    print(f"wrote {len(chosen)} fresh trees to {folder}, beside {len(staying)} that stay")
    short = shortfalls(pool.kills, set(chosen), given=pool.given)
    print(
        f"{len(pool.given) - len(short)} of {len(pool.given)} mistakes are killed by "
        f"{ENOUGH} rows, or by all that can"
    )
    for name, (have, able) in sorted(short.items()):
        print(f"  {name}: {have} rows, {able} could; a larger COUNT helps")
    print("now run: make check")


# Values to draw from: each palette catches mistakes that the others cannot.
PALETTES = (
    tuple(range(1, 10)),
    tuple(range(-9, 10)),
    tuple(range(-20, 0)),
    (-2, -1, 0, 0, 1, 2),
    (0, 1, 2),
    (-2, -1, 0),
    (0.25, 0.5, 0.75, 1.25, 1.5, 1.75),
    (-1.75, -1.5, -1.25, -0.75, -0.5, -0.25),
    (10_500, 20_000, 31_000, 45_000, 90_000),
    (-10_500, -20_000, -31_000, -45_000, -90_000),
    (-90_000, -20_000, -10_500, 0, 10_500, 20_000, 90_000),
)
SMALL_LEAVES = range(2, 7)


def candidates(seed, count=900):
    """Return `count` trees, each named by its place: the same for the same seed.

    A third are small shapes with every order of values possible, a third are
    random with several searches, a third are deeper and limited in depth.
    """
    rng = random.Random(seed)
    third = count // 3
    trees = [small(rng) for _ in range(third)]
    trees += random_trees(third, rng.getrandbits(32), height=4, branching=3)
    trees += [deep(rng) for _ in range(count - 2 * third)]
    return [tidied(tree, f"candidate-{number:04d}") for number, tree in enumerate(trees)]


def tidied(tree, name):
    """Return the tree under a short name, each of its searches once."""
    searches = tuple(dict.fromkeys(tree.searches))
    return replace(tree, name=name, title=name, lesson=name, searches=searches)


def small(rng):
    """Return a small shape with values in one of all orders, ties included."""
    leaves = rng.choice(SMALL_LEAVES)
    nodes = leaves + rng.randint(1, 4)
    shape = rng.choice(shapes(leaves, nodes, 4) or shapes(leaves, leaves + 1, 4))
    ranks = rng.choice(weak_orders(leaves, 4))
    palette = rng.choice([p for p in PALETTES if len(set(p)) >= max(ranks)])
    values = sorted(rng.sample(sorted(set(palette)), max(ranks)))
    spec = filled(shape, [values[rank - 1] for rank in ranks])
    maximizing = rng.random() < 0.5
    tree = tree_from_lists(spec, maximizing)
    if rng.random() < 0.4:
        whole = tree.searches[0]
        narrow = Search(whole.depth, maximizing, *random_window(rng, palette))
        return tree_from_lists(spec, maximizing, [whole, narrow])
    return tree


def deep(rng):
    """Return a tree of three to five plies with static values, searched less deep."""
    palette = rng.choice(PALETTES)
    height = rng.randint(3, 5)
    spec = grown(rng, palette, height)
    maximizing = rng.random() < 0.5
    tree = tree_from_lists(spec, maximizing)
    whole = tree.searches[0]
    limits = rng.sample(range(1, whole.depth + 1), k=min(2, whole.depth))
    limited = [Search(depth, maximizing) for depth in sorted(limits) if depth < whole.depth]
    return tree_from_lists(spec, maximizing, [whole, *limited])


def grown(rng, palette, height):
    """Return a random spec with a static value at every interior node."""
    if height == 0 or rng.random() < 0.2:
        return rng.choice(palette)
    parts = [grown(rng, palette, height - 1) for _ in range(rng.choice((1, 2, 2, 3)))]
    if height >= 3 and not any(isinstance(part, dict) for part in parts):
        parts.append(grown(rng, palette, height - 1))
    return {"value": rng.choice(palette), "children": parts}


if __name__ == "__main__":
    run("trees", main)
