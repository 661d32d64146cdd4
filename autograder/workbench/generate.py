"""Generate a set of hidden trees that shows every property and kills every mistake.

A seed determines candidates of every family. Each step chooses the tree with the largest
gain. A gain is a property that no tree shows yet, a row with too few trees, or a known
mistake that fewer than five trees kill.
"""

from __future__ import annotations

import itertools
import random
import secrets
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property, partial

from autograder.explaining.derived import load_mistakes
from autograder.explaining.library import failures, tasks_concerning
from autograder.ground.command import Parser, Refused, path, run
from autograder.ground.files import finish_replacing, replace_folder
from autograder.ground.processes import in_parallel
from autograder.kit import ROOT, load_reference
from autograder.scoring.concepts import WEIGHTS, concept_of
from autograder.scoring.features import features_of
from autograder.scoring.rubric import load_rubric
from autograder.scoring.scores import earned
from autograder.smalltrees.build import dump_tree
from autograder.smalltrees.families import FAMILIES, family_trees
from autograder.workbench.facts import Facts, player_of
from autograder.workbench.killmatrix import ENOUGH, FULL, functions_with_points
from autograder.workbench.lint import (
    beyond_limits,
    content_of,
    record_trees,
    stray_files,
)
from autograder.workbench.properties import lacking
from gametree import load_trees
from gametree.support.tree import Tree

HIDDEN = ROOT / "trees" / "hidden"
BITS = 128  # length of a drawn seed
GUESSABLE = 2**64  # smaller seeds could be guessed by trying all of them
TRIES = 3  # attempts to choose a set that passes, each from more candidates
ROUNDS = 12  # candidates of each family, for each player
OFTEN = 8  # a mistake is hard if fewer trees of the first choice kill it
SHOWS = 2  # worth of a tree for each property that no tree shows yet
IN_FAMILY = 5  # worth of the first tree of a family, for each player
IN_ROW = 5  # worth of a tree for each row that still needs trees
KILLS = 20  # worth of a tree for each mistake that too few trees kill


def main(arguments=None):
    """Generate a set that passes `make check`, and write it.

    Every set contains the kit's trees with a source: the edge cases and the games.

    Raises Refused if no set passes, or if a set exists and FORCE is not given.
    """
    options = parse(arguments)
    folder = options.out
    present = _load_present(folder)
    staying = [tree for tree in present if tree.source or options.keep]
    replaced = len(present) - len(staying)
    if replaced and not options.force:
        raise Refused(
            f"{folder} contains a set ({replaced} trees); write FORCE=1 to replace it"
        )
    seed = options.seed
    if seed is None:
        seed = secrets.randbits(BITS)
    names = [tree.name for tree in present]
    for tree in _load_trees(HIDDEN):
        if tree.source and tree.name not in names:
            staying.append(tree)
    course = Course(staying)
    fresh = fit_set(course, seed, options.count)
    write_set(folder, fresh, staying)
    stay = len(staying)
    print(f"wrote {len(fresh)} fresh trees to {folder}, in addition to {stay} that stay")
    known = len(course.mistakes)
    print(f"{known} of {known} known mistakes lose points on {ENOUGH} trees")
    if options.seed is None:
        print(f"drawn: SEED={seed}, which generates the same set again; do not publish it")
    if folder.resolve() == HIDDEN:
        seed_of_all = "several, after KEEP=1" if options.keep else str(seed)
        record_trees(ROOT, seed_of_all, course.rubric)
        print("next: make check")
    else:
        print("trees/hidden is unchanged; make trees KEEP=1 adds fresh trees to it")
    return 0


def parse(arguments):
    """Return the options of the command line."""
    parser = Parser(prog="make trees", description=__doc__)
    parser.add_argument("--seed", type=int, help="of 64 bits or more; drawn if not given")
    parser.add_argument("--count", type=int, default=60, help="fresh trees: COUNT=60")
    parser.add_argument("--out", type=path, default=HIDDEN)
    parser.add_argument("--keep", action="store_true", help="add to the set: KEEP=1")
    parser.add_argument("--force", action="store_true", help="replace the set: FORCE=1")
    options = parser.parse_args(arguments)
    fewest = 1 if options.keep else FULL
    if options.count < fewest:
        raise Refused(f"COUNT: it must be at least {fewest}; omit it for 60 trees")
    if options.seed is not None and abs(options.seed) < GUESSABLE:
        raise Refused(
            f"SEED={options.seed} can be found by trying seeds; omit it to draw a secret "
            "seed, or write a seed of at least 64 bits"
        )
    return options


def _load_present(folder):
    """Return the trees in the folder; raise Refused if it contains other files."""
    if folder.is_file():
        raise Refused(f"OUT: {folder} is a file; write the name of a folder")
    finish_replacing(folder)
    if folder.is_dir():
        for name in stray_files(folder):
            raise Refused(f"{folder} contains {name}, which would be lost; move it away")
    return _load_trees(folder)


def _load_trees(folder):
    """Return the trees in the folder, which may be empty or missing."""
    return load_trees(folder) if any(folder.glob("[!.]*.yaml")) else []


