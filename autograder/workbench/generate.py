"""Generate a set of hidden trees that shows every property and kills every mistake.

A seed determines candidates of every family. The set must reach goals: trees of every
family, of every row, and with every feature. Each step chooses the tree that serves the
most unreached goals. Known mistakes test the set: a mistake that too few trees kill becomes
a goal of the next choice.
"""

from __future__ import annotations

import itertools
import random
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain

from autograder.explaining.variants import load_mistakes
from autograder.ground.command import Parser, path, run
from autograder.ground.files import replace_folder
from autograder.ground.processes import in_parallel
from autograder.kit import ROOT, load_reference
from autograder.scoring.concepts import concept_of
from autograder.scoring.features import features_of
from autograder.scoring.rubric import load_rubric
from autograder.scoring.tasks import Task, tasks_for
from autograder.smalltrees.build import dump_tree
from autograder.smalltrees.families import FAMILIES, family_trees
from autograder.workbench.killmatrix import ENOUGH, FULL, is_caught
from autograder.workbench.lint import (
    beyond_limits,
    content_of,
    lacking,
    stray_files,
)
from autograder.workbench.treeset import (
    hash_of_tree,
    published_hashes,
    record_trees,
    same_set,
)
from gametree import load_trees
from gametree.support.errors import InputError
from gametree.support.tree import Tree

HIDDEN = ROOT / "trees" / "hidden"
GENERATED = re.compile(r"fresh-\d+")  # names of generated trees
BITS = 128  # length of a drawn seed
GUESSABLE = 2**64  # smaller seeds could be guessed by trying all of them
TRIES = 4  # attempts to choose a set that passes, each from more candidates
ROUNDS = 12  # candidates of each family, for each player


def main(arguments=None):
    """Generate a set that passes `make check`, and write it.

    Only trees that an earlier run generated are replaced; every other tree stays. Every set
    contains the kit's other trees: the textbook trees, the edge cases and the games.

    Raises InputError if no set passes, or if a set exists and FORCE is not given.
    """
    options = parse(arguments)
    folder = options.out
    present = _load_present(folder)
    staying = [tree for tree in present if not is_generated(tree)]
    replaced = [tree.name for tree in present if tree not in staying]
    if replaced and not options.force:
        raise InputError(
            f"{folder} contains a set ({len(replaced)} trees); write FORCE=1 to replace it"
        )
    seed = options.seed
    if seed is None:
        seed = secrets.randbits(BITS)
    names = [tree.name for tree in present]
    for tree in _load_trees(HIDDEN):
        if not is_generated(tree) and tree.name not in names:
            staying.append(tree)
    course = Course(staying)
    fresh = fit_set(course, seed, options.count)
    write_set(folder, fresh, staying)
    if replaced:
        print(f"replaced {', '.join(replaced)}")
    stay = len(staying)
    print(f"wrote {len(fresh)} fresh trees to {folder}, in addition to {stay} that stay")
    known = len(course.mistakes)
    print(f"{known} of {known} known mistakes lose points on {ENOUGH} trees")
    print(f"the same set again: {same_set(seed, options.count)}; do not publish the seed")
    if folder.resolve() == HIDDEN:
        record_trees(ROOT, seed, options.count, course.rubric)
        print("next: make check")
    return 0


def is_generated(tree: Tree) -> bool:
    """Tell whether `make trees` generated a tree, by its name: fresh- and a number."""
    return GENERATED.fullmatch(tree.name) is not None


def parse(arguments):
    """Return the options of the command line."""
    parser = Parser(prog="make trees", description=__doc__)
    parser.add_argument("--seed", type=int, help="of 64 bits or more; drawn if not given")
    parser.add_argument("--count", type=int, default=60, help="fresh trees: COUNT=60")
    parser.add_argument("--out", type=path, default=HIDDEN)
    parser.add_argument("--force", action="store_true", help="replace the set: FORCE=1")
    options = parser.parse_args(arguments)
    if options.count < FULL:
        raise InputError(f"COUNT: it must be at least {FULL}; omit it for 60 trees")
    if options.seed is not None and abs(options.seed) < GUESSABLE:
        raise InputError(
            f"SEED={options.seed} can be found by trying seeds; omit it to draw a secret "
            "seed, or write a seed of at least 64 bits"
        )
    return options


