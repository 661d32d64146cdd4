"""Make a hidden set: few trees that show every property and kill every mistake.

Candidates of every family are drawn from a seed. Trees are then taken one by one, each time
the one that adds most for what it costs: a property that no tree shows yet, a row of the
grading with too few trees, a known mistake that loses points on fewer than five.
Each file says what its tree is there for.
"""

from __future__ import annotations

import itertools
import math
import random
import secrets
import textwrap
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

from autograder.command import Parser, Refused, path, run
from autograder.files import finish_replacing, replace_folder
from autograder.judging.concepts import concept_of
from autograder.judging.scores import earned
from autograder.kit import ROOT, load_reference
from autograder.mistakes.derived import load_mistakes
from autograder.mistakes.library import tasks_concerning
from autograder.processes import in_parallel
from autograder.rubricfile import load_rubric
from autograder.smalltrees.build import dump_tree
from autograder.smalltrees.families import COMMON, SPECIAL, family_trees
from autograder.tasks import Task
from autograder.workbench.facts import Facts
from autograder.workbench.killmatrix import ENOUGH, FULL, charged_for, failures, least_of
from autograder.workbench.lint import (
    MAX_LETTERS,
    beyond_limits,
    content_of,
    lint,
    stray_files,
)
from autograder.workbench.properties import (
    PROPERTIES,
    how_many_shown,
    lacking,
    properties_of,
)
from autograder.workbench.treesrecord import record_trees
from gametree import load_trees
from gametree.support.tree import Tree

BITS = 128  # of a seed that is drawn
GUESSABLE = 2**64  # seeds below this can be tried until the trees fit
TRIES = 4  # sets that are chosen, each from more candidates, until one is fit
SMALL_TRIES = 2  # the same, for a set that is too small to be full
SPECIAL_ROUNDS = 6  # candidates of each special family, for each player
COMMON_ROUNDS = 16  # the same for common families
MAX_REASONS = 6  # properties that a tree is there for, in its file
OFTEN = 8  # trees of a first choice that kill a mistake which is not hard
MAX_QUERIES = 150  # of the reference, in a tree that fills a set up
FEWEST = 4  # trees of a row that earns little; one that earns more has up to ENOUGH
IN_ROW = 5  # what a tree is worth for each row that still needs trees
KILLS = 10  # what a tree is worth for each mistake that too few trees kill
CALL = 1000  # what a tree costs, in queries, beside its own


def main(arguments=None):
    """Make a fit set and write it. Raises Refused where none is found, or one is there."""
    options = parse(arguments)
    folder = options.out
    present = load_present(folder)
    staying = [tree for tree in present if tree.source or options.keep]
    replaced = len(present) - len(staying)
    if replaced and not options.force:
        raise Refused(
            f"{folder} holds a set ({replaced} trees); write FORCE=1 to replace it"
        )
    seed = options.seed
    if seed is None:
        seed = secrets.randbits(BITS)
    course = Course(ROOT, staying)
    fresh, missed = fit_set(course, seed, options.count)
    write_set(folder, fresh, staying)
    report(course, fresh, missed, folder)
    if options.seed is None:
        print(f"drawn: SEED={seed}, which makes the same set again; keep it to yourself")
    if folder.resolve() == ROOT / "trees" / "hidden":
        seed_of_all = "several, after KEEP=1" if options.keep else str(seed)
        record_trees(ROOT, seed_of_all, course.rubric)
        print("next: make check")
    else:
        print("trees/hidden stays as it is; make trees KEEP=1 adds fresh ones to that")
    return 0


def parse(arguments):
    """Return the command's options."""
    parser = Parser(prog="make trees", description=__doc__)
    parser.add_argument("--seed", type=int, help="of 64 bits or more; drawn if not given")
    parser.add_argument("--count", type=int, default=60, help="fresh trees: COUNT=60")
    parser.add_argument("--out", type=path, default=ROOT / "trees" / "hidden")
    parser.add_argument("--keep", action="store_true", help="add to the set: KEEP=1")
    parser.add_argument("--force", action="store_true", help="replace the set: FORCE=1")
    options = parser.parse_args(arguments)
    if options.count < 1:
        raise Refused("COUNT: at least one fresh tree; leave it out for 60")
    if options.seed is not None and abs(options.seed) < GUESSABLE:
        raise Refused(
            f"SEED={options.seed} can be found by trying seeds: leave it out, and one is "
            "drawn; a seed has 64 bits or more"
        )
    return options


