"""Make a hidden set: few trees that show every property and kill every mistake.

Candidates of every family are drawn from a seed. Trees are then taken one by one, each time
the one that adds most for what it costs: a property that no tree shows yet, a row of the
grading with fewer than five trees, a known mistake that loses points on fewer than five.
What a tree is there for stands in its file.
"""

from __future__ import annotations

import itertools
import random
import secrets
import textwrap
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from autograder.command import Parser, Refused, path, run
from autograder.judging.concepts import concept_of
from autograder.kit import ROOT, load_reference
from autograder.mistakes.variants import load_variants
from autograder.rubric import load_rubric
from autograder.smalltrees.build import dump_tree, lists_of, written
from autograder.smalltrees.families import COMMON, SPECIAL, family_trees
from autograder.tasks import Task
from autograder.utilities import finish_replacing, in_parallel, replace_folder
from autograder.workbench.killmatrix import ENOUGH, FULL, losses
from autograder.workbench.properties import (
    MOST_LETTERS,
    PROPERTIES,
    Facts,
    beyond_limits,
    content_of,
    lacking,
    lint,
)
from gametree import TreeError, load_trees, parse_tree
from gametree.functions import FUNCTIONS
from gametree.tree import Tree

BITS = 128  # of a seed that is drawn
GUESSABLE = 2**64  # seeds below this can be tried until the trees fit
TRIES = 4  # sets that are made of a seed until one is fit
SPECIAL_ROUNDS, COMMON_ROUNDS = 4, 16  # candidates of each family, for each player
SMALL = 9  # leaves: the title of a smaller tree is the tree
MOST_QUERIES = 150  # of the reference, in a tree that fills a set up
SAMPLE, OFTEN = 48, 9  # a mistake that fewer of so many candidates kill is a rare one
# What a tree adds, and what it costs beside its queries.
REQUIRED, SHOWN, IN_ROW, KILLS, CALL = 12, 6, 5, 7, 6000


def main(arguments=None):
    """Make a fit set and write it. Raises Refused where none is found, or one is there."""
    options = parse(arguments)
    folder = options.out
    finish_replacing(folder)
    present = load_trees(folder) if folder.is_dir() else []
    staying = [tree for tree in present if tree.source or options.keep]
    made = len(present) - len(staying)
    if made and not options.force:
        raise Refused(f"{folder} holds a set ({made} trees); write FORCE=1 to replace it")
    seed = secrets.randbits(BITS) if options.seed is None else options.seed
    course = Course(ROOT, staying)
    fresh = fit_set(course, seed, options.count)
    write_set(folder, fresh, staying)
    report(course, fresh, folder)
    if options.seed is None:
        print(f"drawn: SEED={seed}, which makes the same set again; keep it to yourself")
    own = ROOT / "trees" / "hidden"
    moved = "" if folder.resolve() == own else f"move them from {folder} to {own}, then "
    print(f"next: {moved}make check")
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
        self.reference = load_reference(root, self.rubric.cutoff, self.rubric.asked)
        self.public = load_trees(root / "trees" / "public")
        self.staying = [Candidate(tree, self) for tree in staying]
        worth = {function for function, cents in self.rubric.cents.items() if cents}
        self.mistakes = [
            mistake
            for mistake in load_variants(root / "solution" / "mistakes", self.rubric.cutoff)
            if mistake.concerns(self.rubric.asked)
            and worth & set(mistake.shows or FUNCTIONS)
        ]

    def row_of(self, task: Task) -> str:
        """Return the name of a task's row, "" where the row is worth nothing."""
        concept = task.tree.concept or concept_of(task, self.rubric.cutoff)
        cents = self.rubric.cents.get(task.function)
        weight = cents and self.rubric.weights[task.function].get(concept)
        return f"{task.function}: {concept}" if weight else ""


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
    def offers(self) -> set[str]:
        """The properties that it shows, the rows that it is in, the mistakes it kills.

        Mistakes are in it once they are known.
        """
        return self.facts.shown | {*map(self.course.row_of, self.facts.tasks)} - {""}

    @cached_property
    def queries(self) -> int:
        """How many queries the reference needs."""
        return sum(len(task.expected.events) for task in self.facts.tasks)

    def kills(self, mistake) -> bool:
        """Tell whether the mistake loses points on the tree."""
        lost = losses(mistake, self.facts.tasks, self.course.rubric)
        return any(self.course.row_of(self.facts.tasks[place]) for place in lost)


