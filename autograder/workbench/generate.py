"""Generate a set of hidden trees: each family for each player, and random trees.

A seed determines the candidates. A set has trees of each family, trees in each row and all
required features; random trees of decisions fill it. Known mistakes only test the set:
those that too few trees kill become a requirement of the next choice.
"""

from __future__ import annotations

import itertools
import math
import random
import re
import secrets
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property, partial

from autograder.explaining.variants import load_mistakes
from autograder.ground.command import Parser, path, run, say
from autograder.ground.files import replace_folder
from autograder.ground.processes import in_parallel
from autograder.kit import ROOT, load_reference
from autograder.scoring.rubric import PUBLIC, concept_of, load_rubric
from autograder.scoring.scores import row_cents
from autograder.scoring.tasks import Task, tasks_for
from autograder.smalltrees.build import dump_tree
from autograder.smalltrees.families import (
    DECISIONS,
    EXPENSIVE,
    FAMILIES,
    family_trees,
)
from autograder.smalltrees.limits import beyond_limits
from autograder.workbench.killmatrix import ENOUGH, is_caught
from autograder.workbench.lint import labels_of, required_features
from autograder.workbench.treeset import (
    file_name,
    hash_of_tree,
    is_generated,
    published_hashes,
    record_trees,
    same_set,
)
from gametree import load_trees
from gametree.functions import MAX, MIN
from gametree.support.errors import InputError
from gametree.support.tree import Tree

HIDDEN = ROOT / "trees" / "hidden"
BITS = 128  # length of a drawn seed
GUESSABLE = 2**64  # smaller seeds could be guessed by trying all of them
COUNT = 80  # trees of a set
FULL = 40  # minimum of trees; a smaller set cannot kill every mistake
MAX_QUERIES = 7500  # of the correct searches of a set
MAX_COST = 200  # queries of a tree of random decisions
TRIES = 6  # attempts to choose a set that passes
ROUNDS = 4  # candidates of each family, for each player
RANDOM = 200  # candidates of the family of random decisions, for each player
IN_ROW = 3  # fewest trees of a row
SPARE = 40  # trees that kill a mistake, from which to choose
COST_OF_TREE = 30  # a tree costs as much as this number of queries
MAX_CENTS = 350  # a tree should not be worth more in its row


def main(arguments=None):
    """Generate a set that passes `make check`, and write it.

    The set replaces the trees that an earlier run generated. All other files of the folder
    stay.

    Raises InputError if no set passes, or if a set exists and FORCE is not given.
    """
    options = parse(arguments)
    folder = options.out
    staying, replaced = sort_files(folder)
    if replaced and not options.force:
        raise InputError(
            f"{folder} contains a set ({len(replaced)} trees); write FORCE=1 to replace it"
        )
    seed = options.seed
    if seed is None:
        seed = secrets.randbits(BITS)
    course = Course()
    files = {}
    for tree in fit_set(course, seed, options.count):
        text = dump_tree(tree)
        files[file_name(tree, text)] = text.encode()
    replace_folder(folder, files | staying)
    for name in replaced:
        print(f"replaced {name}")
    print(f"wrote {len(files)} trees to {folder}; {len(staying)} other files stay")
    print(f"the same set again: {same_set(seed, options.count)}; do not publish the seed")
    if folder.resolve() == HIDDEN:
        record_trees(ROOT, seed, options.count, course.rubric)
        print("next: make check")
    return 0


def parse(arguments):
    """Return the options of the command line."""
    parser = Parser(prog="make trees", description=__doc__)
    parser.add_argument("--seed", type=int, help="of 64 bits or more; drawn if not given")
    parser.add_argument("--count", type=int, default=COUNT, help=f"trees: COUNT={COUNT}")
    parser.add_argument("--out", type=path, default=HIDDEN)
    parser.add_argument("--force", action="store_true", help="replace the set: FORCE=1")
    options = parser.parse_args(arguments)
    if options.count < FULL:
        raise InputError(f"COUNT: it must be at least {FULL}; omit it for {COUNT} trees")
    if options.seed is not None and abs(options.seed) < GUESSABLE:
        raise InputError(
            f"SEED={options.seed} can be found by trying seeds; omit it to draw a secret "
            "seed, or write a seed of at least 64 bits"
        )
    return options


