"""Make a hidden set: few trees on which every program earns what it is worth."""

from __future__ import annotations

import itertools
import secrets
from dataclasses import replace

from autograder.command import Parser, Refused, path, run
from autograder.judging.scores import rows_to_come
from autograder.kit import ROOT, load_reference
from autograder.mistakes.variants import load_variants
from autograder.rubric import load_rubric
from autograder.smalltrees.build import dump_tree
from autograder.tasks import tasks_for
from autograder.utilities import Progress, finish_replacing, in_parallel, replace_folder
from autograder.workbench.candidates import BITS, candidates, telling_candidates
from autograder.workbench.choice import Pool, choose
from autograder.workbench.conditional import Reach, conditionals
from autograder.workbench.killmatrix import ENOUGH, losses, parts_lost
from autograder.workbench.mutantcheck import all_catching, conditional_sites, uncaught
from autograder.workbench.treesets import (
    CUTS,
    beyond_limits,
    content_of,
    kind_of,
    leaves_below,
    lesson_of,
    properties_of,
    title_of,
)
from gametree import TreeError, load_trees, parse_tree
from gametree.games import GamePosition

POOL = 900  # candidates that a set is chosen from
TELLING = 14  # telling trees of each family beside them
EASY = 90  # candidates that catch the easy conditional mutants
SHARE = 40  # one in so many conditional mutants is tried, of these programs
BASES = ("move_with_running_window",)  # and of the reference
GUESSABLE = 2**64  # seeds below this can be tried until the trees fit
MOST_QUERIES = 400  # of the reference, in all searches of one tree


def main(arguments=None):
    """Generate the set and say what it kills. Raises Refused without FORCE=1."""
    options = parse(arguments)
    folder = options.out
    finish_replacing(folder)
    present = load_trees(folder) if folder.is_dir() else []
    staying = [tree for tree in present if tree.source or options.keep]
    check_force(options, folder, len(present) - len(staying))
    seed = secrets.randbits(BITS) if options.seed is None else options.seed
    choice = choose(make_pool(seed, staying), options.count, seed)
    write_set(folder, name_trees(choice.pool, choice.chosen, staying), staying)
    report(choice, folder, staying)
    if options.seed is None:
        print(f"drawn: SEED={seed}, which makes the same set again; keep it to yourself")
    own = ROOT / "trees" / "hidden"
    moved = "" if folder.resolve() == own else f"move them from {folder} to {own}, then "
    print(f"next: {moved}make handout, as it shows points that a mistake earns")
    return 0


def check_force(options, folder, made):
    """Raise Refused where only FORCE=1 goes on; with it, say all that it goes over.

    made: how many trees in the folder would be lost.
    """
    holds = f"{folder} holds a set ({made} trees)"
    guessed = f"SEED={options.seed} can be found by trying seeds"
    small = options.seed is not None and abs(options.seed) < GUESSABLE
    if options.force:
        if made:
            print(f"FORCE=1: {holds}, which is replaced")
        if small:
            print(f"FORCE=1: {guessed}; do not give marks on this set")
    elif made and small:
        raise Refused(f"{holds} and {guessed}; leave SEED out, FORCE=1 replaces the set")
    elif made:
        raise Refused(f"{holds}; write FORCE=1 to replace it")
    elif small:
        raise Refused(f"{guessed}: leave it out, and one is drawn; or write FORCE=1")


def parse(arguments):
    """Return the command's options."""
    parser = Parser(prog="make trees", description=__doc__)
    parser.add_argument("--seed", type=int, help="of 64 bits or more; drawn if not given")
    parser.add_argument("--count", type=int, default=60, help="fresh trees: COUNT=60")
    parser.add_argument("--out", type=path, default=ROOT / "trees" / "hidden")
    parser.add_argument("--keep", action="store_true", help="add to the set: KEEP=1")
    parser.add_argument("--force", action="store_true", help="go over both: FORCE=1")
    options = parser.parse_args(arguments)
    if options.count < 1:
        raise Refused("COUNT: at least one fresh tree; leave it out for 60")
    return options


def make_pool(seed, staying=()):
    """Run every mistake on every candidate tree of a seed; return the Pool.

    Reference and mistakes are read in the cutoff convention of the kit's rubric. No
    candidate teaches what another one does, or a tree that stays, on the same shape.
    """
    rubric = load_rubric(ROOT / "autograder" / "rubric.yaml")
    convention = rubric.cutoff
    reference = load_reference(ROOT, convention, rubric.asked)
    programs = [
        program
        for folder in ("mistakes", "lazy")
        for program in load_variants(ROOT / "solution" / folder, convention)
        if program.concerns(rubric.asked)
    ]
    trees, sizes, properties, tasks = {}, {}, {}, []
    public = load_trees(ROOT / "trees" / "public")
    present = [*public, *staying]
    known = {content_of(tree) for tree in present}
    known |= {kind_of(t, properties_of(t, reference), convention) for t in present}
    telling = telling_candidates(seed, TELLING)
    for tree in [*candidates(seed, POOL), *telling]:
        shown = properties_of(tree, reference)
        keys = {content_of(tree), kind_of(tree, shown, convention)}
        tasks_of_tree = tasks_for([tree], reference)
        queries = sum(len(task.expected.events) for task in tasks_of_tree)
        fit = queries <= MOST_QUERIES and can_be_written(tree)
        if fit and not keys & known and not any(beyond_limits(tree, reference)):
            known |= keys
            trees[tree.name], sizes[tree.name] = tree, queries
            properties[tree.name] = shown
            tasks += tasks_of_tree
    tasks += tasks_for(present, reference)
    rows = rows_to_come(tasks, rubric, {tree.name for tree in public})
    with Progress(len(programs), done="programs run") as progress:
        lost = in_parallel(
            lambda program: losses(program, tasks, rubric), programs, progress.step
        )
    by_tree = losses_by_tree(rows, tasks, lost)
    return Pool(
        convention=convention,
        trees=trees,
        sizes=sizes,
        properties=properties,
        bugs=bugs_caught(convention, tasks, {tree.name for tree in telling} & {*trees}),
        programs=tuple(program.name for program in programs),
        losses={name: by_tree.pop(name) for name in trees},
        staying=tuple(by_tree.values()),
        points={(row.function, row.concept): row.most_cents / 100 for row in rows},
        ranges={program.name: program.points for program in programs if program.points},
        shown=frozenset().union(*(properties_of(tree, reference) for tree in staying)),
    )


