"""Check that trees satisfy the rules of a set: limits, titles, lessons and figures."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

from autograder.smalltrees.build import describe_root, lists_of
from autograder.smalltrees.values import (
    DECIMALS,
    MAX_CHILDREN,
    MAX_DEPTH,
    MAX_FRACTION,
    MAX_PLIES,
    MAX_VISITS,
    MIN_DIFFERENCE,
)
from autograder.workbench.facts import Facts
from gametree import Position, load_tree, observe
from gametree.functions import FUNCTIONS
from gametree.support.judging import proves_value
from gametree.support.tree import Published, Search, Tree, TreeError

DECIMAL_COMMA = re.compile(r"(?<![\w.,-])-?0,\d+(?![\w.,])")  # as in [0,5]
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
    for path in sorted(folder.glob("*.yaml")):
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


def beyond_limits(facts: Facts) -> Iterator[str]:
    """Yield one line for each limit that a tree exceeds."""
    name = facts.tree.name
    numbers = set(facts.bounds)
    children = []
    for position in facts.positions:
        children.append(len(position.children))
        if position.value is not None:
            numbers.add(position.value)
    numbers = sorted(numbers)
    for number in numbers:
        if abs(number) > MAX_FRACTION:
            yield f"{name}: {number} is beyond {MAX_FRACTION}; write a value nearer to 0"
        elif round(number, DECIMALS) != number:
            yield f"{name}: {number} has more than {DECIMALS} decimals; round it"
    for low, high in itertools.pairwise(numbers):
        if high - low < 0.99 * MIN_DIFFERENCE or math.isclose(low, high):
            yield f"{name}: {low} and {high} are too close to tell apart; change one"
    visits = max(map(facts.visits, FUNCTIONS))
    for noun, size, limit in (
        ("children", max(children), MAX_CHILDREN),
        ("plies", facts.root.height, MAX_PLIES),
        ("plies of depth", max(facts.depths), MAX_DEPTH),
        ("visits", visits, MAX_VISITS),
    ):
        if size > limit:
            yield f"{name}: {size} {noun}, but the maximum is {limit}; make it smaller"


def mismatches(trees: Iterable[Tree], reference: ModuleType) -> Iterator[str]:
    """Yield one line for each published figure that the reference does not reproduce.

    Published figures use `cutoff: equality`, so the reference must use it too.
    """
    for tree in trees:
        for search in tree.searches:
            published = search.published
            found = figures(tree, search, reference)
            for key, stated, figure in zip(found._fields, published, found):
                if stated != figure:
                    yield (
                        f"{tree.name}: published {key} is {_in_names(tree, stated)}, "
                        f"the reference's is {_in_names(tree, figure)}; correct the file"
                    )


def figures(tree: Tree, search: Search, reference: ModuleType) -> Published:
    """Return the reference's figures that correspond to a search's published figures.

    The published value is returned if the reference's leaves prove it. The pruned leaves
    are the leaves published as pruned that the reference does not visit.
    """
    published = search.published
    if published == Published():
        return published
    trace = observe(reference.alphabeta, "alphabeta", tree, search)
    answer = trace.answer.number
    value = published.value
    if value is None or not proves_value(search, value, value, answer):
        value = answer
    pruned = published.pruned or frozenset()
    move = None
    if published.move is not None and search in tree.searches_for("best_move"):
        move = observe(reference.best_move, "best_move", tree, search).answer.path
    found = Published(
        value=value,
        leaves=trace.visited,
        pruned=pruned - trace.visited,
        evaluations=len(trace.visited),
        nodes=trace.node_count,
        move=move,
    )
    unpublished = [key for key, figure in published._asdict().items() if figure is None]
    return found._replace(**dict.fromkeys(unpublished))


def _in_names(tree, figure):
    """Return a figure as text, with names in place of paths."""
    if isinstance(figure, frozenset):
        names = [tree.root.at(path).name for path in sorted(figure)]
        return ", ".join(names) or "nothing"
    if isinstance(figure, tuple):
        return tree.root.at(figure).name
    return str(figure)