def sort_files(folder) -> tuple[dict[str, bytes], list[str]]:
    """Return name -> content of the files that stay, and the names of generated trees.

    Raises InputError if the folder is a file or contains a folder.
    """
    if folder.is_file():
        raise InputError(f"OUT: {folder} is a file; write the name of a folder")
    staying = {}
    replaced = []
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        if file.is_dir():
            raise InputError(f"{folder} contains the folder {file.name}; move it away")
        if is_generated(file):
            replaced.append(file.name)
        else:
            staying[file.name] = file.read_bytes()
    return staying, replaced


class Course:
    """The course that a set is generated for.

    rubric: the points, which determine the required trees.
    reference: the correct program, with the functions that earn points.
    published: the hashes of trees that students may know.
    mistakes: the known mistakes in these functions.
    """

    def __init__(self):
        rubric = load_rubric(ROOT / "autograder" / "rubric.yaml")
        self.rubric = rubric
        functions = rubric.assigned
        self.reference = load_reference(ROOT, rubric.cutoff, functions)
        public = load_trees(ROOT / "trees" / "public")
        self.published = published_hashes(ROOT).union(map(hash_of_tree, public))
        self.mistakes = load_mistakes(ROOT / "solution", rubric.cutoff, functions)

    def row_of(self, task: Task) -> str:
        """Return the row that a search counts toward."""
        rows = self.rubric.rows[task.function]
        return f"row {task.function}: {concept_of(task, rows)}"

    def labels_of(self, tree: Tree, tasks: Iterable[Task]) -> set[str]:
        """Return the family of a tree, and the rows and features of its searches."""
        labels = {family_label(tree.title, s.player_at(())) for s in tree.searches}
        for task in tasks:
            labels |= {self.row_of(task), *labels_of(task)}
        return labels

    def requirements(self) -> dict[str, int]:
        """Return each family, row and feature of a set -> the number of trees."""
        needed = dict.fromkeys(required_features(self.reference.assigned), 1)
        for family in FAMILIES:
            for player in (MAX, MIN):
                needed[family_label(family.title, player.name)] = 1
        for family, player in EXPENSIVE.items():
            needed[family_label(family.title, player.name)] = 1
        for function, concepts in self.rubric.rows.items():
            hidden = [name for name in concepts if name != PUBLIC]
            cents = row_cents(self.rubric, function, concepts)
            for concept in hidden:
                number = math.ceil(cents[concept] / MAX_CENTS)
                needed[f"row {function}: {concept}"] = max(IN_ROW, number)
        return needed


@dataclass(eq=False)
class Candidate:
    """A tree that may be chosen for the set.

    tree: the tree.
    tasks: its searches, with the reference's traces.
    labels: its family, and what its searches show, function by function, with their rows.
    """

    tree: Tree
    tasks: list[Task]
    labels: set[str]

    @cached_property
    def cost(self) -> int:
        """The queries of the correct searches."""
        return sum(len(task.expected.events) for task in self.tasks)


def fit_set(course: Course, seed: int, count: int) -> list[Tree]:
    """Return a set of `count` trees that passes `make check`. Raises InputError.

    It has a tree of each family for each player, and random trees. Known mistakes only test
    a set. Those that too few of its trees kill become requirements of the next set.
    """
    pool = candidates(course, seed)
    requirements = course.requirements()
    for _ in range(TRIES):
        chosen = choose(pool, requirements, count)
        if len(chosen) > count or cost_of(chosen) > MAX_QUERIES:
            break
        missed = rare(course, chosen)
        if not missed:
            return name_trees(chosen)
        say(f"too few trees reveal {len(missed)} known mistakes; choosing again")
        for mistake in missed:
            requirements[mistake.name] = ENOUGH
            for candidate in killers(course, pool, mistake, SPARE):
                candidate.labels.add(mistake.name)
    raise InputError(f"no set of {count} trees passes; try a larger COUNT or another SEED")


