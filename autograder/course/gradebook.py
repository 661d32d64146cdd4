"""The course's books: gradebook.csv, canvas.csv, and changes.csv between two gradings."""

from __future__ import annotations

import csv
import io
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.course.export import CourseError, Student, Submission
from autograder.course.outcome import NOT_YET, OUT_OF_DATE, Outcome, read_ledger, shown
from autograder.judging.scores import points_text
from autograder.plaintext import cell, of_cell
from autograder.utilities import replace_file
from gametree.functions import FUNCTIONS

GRADEBOOK, CANVAS, CHANGES = "gradebook.csv", "canvas.csv", "changes.csv"
CANVAS_TITLE = "Minimax and alpha-beta"  # the name of the score's column there
WHO = ("sid", "name", "email", "submission")
COLUMNS = (*WHO, "score", *FUNCTIONS, "diagnosis", "status", "reason", "seconds")
AFTER_PARTS = COLUMNS.index("diagnosis")
NEEDED = (*WHO, "score", "status")  # of a gradebook that is compared
CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section", CANVAS_TITLE)
CHANGES_COLUMNS = (*WHO, "before", "after", "change", "why")
SECONDS_BETWEEN = 0.5
MOST_LISTED = 40
MOST_ROWS = 3  # of the grading that the reason for one student names


@dataclass
class Gradebook:
    """Keeps gradebook.csv up to date while outcomes come in, twice a second at most.

    `submissions` are all of the course, `outcomes` those there are by submission id;
    `is_current` tells an outcome of this kit and file from an earlier one.
    """

    folder: Path
    submissions: Sequence[Submission]
    outcomes: dict[str, Outcome]
    is_current: Callable[[Outcome], bool]
    clock: Callable[[], float] = time.monotonic
    due: float = field(default=-math.inf, init=False)

    def add(self, outcome: Outcome) -> None:
        """Take an outcome in; write the file if the last time was long enough ago."""
        self.outcomes[outcome.id] = outcome
        now = self.clock()
        if now >= self.due:
            self.due = now + SECONDS_BETWEEN
            self.write()

    def write(self) -> None:
        """Write gradebook.csv now, with the byte order mark that Excel needs."""
        entries = list(self._entries())
        named = (name for _, outcome in entries for name in outcome.parts)
        others = sorted({*named} - {*FUNCTIONS})  # by hand, where it is on
        parts = [*FUNCTIONS, *others]
        rows = [_row(student, outcome, parts) for student, outcome in entries]
        columns = (*COLUMNS[:AFTER_PARTS], *others, *COLUMNS[AFTER_PARTS:])
        _write_table(self.folder / GRADEBOOK, columns, rows, mark="\ufeff")

    def write_canvas(self) -> None:
        """Write canvas.csv, which Canvas's gradebook imports.

        Canvas looks a student up by SIS User ID where ID is empty, then by login.
        """
        rows = [
            (student.name, "", student.sid, student.email, "", _points(outcome.cents))
            for student, outcome in self._entries()
        ]
        _write_table(self.folder / CANVAS, CANVAS_COLUMNS, rows)

    def _entries(self):
        """Yield (student, outcome as it is shown), in the submissions' order."""
        for submission in self.submissions:
            known = self.outcomes.get(submission.id)
            outcome = shown(submission, known)
            if known is not None and not self.is_current(known):
                outcome = replace(outcome, status=OUT_OF_DATE)
            for student in submission.students:
                yield student, outcome


def _row(student, outcome, parts):
    return (
        *_who(student, outcome.id),
        _points(outcome.cents),
        *(_points(outcome.parts.get(part)) for part in parts),
        "; ".join(outcome.diagnoses),
        outcome.status,
        outcome.reason,
        "" if outcome.status == NOT_YET else f"{outcome.seconds:.2f}",
    )


def _who(student, id):
    return student.sid, student.name, student.email, id


def _points(cents):
    return "" if cents is None else points_text(cents)


@dataclass(frozen=True)
class Line:
    """One student's line of a gradebook.csv, as far as a comparison needs it."""

    student: Student
    submission: str
    cents: int | None
    status: str

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
    """One student whose score is another now; cents are None where there was none.

    `rows` maps names of rows to the cents gained there, losses below 0; `why` says
    it in words.
    """

    line: Line
    before: int | None
    after: int | None
    rows: dict[str, int]
    why: str

    @property
    def cents(self) -> int | None:
        """The change in hundredths of a point, or None where one side has no score."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


def compare(before: Grades, folder: Path) -> list[str]:
    """Write changes.csv of the gradebook in a folder; return lines that tell a TA of it."""
    after = read_grades(folder / GRADEBOOK)
    changes = changes_between(before, after)
    write_changes(folder / CHANGES, changes)
    return [*report(before, after, changes), f"wrote {folder / CHANGES}"]


def read_grades(path: Path) -> Grades:
    """Read a gradebook.csv and the ledger beside it, if any. Raises CourseError."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        rows = csv.DictReader(io.StringIO(text, newline=""))
        missing = [name for name in NEEDED if name not in (rows.fieldnames or ())]
        if missing:
            raise CourseError(f"{path}: not a gradebook: no column {missing[0]}")
        lines = [_line(path, row) for row in rows]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise CourseError(f"{path}: cannot be read: {reason}") from None
    return Grades(lines, read_ledger(path.parent))


