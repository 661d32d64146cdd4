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
from dataclasses import dataclass, replace
from functools import partial

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
    FAMILIES,
    WRITTEN,
    decisions,
    family_trees,
    number_families,
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
MAX_COST = 300  # queries of a tree of random decisions
TRIES = 6  # attempts to choose a set that passes
ROUNDS = 6  # candidates of each family, for each player
RANDOM = 200  # candidates of the family of random decisions, for each player
IN_ROW = 3  # fewest trees of a row
SPARE = 40  # trees that kill a mistake, from which to choose
COST_OF_TREE = 60  # a tree costs as much as this number of queries
COST_OF_SEARCH = 8  # a search costs as much as this number of further queries
MAX_CENTS = 350  # a tree should not be worth more in its row
RARE = 4  # candidates; labels that fewer of them show are left to chance
NEEDED = 5  # the worth of a required label
LEAST_GAIN = 1.5  # new labels for each query of a random search


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

    def requirements(self) -> dict[str, int]:
        """Return each row and feature that a set must show -> the number of trees."""
        needed = dict.fromkeys(required_features(self.reference.assigned), 1)
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
    cost: the queries of the correct searches.
    """

    tree: Tree
    tasks: list[Task]
    labels: set[str]
    cost: int


def fit_set(course: Course, seed: int, count: int) -> list[Tree]:
    """Return a set of `count` trees that passes `make check`. Raises InputError.

    Known mistakes only test a choice. Those that too few of its trees kill become
    requirements of the next choice.
    """
    pool = candidates(course, seed)
    requirements = course.requirements()
    for family in FAMILIES:
        for player in (MAX, MIN):
            requirements[family_label(family.title, player.name)] = 1
    for _ in range(TRIES):
        choice = Choice(pool)
        choice.meet(requirements)
        choice.fill(count, MAX_QUERIES)
        if len(choice.chosen) > count or choice.cost > MAX_QUERIES:
            break
        missed = rare(course, choice.chosen)
        if not missed:
            return name_trees(choice.chosen)
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
    families = [*ROUNDS * WRITTEN, *RANDOM * [decisions], *2 * number_families]
    for tree in family_trees(rng, families):
        tasks = tasks_for([tree], course.reference)
        if any(beyond_limits(tree, tasks)):
            continue
        candidate = make_candidate(course, tree, tasks)
        if tree.title == decisions.title and candidate.cost > MAX_COST:
            continue
        if hash_of_tree(candidate.tree) not in hashes:
            hashes.add(hash_of_tree(candidate.tree))
            found.append(candidate)
    rng.shuffle(found)
    found.sort(key=lambda candidate: candidate.cost)  # cheap trees are tried first
    return found


def make_candidate(course: Course, tree: Tree, tasks: list[Task]) -> Candidate:
    """Return the candidate for a tree; random searches of little use are dropped."""
    shown = {}
    for search in tree.searches:
        shown[search] = {family_label(tree.title, search.player_at(()))}
    cost_of = Counter()
    for task in tasks:
        shown[task.search] |= {course.row_of(task), *labels_of(task)}
        cost_of[task.search] += len(task.expected.events)
    kept = tree.searches
    if tree.title == decisions.title:
        kept = useful_searches(shown, cost_of)
    return Candidate(
        replace(tree, searches=tuple(kept)),
        [task for task in tasks if task.search in kept],
        set().union(*(shown[search] for search in kept)),
        sum(cost_of[search] for search in kept),
    )


def family_label(title, player):
    """Return the label of a family's searches in which this player moves first."""
    return f"{title}, {player} first"


def useful_searches(shown, cost_of):
    """Return the searches that show many labels for their cost, in their order."""
    seen = set()
    kept = []

    def gain(search):
        return len(shown[search] - seen) / (COST_OF_SEARCH + cost_of[search])

    remaining = list(shown)
    while remaining:
        best = max(remaining, key=gain)
        if kept and gain(best) < LEAST_GAIN:
            break
        remaining.remove(best)
        kept.append(best)
        seen |= shown[best]
    return [search for search in shown if search in kept]


class Choice:
    """A choice of trees from a pool, each for what it shows that no chosen tree shows.

    remaining: the candidates that are not chosen.
    chosen: the chosen candidates, in order.
    """

    def __init__(self, pool: list[Candidate]):
        self.remaining = list(pool)
        self.chosen: list[Candidate] = []
        self._showing = Counter(label for tree in pool for label in tree.labels)
        self._missing = dict.fromkeys(self._showing, 1)
        self._worth = weigh(self._showing)

    @property
    def cost(self) -> int:
        """The queries of the chosen trees."""
        return sum(tree.cost for tree in self.chosen)

    def meet(self, requirements: dict[str, int]) -> None:
        """Choose trees until each required label is shown by so many more trees.

        The labels that the fewest candidates show come first. Raises InputError if the
        candidates show a label too rarely.
        """
        self._missing |= requirements
        self._worth |= dict.fromkeys(requirements, NEEDED)
        for label in sorted(requirements, key=self._showing.__getitem__):
            while self._missing[label]:
                options = [tree for tree in self.remaining if label in tree.labels]
                if not options:
                    raise InputError(f"no set shows {label!r}; try another SEED")
                self._add(max(options, key=self._gain))

    def fill(self, count: int, max_queries: int) -> None:
        """Choose trees until there are `count`, or until no tree fits into the queries."""
        while len(self.chosen) < count:
            budget = max_queries - self.cost
            options = [tree for tree in self.remaining if tree.cost <= budget]
            if not options:
                break
            self._add(max(options, key=self._gain))

    def _gain(self, tree):
        """Return the worth of what a tree adds, for its cost."""
        # A plain sum would depend on the order of the set, which varies between runs.
        shown = math.fsum(
            self._worth[label] for label in tree.labels if self._missing[label]
        )
        return shown / (COST_OF_TREE + tree.cost)

    def _add(self, tree):
        self.remaining.remove(tree)
        self.chosen.append(tree)
        for label in tree.labels:
            self._missing[label] = max(0, self._missing[label] - 1)


def weigh(showing: Counter) -> dict[str, float]:
    """Return label -> its worth: the more labels a function has, the less each is worth.

    showing: label -> the number of candidates that show it. Rare labels are worth nothing.
    """
    function_of = {label: label.partition(": ")[0] for label in showing}
    numbers = Counter(function_of.values())
    worth = {}
    for label, function in function_of.items():
        is_rare = showing[label] < RARE
        worth[label] = 0 if is_rare else 10 / math.sqrt(numbers[function])
    return worth


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
