"""Generate a set of hidden trees: trees of each family, and random trees if need be.

The families have all required features, and enough trees in each row and for each known
mistake. Random trees add what is missing, for example in a course with other rows.
"""

from __future__ import annotations

import random
import re
import secrets
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from autograder.ground.command import make_parser, path, run
from autograder.ground.files import replace_file
from autograder.kit import Kit
from autograder.kit.contents import EXAMPLE, OWN, ROOT, RUBRIC, read_file
from autograder.scoring.features import PUBLIC, concept_of
from autograder.scoring.rubric import Rubric, load_rubric
from autograder.scoring.tasks import Task, tasks_for
from autograder.smalltrees.build import dump_tree
from autograder.smalltrees.families import DECISIONS, Family, families
from autograder.smalltrees.limits import beyond_limits
from autograder.workbench.killmatrix import ENOUGH, IN_ROW, is_caught
from autograder.workbench.lint import hash_of_text, hash_of_tree
from gametree import load_trees
from gametree.support.errors import InputError
from gametree.support.tree import Tree

BITS = 128  # length of a drawn seed
GUESSABLE = 2**64  # smaller seeds could be guessed by trying all of them
MAX_TREES = 80  # of a set
ATTEMPTS = 100  # to draw a tree that is new and within the limits
CONFLICT = re.compile(r"^(<<<<<<<|>>>>>>>) ", re.MULTILINE)  # marks of git


def main(arguments: Sequence[str] | None = None) -> int:
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
    files = files_of(fit_set(load_course(), options.seed))
    for name, content in files.items():
        replace_file(folder / name, content)
    for name in replaced:
        if name not in files:
            (folder / name).unlink()
        print(f"replaced {name}")
    for name in staying:
        print(f"{name} stays")
    print(f"wrote {len(files)} trees to {folder}")
    again = f"make trees FORCE=1 SEED={options.seed}"
    print(f"the same set again: {again}; do not publish the seed")
    if folder == ROOT / OWN:
        print("next: make check")
    return 0


def parse(arguments: Sequence[str] | None) -> Namespace:
    """Return the options of the command line."""
    parser = make_parser("make trees", __doc__)
    drawn = secrets.randbits(BITS)
    parser.add_argument("--seed", type=int, default=drawn)
    parser.add_argument("--out", type=path, default=ROOT / OWN)
    parser.add_argument("--force", action="store_true")
    options = parser.parse_args(arguments)
    if abs(options.seed) < GUESSABLE:
        raise InputError(
            f"SEED={options.seed} can be found by trying seeds; omit it to draw a secret "
            "seed, or write a seed of at least 64 bits"
        )
    return options


def files_of(trees: Iterable[Tree]) -> dict[str, bytes]:
    """Return name -> content of the files of generated trees.

    A name ends in a hash of the text, by which sort_files() knows the file again.
    """
    files = {}
    for tree in trees:
        text = dump_tree(tree)
        files[f"{tree.name}{ending_of(text)}.yaml"] = text.encode()
    return files


def ending_of(text: str) -> str:
    """Return the end of the name of the file in which `make trees` wrote a text."""
    return f"-{hash_of_text(text)[:6]}"


def sort_files(folder: Path) -> tuple[list[str], list[str]]:
    """Return the names of the files that stay, and of generated trees without a later edit.

    The folder is created. Raises OSError if it contains a folder or is a file, and
    InputError if git has marked a conflict in a file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    staying = []
    generated = []
    for file in sorted(folder.iterdir()):
        text = read_file(folder, file.name).decode(errors="replace")
        if CONFLICT.search(text):
            raise InputError(
                f"{file} has conflict marks of git; resolve the conflict first"
            )
        if file.stem.endswith(ending_of(text)):
            generated.append(file.name)
        else:
            staying.append(file.name)
    return staying, generated


def load_course() -> Kit:
    """Return the kit without hidden trees, for which a set is generated."""
    rubric = load_rubric(ROOT / RUBRIC)
    return Kit(ROOT, rubric, tuple(load_trees(ROOT / "trees" / "public")), (), ())


def requirements(course: Kit) -> Counter[str]:
    """Return name of a row or a known mistake -> the number of trees to show it."""
    needed = Counter()
    for function, concepts in course.rubric.rows.items():
        for concept in concepts:
            if concept != PUBLIC:
                needed[f"{function}: {concept}"] = IN_ROW
    for mistake in course.mistakes:
        needed[mistake.name] = ENOUGH
    return needed


def row_of(task: Task, rubric: Rubric) -> str:
    """Return the name of the row that a search of a hidden tree counts toward."""
    return f"{task.function}: {concept_of(task, rubric.rows[task.function])}"


def shown_by(tasks: list[Task], course: Kit, missing: Counter[str]) -> Counter[str]:
    """Return what the searches of a tree show of what is missing, once each."""
    shown = [row_of(task, course.rubric) for task in tasks]
    for mistake in course.mistakes:
        if mistake.name in missing and is_caught(mistake, tasks, course.rubric):
            shown.append(mistake.name)
    return missing & Counter(set(shown))


def fit_set(course: Kit, seed: int) -> list[Tree]:
    """Return a set of hidden trees that passes `make check`. Raises InputError.

    It has trees of each family, and random trees that show what is still missing.
    """
    missing = requirements(course)
    trees = []
    for family, tasks in draw_trees(course, random.Random(str(seed))):
        shown = shown_by(tasks, course, missing)
        if family is DECISIONS:
            if not missing or len(trees) == MAX_TREES:
                break
            if not shown:
                continue
        trees.append(tasks[0].tree)
        missing -= shown
    if missing:
        lack = next(iter(missing))
        raise InputError(f"too few trees of this seed for {lack}; try another SEED")
    return name_trees(trees)


def draw_trees(course: Kit, rng: random.Random) -> Iterator[tuple[Family, list[Task]]]:
    """Yield (family, searches) of new trees within the limits, family by family.

    Raises InputError if a family gives none in many attempts.
    """
    known = set(map(hash_of_tree, published_trees(course)))
    kinds = [*families(), DECISIONS]
    numbered = [(family, n) for family in kinds for n in range(family.trees)]
    for family, number in numbered:
        for _ in range(ATTEMPTS):
            tree = family.draw(rng, number)
            tasks = tasks_for([tree], course.reference)
            content = hash_of_tree(tree)
            if content not in known and not any(beyond_limits(tree, tasks)):
                break
        else:
            raise InputError(f"the family {family.title!r} gives no new tree")
        known.add(content)
        yield family, tasks


def published_trees(course: Kit) -> list[Tree]:
    """Return the trees that students may know."""
    trees = list(course.public)
    if (course.root / EXAMPLE).is_dir():
        trees += load_trees(course.root / EXAMPLE)
    return trees


def name_trees(trees: list[Tree]) -> list[Tree]:
    """Return the trees with names, titles and lessons; titles and lessons are unique."""
    numbers = Counter()
    named = []
    for tree in trees:
        title = tree.title
        numbers[title] += 1
        if numbers[title] > 1:
            title += f", {numbers[title]}"
        words = re.findall("[a-z]+", title.lower())[:4]
        lesson = title[0].lower() + title[1:]
        named.append(tree._replace(name="-".join(words), title=title, lesson=lesson))
    return named


if __name__ == "__main__":
    run("trees", main)
