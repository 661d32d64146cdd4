"""Check trees without running programs: limits, titles, lessons, features and figures."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from types import ModuleType

from autograder.ground.files import load_data
from autograder.scoring.features import features_of
from autograder.scoring.tasks import Task
from autograder.smalltrees.build import describe_root, lists_of
from autograder.smalltrees.values import (
    DECIMALS,
    MAX_CHILDREN,
    MAX_DEPTH,
    MAX_FRACTION,
    MAX_PLIES,
    MAX_TIE,
    MAX_VISITS,
    MIN_DIFFERENCE,
)
from gametree import load_tree, observe
from gametree.support.errors import TreeError
from gametree.support.judging import proves_value
from gametree.support.tree import Position, Search, Tree

DECIMAL_COMMA = re.compile(r"(?<![\w.,-])-?0,\d+(?![\w.,])")  # as in [0,5]
MAX_WALKED = 5000  # positions of a lazy tree that are checked
REQUIRED = load_data("required.yaml", __file__)
MAX_LETTERS = 69  # of a title or a lesson


def stray_files(folder: Path) -> list[str]:
    """Return the names of the files in a folder of trees that are not tree files."""
    names = sorted(entry.name for entry in folder.iterdir())
    return [name for name in names if not name.endswith((".yaml", ".DS_Store"))]


def file_problems(folder: Path) -> Iterator[str]:
    """Yield one line for each file of a folder of trees that cannot be parsed."""
    for name in stray_files(folder):
        yield f"{folder / name}: this is not a tree file; move it away"
    for path in sorted(folder.glob("[!.]*.yaml")):
        try:
            load_tree(path)
        except TreeError as error:
            yield str(error)


def decimal_commas(folder: Path) -> Iterator[str]:
    """Yield one line for each text such as [0,5] that may be meant as 0.5."""
    for path in sorted(folder.glob("[!.]*.yaml")):
        lines = path.read_text(encoding="utf-8-sig").splitlines()
        for number, line in enumerate(lines, start=1):
            for pair in DECIMAL_COMMA.findall(line):
                point = pair.replace(",", ".")
                place = f"{path.name}, line {number}"
                yield f"{place}: {pair} is two leaves; write {point} if you mean one number"


def lint(public: Iterable[Tree], hidden: Iterable[Tree]) -> Iterator[str]:
    """Yield one line with advice for each title, lesson or tree to fix."""
    trees = [*public, *hidden]
    for tree in trees:
        if not tree.lesson:
            yield f"{tree.name}: it has no lesson; write `lesson:` and the tree's topic"
        for key in ("title", "lesson"):
            length = len(getattr(tree, key))
            if length > MAX_LETTERS:
                yield f"{tree.name}: the {key} has {length} characters; shorten it"
    for key in ("title", "lesson"):
        texts = [getattr(tree, key) for tree in trees]
        for tree, first, text in _repeats(trees, texts):
            if text:
                twice = f"it has the same {key} as {first.name}"
                yield f"{tree.name}: {twice}; reword one: {text!r}"
    contents = [(content_of(tree), tree.searches) for tree in trees]
    for tree, first, _ in _repeats(trees, contents):
        yield f"{tree.name}: it is the same tree as {first.name}; change or remove one"


def _repeats(trees, keys):
    """Yield (tree, first tree with the same key, key) for each repeated key."""
    first_of = {}
    for tree, key in zip(trees, keys):
        first = first_of.setdefault(key, tree)
        if first is not tree:
            yield tree, first, key


def content_of(tree: Tree) -> tuple[str, bool]:
    """Return the content of a tree without names and texts: equal for equal trees."""
    if type(tree.root) is Position:
        content = lists_of(tree.root)
    else:  # the lists of a lazy tree or a game would be too long
        content = describe_root(tree.root)
    return repr(content), tree.maximizing


def beyond_limits(tree: Tree, tasks: Iterable[Task]) -> Iterator[str]:
    """Yield one line for each limit that a tree exceeds.

    tasks: the searches of the tree.
    """
    positions = list(itertools.islice(tree.root.subtree(), MAX_WALKED))
    yield from _unsafe_numbers(tree, positions)
    yield from _large_ties(tree)
    visits = [task.expected.node_count for task in tasks]
    for noun, size, limit in (
        ("children", max(len(p.children) for p in positions), MAX_CHILDREN),
        ("plies", tree.root.height, MAX_PLIES),
        ("plies of depth", max(search.depth for search in tree.searches), MAX_DEPTH),
        ("visits", max(visits, default=0), MAX_VISITS),
    ):
        if size > limit:
            yield f"{tree.name}: {size} {noun}, but the maximum is {limit}; make it smaller"


def _unsafe_numbers(tree, positions):
    """Yield one line for each value or bound that programs could confuse with others."""
    numbers = {position.value for position in positions} - {None}
    for search in tree.searches:
        numbers.update(filter(math.isfinite, (search.alpha, search.beta)))
    numbers = sorted(numbers)
    for number in numbers:
        where = f"{tree.name}: {number}"
        if abs(number) > MAX_FRACTION:
            yield f"{where} is beyond {MAX_FRACTION}; write a value nearer to 0"
        elif round(number, DECIMALS) != number:
            yield f"{where} has more than {DECIMALS} decimals; round it"
    for low, high in itertools.pairwise(numbers):
        if high - low < 0.99 * MIN_DIFFERENCE or math.isclose(low, high):
            yield f"{tree.name}: {low} and {high} are too close to tell apart; change one"


def _large_ties(tree):
    """Yield one line for each large number that occurs twice in a search.

    A tolerance such as 10**-9 vanishes when it is added to a large number, so a program
    that compares with a tolerance would be wrong there.
    """
    twice = set()
    for search in tree.searches:
        leaves = itertools.islice(tree.root.frontier(search.depth), MAX_WALKED)
        numbers = [leaf.static_value() for leaf in leaves]
        numbers += filter(math.isfinite, (search.alpha, search.beta))
        for number, count in Counter(numbers).items():
            if count > 1 and abs(number) > MAX_TIE:
                twice.add(number)
    for number in sorted(twice):
        where = f"{tree.name}: {number} occurs twice in a search"
        yield f"{where} and is beyond {MAX_TIE}; change one"


def lacking(tasks: Iterable[Task]) -> Iterator[str]:
    """Yield one line with advice for each required feature that no search shows."""
    tasks = list(tasks)
    shown = set().union(*map(labels_of, tasks))
    for label, advice in required_features({task.function for task in tasks}).items():
        if label not in shown:
            yield f"no hidden tree shows {label}: add {advice}, or run make trees"


def labels_of(task: Task) -> set[str]:
    """Return the features of a task, each with its function."""
    return {f"{task.function}: {feature}" for feature in features_of(task)}


def required_features(functions: Collection[str]) -> dict[str, str]:
    """Return what a set for these functions must show, as in labels_of -> a tree to add."""
    required = {}
    for function in functions:
        for feature, advice in REQUIRED.get(function, {}).items():
            required[f"{function}: {feature}"] = advice
    return required


def mismatches(trees: Iterable[Tree], reference: ModuleType) -> Iterator[str]:
    """Yield one line for each published figure that the reference does not reproduce.

    Published figures use `cutoff: equality`, so the reference must use it too.
    """
    for tree in trees:
        for search in tree.searches:
            found = figures(tree, search, reference)
            for key, stated in search.published.items():
                if _is_different(stated, found[key]):
                    yield (
                        f"{tree.name}: published {key} is {_in_words(stated)}, "
                        f"the reference's is {_in_words(found[key])}; correct the file"
                    )


def figures(tree: Tree, search: Search, reference: ModuleType) -> dict:
    """Return the reference's figures in place of a search's published figures.

    The published value is returned if the reference's leaves prove it.
    """
    published = search.published
    if not published:
        return {}
    trace = observe(reference.alphabeta, "alphabeta", tree, search)
    answer = trace.answer.number
    value = published.get("value", answer)
    if not proves_value(search, value, value, answer):
        value = answer
    found = {
        "value": value,
        "leaves": _names(tree, trace.visited),
        "evaluations": len(trace.visited),
        "nodes": trace.node_count,
    }
    if "pruned" in published:
        leaves = {leaf.path for leaf in tree.root.frontier(search.depth)}
        found["pruned"] = _names(tree, leaves - trace.visited)
    if "move" in published:
        found["move"] = "nothing"
        if search in tree.searches_for("best_move"):
            move = observe(reference.best_move, "best_move", tree, search).answer.path
            found["move"] = tree.root.at(move).name
    return {key: found[key] for key in published}


def _names(tree, paths):
    """Return the names of positions, left to right."""
    return [tree.root.at(path).name for path in sorted(paths)]


def _is_different(stated, found):
    """Tell whether two figures differ; the order of names does not matter."""
    if isinstance(stated, list):
        return sorted(stated) != sorted(found)
    return stated != found


def _in_words(figure):
    return ", ".join(figure) or "nothing" if isinstance(figure, list) else figure
