"""Alpha-beta by hand: python -m gametree.byhand --id 123456 writes byhand.yaml.

The file has three trees that depend on your id. Write which leaves alpha-beta visits, and
the window with which it enters one node. Without --id the command checks the file.
"""

import argparse
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from gametree.support import lazy
from gametree.support.drawing import draw
from gametree.support.saying import in_words, name_player, say
from gametree.support.student import CannotRun, run
from gametree.support.tree import Search, Tree, TreeError
from gametree.support.treefile import parse_tree

SHEET = "byhand.yaml"
MAX_SIZE = 2**16  # bytes of a sheet
MAX_ID = 100  # characters
MAX_SHOWN = 20  # characters of an answer that a message repeats
LETTERS = "bcdfghjkmpqrstvwxz"
COMMENT = re.compile(r"(^|[ \t])#.*", re.MULTILINE)
# The beginnings of the id, of a tree and of an answer. Each extends to the next one.
ID = re.compile(r"^[ \t]*(id)[ \t]*[:=]", re.IGNORECASE | re.MULTILINE)
TREE = re.compile(r"^[ \t]*tree[ \t]*([1-3])[ \t]*[:=]", re.IGNORECASE | re.MULTILINE)
ANSWER = re.compile(r"^[ \t]*(leaves|alpha|beta)[ \t]*[:=]", re.IGNORECASE | re.MULTILINE)
LEAF = re.compile(r"[^\W\d_]\w*")
# Signs that a bound may contain, and text around a number that means nothing.
SIGNS = str.maketrans(
    {"\u2212": "-", "\u2013": "-", "\u221e": "inf", '"': "", "'": "", "(": "", ")": ""}
)
AROUND_A_BOUND = re.compile(r"\s|plus|math\.|float|\.(?=inf)")


class HandTree(NamedTuple):
    """One tree to search by hand.

    tree: the Tree, with one search.
    asked: the path of the node whose window the student writes.
    """

    tree: Tree
    asked: tuple[int, ...]

    @property
    def search(self) -> Search:
        """The tree's one search."""
        return self.tree.searches[0]


class HandAnswer(NamedTuple):
    """The answer of a sheet for one tree.

    leaves: the names of the visited leaves, in lower case.
    alpha, beta: the window; None if nothing is written.
    problem: the error in the answer, or "".
    """

    leaves: frozenset[str] = frozenset()
    alpha: float | None = None
    beta: float | None = None
    problem: str = ""


def plain_id(text: str) -> str:
    """Return the letters and digits of an id in lower case, for comparing."""
    return "".join(filter(str.isalnum, text.casefold()))


# ---- the trees


def hand_trees(id: str) -> tuple[HandTree, ...]:
    """Return the three trees of an id, the same on every system.

    In the first two, a child of the root has a cutoff. In the third, the window in question
    has two finite ends. The names of the leaves depend on the id, so that answers cannot
    be copied.
    """
    numbers = _Numbers(id)
    return (
        HandTree(_tree(1, _two_plies(numbers), "max", numbers), (2,)),
        HandTree(_tree(2, _two_plies(numbers), "min", numbers), (2,)),
        HandTree(_tree(3, _three_plies(numbers), "max", numbers), (1, 1)),
    )


class _Numbers:
    """Draws numbers that depend on an id, the same on every system."""

    def __init__(self, id):
        self.state = lazy.mix(f"alpha-beta by hand: {plain_id(id)}".encode(), 0)

    def draw(self, low, high):
        """Return the next number, from `low` to `high`."""
        self.state = lazy.mix(self.state, 1)
        return lazy.draw(self.state, low, high)

    def values(self, most):
        """Return the values of some leaves, at least two."""
        return [self.draw(-9, 20) for _ in range(self.draw(2, most))]

    def leaf_names(self):
        """Yield a letter with numbers that grow by some: k12, k15, k16."""
        letter = LETTERS[self.draw(0, len(LETTERS) - 1)]
        number = self.draw(9, 29)
        while True:
            number += self.draw(1, 5)
            yield f"{letter}{number}"


def _two_plies(numbers):
    """Return MIN nodes below a MAX root; one has a cutoff before its last leaf."""
    while True:
        first, second, third = (numbers.values(4) for _ in range(3))
        alpha = min(first)
        alpha_later = max(alpha, min(second))
        if min(second[:-1]) < alpha or min(third[:-1]) < alpha_later:
            return [first, second, third]


def _three_plies(numbers):
    """Return two MIN nodes with two MAX nodes each, below a MAX root, with cutoffs.

    The second MIN node may be worth less than its first child, but more than the first
    MIN node. So its second child is searched with both bounds, and has a cutoff.
    """
    while True:
        first, second, third, last = (numbers.values(3) for _ in range(4))
        if min(max(first), max(second)) < max(third) < max(last[:-1]):
            return [[first, second], [third, last]]


def _tree(number, nested, player, numbers):
    """Return the tree of nested lists for a MAX root, or mirrored for a MIN root."""
    sign = 1 if player == "max" else -1
    named = _name_leaves(nested, sign, numbers.leaf_names())
    return parse_tree(f"root: {player}\ntree: {named}", f"tree {number}")