def candidates(course: Course, seed: int) -> list[Candidate]:
    """Return different unpublished trees of every family; the seed determines them."""
    rng = random.Random(str(seed))
    hashes = set(course.published)
    found = []
    families = [*ROUNDS * [*FAMILIES, *EXPENSIVE], *RANDOM * [DECISIONS]]
    for tree in family_trees(rng, families):
        tasks = tasks_for([tree], course.reference)
        content = hash_of_tree(tree)
        if content in hashes or any(beyond_limits(tree, tasks)):
            continue
        candidate = Candidate(tree, tasks, course.labels_of(tree, tasks))
        if tree.title == DECISIONS.title and candidate.cost > MAX_COST:
            continue
        hashes.add(content)
        found.append(candidate)
    rng.shuffle(found)
    return found


def family_label(title, player):
    """Return the label of a family for searches in which this player moves first."""
    return f"{title}, {player} first"


def choose(
    pool: list[Candidate], requirements: dict[str, int], count: int
) -> list[Candidate]:
    """Return candidates that meet the requirements, and random trees up to the count.

    Labels that the fewest candidates show come first.

    requirements: label -> the number of trees that must show it.

    Raises InputError if the candidates show a label too rarely.
    """
    missing = Counter(requirements)
    chosen = []
    remaining = list(pool)

    def add(tree):
        chosen.append(tree)
        remaining.remove(tree)
        missing.subtract(tree.labels)

    def gain(tree):
        needed = sum(missing[label] > 0 for label in tree.labels)
        return needed / (COST_OF_TREE + tree.cost)

    showing = Counter(label for tree in pool for label in tree.labels)
    for label in sorted(requirements, key=showing.__getitem__):
        while missing[label] > 0:
            options = [tree for tree in remaining if label in tree.labels]
            if not options:
                raise InputError(f"no set shows {label!r}; try another SEED")
            add(max(options, key=gain))
    for tree in list(remaining):
        fits = len(chosen) < count and cost_of(chosen) + tree.cost <= MAX_QUERIES
        if fits and tree.tree.title == DECISIONS.title:
            add(tree)
    return chosen


def cost_of(trees: Iterable[Candidate]) -> int:
    """Return the queries of the correct searches of trees."""
    return sum(tree.cost for tree in trees)


def name_trees(chosen: list[Candidate]) -> list[Tree]:
    """Return the trees with names, titles and lessons; titles and lessons are unique."""
    numbers = Counter()
    named = []
    for candidate in chosen:
        title = candidate.tree.title
        numbers[title] += 1
        if numbers[title] > 1:
            title += f", {numbers[title]}"
        words = re.findall("[a-z]+", title.lower())[:4]
        lesson = title[0].lower() + title[1:]
        tree = replace(candidate.tree, name="-".join(words), title=title, lesson=lesson)
        named.append(tree)
    return named


def rare(course: Course, chosen: list[Candidate]) -> list:
    """Return the mistakes that too few trees kill."""
    counts = in_parallel(partial(_count_killers, course, chosen), course.mistakes)
    pairs = zip(course.mistakes, counts)
    return [mistake for mistake, count in pairs if count < ENOUGH]


def _count_killers(course, chosen, mistake):
    return len(killers(course, chosen, mistake, ENOUGH))


def killers(course: Course, pool: Iterable[Candidate], mistake, limit: int):
    """Return the trees of a pool that kill a mistake, at most `limit` of them."""
    killing = (tree for tree in pool if is_caught(mistake, tree.tasks, course.rubric))
    return [*itertools.islice(killing, limit)]


if __name__ == "__main__":
    run("trees", main)
