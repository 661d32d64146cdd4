"""Generate a set of hidden trees whose searches exercise as much as possible.

A seed determines candidates of every family. The set must show required features and have
trees in every row. Beyond that, each step chooses the tree whose searches show the most new
details for their cost. Known mistakes only test the set: those that too few trees kill
become a requirement of the next choice.
"""

from __future__ import annotations

import itertools
import math
import random
import re
import secrets
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial

from autograder.explaining.variants import load_mistakes
from autograder.ground.command import Parser, path, run
from autograder.ground.files import replace_folder
from autograder.ground.processes import in_parallel
from autograder.kit import ROOT, load_reference
from autograder.scoring.concepts import PUBLIC, concept_of
from autograder.scoring.features import features_of
from autograder.scoring.rubric import load_rubric
from autograder.scoring.tasks import Task, tasks_for
from autograder.smalltrees.build import dump_tree
from autograder.smalltrees.families import FAMILIES, decisions, family_trees
from autograder.workbench.details import details_of
from autograder.workbench.killmatrix import ENOUGH, FULL, is_caught
from autograder.workbench.lint import beyond_limits, lacking, required_features
from autograder.workbench.treeset import (
    file_name,
    hash_of_tree,
    is_generated,
    published_hashes,
    record_trees,
    same_set,
)
from gametree import load_trees
from gametree.support.errors import InputError
from gametree.support.tree import Tree

HIDDEN = ROOT / "trees" / "hidden"
BITS = 128  # length of a drawn seed
GUESSABLE = 2**64  # smaller seeds could be guessed by trying all of them
COUNT = 90  # trees of a set
MAX_QUERIES = 9600  # of the correct searches of a set
TRIES = 6  # attempts to choose a set that passes
ROUNDS = 8  # candidates of each family, for each player
RANDOM = 250  # candidates of the family of random decisions, for each player
IN_ROW = 3  # fewest trees of a row
SPARE = 30  # trees that kill a mistake, from which to choose
COST_OF_TREE = 60  # a tree costs as much as this number of queries
COST_OF_SEARCH = 8  # a search costs as much as this number of further queries
NEEDED = 5  # the worth of a required label, in details
ANY = None  # stands for all labels, when each has had its turn
LEAST_GAIN = 0.5  # new details for each query of a random search


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
    known = len(course.mistakes)
    print(f"{known} of {known} known mistakes lose points on {ENOUGH} trees")
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
        return f"{task.function}: {concept_of(task, rows)}"

    @property
    def rows(self) -> list[str]:
        """The rows of hidden trees."""
        rows = []
        for function, concepts in self.rubric.rows.items():
            rows += [f"{function}: {name}" for name in concepts if name != PUBLIC]
        return rows

    def requirements(self) -> dict[str, int]:
        """Return each row and feature that a set must show -> the number of trees."""
        needed = dict.fromkeys(required_features(self.reference.assigned), 1)
        return needed | dict.fromkeys(self.rows, IN_ROW)

    def wishes(self) -> dict[str, int]:
        """Return each family and player that a set should have -> the number of trees."""
        wanted = {}
        for family in FAMILIES:
            for player in ("MAX", "MIN"):
                wanted[f"{family.title}: {player} first"] = family.wanted
        return wanted


@dataclass(eq=False)
class Candidate:
    """A tree that may be chosen for the set.

    tree: the tree.
    tasks: its searches, with the reference's traces.
    labels: its kind, the rows of its searches, their features and their details.
    cost: the queries of the correct searches.
    """

    tree: Tree
    tasks: list[Task]
    labels: set[str] = field(default_factory=set)
    cost: int = 0

    @property
    def kind(self) -> str:
        """The family and the player at the root."""
        player = "MAX" if self.tree.maximizing else "MIN"
        return f"{self.tree.title}: {player} first"


def fit_set(course: Course, seed: int, count: int) -> list[Tree]:
    """Return a set of `count` trees that passes `make check`. Raises InputError."""
    pool = candidates(course, seed)
    requirements = course.requirements()
    for number in range(1, TRIES + 1):
        chosen = choose(pool, requirements, course.wishes(), count)
        missed = rare(course, chosen)
        faults = problems(course, chosen, missed)
        if not faults:
            return name_trees(chosen)
        print(f"choice {number} does not pass: {faults[0]}", flush=True)
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
    for tree in family_trees(rng, ROUNDS * FAMILIES + RANDOM * (decisions,)):
        tasks = tasks_for([tree], course.reference)
        if any(beyond_limits(tree, tasks)):
            continue
        candidate = Candidate(tree, tasks)
        add_labels(course, candidate)
        if hash_of_tree(candidate.tree) not in hashes and candidate.tasks:
            hashes.add(hash_of_tree(candidate.tree))
            found.append(candidate)
    rng.shuffle(found)
    return found


