"""Alpha-beta by hand: python -m gametree.byhand --id 123456 writes byhand.yaml.

The file has three trees that are made from your id. Write in it which leaves alpha-beta
visits, and with which window it comes to one node. Without --id the file is looked through.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from gametree import lazy
from gametree.drawing import draw
from gametree.saying import in_words, player, say
from gametree.student import CannotRun, run
from gametree.tree import Tree, TreeError
from gametree.treefile import parse_tree

SHEET = "byhand.yaml"
LARGEST = 2**16  # bytes of a sheet
LONGEST_ID = 100
LONGEST_BOUND = 40
LONGEST_LINE = 1000
TREES = 3
LETTERS = "bcdfghjkmpqrstvwxz"
KEYS = ("leaves", "alpha", "beta")
ENTRY = re.compile(r"(?:tree\s*([1-3])|(id|leaves|alpha|beta))\s*[:=](.*)", re.IGNORECASE)
SIGNS = {ord("\u2212"): "-", ord("\u2013"): "-", ord("\u221e"): "inf"}
SIGNS |= dict.fromkeys(map(ord, "\"'()"))  # which mean nothing around a bound
HEAD = """\
# Alpha-beta by hand, for the id {id}. Fill it in, and upload it beside search.py.
#
# leaves: those that alpha-beta visits from a full window, in any order, as in [k12, k15]
# alpha, beta: the window with which the search comes to the node that is named, before
#     it looks at any child there. Write a number, infinity or -infinity.

id: "{id}"
"""
QUESTION = """
{drawing}
tree {number}:
  leaves: []
  # the window at {node}:
  alpha:
  beta:
"""


class HandTree(NamedTuple):
    """One tree to search by hand; the window is asked for at the path `asked`."""

    tree: Tree
    asked: tuple[int, ...]


@dataclass(frozen=True)
class HandAnswer:
    """What a sheet says of one tree: names of leaves, in lower case, and the window.

    A bound is None where nothing is written. `problem` says what cannot be read.
    """

    leaves: frozenset[str] = frozenset()
    alpha: float | None = None
    beta: float | None = None
    problem: str = ""


@dataclass(frozen=True)
class Sheet:
    """A filled-in sheet: whose it is, and an answer for each tree."""

    id: str
    answers: tuple[HandAnswer, ...]


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
    numbers = _numbers(f"alpha-beta by hand: {plain_id(id)}")
    return (
        HandTree(_tree(1, _two_plies(numbers, 1), True, numbers), (2,)),
        HandTree(_tree(2, _two_plies(numbers, -1), False, numbers), (2,)),
        HandTree(_tree(3, _three_plies(numbers), True, numbers), (1, 1)),
    )


def _numbers(text) -> Callable[[int, int], int]:
    """Return a function that draws the next number from low to high."""
    state = lazy.mix(text.encode(), 0)

    def number(low, high):
        nonlocal state
        state = lazy.mix(state, 1)
        return lazy.draw(state, low, high)

    return number


def _leaves(numbers, fewest, most):
    return [numbers(-9, 20) for _ in range(numbers(fewest, most))]


def _two_plies(numbers, sign):
    """Return MIN nodes for a MAX root; one has a cutoff before its last leaf.

    For a MIN root the sign is -1, with which all values are multiplied.
    """
    while True:
        rows = [_leaves(numbers, 2, 4) for _ in range(3)]
        sure = [min(rows[0]), max(min(rows[0]), min(rows[1]))]
        if any(min(row[:-1]) < alpha for row, alpha in zip(rows[1:], sure)):
            return [[sign * value for value in row] for row in rows]


def _three_plies(numbers):
    """Return two MIN nodes of two MAX nodes each for a MAX root, with cutoffs.

    MIN can have less than E in the second one, but more than the first one is worth; so
    its second child is searched, with both bounds, and has a cutoff.
    """
    while True:
        first, second, third, last = (_leaves(numbers, 2, 3) for _ in range(4))
        alpha, beta = min(max(first), max(second)), max(third)
        if alpha < beta < max(last[:-1]):
            return [[first, second], [third, last]]


def _tree(number, nested, maximizing, numbers):
    letter, at = LETTERS[numbers(0, len(LETTERS) - 1)], numbers(9, 29)

    def written(part):
        nonlocal at
        if isinstance(part[0], list):
            return f"[{', '.join(map(written, part))}]"
        leaves = []
        for value in part:
            at += numbers(1, 5)
            leaves.append(f"{letter}{at}: {value}")
        return f"{{{', '.join(leaves)}}}"

    player = "max" if maximizing else "min"
    return parse_tree(f"root: {player}\ntree: {written(nested)}\n", f"tree {number}")


# ---- the sheet


def sheet_text(id: str) -> str:
    """Return the sheet of an id, to be filled in."""
    parts = [HEAD.format(id=id)]
    for number, (tree, asked) in enumerate(hand_trees(id), start=1):
        lines = [f"# {line}".rstrip() for line in draw(tree, width=78).splitlines()]
        node = player(tree.root, tree.searches[0], asked)
        text = QUESTION.format(drawing="\n".join(lines), number=number, node=node)
        parts.append(text)
    return "".join(parts)


def read_sheet(data: bytes) -> Sheet:
    """Read a filled-in sheet. Raises TreeError, one line, for what is none.

    It is read line by line, however these are spaced and bracketed. A slip in the answer
    to one tree is that answer's own problem.
    """
    if len(data) > LARGEST:
        raise _slip(f"the file has more than {LARGEST:,} bytes: hand in the sheet")
    written = _written(data.decode("utf-8-sig", "replace"))
    id = written.get(("", "id"), (0, ""))[1].strip("\"' ")
    if not plain_id(id) or len(id) > LONGEST_ID:
        raise _slip("it says no id: make it anew with --id")
    return Sheet(id, tuple(_answer(written, str(n)) for n in range(1, TREES + 1)))


def _slip(problem, line=None):
    return TreeError(problem, line, file=SHEET)


def _written(text):
    """Return (number of the tree, key) -> (line, text); leaves may go on for lines."""
    written, tree, last = {}, "", None
    for number, line in enumerate(text.splitlines(), start=1):
        line = re.split(r"(?:^|[ \t])#", line[:LONGEST_LINE], maxsplit=1)[0].strip()
        entry = ENTRY.fullmatch(line)
        if entry and entry[1]:
            tree, last = entry[1], None
        elif entry:
            key = entry[2].lower()
            place = ("" if key == "id" else tree), key
            written[place] = number, entry[3].strip()
            last = place if key == "leaves" else None
        elif line and last is None:
            keys = ", ".join(["id", *(f"tree {n + 1}" for n in range(TREES)), *KEYS])
            raise _slip(f"{line[:20]!r} is none of {keys}: mend the line", number)
        elif line:
            at, before = written[last]
            written[last] = at, f"{before} {line}"
    return written


def _answer(written, tree):
    try:
        bounds = [_bound(name, *written.get((tree, name), (0, ""))) for name in KEYS[1:]]
    except TreeError as error:
        return HandAnswer(problem=str(error))
    _, leaves = written.get((tree, "leaves"), (0, ""))
    return HandAnswer(frozenset(re.findall(r"[^\W\d_]\w*", leaves.casefold())), *bounds)


def _bound(name, line, text):
    """Return the number or infinity that is written, None for nothing."""
    bare = text[:LONGEST_BOUND].casefold().translate(SIGNS)
    bare = re.sub(r"minus", "-", re.sub(r"\s|plus|math\.|float|\.(?=inf)", "", bare))
    try:
        return float(bare) if bare else None
    except ValueError:
        problem = f"{name} is a number, infinity or -infinity, not {text[:20]!r}"
        raise _slip(problem, line) from None


def filled_in(sheet: Sheet) -> str:
    """Return how much of a sheet is filled in, in a sentence; raise TreeError on a slip."""
    missing = []
    trees = hand_trees(sheet.id)
    for number, (hand, answer) in enumerate(zip(trees, sheet.answers), start=1):
        foreign = foreign_names(hand, answer)
        if answer.problem or foreign:
            raise TreeError(answer.problem or f"{SHEET}: {foreign}")
        if not answer.leaves or None in (answer.alpha, answer.beta):
            missing.append(f"tree {number}")
    state = f"{in_words(missing)} to be filled in" if missing else "all filled in"
    return f"{SHEET} can be read: for the id {sheet.id}, {state}."


def foreign_names(hand: HandTree, answer: HandAnswer) -> str:
    """Say which names of an answer are no leaves of the tree, "" for none."""
    known = {leaf.name for leaf in hand.tree.root.frontier(hand.tree.searches[0].depth)}
    foreign = sorted(name[:10] for name in answer.leaves - known)
    if not foreign:
        return ""
    others = [say("by hand.others")] * (len(foreign) > 4)
    shown = in_words(foreign[:4] + others)
    return say("by hand.foreign", tree=hand.tree.title, leaves=shown)


def main():
    """Write the sheet of an id into this folder, or look through the one that is there."""
    parser = argparse.ArgumentParser(
        prog="python -m gametree.byhand",
        description="Write byhand.yaml, or look through the one that is there.",
    )
    about = "your student id, or the e-mail address that Gradescope has of you"
    parser.add_argument("--id", help=about)
    id, path = parser.parse_args().id, Path(SHEET)
    if id is None and path.is_file():
        return print(filled_in(read_sheet(path.read_bytes())))
    if id is None:
        raise CannotRun(f"{SHEET} is not here: write it with --id and your id")
    id = id.strip()
    odd = not id.isprintable() or set('"\\') & set(id) or len(id) > LONGEST_ID
    if odd or not plain_id(id):
        raise CannotRun(f"--id {id[:LONGEST_ID]!r}: write your id in letters and digits")
    if path.exists():
        raise CannotRun(f"{SHEET} is here already: rename it to begin anew")
    path.write_text(sheet_text(id), encoding="utf-8")
    print(f"wrote {SHEET}: fill it in, then look through it with this command without --id")


if __name__ == "__main__":
    run(main)
