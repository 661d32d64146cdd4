"""Make a hidden set: few trees that show every property and kill every mistake.

Candidates of every family are drawn from a seed. Trees are then taken one by one, each time
the one that adds most for what it costs: a property that no tree shows yet, a row of the
grading with too few trees, a known mistake that loses points on fewer than five.
What a tree is there for stands in its file.
"""

from __future__ import annotations

import itertools
import math
import random
import secrets
import textwrap
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from autograder.command import Parser, Refused, path, run
from autograder.files import finish_replacing, replace_folder
from autograder.judging.concepts import concept_of
from autograder.judging.scores import earned
from autograder.kit import ROOT, load_reference
from autograder.mistakes.library import tasks_concerning
from autograder.mistakes.variants import load_variants
from autograder.processes import in_parallel
from autograder.rubricfile import load_rubric
from autograder.smalltrees.build import dump_tree
from autograder.smalltrees.families import COMMON, SPECIAL, family_trees
from autograder.tasks import Task
from autograder.workbench.killmatrix import ENOUGH, FULL, charged_for, failures, least_of
from autograder.workbench.properties import (
    MAX_LETTERS,
    PROPERTIES,
    Facts,
    beyond_limits,
    content_of,
    how_many_shown,
    lacking,
    lint,
)
from gametree import load_trees
from gametree.support.tree import Tree

BITS = 128  # of a seed that is drawn
GUESSABLE = 2**64  # seeds below this can be tried until the trees fit
TRIES = 4  # sets that are chosen, each from more candidates, until one is fit
SPECIAL_ROUNDS, COMMON_ROUNDS = 6, 16  # candidates of each family, for each player
MAX_TOLD = 6  # properties that a tree is there for, in its file
OFTEN = 8  # trees of a first choice that kill a mistake which is not hard
MAX_QUERIES = 150  # of the reference, in a tree that fills a set up
FEWEST = 4  # trees of a row that earns little; one that earns more has up to ENOUGH
IN_ROW, KILLS = 2, 3  # what a tree is worth, for each that is still needed
CALL = 1000  # what a tree costs, in queries, beside its own


def main(arguments=None):
    """Make a fit set and write it. Raises Refused where none is found, or one is there."""
    options = parse(arguments)
    folder = options.out
    if folder.is_file():
        raise Refused(f"OUT: {folder} is a file; give a folder")
    finish_replacing(folder)
    held = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    for name in sorted(name for name in held - {".DS_Store"} if name[-5:] != ".yaml"):
        raise Refused(f"{folder} holds {name}, which would be gone: move it away")
    present = load_trees(folder) if held else []
    staying = [tree for tree in present if tree.source or options.keep]
    made = len(present) - len(staying)
    if made and not options.force:
        raise Refused(f"{folder} holds a set ({made} trees); write FORCE=1 to replace it")
    seed = secrets.randbits(BITS) if options.seed is None else options.seed
    course = Course(ROOT, staying)
    fresh, missed = fit_set(course, seed, options.count)
    write_set(folder, fresh, staying)
    report(course, fresh, missed, folder)
    if options.seed is None:
        print(f"drawn: SEED={seed}, which makes the same set again; keep it to yourself")
    own = ROOT / "trees" / "hidden"
    other = "trees/hidden stays as it is; make trees KEEP=1 adds fresh ones to that"
    print("next: make check" if folder.resolve() == own else other)
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


class Course:
    """What a set is made for: the rubric, the reference, mistakes, the trees there are."""

    def __init__(self, root: Path, staying: list[Tree]):
        self.rubric = load_rubric(root / "autograder" / "rubric.yaml")
        self.reference = load_reference(root, self.rubric.cutoff, self.rubric.assigned)
        self.public = load_trees(root / "trees" / "public")
        self.staying = [Candidate(tree, self) for tree in staying]
        known = load_variants(root / "solution" / "mistakes", self.rubric.cutoff)
        asked = [mistake for mistake in known if mistake.concerns(self.rubric.assigned)]
        self.mistakes = charged_for(asked, self.rubric)

    @cached_property
    def rows(self) -> dict[str, int]:
        """Name of each row that earns points -> how many trees it is to have."""
        rubric, found = self.rubric, {}
        for function, cents in rubric.cents.items():
            weights = rubric.weights[function]
            part = 100 * cents / sum(rubric.cents.values()) / sum(weights.values())
            for concept, weight in weights.items():
                trees = max(FEWEST, min(ENOUGH, math.ceil(part * weight) + 1))
                found[f"{function}: {concept}"] = trees if part * weight else 0
        return found

    def row_of(self, task: Task) -> str:
        """Return the name of a task's row, "" where the row is worth nothing."""
        concept = task.tree.concept or concept_of(task, self.rubric.cutoff)
        name = f"{task.function}: {concept}"
        return name if self.rows.get(name) else ""