def load_present(folder: Path) -> list[Tree]:
    """Return the trees of the folder; raise Refused where it holds anything else."""
    if folder.is_file():
        raise Refused(f"OUT: {folder} is a file; give a folder")
    finish_replacing(folder)
    if not folder.is_dir():
        return []
    for name in stray_files(folder):
        raise Refused(f"{folder} holds {name}, which would be gone: move it away")
    return load_trees(folder) if any(folder.iterdir()) else []


class Course:
    """What a set is made for.

    rubric: the points and weights that decide which trees are needed.
    reference: the correct program.
    public: the public trees, whose names and contents fresh trees may not have.
    staying: the Candidates that are in the set already and stay.
    mistakes: the known mistakes that lose points under the rubric.
    """

    def __init__(self, root: Path, staying: list[Tree]):
        self.rubric = load_rubric(root / "autograder" / "rubric.yaml")
        self.reference = load_reference(root, self.rubric.cutoff, self.rubric.assigned)
        self.public = load_trees(root / "trees" / "public")
        self.staying = [Candidate(tree, self) for tree in staying]
        rubric = self.rubric
        known = load_mistakes(root / "solution", rubric.cutoff, rubric.assigned)
        self.mistakes = charged_for(known, rubric)

    @cached_property
    def rows(self) -> dict[str, int]:
        """Name of each row -> how many trees it is to have, 0 if it earns nothing."""
        rubric = self.rubric
        all_cents = sum(rubric.cents.values())
        rows = {}
        for function, cents in rubric.cents.items():
            weights = rubric.weights[function]
            percent = 100 * cents / all_cents / sum(weights.values())
            for concept, weight in weights.items():
                trees = math.ceil(percent * weight) + 1
                trees = max(FEWEST, min(ENOUGH, trees))
                rows[f"{function}: {concept}"] = trees if percent * weight else 0
        return rows

    def row_of(self, task: Task) -> str:
        """Return the name of a task's row, "" where the row is worth nothing."""
        concept = task.tree.concept or concept_of(task, self.rubric.cutoff)
        name = f"{task.function}: {concept}"
        return name if self.rows.get(name) else ""


@dataclass(eq=False)
class Candidate:
    """A tree that may come into the set.

    tree: the tree.
    course: what the set is made for.
    reasons: names of the properties, rows and mistakes that it was taken for.
    """

    tree: Tree
    course: Course
    reasons: list[str] = field(default_factory=list)

    def __post_init__(self):
        self.family = self.tree.title

    @cached_property
    def facts(self) -> Facts:
        """What is known of the tree."""
        return Facts(self.tree, self.course.reference)

    @cached_property
    def rows(self) -> dict[tuple, str]:
        """Key of a task -> its row, "" where the row is worth nothing."""
        return {task.key: self.course.row_of(task) for task in self.facts.tasks}

    @cached_property
    def offers(self) -> set[str]:
        """The properties that it shows and the rows that it is in."""
        rows = filter(None, self.rows.values())
        return properties_of(self.facts).union(rows)

    @cached_property
    def queries(self) -> int:
        """How many queries the reference needs."""
        return sum(len(task.expected.events) for task in self.facts.tasks)

    def kills(self, mistake) -> bool:
        """Tell whether the mistake loses points on the tree."""
        for verdict in failures(mistake, tasks_concerning(mistake, self.facts.tasks)):
            row = self.rows[verdict.task.key]
            if row and earned(self.course.rubric, verdict) < 1:
                return True
        return False


