"""Grade byhand.yaml, which a student completes before writing code.

The grader parses it as data, with the parser of tree files, and runs none of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import ClassVar

from autograder.ground.plaintext import sanitize
from autograder.scoring.rubric import VISIBLE
from gametree import observe
from gametree.byhand import describe_foreign, hand_trees, plain_id, read_sheet
from gametree.support.judging import returned_values, window_at
from gametree.support.saying import say
from gametree.support.tree import TreeError

MAX_LINE = 200  # characters of a line that may contain a student's words


@dataclass(frozen=True)
class HandRow:
    """One tree of the sheet, with its score and its text for the student.

    number: the number of the row, such as "0.01".
    title: the title of the tree, such as "tree 1".
    max_cents: the maximum score, in hundredths of a point.
    cents: the score, in hundredths of a point.
    text: a description of the correct and the wrong answers.
    """

    visibility: ClassVar[str] = VISIBLE
    number: str
    title: str
    max_cents: int
    cents: int = 0
    text: str = ""

    @property
    def name(self) -> str:
        """The row's name for the student, such as "by hand: tree 1"."""
        return f"{ByHand.name}: {self.title}"

    @property
    def is_right(self) -> bool:
        """Whether the row has full marks."""
        return self.cents == self.max_cents


@dataclass(frozen=True)
class ByHand:
    """The result of grading a sheet.

    rows: one row for each tree.
    problem: the reason why the sheet could not be graded, or "".
    note: a warning that the sheet's ID could not be checked, or "".
    """

    name: ClassVar[str] = "by hand"
    rows: tuple[HandRow, ...]
    problem: str = ""
    note: str = ""

    @property
    def cents(self) -> int:
        """The score of all rows."""
        return sum(row.cents for row in self.rows)

    @property
    def max_cents(self) -> int:
        """The maximum score of all rows."""
        return sum(row.max_cents for row in self.rows)


def rows_by_hand(max_cents: int) -> tuple[HandRow, ...]:
    """Return the ungraded rows, which share the points evenly."""
    count = len(hand_trees(""))
    share, remainder = divmod(max_cents, count)
    rows = []
    for number in range(1, count + 1):
        title = say("graded by hand.tree", count=number)
        cents = share + 1 if number <= remainder else share
        rows.append(HandRow(f"0.{number:02d}", title, cents))
    return tuple(rows)


def ids_in(metadata: Path) -> tuple[str, ...]:
    """Return the student IDs and e-mail addresses in Gradescope's metadata, if any.

    A group has several students. The key `sid` exists only if the roster has IDs.
    """
    ids = []
    try:
        for user in json.loads(metadata.read_bytes())["users"]:
            ids += [user.get("sid"), user.get("email")]
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return ()
    texts = [str(id) for id in ids if isinstance(id, (str, int))]
    return tuple(filter(plain_id, texts))


def grade_by_hand(
    sheet: bytes | str, ids: Iterable[str] | None, max_cents: int, reference: ModuleType
) -> ByHand:
    """Grade a sheet by the reference's searches of the trees for its ID.

    sheet: the file's bytes, or the reason why there is no file.
    ids: the IDs that the sheet may have; None accepts any ID.
    max_cents: the maximum score, in hundredths of a point.
    reference: the module of correct searches.
    """
    rows = rows_by_hand(max_cents)
    try:
        id, answers = _read_sheet_of(sheet, ids)
    except TreeError as error:
        problem = sanitize(str(error), MAX_LINE)
        return ByHand(tuple(replace(row, text=problem) for row in rows), problem)
    note = ""
    if ids is None:
        note = say("graded by hand.own word", id=sanitize(id, MAX_LINE))
    graded = []
    for row, hand, answer in zip(rows, hand_trees(id), answers):
        graded.append(_grade_answer(row, hand, answer, reference, note))
    return ByHand(tuple(graded), note=note)


def _read_sheet_of(sheet, ids):
    """Return a sheet's ID and answers. Raises TreeError if the ID is not in `ids`."""
    if not isinstance(sheet, bytes):
        raise TreeError(sheet or say("graded by hand.no sheet"))
    id, answers = read_sheet(sheet)
    if ids is None:
        return id, answers
    known = set(map(plain_id, ids)) - {""}
    if not known:
        raise TreeError(say("graded by hand.nobody"))
    if plain_id(id) not in known:
        raise TreeError(say("graded by hand.another's", id=id))
    return id, answers


def _grade_answer(row, hand, answer, reference, note):
    """Grade one answer: half of the points for the leaves, half for the window.

    Without leaves of this tree it earns nothing, because a window alone could be copied.
    """
    problem = answer.problem or describe_foreign(hand, answer)
    if not problem and not answer.leaves:
        problem = say("graded by hand.no leaves")
    if problem:
        return replace(row, text=_text(problem, note))
    visited = observe(reference.alphabeta, "alphabeta", hand.tree, hand.search).visited
    wrong_leaf = _describe_wrong_leaf(hand, visited, answer)
    wrong_bounds = _describe_wrong_bounds(hand, visited, answer)
    half = row.max_cents // 2
    cents = 0
    if not wrong_leaf:
        cents += row.max_cents - half
    if not wrong_bounds:
        cents += half
    right = say("graded by hand.right")
    leaves = say("graded by hand.leaves", outcome=wrong_leaf or right)
    node = hand.tree.root.at(hand.asked).name
    window = say("graded by hand.window", node=node, outcome=wrong_bounds or right)
    return replace(row, cents=cents, text=_text(leaves, window, note))


def _text(*lines):
    return "\n".join(sanitize(line, MAX_LINE) for line in lines if line)


def _describe_wrong_leaf(hand, visited, answer):
    """Describe the first wrong leaf from left to right, or return ""."""
    for leaf in hand.tree.root.frontier(hand.search.depth):
        is_visited = leaf.path in visited
        if is_visited and leaf.name not in answer.leaves:
            return say("graded by hand.left out", leaf=leaf.name)
        if not is_visited and leaf.name in answer.leaves:
            return say("graded by hand.not visited", leaf=leaf.name)
    return ""


def _describe_wrong_bounds(hand, visited, answer):
    """Describe the wrong and the missing bounds of the window, or return ""."""
    values = returned_values(hand.tree, hand.search, visited)
    window = window_at(hand.asked, hand.search, values)
    wrong = []
    for name, correct in zip(("alpha", "beta"), window):
        bound = getattr(answer, name)
        if bound is None:
            wrong.append(say("graded by hand.no bound", bound=name))
        elif bound != correct:
            wrong.append(say("graded by hand.wrong bound", bound=name))
    return ", ".join(wrong)