def add_labels(course: Course, candidate: Candidate) -> None:
    """Add the labels and the cost of a candidate; drop random searches of little use."""
    labels_of = {}
    cost_of = Counter()
    for task in candidate.tasks:
        labels = labels_of.setdefault(task.search, {candidate.kind})
        labels |= {course.row_of(task), *features_of(task), *details_of(task)}
        cost_of[task.search] += len(task.expected.events)
    kept = [search for search in candidate.tree.searches if search in labels_of]
    if candidate.tree.title == decisions.title:
        kept = useful_searches(labels_of, cost_of)
    candidate.tree = replace(candidate.tree, searches=tuple(kept))
    candidate.tasks = [task for task in candidate.tasks if task.search in kept]
    candidate.labels = set().union(*(labels_of[search] for search in kept))
    candidate.cost = sum(cost_of[search] for search in kept)


def useful_searches(labels_of, cost_of):
    """Return the searches that show many labels for their cost, in their order."""
    shown = set()
    kept = []

    def gain(search):
        return len(labels_of[search] - shown) / (COST_OF_SEARCH + cost_of[search])

    remaining = list(labels_of)
    while remaining:
        best = max(remaining, key=gain)
        if gain(best) < LEAST_GAIN:
            break
        remaining.remove(best)
        kept.append(best)
        shown |= labels_of[best]
    return [search for search in labels_of if search in kept]


def choose(pool: list[Candidate], requirements, wishes, count: int) -> list[Candidate]:
    """Return up to `count` trees of the pool that show many labels for their cost.

    The requirements come first, and then the wishes. Among them, those come first that the
    fewest trees show.

    requirements: label -> the number of trees that must show it.
    wishes: label -> the number of trees that should show it.
    """
    showing = Counter(itertools.chain.from_iterable(tree.labels for tree in pool))
    worth = weigh(showing)
    missing = dict.fromkeys(showing, 1) | requirements | wishes
    in_turn = sorted(requirements, key=lambda label: showing[label])
    in_turn += sorted(wishes, key=lambda label: showing[label])
    named = frozenset(in_turn)
    chosen = []
    remaining = list(pool)
    budget = MAX_QUERIES

    def gain(tree):
        needed = sum(missing[label] for label in tree.labels & named)
        # A plain sum would depend on the order of the set, which varies between runs.
        shown = math.fsum(worth[label] for label in tree.labels if missing[label])
        return (NEEDED * needed + shown) / (COST_OF_TREE + tree.cost)

    for label in [*in_turn, ANY]:
        while len(chosen) < count and (label is ANY or missing[label]):
            remaining = [tree for tree in remaining if tree.cost <= budget]
            options = [tree for tree in remaining if label is ANY or label in tree.labels]
            if not options:
                break
            best = max(options, key=gain)
            remaining.remove(best)
            chosen.append(best)
            budget -= best.cost
            for shown in best.labels:
                missing[shown] = max(0, missing[shown] - 1)
    return chosen


def weigh(labels: Iterable[str]) -> dict[str, float]:
    """Return label -> its worth: the more labels a function has, the less each is worth."""
    function_of = {label: label.partition(": ")[0] for label in labels}
    numbers = Counter(function_of.values())
    return {label: 10 / math.sqrt(numbers[name]) for label, name in function_of.items()}


def name_trees(chosen: list[Candidate]) -> list[Tree]:
    """Return the trees with names, titles and lessons; titles and lessons are unique."""
    numbers = Counter()
    named = []
    for candidate in chosen:
        numbers[candidate.kind] += 1
        title = candidate.kind
        if numbers[title] > 1:
            title += f", {numbers[title]}"
        words = re.findall("[a-z]+", candidate.tree.title.lower())[:4]
        lesson = title[0].lower() + title[1:]
        tree = replace(candidate.tree, name="-".join(words), title=title, lesson=lesson)
        named.append(tree)
    return named


def problems(course: Course, chosen: Iterable[Candidate], missed) -> list[str]:
    """Return the reasons why `make check` would reject the set, one per line."""
    found = list(lacking(task for candidate in chosen for task in candidate.tasks))
    counts = Counter(label for candidate in chosen for label in candidate.labels)
    for row in course.rows:
        if counts[row] < IN_ROW:
            found.append(f"{row} has {counts[row]} trees, but it needs {IN_ROW}")
    for mistake in missed:
        found.append(f"{mistake.name} loses points on too few trees")
    return found


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