def fit_set(course: Course, seed: int, count: int) -> tuple[list[Candidate], list]:
    """Return (a set of so many trees that `make check` takes, what it misses).

    What it misses is what rare() returns. The mistakes that too few of the chosen trees
    kill are hard ones. Each further choice takes into account which trees kill them. A set
    that is too small to be full is taken in the end. Raises Refused if none is found.
    """
    is_small = len(course.staying) + count < FULL
    tries = SMALL_TRIES if is_small else TRIES
    pool = candidates(course, f"{seed} 1")
    chosen = choose(course, pool, count, [])
    hard = [mistake for mistake, _ in rare(course, chosen, OFTEN)]
    for number in range(1, tries + 1):
        chosen = choose(course, pool, count, hard)
        name_trees(course, chosen)
        missed = rare(course, chosen)
        faults = problems(course, chosen, missed)
        if not faults:
            return chosen, missed
        print(f"choice {number} is not fit: {faults[0]}", flush=True)
        hard += [mistake for mistake, _ in missed if mistake not in hard]
        pool += candidates(course, f"{seed} {number + 1}", pool)
    if is_small:
        return chosen, missed
    raise Refused(f"no set of {count} trees is fit; a larger COUNT helps, or another SEED")


def candidates(course: Course, seed: str, pool=()) -> list[Candidate]:
    """Return trees of every family that keep to the limits: the same for the same seed.

    pool: the candidates that there are already.
    """
    rng = random.Random(seed)
    present = [*course.public]
    present += [candidate.tree for candidate in (*course.staying, *pool)]
    contents = {content_of(tree) for tree in present}
    families = SPECIAL_ROUNDS * SPECIAL + COMMON_ROUNDS * COMMON
    found = []
    for number, tree in enumerate(family_trees(rng, families), start=len(pool)):
        candidate = Candidate(replace(tree, name=f"candidate-{number}"), course)
        content = content_of(tree)
        if content not in contents and not any(beyond_limits(candidate.facts)):
            contents.add(content)
            found.append(candidate)
    rng.shuffle(found)
    return found


def choose(course: Course, pool: list[Candidate], count: int, hard) -> list[Candidate]:
    """Return `count` trees of the pool, or all there are, each with what it is for.

    hard: the mistakes that trees are to be chosen by.
    """
    trees = [*course.staying, *pool]
    offers = {candidate: set(candidate.offers) for candidate in trees}
    worth = {known.name: known.worth for known in PROPERTIES}
    needed = Counter(worth.keys())
    needed.update(course.rows)
    worth.update(dict.fromkeys(course.rows, IN_ROW))
    for mistake, killers in zip(hard, killers_of(hard, trees, len(trees))):
        needed[mistake.name] = ENOUGH
        worth[mistake.name] = KILLS
        for index in killers:
            offers[trees[index]].add(mistake.name)
    for candidate in course.staying:
        needed -= Counter(offers[candidate])  # which keeps what is above zero
    chosen = take(pool, offers, needed, worth, count)
    others = [candidate for candidate in pool if candidate not in chosen]
    cheap = (candidate for candidate in others if candidate.queries <= MAX_QUERIES)
    for candidate in itertools.islice(cheap, count - len(chosen)):
        candidate.reasons = []
        chosen.append(candidate)
    return chosen


def killers_of(mistakes, trees, limit):
    """Return, for each mistake, the indices of the first trees that it loses points on.

    limit: how many are enough.
    """
    return in_parallel(partial(_killers, trees, limit), mistakes)


def _killers(trees, limit, mistake):
    killing = (index for index, tree in enumerate(trees) if tree.kills(mistake))
    return [*itertools.islice(killing, limit)]


def take(pool, offers, needed, worth, limit):
    """Return the trees that add most for their cost, until nothing is needed.

    offers: tree -> names; needed: name -> how many trees are to offer it; worth: what
    a tree that does is worth. limit: how many trees are enough.
    """
    needed = Counter(needed)
    remaining = list(pool)
    chosen = []

    def gain(candidate):
        names = [name for name in offers[candidate] if needed[name] > 0]
        adds = sum(worth[name] * needed[name] for name in names)
        return adds / (CALL + candidate.queries)

    while remaining and len(chosen) < limit:
        best = max(remaining, key=gain)
        if gain(best) == 0:
            break
        best.reasons = [name for name in offers[best] if needed[name] > 0]
        remaining.remove(best)
        chosen.append(best)
        needed.subtract(best.reasons)
    return chosen