def _name_leaves(nested, sign, leaf_names):
    """Return nested lists with mappings from a name to a value at the bottom."""
    if isinstance(nested[0], list):
        return [_name_leaves(part, sign, leaf_names) for part in nested]
    return {next(leaf_names): sign * value for value in nested}


# ---- the sheet


def sheet_text(id: str) -> str:
    """Return the empty sheet of an id."""
    text = say("by hand.head", id=id)
    for number, hand in enumerate(hand_trees(id), start=1):
        lines = draw(hand.tree, width=78).splitlines()
        drawing = "\n".join(f"# {line}".rstrip() for line in lines)
        node = name_player(hand.tree.root, hand.search, hand.asked)
        text += say("by hand.question", drawing=drawing, number=number, node=node)
    return text


def read_sheet(data: bytes) -> tuple[str, tuple[HandAnswer, ...]]:
    """Return the id of a completed sheet and its answer for each tree.

    Spaces and brackets do not matter. An error in the answer for one tree is that
    answer's `problem`. Raises TreeError, one line, for a file that is not a sheet.
    """
    if len(data) > MAX_SIZE:
        raise TreeError(say("by hand.large", most=MAX_SIZE), file=SHEET)
    text = COMMENT.sub("", data.decode("utf-8-sig", "replace"))
    id = _first_line(_split(ID, text).get("id", "")).strip("\"' ")
    if not plain_id(id) or len(id) > MAX_ID:
        raise TreeError(say("by hand.no id"), file=SHEET)
    trees = _split(TREE, text)
    return id, tuple(_read_answer(trees.get(n, ""), f"tree {n}") for n in "123")


def _split(begins, text):
    """Return word -> the text from it to the next word; words in lower case."""
    _, *parts = begins.split(text)
    words = [word.lower() for word in parts[::2]]
    return dict(zip(words, parts[1::2]))


def _first_line(text):
    lines = text.strip(" \t").splitlines()
    return lines[0].strip() if lines else ""


def _read_answer(text, tree):
    """Return the HandAnswer in the part of a sheet about the named tree."""
    parts = _split(ANSWER, text)
    bounds = {}
    for name in ("alpha", "beta"):
        bound = _first_line(parts.get(name, ""))
        try:
            bounds[name] = _read_bound(bound)
        except ValueError:
            problem = say("by hand.no number", bound=name, text=bound[:MAX_SHOWN])
            return HandAnswer(problem=str(TreeError(problem, None, tree, SHEET)))
    leaves = LEAF.findall(parts.get("leaves", "").casefold())
    return HandAnswer(frozenset(leaves), **bounds)


def _read_bound(text):
    """Return the written alpha or beta, or None if empty. Raises ValueError."""
    plain = text.casefold().translate(SIGNS)
    bare = AROUND_A_BOUND.sub("", plain).replace("minus", "-")
    return float(bare) if bare else None


def check_sheet(id: str, answers: Iterable[HandAnswer]) -> str:
    """Return a sentence on what a sheet lacks; raise TreeError for an error in it."""
    missing = []
    for hand, answer in zip(hand_trees(id), answers):
        if answer.problem:
            raise TreeError(answer.problem)
        foreign = describe_foreign(hand, answer)
        if foreign:
            raise TreeError(f"{SHEET}: {foreign}")
        if not answer.leaves or answer.alpha is None or answer.beta is None:
            missing.append(hand.tree.title)
    key = "by hand.missing" if missing else "by hand.complete"
    return say(key, id=id, trees=in_words(missing))


def describe_foreign(hand: HandTree, answer: HandAnswer) -> str:
    """Return a sentence on a name that is not a leaf of the tree, "" if there is none."""
    known = {leaf.name for leaf in hand.tree.root.frontier(hand.search.depth)}
    foreign = sorted(answer.leaves - known)
    if not foreign:
        return ""
    return say("by hand.foreign", tree=hand.tree.title, leaf=foreign[0][:MAX_SHOWN])


def main():
    """Write the sheet of an id into this folder, or check the existing sheet."""
    about = "Write byhand.yaml, or check the file if it exists."
    parser = argparse.ArgumentParser(prog="python -m gametree.byhand", description=about)
    about = "your student id, or your e-mail address on Gradescope"
    parser.add_argument("--id", help=about)
    id = parser.parse_args().id
    path = Path(SHEET)
    if id is not None:
        write_sheet(id.strip(), path)
        print(say("by hand.wrote"))
    elif path.is_file():
        print(check_sheet(*read_sheet(path.read_bytes())))
    else:
        raise CannotRun(say("by hand.no sheet here"))


def write_sheet(id, path):
    """Write the sheet of an id; raise CannotRun for an invalid id or an existing sheet."""
    is_odd = not id.isprintable() or set('"\\') & set(id) or len(id) > MAX_ID
    if is_odd or not plain_id(id):
        raise CannotRun(say("by hand.odd id", id=id[:MAX_ID]))
    if path.exists():
        raise CannotRun(say("by hand.sheet here"))
    path.write_text(sheet_text(id), encoding="utf-8")


if __name__ == "__main__":
    run(main)
