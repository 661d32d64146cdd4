"""Check trees, and the headers of the programs in solution/.

Of trees: titles, lessons, features, published figures and published sets.
"""

from __future__ import annotations

import hashlib
import itertools
import keyword
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from autograder.explaining.changes import KINDS
from autograder.explaining.reading import STATEMENTS
from autograder.explaining.variants import FIELDS, NO_LINE, PROSE, read_header
from autograder.ground.files import load_data
from autograder.kit.contents import EXAMPLE, OWN, files_in, note_on_trees, read_file
from autograder.scoring.features import features_of
from autograder.scoring.tasks import CONVENTIONS, Reference, Task
from autograder.smalltrees.limits import MAX_WALKED
from gametree.functions import FUNCTIONS
from gametree.support.judging import proves_value
from gametree.support.tree import Tree

STATEMENT_WORDS = (*keyword.kwlist, "assignment")
CHANGES = {kind.name for kind in KINDS}
PLACED_CHANGES = {f"{kind} in {word}" for kind in CHANGES for word in STATEMENT_WORDS}
# The words of a header that have a meaning, by the word that begins the line.
KNOWN = {
    "Convention": CONVENTIONS,
    "Denies": STATEMENTS,
    "Line": {NO_LINE} | CHANGES | PLACED_CHANGES,
    "Shows": FUNCTIONS,
}


def lint(trees: Iterable[Tree]) -> Iterator[str]:
    """Yield one line with advice for each title, lesson or tree to fix."""
    first = {}  # a kind of content and the content -> the first tree with it
    for tree in trees:
        if not tree.lesson:
            yield f"{tree.name}: it has no lesson; write `lesson:` and the tree's topic"
        contents = {"title": tree.title, "lesson": tree.lesson, "tree": hash_of_tree(tree)}
        for kind, content in contents.items():
            other = first.setdefault((kind, content), tree)
            if content and other is not tree:
                yield f"{tree.name}: it has the same {kind} as {other.name}; change one"


def lint_headers(solution: Path) -> Iterator[str]:
    """Yield one line for each word without a meaning in the headers below `solution`."""
    for path in sorted(solution.glob("*/*.py")):
        try:
            header = read_header(path.read_text(encoding="utf-8"))
        except SyntaxError:  # the proof that loads the file says why
            continue
        name = f"{path.parent.name}/{path.name}"
        for field, word in _words_of(header):
            if word not in KNOWN[field]:
                reason = f"{field}: {word!r} has no meaning"
                yield f"{name}: {reason}; solution/README.md explains the words"
        for line in header[PROSE][2:]:
            reason = f"{line!r} is the third line for people"
            yield f"{name}: {reason}; begin it with {', '.join(FIELDS)} or omit it"


def _words_of(header):
    """Yield (field, word) for each word of a header that must be known."""
    for field in ("Convention", "Denies"):
        for word in header[field]:
            yield field, word
    for line in header["Shows"]:
        yield "Shows", line.split()[0]
    for line in header["Line"]:
        for change in line.split(", "):
            yield "Line", change


def hash_of_tree(tree: Tree) -> str:
    """Return a hash of the tree and its searches, without names and texts."""
    positions = itertools.islice(tree.root.subtree(), MAX_WALKED)
    content = [(position.path, position.value) for position in positions]
    searches = [(s.depth, s.maximizing, s.alpha, s.beta) for s in tree.searches]
    return hash_of_text(repr((content, tree.maximizing, searches)))


def hash_of_text(text: str) -> str:
    """Return a hash of a text, in 16 characters."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def published_warning(root: Path) -> str:
    """Return a line if students can find hidden trees in the kit, "" if they cannot."""
    note = note_on_trees(root)
    if note:
        return note
    published = {read_file(root, name) for name in files_in(root, [EXAMPLE])}
    own = [name for name in files_in(root, [OWN]) if name.endswith(".yaml")]
    copied = [name for name in own if read_file(root, name) in published]
    if not copied:
        return ""
    return f"{len(copied)} of {len(own)} hidden trees are also in {EXAMPLE}: run make trees"


def lacking(tasks: Collection[Task]) -> Iterator[str]:
    """Yield one line with advice for each required feature that no search shows."""
    for function, required in load_data("required.yaml", __file__).items():
        own = [task for task in tasks if task.function == function]
        shown = set().union(*map(features_of, own))
        for feature, advice in required.items():
            if own and feature not in shown:
                lack = f"no hidden tree shows {function}: {feature}"
                yield f"{lack}: add {advice}, or run make trees"


def mismatches(trees: Iterable[Tree], reference: Reference) -> Iterator[str]:
    """Yield one line for each published figure that the reference does not reproduce.

    Published figures use `cutoff: equality`, so the reference must use it too.
    """
    for tree in trees:
        for search, published in tree.published.items():
            if published:
                for problem in _mismatches_of(tree, search, published, reference):
                    yield f"{tree.name}: {problem}"


def _mismatches_of(tree, search, published, reference):
    """Yield what is wrong with each published figure of a search."""
    found = _figures(tree, search, reference)
    answer = found["value"]
    for key, figure in published.items():
        if key not in found:
            yield (
                "a move is published for a search that best_move does not make, such as "
                "one in a window; delete it"
            )
            continue
        if key == "value" and proves_value(search, figure, figure, answer):
            continue  # the exact value, which lies outside the window
        stated = _in_words(figure)
        correct = _in_words(found[key])
        if stated != correct:
            differing = f"published {key} is {stated}, the reference's is {correct}"
            yield f"{differing}; correct the file"


def _figures(tree, search, reference):
    """Return the reference's figures of a search, which include a move if it has one."""
    trace = reference.trace("alphabeta", tree, search)
    leaves = {leaf.path for leaf in tree.root.frontier(search.depth)}
    found = {
        "value": trace.answer.number,
        "leaves": _names(tree, trace.visited),
        "pruned": _names(tree, leaves - trace.visited),
        "evaluations": len(trace.visited),
        "nodes": trace.node_count,
    }
    if search in tree.searches_for("best_move"):
        trace = reference.trace("best_move", tree, search)
        found["move"] = tree.root.at(trace.answer.path).name
    return found


def _names(tree, paths):
    """Return the names of positions, left to right."""
    return [tree.root.at(path).name for path in sorted(paths)]


def _in_words(figure):
    """Return a number, or names as one text, in which their order does not matter."""
    if isinstance(figure, list):
        return ", ".join(sorted(figure)) or "nothing"
    return figure