@dataclass(eq=False)
class Candidate:
    """A tree that may come into the set, and what it was taken for."""

    tree: Tree
    course: Course
    reasons: list[str] = field(default_factory=list)

    @cached_property
    def facts(self) -> Facts:
        """What is looked at of the tree."""
        return Facts(self.tree, self.course.reference)

    @cached_property
    def rows(self) -> dict[tuple, str]:
        """Key of a task -> its row, "" where the row is worth nothing."""
        return {task.key: self.course.row_of(task) for task in self.facts.tasks}

    @cached_property
    def offers(self) -> set[str]:
        """The properties that it shows and the rows that it is in."""
        return self.facts.shown | {*self.rows.values()} - {""}

    @cached_property
    def queries(self) -> int:
        """How many queries the reference needs."""
        return sum(len(task.expected.events) for task in self.facts.tasks)

    def kills(self, mistake) -> bool:
        """Tell whether the mistake loses points on the tree."""
        wrong = failures(mistake, tasks_concerning(mistake, self.facts.tasks))
        rubric = self.course.rubric
        return any(self.rows[each.task.key] and earned(rubric, each) < 1 for each in wrong)


def fit_set(course: Course, seed: int, count: int) -> tuple[list[Candidate], list]:
    """Return (a set of so many trees that `make check` takes, what it misses).

    What it misses is what rare() returns. The mistakes that too few of the chosen trees
    kill are hard ones. Each further choice looks at which trees kill them. A set that is
    too small to be full is taken in the end. Raises Refused if none is found.
    """
    pool, hard = candidates(course, f"{seed} 1"), []
    first = rare(course, choose(course, pool, count, hard), OFTEN)
    hard = [mistake for mistake, _ in first]
    small = len(course.staying) + count < FULL
    for number in range(2, 4 if small else TRIES + 2):
        chosen = choose(course, pool, count, hard)
        name_trees(course, chosen)
        missed = rare(course, chosen)
        wrong = problems(course, chosen, missed)
        if not wrong:
            return chosen, missed
        print(f"choice {number - 1} is not fit: {wrong[0]}", flush=True)
        hard += [each for each, _ in missed if each not in hard]
        pool += candidates(course, f"{seed} {number}", pool)
    if small:
        return chosen, missed
    raise Refused(f"no set of {count} trees is fit; a larger COUNT helps, or another SEED")


def candidates(course: Course, seed: str, pool=()) -> list[Candidate]:
    """Return trees of every family that keep to the limits: the same for the same seed."""
    rng = random.Random(seed)
    trees = family_trees(rng, SPECIAL_ROUNDS * SPECIAL + COMMON_ROUNDS * COMMON)
    there = (*course.public, *(each.tree for each in (*course.staying, *pool)))
    known, found = {content_of(tree) for tree in there}, []
    for number, tree in enumerate(trees, start=len(pool)):
        each = Candidate(replace(tree, name=f"candidate-{number}"), course)
        if content_of(tree) not in known and not any(beyond_limits(each.facts)):
            known.add(content_of(tree))
            found.append(each)
    rng.shuffle(found)
    return found


def choose(course: Course, pool: list[Candidate], count: int, hard) -> list[Candidate]:
    """Return `count` trees of the pool, or all there are, each with what it is for.

    hard: the mistakes that trees are to be chosen by.
    """
    trees = [*course.staying, *pool]
    worth = {each.name: each.worth for each in PROPERTIES}
    needed = Counter(dict.fromkeys(worth, 1))
    needed.update(course.rows)
    worth.update(dict.fromkeys(course.rows, IN_ROW))
    offers = {each: {*each.offers} for each in trees}
    for mistake, killers in zip(hard, killers_of(hard, trees, len(trees))):
        needed[mistake.name], worth[mistake.name] = ENOUGH, KILLS
        for place in killers:
            offers[trees[place]].add(mistake.name)
    for each in course.staying:
        needed -= Counter(offers[each])  # which keeps what is above zero
    chosen = take(pool, offers, needed, worth, count)
    cheap = (each for each in pool if each.queries <= MAX_QUERIES and each not in chosen)
    return chosen + [*itertools.islice(cheap, count - len(chosen))]


def killers_of(mistakes, trees, most):
    """Return, for each mistake, the places of the first trees that it loses points on."""

    def places(mistake):
        killing = (place for place, each in enumerate(trees) if each.kills(mistake))
        return [*itertools.islice(killing, most)]

    return in_parallel(places, mistakes)