def fit_set(course: Course, seed: int, count: int) -> list[Candidate]:
    """Return a set of so many trees that `make check` takes; Refused if none is found."""
    for number in range(1, TRIES + 1):
        chosen = choose(course, candidates(course, f"{seed} {number}"), count)
        name_trees(course, chosen)
        wrong = problems(course, chosen)
        if not wrong:
            return chosen
        print(f"set {number} of {TRIES} is not fit: {wrong[0]}")
    raise Refused(f"no set of {count} trees is fit; a larger COUNT helps, or another SEED")


def candidates(course: Course, seed: str) -> list[Candidate]:
    """Return trees of every family that keep to the limits: the same for the same seed."""
    rng = random.Random(seed)
    trees = [tree for _ in range(SPECIAL_ROUNDS) for tree in family_trees(rng, SPECIAL)]
    trees += [tree for _ in range(COMMON_ROUNDS) for tree in family_trees(rng, COMMON)]
    known = {content_of(tree) for tree in course.public}
    known |= {content_of(each.tree) for each in course.staying}
    found = []
    for number, tree in enumerate(trees):
        content = content_of(tree)
        if content not in known and can_be_written(tree):
            known.add(content)
            found.append(Candidate(replace(tree, name=f"candidate-{number}"), course))
    found = [each for each in found if not any(beyond_limits(each.tree, course.reference))]
    rng.shuffle(found)
    return found


def can_be_written(tree):
    """Tell whether a tree file can hold the tree, searches and all."""
    try:
        return bool(parse_tree(dump_tree(tree), tree.name))
    except TreeError:
        return False


def choose(course: Course, pool: list[Candidate], count: int) -> list[Candidate]:
    """Return `count` trees of the pool, or all there are, each with what it is for."""
    needed = Counter({each.name: 1 for each in PROPERTIES})
    worth = {each.name: REQUIRED if each.required else SHOWN for each in PROPERTIES}
    for row in set().union(*(each.offers for each in pool)) - worth.keys():
        needed[row], worth[row] = ENOUGH, IN_ROW
    some = killers_of(course.mistakes, pool[:SAMPLE], OFTEN)
    rare = [m for m, killers in zip(course.mistakes, some) if len(killers) < OFTEN]
    trees = [*course.staying, *pool]
    for mistake, killers in zip(rare, killers_of(rare, trees, len(trees))):
        needed[mistake.name], worth[mistake.name] = ENOUGH, KILLS
        for place in killers:
            trees[place].offers.add(mistake.name)
    for each in course.staying:
        needed -= Counter(each.offers)  # which keeps what is above zero
    chosen = take(pool, needed, worth, count)
    cheap = (each for each in pool if each.queries <= MOST_QUERIES and each not in chosen)
    return chosen + [*itertools.islice(cheap, count - len(chosen))]


def killers_of(mistakes, trees, most=ENOUGH):
    """Return, for each mistake, the places of the first trees that it loses points on."""

    def places(mistake):
        killing = (place for place, each in enumerate(trees) if each.kills(mistake))
        return [*itertools.islice(killing, most)]

    for each in trees:
        assert each.facts.tasks is not None  # found once, before processes part
    return in_parallel(places, mistakes)


def take(pool, needed, worth, most):
    """Return the trees that add most for their cost, until nothing is needed.

    needed: name -> how many trees are to offer it; worth: what one that does is worth.
    """
    left, chosen, needed = list(pool), [], Counter(needed)

    def gain(each):
        adds = sum(worth[name] for name in each.offers if needed[name] > 0)
        return adds / (CALL + each.queries)

    while left and len(chosen) < most and gain(best := max(left, key=gain)):
        left.remove(best)
        chosen.append(best)
        adds = (name for name in best.offers if needed[name] > 0)
        best.reasons = sorted(adds, key=lambda name: (-worth[name], name))
        needed.subtract(best.reasons)
    return chosen


