"""Two gradings of a course compared: who changed, by how much, and why."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from autograder.course.gradebook import GRADEBOOK, WHO, table_of
from autograder.course.outcome import Outcome, read_ledger
from autograder.course.people import CourseError, Student, read_table
from autograder.judging.scores import points_text
from autograder.utilities import replace_file

CHANGES = "changes.csv"
NEEDED = (*WHO, "score", "status")  # of a gradebook that is compared
COLUMNS = (*WHO, "before", "after", "change", "why")
MOST_LISTED = 40
MOST_ROWS = 3  # of the grading that the reason for one student names


@dataclass(frozen=True)
class Line:
    """One student's line of a gradebook.csv, as far as a comparison needs it.

    `graded` are the cents that the kit gave, where somebody gave others by hand.
    """

    student: Student
    submission: str
    cents: int | None
    status: str
    graded: int | None = None

    @property
    def key(self) -> str:
        """What finds the same student in another gradebook."""
        return self.student.key or self.submission


@dataclass(frozen=True)
class Grades:
    """One grading of a course as its folder keeps it: its Lines, and id -> Outcome."""

    lines: list[Line]
    outcomes: dict[str, Outcome]


@dataclass(frozen=True)
class Change:
    """One student whose score is another now, in cents, None for none; and why."""

    line: Line
    before: int | None
    after: int | None
    why: str

    @property
    def cents(self) -> int | None:
        """The change in hundredths of a point, or None where one side has no score."""
        known = self.before is not None and self.after is not None
        return self.after - self.before if known else None


def compare(before: Grades, folder: Path) -> list[str]:
    """Write changes.csv of the gradebook in a folder; return lines that tell a TA of it."""
    after = read_grades(folder / GRADEBOOK)
    changes = changes_between(before, after)
    rows = [
        (
            *(one.line.student.sid, one.line.student.name, one.line.student.email),
            *(one.line.submission, _points(one.before), _points(one.after)),
            *(_points(one.cents), one.why),
        )
        for one in changes
    ]
    replace_file(folder / CHANGES, table_of(COLUMNS, rows))
    return [*report(before, after, changes), f"wrote {folder / CHANGES}"]


def read_grades(path: Path) -> Grades:
    """Read a gradebook.csv and the ledger beside it, if any. Raises CourseError."""
    heads, *rows = read_table(path, str(path)) or [[]]
    missing = [name for name in NEEDED if name not in heads]
    if missing:
        raise CourseError(f"{path}: not a gradebook: no column {missing[0]}")
    lines = [_line(path, dict(zip(heads, row))) for row in rows if row]
    return Grades(lines, read_ledger(path.parent))


def _line(path, row):
    cells = [row.get(column, "") for column in (*NEEDED, "graded")]
    sid, name, email, submission, score, status, graded = cells
    student = Student(name, sid, email)
    for points in (score, graded):
        if not re.fullmatch(r"(-?\d+(\.\d+)?)?", points):
            wrong = f"{(student.key or submission)[:40]!r} has the score {points[:40]!r}"
            raise CourseError(f"{path}: {wrong}; write a number such as 87.5, or nothing")
    return Line(student, submission, _cents(score), status, _cents(graded))


def _cents(points):
    return round(float(points) * 100) if points else None


def changes_between(before: Grades, after: Grades) -> list[Change]:
    """Return the Changes between two gradings, the greatest losses first."""
    changes = [
        Change(
            new or old, old and old.cents, new and new.cents, _why(old, new, before, after)
        )
        for old, new in _pairs(before.lines, after.lines)
        if (old and old.cents) != (new and new.cents)
    ]
    return sorted(changes, key=lambda c: (c.cents is None, c.cents or 0, c.line.key))


def _pairs(before, after):
    """Return (earlier Line, later Line) of everybody, with None where there is none.

    A student is the same whatever the submission's id. Of a student with several lines,
    the first in one gradebook and the first in the other are a pair, and so on.
    """

    def identified(lines):
        known, times = {}, Counter()
        for line in lines:
            times[line.key] += 1
            known[line.key, times[line.key]] = line
        return known

    old, new = identified(before), identified(after)
    return [(old.get(who), new.get(who)) for who in dict.fromkeys([*new, *old])]


def _why(old, new, before, after):
    if old is None:
        return "was not in the earlier gradebook"
    if new is None:
        return "is not in this one"
    was, now = before.outcomes.get(old.submission), after.outcomes.get(new.submission)
    by_hand = [line.cents != line.graded for line in (old, new)]
    reasons = ["given by hand"] * by_hand[1] or ["no longer given by hand"] * by_hand[0]
    if was and now and was.source != now.source:
        reasons.append("the submission changed")
    if old.status != new.status:
        reasons.append(f"was {old.status}, is {new.status}")
    gained = Counter(was.lost if was and now else {})
    gained.subtract(now.lost if was and now else {})
    rows = sorted(((-abs(cents), name) for name, cents in gained.items() if cents))
    for cents, name in rows[:MOST_ROWS]:
        more = "more" if gained[name] > 0 else "less"
        reasons.append(f"{points_text(-cents)} {more} in {name}")
    if len(rows) > MOST_ROWS:
        left = len(rows) - MOST_ROWS
        reasons.append(f"and {left} more row{'s' * (left > 1)}")
    return "; ".join(reasons) or "other points for the same rows"


def report(before: Grades, after: Grades, changes: list[Change]) -> list[str]:
    """Return the lines that tell a TA what changed."""
    head = f"{len(changes)} of {len(after.lines)} scores changed"
    both = [change.cents for change in changes if change.cents is not None]
    if both:
        head += f": {sum(c < 0 for c in both)} lower, {sum(c > 0 for c in both)} higher"
    head += f"; the mean went from {_mean(before)} to {_mean(after)}"
    lines = [head, _what_changed(before, after)]
    for change in changes[:MOST_LISTED]:
        scores = [_points(c) or "no score" for c in (change.before, change.after)]
        who = change.line.student.who or change.line.submission
        lines.append(f"  {who}: {' -> '.join(scores)} ({change.why})")
    if len(changes) > MOST_LISTED:
        lines.append(f"  and {len(changes) - MOST_LISTED} more, all in {CHANGES}")
    for old, new in _pairs(before.lines, after.lines):
        by_hand = old and new and new.cents != new.graded and new.cents is not None
        if by_hand and old.graded != new.graded:
            was, now = (_points(line.graded) or "no score" for line in (old, new))
            who, given = new.student.who or new.submission, _points(new.cents)
            lines.append(
                f"  {who}: {given} by hand stands; it was given when grading gave {was}, "
                f"and grading gives {now} now"
            )
    return lines


def _mean(grades):
    cents = [line.cents for line in grades.lines if line.cents is not None]
    return points_text(sum(cents) / len(cents)) if cents else "nothing"


def _what_changed(before, after):
    kits = [{outcome.kit for outcome in side.outcomes.values()} for side in (before, after)]
    if not all(kits):
        return "no ledger beside the earlier gradebook: reasons are by score only"
    same = "the same kit" if kits[0] == kits[1] else "another kit (code, trees or rubric)"
    return f"graded by {same}"


def _points(cents):
    return "" if cents is None else points_text(cents)