def losses_by_tree(rows, tasks, lost):
    """Return tree -> (function, concept) -> what it costs each program, as a part.

    `lost` has the losses() of each program.
    """
    by_tree = {}
    for all_parts in zip(*(parts_lost(rows, tasks, each) for each in lost)):
        row = all_parts[0][0]
        columns = zip(*(parts for _, parts in all_parts))
        for on_tree, column in zip(row.trees, columns):
            of_tree = by_tree.setdefault(on_tree.tree.name, {})
            of_tree[row.function, row.concept] = [*column]
    return by_tree


def bugs_caught(convention, tasks, telling):
    """Return telling tree -> the names of the conditional mutants that it catches.

    Left out are those that easier candidates catch: any set does. `telling` are the names
    of the telling trees among the tasks.
    """
    sites = conditional_sites(ROOT, convention, BASES)
    others = [*dict.fromkeys(t.tree.name for t in tasks if t.tree.name not in telling)]
    some = set(others[:: max(1, len(others) // EASY)])
    easy = [task for task in tasks if task.tree.name in some]
    mutants = uncaught(conditionals(sites, SHARE), Reach(sites, easy))
    reach = Reach(sites, [task for task in tasks if task.tree.name in telling])
    with Progress(len(mutants), done="conditional mutants run") as progress:
        found = all_catching(mutants, reach, progress.step)
    bugs = {name: set() for name in telling}
    for mutant, names in zip(mutants, found):
        for name in names:
            bugs[name].add(mutant.name)
    return bugs


def can_be_written(tree):
    """Tell whether a tree file can hold the tree, searches and all."""
    try:
        return bool(parse_tree(dump_tree(tree), tree.name))
    except TreeError:
        return False


def name_trees(pool, chosen, staying):
    """Return the chosen trees with file names, titles and lessons of their own."""
    lessons, titles, named = {t.lesson for t in staying}, {t.title for t in staying}, []
    names = {tree.name for tree in staying}
    numbers = (n for n in itertools.count(1) if f"fresh-{n:02d}" not in names)
    for number, name in zip(numbers, sorted(chosen)):
        tree = pool.trees[name]
        title = title_of(tree, titles)
        lesson = lesson_of(tree, pool.properties[name], lessons, pool.convention)
        named.append(replace(tree, name=f"fresh-{number:02d}", title=title, lesson=lesson))
    return named


def write_set(folder, trees, staying):
    """Replace the folder by one that holds these trees; those that stay keep their text."""
    files = {f"{tree.name}.yaml": dump_tree(tree).encode() for tree in trees}
    for tree in staying:
        files[f"{tree.name}.yaml"] = (folder / f"{tree.name}.yaml").read_bytes()
    replace_folder(folder, files)


def report(choice, folder, staying):
    """Print what was written, and what it does to the known programs."""
    pool = choice.pool
    count = len(choice.chosen)
    print(f"wrote {count} fresh trees to {folder}, beside {len(staying)} that stay")
    trees = [pool.trees[name] for name in choice.chosen]
    leaves = [leaves_below(tree.root) for tree in trees]
    games = sum(isinstance(tree.root, GamePosition) for tree in trees)
    uncut = sum(CUTS not in pool.properties[name] for name in choice.chosen)
    print(f"{min(leaves)} to {max(leaves)} leaves; {games} games; {uncut} without a cutoff")
    short = choice.shortfalls()
    print(
        f"{len(pool.programs) - len(short)} of {len(pool.programs)} wrong programs lose "
        f"points on {ENOUGH} trees, or on all that can tell them"
    )
    for name, (have, wanted) in sorted(short.items()):
        print(f"  {name}: {have} trees of {wanted}; a larger COUNT helps")
    escaped, every = choice.escapes
    if every:
        print(f"{every - escaped} of {every} mutants that hide at an edge are caught")
    earned = choice.earned()
    for name, (least, most) in pool.ranges.items():
        if not least <= round(earned[name], 2) <= most:
            print(f"  {name}: {earned[name]:.2f} points, not {least:g} to {most:g}")


if __name__ == "__main__":
    run("trees", main)