def _load_present(folder):
    """Return the trees in the folder; raise InputError if it contains other files."""
    if folder.is_file():
        raise InputError(f"OUT: {folder} is a file; write the name of a folder")
    if folder.is_dir():
        for name in stray_files(folder):
            raise InputError(f"{folder} contains {name}, which would be lost; move it away")
    return _load_trees(folder)


def _load_trees(folder):
    """Return the trees in the folder, which may be empty or missing."""
    return load_trees(folder) if any(folder.glob("[!.]*.yaml")) else []


class Course:
    """The course that a set is generated for.

    rubric: the points, which determine the required trees.
    reference: the correct program, with the functions that earn points.
    public: the public trees. Fresh trees must have other names and contents.
    published: the hashes of trees that students may know.
    staying: the Candidates that are in the set already and stay.
    mistakes: the known mistakes in these functions.
    """

    def __init__(self, staying: list[Tree]):
        rubric = load_rubric(ROOT / "autograder" / "rubric.yaml")
        self.rubric = rubric
        functions = rubric.assigned
        self.reference = load_reference(ROOT, rubric.cutoff, functions)
        self.public = load_trees(ROOT / "trees" / "public")
        self.published = published_hashes(ROOT)
        self.staying = [Candidate(tree, self) for tree in staying]
        self.mistakes = load_mistakes(ROOT / "solution", rubric.cutoff, functions)


@dataclass(eq=False)
class Candidate:
    """A tree that may be chosen for the set.

    tree: the tree.
    course: the course that the set is generated for.
    """

    tree: Tree
    course: Course

    def __post_init__(self):
        player = "MAX" if self.tree.maximizing else "MIN"
        self.kind = f"{self.tree.title}: {player} first"

    @cached_property
    def tasks(self) -> list[Task]:
        """The searches of the tree, with the reference's traces."""
        return tasks_for([self.tree], self.course.reference)

    @cached_property
    def features(self) -> frozenset[str]:
        """The features of the searches."""
        return frozenset().union(*map(features_of, self.tasks))

    @cached_property
    def rows(self) -> set[tuple[str, str]]:
        """The function and the concept of each row that contains the tree."""
        rows = self.course.rubric.rows
        return {(t.function, concept_of(t, rows[t.function])) for t in self.tasks}

    def kills(self, mistake) -> bool:
        """Tell whether the mistake loses points on the tree."""
        return is_caught(mistake, self.tasks, self.course.rubric)


class Goal:
    """Something that a set must show.

    trees: the Candidates that show it.
    missing: how many more of them the set needs.
    """

    def __init__(self, trees: Iterable[Candidate], number: int):
        self.trees = frozenset(trees)
        self.missing = number

    def gain(self, tree: Candidate) -> int:
        """Return how much a tree serves this goal: the more, the more trees are missing."""
        return max(0, self.missing) if tree in self.trees else 0

    def count(self, tree: Candidate) -> None:
        """Note that a tree is in the set."""
        self.missing -= tree in self.trees


def fit_set(course: Course, seed: int, count: int) -> list[Candidate]:
    """Return a set of `count` trees that passes `make check`. Raises InputError."""
    pool = []
    hard = []  # the mistakes that too few trees of an earlier choice killed
    for number in range(1, TRIES + 1):
        pool += candidates(course, f"{seed} {number}", pool)
        chosen = choose(course, pool, count, hard)
        name_trees(course, chosen)
        missed = rare(course, chosen)
        faults = problems(course, chosen, missed)
        if not faults:
            return chosen
        print(f"choice {number} does not pass: {faults[0]}", flush=True)
        hard += [mistake for mistake in missed if mistake not in hard]
    raise InputError(f"no set of {count} trees passes; try a larger COUNT or another SEED")