def name_trees(course, chosen):
    """Give the chosen trees names, titles and lessons of their own."""
    taken = [*course.public, *(each.tree for each in course.staying)]
    titles, lessons = {tree.title for tree in taken}, {tree.lesson for tree in taken}
    names = {tree.name for tree in taken}
    numbers = (n for n in itertools.count(1) if f"fresh-{n:02d}" not in names)
    for number, each in zip(numbers, chosen):
        first = "MAX first" if each.tree.maximizing else "MIN first"
        leaves = len(each.facts.leaves)
        size = "one leaf" if leaves == 1 else f"{leaves} leaves"
        kind = each.tree.title
        whole = written(lists_of(each.tree.root)) if leaves < SMALL else MOST_LETTERS * "-"
        texts = [
            f"{kind}: {first[:3]} {whole}",
            f"{kind}: {first}",
            f"{kind}: {first}, {size}",
        ]
        title = unused([*texts, kind], titles)
        lesson = unused(lessons_of(each), lessons)
        each.tree = replace(
            each.tree, name=f"fresh-{number:02d}", title=title, lesson=lesson
        )


def lessons_of(each):
    """Return what the tree is about: properties, those first that it was taken for."""
    mistakes = {mistake.name for mistake in each.course.mistakes}
    about = [name.rpartition(": ")[2] for name in each.reasons if name not in mistakes]
    shown = each.facts.shown
    about += [one.name for one in PROPERTIES if one.name in shown]
    return [*about, *(f"{one}, {other}" for one, other in itertools.combinations(about, 2))]


def unused(texts, taken):
    """Return the first short text that is not taken, with a number if need be."""
    numbered = (f"{texts[-1][:60]}, {number}" for number in itertools.count(2))
    text = next(
        text
        for text in itertools.chain(texts, numbered)
        if text not in taken and len(text) <= MOST_LETTERS
    )
    taken.add(text)
    return text


def problems(course, chosen):
    """Return why `make check` would refuse the set, a line each."""
    staying = [each.tree for each in course.staying]
    trees = [*staying, *(each.tree for each in chosen)]
    before = set(lint(course.public, staying, course.reference))
    found = [
        line for line in lint(course.public, trees, course.reference) if line not in before
    ]
    if len(trees) >= FULL:
        found += lacking(trees, course.reference)
        found += [
            f"{name} loses points on {n} trees only" for name, n in rare(course, chosen)
        ]
    return found


def rare(course, chosen):
    """Return (mistake, on how many trees it loses points), where these are too few."""
    killers = killers_of(course.mistakes, [*course.staying, *chosen])
    counts = (
        (mistake.name, len(places)) for mistake, places in zip(course.mistakes, killers)
    )
    return [(name, count) for name, count in counts if count < ENOUGH]


def write_set(folder, fresh, staying):
    """Replace the folder by one that holds these trees; those that stay keep their text."""
    files = {f"{each.tree.name}.yaml": text_of(each).encode() for each in fresh}
    for tree in staying:
        files[f"{tree.name}.yaml"] = (folder / f"{tree.name}.yaml").read_bytes()
    replace_folder(folder, files)


def text_of(each):
    """Return the tree's file, with what it is there for above it."""
    mistakes = {mistake.name for mistake in each.course.mistakes}
    reasons = [name for name in each.reasons if name not in mistakes]
    killed = len(each.reasons) - len(reasons)
    if killed:
        reasons.append(f"{killed} known mistake{'s' * (killed > 1)} that few trees show")
    what = "; ".join(reasons) or "more of the common kind"
    head = textwrap.wrap(f"In the set for: {what}", 88, break_on_hyphens=False)
    return "".join(f"# {line}\n" for line in head) + dump_tree(each.tree)


def report(course, fresh, folder):
    """Print what was written, and what it leaves open."""
    stay = len(course.staying)
    print(f"wrote {len(fresh)} fresh trees to {folder}, beside {stay} that stay")
    leaves = [len(each.facts.leaves) for each in fresh]
    queries = sum(each.queries for each in (*fresh, *course.staying))
    print(f"{min(leaves)} to {max(leaves)} leaves; {queries} queries for the whole set")
    missed = rare(course, fresh)
    print(
        f"{len(course.mistakes) - len(missed)} of {len(course.mistakes)} known mistakes "
        f"lose points on {ENOUGH} trees or more"
    )
    for name, count in missed:
        print(f"  {name}: {count} trees; a larger COUNT helps")
    shown = set().union(*(each.facts.shown for each in (*fresh, *course.staying)))
    open_ = [each.name for each in PROPERTIES if each.name not in shown]
    print(f"{len(PROPERTIES) - len(open_)} of {len(PROPERTIES)} properties are shown")
    for name in open_:
        print(f"  not shown: {name}")


if __name__ == "__main__":
    run("trees", main)