def take(pool, offers, needed, worth, most):
    """Return the trees that add most for their cost, until nothing is needed.

    offers: tree -> names; needed: name -> how many trees are to offer it; worth: what
    one that does is worth.
    """
    left, chosen, needed = list(pool), [], Counter(needed)

    def gain(each):
        each.reasons = [name for name in offers[each] if needed[name] > 0]
        adds = sum(worth[name] * needed[name] for name in each.reasons)
        return adds / (CALL + each.queries)

    while left and len(chosen) < most and gain(best := max(left, key=gain)):
        left.remove(best)
        chosen.append(best)
        needed.subtract(best.reasons)
    return chosen


def name_trees(course, chosen):
    """Give the chosen trees names, titles and lessons of their own."""
    taken = [*course.public, *(each.tree for each in course.staying)]
    titles, names = {tree.title for tree in taken}, {tree.name for tree in taken}
    for each in chosen:
        family = each.tree.title.partition(": M")[0]
        first = f"{family}: {'MAX' if each.tree.maximizing else 'MIN'} first"
        texts = [first, f"{first}, {len(each.facts.leaves)} leaves"]
        title = unused(texts, titles, f"{family}, {{}}", 2)
        name, lesson = unused([], names, "fresh-{:02d}", 1), title[0].lower() + title[1:]
        each.tree = replace(each.tree, name=name, title=title, lesson=lesson)


def reasons_of(each):
    """Return the properties and rows that a tree was taken for, in the table's order."""
    known = [one.name for one in PROPERTIES if one.name in each.reasons]
    return known + sorted({*each.reasons} & each.offers - {*known})


def unused(texts, taken, numbered, begin):
    """Return the first short text that is not taken, or else `numbered`."""
    more = (numbered.format(number) for number in itertools.count(begin))
    free = (text for text in itertools.chain(texts, more) if text not in taken)
    text = next(text for text in free if len(text) <= MAX_LETTERS)
    taken.add(text)
    return text


def problems(course, chosen, missed):
    """Return why `make check` would refuse the set, a line each."""
    staying, fresh = ([each.tree for each in some] for some in (course.staying, chosen))
    before, least = {*lint(course.public, staying)}, least_of(len(staying) + len(fresh))
    lines = lint(course.public, [*staying, *fresh])
    found = [line for line in lines if line not in before]
    if len(staying) + len(fresh) >= FULL:
        found += lacking(each.facts for each in (*course.staying, *chosen))
    return found + [
        f"{mistake.name} loses points on too few trees ({count})"
        for mistake, count in missed
        if count < least
    ]


def rare(course, chosen, enough=ENOUGH):
    """Return (mistake, on how many trees it loses points), where these are too few."""
    killers = killers_of(course.mistakes, [*course.staying, *chosen], enough)
    counts = zip(course.mistakes, map(len, killers))
    return [(mistake, count) for mistake, count in counts if count < enough]


def write_set(folder, fresh, staying):
    """Replace the folder by one that holds these trees; those that stay keep their text."""
    files = {f"{each.tree.name}.yaml": text_of(each).encode() for each in fresh}
    for tree in staying:
        files[f"{tree.name}.yaml"] = (folder / f"{tree.name}.yaml").read_bytes()
    replace_folder(folder, files)


def text_of(each):
    """Return the tree's file, with what it is there for above it."""
    told = reasons_of(each)
    killed = len(each.reasons) - len(told)
    if len(told) > MAX_TOLD:
        told[MAX_TOLD:] = [f"{len(told) - MAX_TOLD} more"]
    if killed:
        told.append(f"{killed} known mistake{'s' * (killed > 1)} that few trees show")
    what = "; ".join(told) or "more of the common kind"
    head = textwrap.wrap(f"In the set for: {what}", 88, break_on_hyphens=False)
    return "".join(f"# {line}\n" for line in head) + dump_tree(each.tree)


def report(course, fresh, missed, folder):
    """Print what was written, and what it leaves open."""
    trees, most, stay = [*fresh, *course.staying], len(course.mistakes), course.staying
    print(f"wrote {len(fresh)} fresh trees to {folder}, beside {len(stay)} that stay")
    leaves = [len(each.facts.leaves) for each in fresh]
    queries = sum(each.queries for each in trees)
    print(f"{min(leaves)} to {max(leaves)} leaves; {queries} queries for the whole set")
    print(f"{most - len(missed)} of {most} known mistakes lose points on {ENOUGH} trees")
    if missed:
        fewest = min(count for _, count in missed)
        print(f"  the others on fewer, down to {fewest}; a larger COUNT helps")
    print("\n".join(how_many_shown(each.facts for each in trees)))


if __name__ == "__main__":
    run("trees", main)
