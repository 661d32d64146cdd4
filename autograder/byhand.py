"""Grade byhand.yaml, which a student fills in before there is any code.

It is read as data, by the tree files' own reader, in the grader; nothing of it is run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import ClassVar

from autograder.plaintext import sanitize
from gametree import observe
from gametree.byhand import foreign_names, hand_trees, plain_id, read_sheet
from gametree.support.judging import returned_values, window_before
from gametree.support.saying import say
from gametree.support.tree import TreeError

MAX_LINE = 200  # characters of a line in which a student's words may stand


@dataclass(frozen=True)
class HandRow:
    """One tree of the sheet: what its answers earn, in cents, and what a student reads."""

    number: str
    title: str
    max_cents: int
    cents: int = 0
    text: str = ""

    @property
    def name(self) -> str:
        """The line that the student reads: "by hand: tree 1"."""
        return f"{ByHand.name}: {self.title}"

    @property
    def right(self) -> bool:
        """Whether it earns all."""
        return self.cents == self.max_cents


@dataclass(frozen=True)
class ByHand:
    """What came of a sheet; `problem` says in a line why it could not be graded, if so.

    `note` says in a line that nobody told whose it is, if so.
    """

    name: ClassVar[str] = "by hand"
    rows: tuple[HandRow, ...]
    problem: str = ""
    note: str = ""

    @property
    def cents(self) -> int:
        """What the rows earn."""
        return sum(row.cents for row in self.rows)

    @property
    def max_cents(self) -> int:
        """The most that they could earn."""
        return sum(row.max_cents for row in self.rows)


def rows_by_hand(max_cents: int) -> tuple[HandRow, ...]:
    """Return the rows before anything was graded: none where the part is off."""
    if not max_cents:
        return ()
    count = len(hand_trees(""))
    each, left = divmod(max_cents, count)
    return tuple(
        HandRow(f"0.{n:02d}", say("graded by hand.tree", count=n), each + (n <= left))
        for n in range(1, count + 1)
    )


def ids_in(metadata: Path) -> tuple[str, ...]:
    """Return the student ids and e-mail addresses in Gradescope's metadata, else none.

    A group has several. `sid` is there where the course's roster has one.
    """
    try:
        users = json.loads(metadata.read_bytes())["users"]
        found = [user.get(key) for user in users for key in ("sid", "email")]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return ()
    known = (str(id) for id in found if isinstance(id, (str, int)))
    return tuple(filter(plain_id, known))


def grade_by_hand(
    sheet: bytes | str, ids: Iterable[str] | None, max_cents: int, reference: ModuleType
) -> ByHand:
    """Grade a sheet by the reference's search of the trees that its id makes.

    sheet: the file's bytes, or why there are none. ids: whose sheet it may be; None
    where nobody says, so that its own word is taken.
    """
    rows = rows_by_hand(max_cents)
    try:
        own, given = _of_one_of(sheet, ids)
    except TreeError as error:
        problem = sanitize(str(error), MAX_LINE)
        return ByHand(tuple(replace(row, text=problem) for row in rows), problem)
    id = sanitize(own, MAX_LINE)
    note = say("graded by hand.own word", id=id) if ids is None else ""
    answers = zip(rows, hand_trees(own), given)
    return ByHand(tuple(_graded(*each, reference, note) for each in answers), note=note)


def _of_one_of(content, ids):
    """Return the id and the answers of a sheet; raise TreeError if it is nobody's."""
    if not isinstance(content, bytes):
        raise TreeError(content or say("graded by hand.no sheet"))
    id, answers = read_sheet(content)
    known = set(map(plain_id, ids or ())) - {""}
    if ids is not None and not known:
        raise TreeError(say("graded by hand.nobody"))
    if ids is not None and plain_id(id) not in known:
        raise TreeError(say("graded by hand.another's", id=id))
    return id, answers


def _graded(row, hand, answer, reference, note):
    """Return a row with what one answer earns: half for the leaves, half for the window.

    Without leaves of this very tree it earns nothing: windows alone could be anybody's.
    """
    none = "" if answer.leaves else say("graded by hand.no leaves")
    problem = answer.problem or foreign_names(hand, answer) or none
    if problem:
        return replace(row, text=_text(problem, note))
    tree, search = hand.tree, hand.tree.searches[0]
    visited = observe(reference.alphabeta, "alphabeta", tree, search).visited
    returned = returned_values(tree, search, visited)
    alpha, beta = window_before(hand.asked, search, returned)[2:]
    bounds = ("alpha", answer.alpha, alpha), ("beta", answer.beta, beta)
    window_wrong = ", ".join(
        say(f"graded by hand.{'no' if own is None else 'wrong'} bound", bound=name)
        for name, own, right in bounds
        if own != right
    )
    leaves_wrong = _leaves_wrong(tree.root.frontier(search.depth), visited, answer)
    half, right = row.max_cents // 2, say("graded by hand.right")
    cents = (0 if leaves_wrong else row.max_cents - half) + (0 if window_wrong else half)
    outcome, name = window_wrong or right, tree.root.at(hand.asked).name
    window = say("graded by hand.window", node=name, outcome=outcome)
    leaves = say("graded by hand.leaves", outcome=leaves_wrong or right)
    return replace(row, cents=cents, text=_text(leaves, window, note))


def _text(*lines):
    return "\n".join(sanitize(line, MAX_LINE) for line in lines if line)


def _leaves_wrong(leaves, visited, answer):
    """Say which leaf is the first that is wrong, from left to right, "" if none is."""
    for leaf in leaves:
        right = leaf.path in visited
        if right != (leaf.name in answer.leaves):
            key = "graded by hand.left out" if right else "graded by hand.not visited"
            return say(key, leaf=leaf.name)
    return ""