def _line(path, row):
    sid, name, email, submission, score, status = (
        of_cell(row[column] or "") for column in NEEDED
    )
    student = Student(name, sid, email)
    if not re.fullmatch(r"(-?\d+(\.\d+)?)?", score):
        wrong = f"{(student.key or submission)[:40]!r} has the score {score[:40]!r}"
        raise CourseError(f"{path}: {wrong}; write a number such as 87.5, or nothing")
    return Line(student, submission, round(float(score) * 100) if score else None, status)


def changes_between(before: Grades, after: Grades) -> list[Change]:
    """Return the Changes between two gradings, the greatest losses first."""
    changes = [
        _change(old, new, before.outcomes, after.outcomes)
        for old, new in _pairs(before.lines, after.lines)
        if _cents(old) != _cents(new)
    ]
    return sorted(changes, key=lambda c: (c.cents is None, c.cents or 0, c.line.key))


def _pairs(before, after):
    """Return (earlier Line, later Line) of everybody, with None where there is none.

    A student with one line in each gradebook is one pair, whatever the submission's
    id. Where either has several lines of a student, those of one submission are a pair.
    """
    counts = [Counter(line.key for line in lines) for lines in (before, after)]
    several = {key for count in counts for key in count if count[key] > 1}

    def identified(lines):
        by_identity, times = {}, Counter()
        for line in lines:
            who = (line.key, line.submission if line.key in several else None)
            times[who] += 1  # two students without sid and email in one submission
            by_identity[who, times[who]] = line
        return by_identity

    old, new = identified(before), identified(after)
    return [(old.get(who), new.get(who)) for who in dict.fromkeys([*new, *old])]


def _cents(line):
    return None if line is None else line.cents


def _change(old, new, old_outcomes, new_outcomes):
    was = old_outcomes.get(old.submission) if old else None
    now = new_outcomes.get(new.submission) if new else None
    gained = Counter()
    if was and now:
        gained.update(was.lost)
        gained.subtract(now.lost)
    rows = {name: cents for name, cents in gained.items() if cents}
    why = _why(old, new, was, now, rows)
    return Change(new or old, _cents(old), _cents(new), rows, why)


def _why(old, new, was, now, rows):
    if old is None:
        return "was not in the earlier gradebook"
    if new is None:
        return "is not in this one"
    reasons = []
    if was and now and was.source != now.source:
        reasons.append("the submission changed")
    if old.status != new.status:
        reasons.append(f"was {old.status}, is {new.status}")
    ordered = sorted(rows.items(), key=lambda item: -abs(item[1]))
    reasons += [f"{_more(cents)} in {name}" for name, cents in ordered[:MOST_ROWS]]
    if len(ordered) > MOST_ROWS:
        reasons.append(f"and {len(ordered) - MOST_ROWS} more rows")
    return "; ".join(reasons) or "other points for the same rows"


def _more(cents):
    return f"{points_text(abs(cents))} {'more' if cents > 0 else 'less'}"


def _signed(cents):
    return ("+" if cents > 0 else "-") + points_text(abs(cents))


def report(before: Grades, after: Grades, changes: list[Change]) -> list[str]:
    """Return the lines that tell a TA what changed."""
    head = f"{len(changes)} of {len(after.lines)} scores changed"
    both = [change.cents for change in changes if change.cents is not None]
    if both:
        head += f": {sum(c < 0 for c in both)} lower, {sum(c > 0 for c in both)} higher"
    head += f"; the mean went from {_mean(before)} to {_mean(after)}"
    lines = [head, _what_changed(before, after), *_by_row(changes)]
    for change in changes[:MOST_LISTED]:
        student = change.line.student
        who = " ".join(filter(None, (student.sid, student.name))) or change.line.submission
        scores = [_points(c) or "no score" for c in (change.before, change.after)]
        lines.append(f"  {who}: {' -> '.join(scores)} ({change.why})")
    if len(changes) > MOST_LISTED:
        lines.append(f"  and {len(changes) - MOST_LISTED} more, all in {CHANGES}")
    return lines


def _mean(grades):
    cents = [line.cents for line in grades.lines if line.cents is not None]
    return points_text(sum(cents) / len(cents)) if cents else "nothing"


def _what_changed(before, after):
    kits = [{outcome.kit for outcome in side.outcomes.values()} for side in (before, after)]
    if not all(kits):
        return "no ledger beside the earlier gradebook: reasons are by score only"
    same = "the same kit" if kits[0] == kits[1] else "another kit (code, trees or rubric)"
    changed = sum(
        before.outcomes[id].source != outcome.source
        for id, outcome in after.outcomes.items()
        if id in before.outcomes
    )
    return f"graded by {same}; {changed} submissions changed"


def _by_row(changes):
    students, cents = Counter(), Counter()
    for change in changes:
        students.update(change.rows.keys())
        cents.update(change.rows)
    ordered = sorted(students, key=lambda name: (-abs(cents[name]), name))[:10]
    return [
        f"  {_signed(cents[name]):>9} in all for {students[name]} students: {name}"
        for name in ordered
        if cents[name]
    ]


def write_changes(path: Path, changes: list[Change]) -> None:
    """Write changes.csv, a line for each student whose score changed."""
    rows = [
        (
            *_who(change.line.student, change.line.submission),
            *map(_points, (change.before, change.after, change.cents)),
            change.why,
        )
        for change in changes
    ]
    _write_table(path, CHANGES_COLUMNS, rows)


def _write_table(path, columns, rows, mark=""):
    """Write a CSV file atomically; no field of it is taken for a formula."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(cell, row) for row in rows)
    replace_file(path, mark + file.getvalue())
