"""Alpha-beta by hand: python -m gametree.byhand --id 123456 writes byhand.yaml.

The file has three trees that are made from your id. Write in it which leaves alpha-beta
visits, and with which window it comes to one node. Without --id the file is looked through.
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
from gametree.support.tree import Position, Search, Tree, TreeError, name_positions

SHEET = "byhand.yaml"
LARGEST = 2**16  # bytes of a sheet
LONGEST_ID = 100
LONGEST_BOUND = 40
LETTERS = "bcdfghjkmpqrstvwxz"
COMMENT = re.compile(r"(^|[ \t])#.*", re.MULTILINE)
# Where the id, a tree and an answer begin; each goes on to the next one.
ID = re.compile(r"^[ \t]*(id)[ \t]*[:=]", re.IGNORECASE | re.MULTILINE)
TREE = re.compile(r"^[ \t]*tree[ \t]*([1-3])[ \t]*[:=]", re.IGNORECASE | re.MULTILINE)
ANSWER = re.compile(r"^[ \t]*(leaves|alpha|beta)[ \t]*[:=]", re.IGNORECASE | re.MULTILINE)
SIGNS = {ord("\u2212"): "-", ord("\u2013"): "-", ord("\u221e"): "inf"}
SIGNS |= dict.fromkeys(map(ord, "\"'()"))  # which mean nothing around a bound


class HandTree(NamedTuple):
    """One tree to search by hand; the window is asked for at the path `asked`."""

    tree: Tree
    asked: tuple[int, ...]


class HandAnswer(NamedTuple):
    """What a sheet says of one tree: names of leaves, in lower case, and the window.

    A bound is None where nothing is written. `problem` says what cannot be read.
    """

    leaves: frozenset[str] = frozenset()
    alpha: float | None = None
    beta: float | None = None
    problem: str = ""


def plain_id(text: str) -> str:
    """Return an id as it is compared: its letters and digits, in lower case."""
    return "".join(filter(str.isalnum, text.casefold()))


# ---- the trees


def hand_trees(id: str) -> tuple[HandTree, ...]:
    """Return the three trees of an id, the same on every system.

    In the first two a child of the root has a cutoff; in the third one the window that
    is asked for has two finite ends. The names of the leaves are the id's own, so that
    nobody else's answer fits.
    """
    state = lazy.mix(f"alpha-beta by hand: {plain_id(id)}".encode(), 0)

    def number(low, high):
        nonlocal state
        state = lazy.mix(state, 1)
        return lazy.draw(state, low, high)

    return (
        HandTree(_tree(1, _two_plies(number, 1), True, number), (2,)),
        HandTree(_tree(2, _two_plies(number, -1), False, number), (2,)),
        HandTree(_tree(3, _three_plies(number), True, number), (1, 1)),
    )


def _leaves(number, most):
    return [number(-9, 20) for _ in range(number(2, most))]


def _two_plies(number, sign):
    """Return MIN nodes for a MAX root; one has a cutoff before its last leaf.

    For a MIN root the sign is -1, with which all values are multiplied.
    """
    while True:
        rows = [_leaves(number, 4) for _ in range(3)]
        sure = [min(rows[0]), max(min(rows[0]), min(rows[1]))]
        if any(min(row[:-1]) < alpha for row, alpha in zip(rows[1:], sure)):
            return [[sign * value for value in row] for row in rows]


def _three_plies(number):
    """Return two MIN nodes of two MAX nodes each for a MAX root, with cutoffs.

    MIN can have less than E in the second one, but more than the first one is worth; so
    its second child is searched, with both bounds, and has a cutoff.
    """
    while True:
        first, second, third, last = (_leaves(number, 3) for _ in range(4))
        if min(max(first), max(second)) < max(third) < max(last[:-1]):
            return [[first, second], [third, last]]


def _tree(n, nested, maximizing, number):
    """Return the tree of nested lists; its leaves have numbers that grow by some."""
    letter, at = LETTERS[number(0, len(LETTERS) - 1)], number(9, 29)

    def position(part, path):
        nonlocal at
        if isinstance(part, list):
            below = [position(each, (*path, index)) for index, each in enumerate(part)]
            return Position(path, "", None, below)
        at += number(1, 5)
        return Position(path, f"{letter}{at}", part)

    root, name = position(nested, ()), f"tree {n}"
    name_positions(root)
    return Tree(name, name, "", root, maximizing, (Search(root.height, maximizing),))


# ---- the sheet


def sheet_text(id: str) -> str:
    """Return the sheet of an id, to be filled in."""
    text = say("by hand.head", id=id)
    for number, (tree, asked) in enumerate(hand_trees(id), start=1):
        lines = draw(tree, width=78).splitlines()
        drawing = "\n".join(f"# {line}".rstrip() for line in lines)
        node = name_player(tree.root, tree.searches[0], asked)
        text += say("by hand.question", drawing=drawing, number=number, node=node)
    return text


def read_sheet(data: bytes) -> tuple[str, tuple[HandAnswer, ...]]:
    """Return whose a filled-in sheet is, and its answer for each tree.

    It may be spaced and bracketed in any way. A slip in the answer to one tree is that
    answer's own problem. Raises TreeError, one line, for what is no sheet.
    """
    if len(data) > LARGEST:
        raise TreeError(say("by hand.large", most=LARGEST), file=SHEET)
    text = COMMENT.sub("", data.decode("utf-8-sig", "replace"))
    id = _first_line(_parts(ID, text).get("id", "")).strip("\"' ")
    if not plain_id(id) or len(id) > LONGEST_ID:
        raise TreeError(say("by hand.no id"), file=SHEET)
    trees = _parts(TREE, text)
    return id, tuple(_answer(trees.get(n, ""), f"tree {n}") for n in "123")


def _parts(begins, text):
    """Return word -> what is written from there to the next one, in lower case."""
    _, *parts = begins.split(text)
    return dict(zip(map(str.lower, parts[::2]), parts[1::2]))


def _first_line(text):
    return (text.strip(" \t").splitlines() or [""])[0].strip()


def _answer(text, tree):
    written, bounds = _parts(ANSWER, text), []
    for name in ("alpha", "beta"):
        bound = _first_line(written.get(name, ""))
        bare = bound[:LONGEST_BOUND].casefold().translate(SIGNS)
        bare = re.sub(r"\s|plus|math\.|float|\.(?=inf)", "", bare).replace("minus", "-")
        try:
            bounds.append(float(bare) if bare else None)
        except ValueError:
            problem = say("by hand.no number", bound=name, text=bound[:20])
            return HandAnswer(problem=str(TreeError(problem, None, tree, SHEET)))
    leaves = re.findall(r"[^\W\d_]\w*", written.get("leaves", "").casefold())
    return HandAnswer(frozenset(leaves), *bounds)


def filled_in(id: str, answers: Iterable[HandAnswer]) -> str:
    """Return how much of a sheet is filled in, in a sentence; raise TreeError on a slip."""
    missing = []
    for hand, answer in zip(hand_trees(id), answers):
        foreign = foreign_names(hand, answer)
        if answer.problem or foreign:
            raise TreeError(answer.problem or f"{SHEET}: {foreign}")
        if not answer.leaves or None in answer:
            missing.append(hand.tree.title)
    key = "by hand.missing" if missing else "by hand.complete"
    return say(key, id=id, trees=in_words(missing))


def foreign_names(hand: HandTree, answer: HandAnswer) -> str:
    """Say which names of an answer are no leaves of the tree, "" for none."""
    known = {leaf.name for leaf in hand.tree.root.frontier(hand.tree.searches[0].depth)}
    foreign = sorted(name[:10] for name in answer.leaves - known)
    shown = in_words(foreign[:4] + [say("by hand.others")] * (len(foreign) > 4))
    return say("by hand.foreign", tree=hand.tree.title, leaves=shown) if foreign else ""


def main():
    """Write the sheet of an id into this folder, or look through the one that is there."""
    about = "Write byhand.yaml, or look through the one that is there."
    parser = argparse.ArgumentParser(prog="python -m gametree.byhand", description=about)
    about = "your student id, or the e-mail address that Gradescope has of you"
    parser.add_argument("--id", help=about)
    id, path = parser.parse_args().id, Path(SHEET)
    if id is None and path.is_file():
        return print(filled_in(*read_sheet(path.read_bytes())))
    if id is None:
        raise CannotRun(say("by hand.no sheet here"))
    id = id.strip()
    odd = not id.isprintable() or set('"\\') & set(id) or len(id) > LONGEST_ID
    if odd or not plain_id(id):
        raise CannotRun(say("by hand.odd id", id=id[:LONGEST_ID]))
    if path.exists():
        raise CannotRun(say("by hand.sheet here"))
    path.write_text(sheet_text(id), encoding="utf-8")
    print(say("by hand.wrote"))


if __name__ == "__main__":
    run(main)
