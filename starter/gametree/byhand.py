"""Alpha-beta by hand: python -m gametree.byhand --id 123456 writes byhand.yaml.

The file has three trees that are made from your id. Write in it which leaves alpha-beta
visits, and with which window it comes to one node. Without --id the file is looked through.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from string import ascii_uppercase

from gametree import lazy
from gametree.drawing import draw
from gametree.markup import Markup, read_markup
from gametree.saying import say
from gametree.student import CannotRun, run
from gametree.tree import Position, Search, Tree, TreeError
from gametree.words import in_words

SHEET = "byhand.yaml"
LARGEST = 2**16  # bytes of a sheet
LONGEST_ID = 100
LONGEST_BOUND = 40
LETTERS = "bcdfghjkmpqrstvwxz"
KEYS = ("leaves", "alpha", "beta")
INFINITE = re.compile(r"([-+]?)(?:\.|math\.)?(?:inf|infinity|\u221e)", re.IGNORECASE)
WRITTEN = re.compile(
    r"^([ \t]*)(id|leaves|alpha|beta)[ \t]*[:=](.*)$", re.MULTILINE | re.IGNORECASE
)
FINITE = re.compile(r"[-+]?([0-9]{1,9}(\.[0-9]{0,9})?|\.[0-9]{1,9})")
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


@dataclass(frozen=True)
class HandTree:
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
        HandTree(_tree(1, _two_plies(numbers), True, numbers), (2,)),
        HandTree(_tree(2, _negated(_two_plies(numbers)), False, numbers), (2,)),
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


def _two_plies(numbers):
    """Return MIN nodes for a MAX root; one has a cutoff before its last leaf."""
    while True:
        rows = [_leaves(numbers, 2, 4) for _ in range(3)]
        sure = [min(rows[0]), max(min(rows[0]), min(rows[1]))]
        if any(min(row[:-1]) < alpha for row, alpha in zip(rows[1:], sure)):
            return rows


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


def _negated(nested):
    return [_negated(part) for part in nested] if isinstance(nested, list) else -nested


def _tree(number, nested, maximizing, numbers):
    letter, at = LETTERS[numbers(0, len(LETTERS) - 1)], numbers(9, 29)
    upper, names = iter(ascii_uppercase), {}
    level = [((), nested)]
    while level:  # from the top down, as a tree file names them
        names.update((path, next(upper)) for path, part in level if isinstance(part, list))
        level = [
            ((*path, index), child)
            for path, part in level
            if isinstance(part, list)
            for index, child in enumerate(part)
        ]

    def grown(part, path):
        nonlocal at
        if isinstance(part, list):
            children = [grown(child, (*path, i)) for i, child in enumerate(part)]
            return Position(path, names[path], None, children)
        at += numbers(1, 5)
        return Position(path, f"{letter}{at}", part)

    root = grown(nested, ())
    title = f"tree {number}"
    search = Search(root.height, maximizing)
    return Tree(title, title, "", root, maximizing, (search,))


# ---- the sheet


def sheet_text(id: str) -> str:
    """Return the sheet of an id, to be filled in."""
    parts = [HEAD.format(id=id)]
    for number, (tree, asked) in enumerate(map(_parts, hand_trees(id)), start=1):
        lines = [f"# {line}".rstrip() for line in draw(tree, width=78).splitlines()]
        drawing = "\n".join(lines)
        parts.append(QUESTION.format(drawing=drawing, number=number, node=asked))
    return "".join(parts)


def _parts(hand):
    who = "MAX" if hand.tree.searches[0].max_moves_at(hand.asked) else "MIN"
    return hand.tree, f"{hand.tree.root.at(hand.asked).name} ({who})"


def read_sheet(data: bytes) -> Sheet:
    """Read a filled-in sheet. Raises TreeError, one line, for what is none.

    A slip in the answer to one tree is that answer's own problem.
    """
    try:
        if len(data) > LARGEST:
            raise TreeError(f"the file has more than {LARGEST:,} bytes: hand in the sheet")
        return _sheet(_markup(data))
    except TreeError as error:
        error.file = SHEET
        raise


def _markup(data):
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise TreeError("the file is not UTF-8 text: save it as UTF-8") from None
    text = WRITTEN.sub(_as_yaml, text)
    return read_markup(text)


def _as_yaml(match):
    """Return a line of answers as YAML reads it, however it is spaced and bracketed."""
    indent, key, value = match.groups()
    value = re.split(r"[ \t]#", value, maxsplit=1)[0].strip()
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    goes_on = value.count("[") > value.count("]")
    if value and not (quoted or goes_on):
        value = "'{}'".format(value.replace("'", "''"))
    return f"{indent.expandtabs(2)}{key.lower()}: {value}"


def _sheet(markup):
    count = len(hand_trees(""))
    titles = [f"tree {number}" for number in range(1, count + 1)]
    markup.check_keys(("id", *titles), "the sheet", f"write {', '.join(('id', *titles))}")
    id = markup.get("id")
    text = (id and id.text or "").strip()
    if not plain_id(text) or len(text) > LONGEST_ID:
        raise TreeError("it says no id: make it anew with --id")
    return Sheet(text, tuple(_answer(markup.get(title), title) for title in titles))


def _answer(markup, title):
    if markup is None or markup.text is not None and not markup.text.strip():
        return HandAnswer()
    try:
        markup.check_keys(KEYS, title, f"{title}: write {', '.join(KEYS)}")
        leaves, alpha, beta = map(markup.get, KEYS)
        bounds = _bound(alpha, "alpha"), _bound(beta, "beta")
        return HandAnswer(frozenset(_names(leaves)), *bounds)
    except TreeError as error:
        error.file = SHEET
        return HandAnswer(problem=str(error))


def _names(markup):
    if markup is None:
        return []
    items = [markup] if markup.items is None else markup.items
    if any(item.text is None for item in items):
        raise markup.error("leaves: write their names in brackets, as in [k12, k15]")
    words = (re.findall(r"[^\W\d_]\w*", item.text.casefold()) for item in items)
    return chain.from_iterable(words)


def _bound(markup: Markup | None, name):
    """Return the number or infinity that is written, None for nothing."""
    if markup is None:
        return None
    text = "a list" if markup.text is None else markup.text[:LONGEST_BOUND]
    bare = re.sub(r"\s+", "", text).translate({0x2212: "-", 0x2013: "-"})
    bare = bare.replace("minus", "-").replace("plus", "+")
    bare = re.sub(r"""^([-+]?)float\(["']?(.*?)["']?\)$""", r"\1\2", bare)
    if not bare:
        return None
    infinite = INFINITE.fullmatch(bare)
    if infinite:
        return -math.inf if infinite[1] == "-" else math.inf
    if FINITE.fullmatch(bare):
        return float(bare)
    raise markup.error(f"{name} is a number, infinity or -infinity, not {text[:20]!r}")


def filled_in(sheet: Sheet) -> str:
    """Return how much of a sheet is filled in, in a sentence; raise TreeError on a slip."""
    missing = []
    trees = hand_trees(sheet.id)
    for number, (hand, answer) in enumerate(zip(trees, sheet.answers), start=1):
        if answer.problem:
            raise TreeError(answer.problem)
        foreign = foreign_names(hand, answer)
        if foreign:
            raise TreeError(f"{SHEET}: {foreign}")
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
    if id is None:
        if not path.is_file():
            raise CannotRun(f"{SHEET} is not here: write it with --id and your id")
        with path.open("rb") as file:
            return print(filled_in(read_sheet(file.read(LARGEST + 1))))
    id = id.strip()
    odd = not id.isprintable() or set('"\\') & set(id)
    if odd or not plain_id(id) or len(id) > LONGEST_ID:
        raise CannotRun(f"--id {id[:LONGEST_ID]!r}: write your id in letters and digits")
    if path.exists():
        raise CannotRun(f"{SHEET} is here already: rename it to begin anew")
    path.write_text(sheet_text(id), encoding="utf-8")
    print(f"wrote {SHEET}: fill it in, then look through it with this command without --id")


if __name__ == "__main__":
    run(main)