def candidates(course: Course, seed: str, pool=()) -> list[Candidate]:
    """Return unpublished trees of every family that respect the limits.

    seed: determines the trees.
    pool: the existing candidates.
    """
    rng = random.Random(seed)
    present = [*course.public]
    present += [candidate.tree for candidate in (*course.staying, *pool)]
    contents = {content_of(tree) for tree in present}
    trees = family_trees(rng, ROUNDS * FAMILIES)
    found = []
    for number, tree in enumerate(trees, start=len(pool)):
        candidate = Candidate(replace(tree, name=f"candidate-{number}"), course)
        content = content_of(tree)
        if hash_of_tree(tree) in course.published:
            continue
        if content not in contents and not any(beyond_limits(tree, candidate.tasks)):
            contents.add(content)
            found.append(candidate)
    rng.shuffle(found)
    return found


def choose(course: Course, pool: list[Candidate], count: int, hard) -> list[Candidate]:
    """Return up to `count` trees of the pool, those that serve the goals best.

    hard: the mistakes that enough trees must kill.
    """
    goals = goals_of(course, pool, hard)
    for tree in course.staying:
        for goal in goals:
            goal.count(tree)
    remaining = list(pool)
    chosen = []

    def gain(tree):
        return sum(goal.gain(tree) for goal in goals)

    while remaining and len(chosen) < count:
        best = max(remaining, key=gain)
        remaining.remove(best)
        chosen.append(best)
        for goal in goals:
            goal.count(best)
    return chosen


def goals_of(course: Course, pool: list[Candidate], hard) -> list[Goal]:
    """Return the goals of a set: families, features, rows, and mistakes to kill."""
    trees = [*course.staying, *pool]
    goals = []
    for kind in {candidate.kind for candidate in pool}:
        goals.append(Goal([tree for tree in trees if tree.kind == kind], 1))
    for feature in set(chain.from_iterable(tree.features for tree in trees)):
        goals.append(Goal([tree for tree in trees if feature in tree.features], 1))
    for row in set(chain.from_iterable(tree.rows for tree in trees)):
        goals.append(Goal([tree for tree in trees if row in tree.rows], ENOUGH))
    for killers in killers_of(hard, trees, len(trees)):
        goals.append(Goal([trees[index] for index in killers], ENOUGH))
    return goals


def killers_of(mistakes, trees, limit):
    """Return, for each mistake, the indices of the first trees that kill it.

    limit: the largest number of indices for each mistake.
    """
    return in_parallel(partial(_killers, trees, limit), mistakes)


def _killers(trees, limit, mistake):
    killing = (index for index, tree in enumerate(trees) if tree.kills(mistake))
    return [*itertools.islice(killing, limit)]


def name_trees(course, chosen):
    """Give each chosen tree a number, and an unused name and title with this number."""
    present = [*course.public]
    present += [candidate.tree for candidate in course.staying]
    used = {text for tree in present for text in (tree.name, tree.title)}
    numbers = itertools.count(1)
    for candidate in chosen:
        for number in numbers:
            name = f"fresh-{number:02d}"
            title = f"{candidate.kind}, {number}"
            if used.isdisjoint((name, title)):
                break
        lesson = title[0].lower() + title[1:]
        candidate.tree = replace(candidate.tree, name=name, title=title, lesson=lesson)


def problems(course, chosen, missed):
    """Return the reasons why `make check` would reject the set, one per line."""
    trees = [*course.staying, *chosen]
    found = list(lacking(task for tree in trees for task in tree.tasks))
    for mistake in missed:
        found.append(f"{mistake.name} loses points on too few trees")
    return found


def rare(course, chosen):
    """Return the mistakes that too few trees kill."""
    killers = killers_of(course.mistakes, [*course.staying, *chosen], ENOUGH)
    pairs = zip(course.mistakes, killers)
    return [mistake for mistake, killing in pairs if len(killing) < ENOUGH]


def write_set(folder, fresh, staying):
    """Replace the content of the folder; the files of staying trees are unchanged."""
    files = {}
    for candidate in fresh:
        files[f"{candidate.tree.name}.yaml"] = dump_tree(candidate.tree).encode()
    for tree in staying:
        name = f"{tree.name}.yaml"
        file = folder / name
        if not file.is_file():
            file = HIDDEN / name
        files[name] = file.read_bytes()
    replace_folder(folder, files)


if __name__ == "__main__":
    run("trees", main)