class Course:
    """The course that a set is generated for.

    rubric: the points, which determine the required trees.
    reference: the correct program, with the functions that earn points.
    public: the public trees. Fresh trees must have other names and contents.
    staying: the Candidates that are in the set already and stay.
    mistakes: the known mistakes in these functions.
    """

    def __init__(self, staying: list[Tree]):
        rubric = load_rubric(ROOT / "autograder" / "rubric.yaml")
        self.rubric = rubric
        functions = functions_with_points(rubric)
        self.reference = load_reference(ROOT, rubric.cutoff, functions)
        self.public = load_trees(ROOT / "trees" / "public")
        self.staying = [Candidate(tree, self) for tree in staying]
        self.mistakes = load_mistakes(ROOT / "solution", rubric.cutoff, functions)

    @property
    def rows(self) -> list[str]:
        """The names of the rows that earn points."""
        return [
            f"{function}: {concept}"
            for function in self.reference.assigned
            for concept in WEIGHTS[function]
        ]


@dataclass(eq=False)
class Candidate:
    """A tree that may be chosen for the set.

    tree: the tree.
    course: the course that the set is generated for.
    """

    tree: Tree
    course: Course

    def __post_init__(self):
        self.kind = f"{self.tree.title}: {player_of(self.tree)} first"

    @cached_property
    def facts(self) -> Facts:
        """The facts about the tree."""
        return Facts(self.tree, self.course.reference)

    @cached_property
    def offers(self) -> set[str]:
        """The kind and the features of its searches, and the rows that contain it."""
        rows = []
        for task in self.facts.tasks:
            concept = concept_of(task)
            rows.append(f"{task.function}: {concept}")
        features = set().union(*map(features_of, self.facts.tasks))
        return {self.kind, *features, *rows}

    def kills(self, mistake) -> bool:
        """Tell whether the mistake loses points on the tree."""
        verdicts = failures(mistake, tasks_concerning(mistake, self.facts.tasks))
        return any(earned(self.course.rubric, verdict) < 1 for verdict in verdicts)


def fit_set(course: Course, seed: int, count: int) -> list[Candidate]:
    """Return a set of `count` trees that passes `make check`. Raises Refused.

    A mistake that few chosen trees kill is hard, and each further choice considers the
    trees that kill it.
    """
    pool = candidates(course, f"{seed} 1")
    chosen = choose(course, pool, count, [])
    hard = rare(course, chosen, OFTEN)
    for number in range(1, TRIES + 1):
        chosen = choose(course, pool, count, hard)
        name_trees(course, chosen)
        missed = rare(course, chosen, ENOUGH)
        faults = problems(course, chosen, missed)
        if not faults:
            return chosen
        print(f"choice {number} does not pass: {faults[0]}", flush=True)
        hard += [mistake for mistake in missed if mistake not in hard]
        pool += candidates(course, f"{seed} {number + 1}", pool)
    raise Refused(f"no set of {count} trees passes; try a larger COUNT or another SEED")


def candidates(course: Course, seed: str, pool=()) -> list[Candidate]:
    """Return trees of every family that respect the limits; the seed determines them.

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
        if content not in contents and not any(beyond_limits(candidate.facts)):
            contents.add(content)
            found.append(candidate)
    rng.shuffle(found)
    return found


def choose(course: Course, pool: list[Candidate], count: int, hard) -> list[Candidate]:
    """Return up to `count` trees of the pool, those with the largest gain.

    hard: the mistakes that affect the choice.
    """
    trees = [*course.staying, *pool]
    offers = {candidate: set(candidate.offers) for candidate in trees}
    shown = set().union(*offers.values()).difference(course.rows)
    worth = dict.fromkeys(shown, SHOWS)
    worth.update((candidate.kind, IN_FAMILY) for candidate in pool)
    needed = Counter(worth.keys())
    worth.update(dict.fromkeys(course.rows, IN_ROW))
    needed.update(dict.fromkeys(course.rows, ENOUGH))
    for mistake, killers in zip(hard, killers_of(hard, trees, len(trees))):
        worth[mistake.name] = KILLS
        needed[mistake.name] = ENOUGH
        for index in killers:
            offers[trees[index]].add(mistake.name)
    for candidate in course.staying:
        needed.subtract(offers[candidate])
    return take(pool, offers, needed, worth, count)


def killers_of(mistakes, trees, limit):
    """Return, for each mistake, the indices of the first trees that kill it.

    limit: the largest number of indices for each mistake.
    """
    return in_parallel(partial(_killers, trees, limit), mistakes)


def _killers(trees, limit, mistake):
    killing = (index for index, tree in enumerate(trees) if tree.kills(mistake))
    return [*itertools.islice(killing, limit)]


def take(pool, offers, needed, worth, limit):
    """Return the trees with the largest gain.

    offers: tree -> names.
    needed: name -> the number of trees that must offer it.
    worth: name -> the worth of a tree that offers it.
    limit: the largest number of trees.
    """
    remaining = list(pool)
    chosen = []

    def gain(candidate):
        names = [name for name in offers[candidate] if needed[name] > 0]
        return sum(worth[name] * needed[name] for name in names)

    while remaining and len(chosen) < limit:
        best = max(remaining, key=gain)
        remaining.remove(best)
        chosen.append(best)
        needed.subtract(offers[best])
    return chosen


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
    candidates = [*course.staying, *chosen]
    found = list(lacking(task for tree in candidates for task in tree.facts.tasks))
    for mistake in missed:
        found.append(f"{mistake.name} loses points on too few trees")
    return found


def rare(course, chosen, enough):
    """Return the mistakes that fewer than `enough` trees kill."""
    killers = killers_of(course.mistakes, [*course.staying, *chosen], enough)
    pairs = zip(course.mistakes, killers)
    return [mistake for mistake, killing in pairs if len(killing) < enough]


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