def name_trees(course, chosen):
    """Give the chosen trees names, titles and lessons of their own."""
    present = [*course.public]
    present += [candidate.tree for candidate in course.staying]
    titles = {tree.title for tree in present}
    names = {tree.name for tree in present}
    for candidate in chosen:
        family = candidate.family
        player = "MAX" if candidate.tree.maximizing else "MIN"
        short = f"{family}: {player} first"
        long = f"{short}, {len(candidate.facts.leaves)} leaves"
        title = unused([short, long], f"{family}, {{}}", itertools.count(2), titles)
        name = unused([], "fresh-{:02d}", itertools.count(1), names)
        lesson = title[0].lower() + title[1:]
        candidate.tree = replace(candidate.tree, name=name, title=title, lesson=lesson)


def unused(texts, numbered, numbers, taken):
    """Return the first text that is short and not taken; it is taken now.

    numbered: what follows the texts, with each of the numbers.
    """
    for text in itertools.chain(texts, map(numbered.format, numbers)):
        if text not in taken and len(text) <= MAX_LETTERS:
            taken.add(text)
            return text


def problems(course, chosen, missed):
    """Return why `make check` would refuse the set, a line each."""
    present = [candidate.tree for candidate in course.staying]
    fresh = [candidate.tree for candidate in chosen]
    present_lines = set(lint(course.public, present))
    lines = lint(course.public, [*present, *fresh])
    found = [line for line in lines if line not in present_lines]
    size = len(present) + len(fresh)
    if size >= FULL:
        found += lacking(candidate.facts for candidate in (*course.staying, *chosen))
    for mistake, count in missed:
        if count < least_of(size):
            found.append(f"{mistake.name} loses points on too few trees ({count})")
    return found


def rare(course, chosen, enough=ENOUGH):
    """Return (mistake, on how many trees it loses points), where these are too few."""
    killers = killers_of(course.mistakes, [*course.staying, *chosen], enough)
    counts = zip(course.mistakes, map(len, killers))
    return [(mistake, count) for mistake, count in counts if count < enough]


def write_set(folder, fresh, staying):
    """Replace the folder by one with these trees; those that stay keep their text."""
    files = {}
    for candidate in fresh:
        files[f"{candidate.tree.name}.yaml"] = text_of(candidate).encode()
    for tree in staying:
        name = f"{tree.name}.yaml"
        files[name] = (folder / name).read_bytes()
    replace_folder(folder, files)


def text_of(candidate):
    """Return the tree's file, with what it is there for above it."""
    reasons = reasons_of(candidate)
    mistakes = len(candidate.reasons) - len(reasons)
    others = len(reasons) - MAX_REASONS
    if others > 0:
        reasons[MAX_REASONS:] = [f"{others} more"]
    if mistakes == 1:
        reasons.append("1 known mistake that few trees show")
    elif mistakes:
        reasons.append(f"{mistakes} known mistakes that few trees show")
    if not reasons:
        reasons = ["more of the common kind"]
    sentence = f"In the set for: {'; '.join(reasons)}"
    lines = textwrap.wrap(sentence, 88, break_on_hyphens=False)
    comment = "".join(f"# {line}\n" for line in lines)
    return comment + dump_tree(candidate.tree)


def reasons_of(candidate):
    """Return the properties, in the table's order, and rows that a tree was taken for."""
    reasons = set(candidate.reasons)
    known = [shown.name for shown in PROPERTIES if shown.name in reasons]
    rows = reasons.intersection(candidate.rows.values())
    return known + sorted(rows)


def report(course, fresh, missed, folder):
    """Print what was written, and what it leaves open."""
    stay = len(course.staying)
    print(f"wrote {len(fresh)} fresh trees to {folder}, beside {stay} that stay")
    leaves = [len(candidate.facts.leaves) for candidate in fresh]
    trees = [*fresh, *course.staying]
    queries = sum(candidate.queries for candidate in trees)
    print(f"{min(leaves)} to {max(leaves)} leaves; {queries} queries for the whole set")
    known = len(course.mistakes)
    killed = known - len(missed)
    print(f"{killed} of {known} known mistakes lose points on {ENOUGH} trees")
    if missed:
        fewest = min(count for _, count in missed)
        print(f"  the others on fewer, down to {fewest}; a larger COUNT helps")
    print(how_many_shown(candidate.facts for candidate in trees))


if __name__ == "__main__":
    run("trees", main)
