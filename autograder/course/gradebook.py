"""Make an Entry for each student; write gradebook.csv, matches.csv; read overrides.csv."""

from __future__ import annotations

import contextlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from autograder.course.outcome import Outcome, Status
from autograder.course.people import (
    Course,
    Owner,
    Student,
    Submission,
    find_owners,
    join_lines,
)
from autograder.course.tables import (
    OVERRIDES,
    read_handwritten,
    read_records,
    write_book,
)
from autograder.ground.command import counted, duration
from autograder.ground.plaintext import sanitize
from autograder.sandbox.submission import SEARCH_PY
from autograder.scoring.scores import points_text
from gametree.support.errors import InputError

OWNER_COLUMNS = ("sid", "name", "email", "submission")  # that identify a row


@dataclass(frozen=True)
class Override:
    """A TA's decision about one submission.

    cents: the points, in hundredths; None if they do not change.
    note: the TA's note, "" if there is none.
    """

    cents: int | None = None
    note: str = ""


@dataclass(frozen=True)
class Entry:
    """A student with one submission or none.

    student: the student.
    outcome: the outcome of the submission.
    submission: the submission; its id is "" for a student without a submission.
    override: a TA's decision, which is empty for most students.
    minutes_late: minutes after the deadline; None if either time is unknown.
    counts: False if another submission of the student counts.
    reason: a line for the TA about problems with the grading or with the match.
    """

    student: Student
    outcome: Outcome
    submission: Submission = Submission("")
    override: Override = Override()
    minutes_late: int | None = None
    counts: bool = True
    reason: str = ""

    @property
    def is_overridden(self) -> bool:
        """Whether a TA has changed the points."""
        return self.override.cents is not None

    @property
    def cents(self) -> int | None:
        """The score in every book: given by hand or by this kit, None if not final."""
        if self.student.is_guess or not self.counts:
            return None
        if self.is_overridden:
            return self.override.cents
        if self.outcome.status == Status.GRADED:
            return self.outcome.cents
        return None

    @property
    def owner_cells(self) -> dict[str, str]:
        """Column -> cell, for the columns that identify a row of a book."""
        student = self.student
        cells = (student.sid, student.name, student.email, self.outcome.id)
        return dict(zip(OWNER_COLUMNS, cells))

    @property
    def lateness(self) -> str:
        """The lateness in words, such as 1 day 3 h; "" if it is not late."""
        if self.minutes_late:
            return duration(60 * self.minutes_late)
        if self.submission.marked_late:
            return "late, by Canvas"
        return ""

    @property
    def label(self) -> str:
        """A label for the student, or the submission's id if the student is unknown."""
        return self.student.label or self.outcome.id


def list_entries(
    course: Course,
    outcomes: Mapping[str, Outcome],
    kit: str,
    overrides: Mapping[Owner, Override],
    deadline: datetime | None,
) -> list[Entry]:
    """Return an Entry for each student, in submission order, absent students last.

    outcomes: submission's id -> its Outcome.
    kit: the hash of the kit. Outcomes of another kit or another file are out of date.
    overrides: the overrides that read_overrides() returns.
    deadline: the deadline, with its offset from UTC.
    """
    outcome_of = {"": Outcome("", status=Status.NO_SUBMISSION), **outcomes}
    entries = []
    for submission in course.with_absent:
        outcome = outcome_of[submission.id]
        if outcome.kit and not outcome.is_of(kit, submission.hash):
            outcome = replace(outcome, status=Status.OUT_OF_DATE)
        late = _minutes_late(submission, deadline)
        for owner in submission.owners:
            student = owner.student
            override = overrides.get(owner, Override())
            reason = join_lines(outcome.reason, submission.note, student.unlisted)
            entry = Entry(student, outcome, submission, override, late, reason=reason)
            entries.append(entry)
    return _with_counts(entries)


def _minutes_late(submission, deadline):
    """Return the minutes after the deadline, rounded up; None if unknown."""
    if not deadline or not submission.handed_in:
        return None
    handed_in = submission.handed_in
    if handed_in.tzinfo is None:  # times in file names are local
        handed_in = handed_in.replace(tzinfo=deadline.tzinfo)
    seconds = (handed_in - deadline).total_seconds()
    return max(0, math.ceil(seconds / 60))


def _with_counts(entries):
    """Mark all entries of a student except the latest as not counting."""
    latest = {}  # key of a student -> entry
    for entry in sorted(entries, key=_handed_in_at):
        latest[entry.student.key] = entry
    return [_compared(entry, latest[entry.student.key]) for entry in entries]


def _compared(entry, latest):
    """Return an entry that records whether it counts."""
    if entry is latest or not entry.student.key:
        return entry
    how = "the latest" if latest.submission.handed_in else "the last by name"
    line = f"does not count, but {latest.outcome.id} does: it is {how}"
    return replace(entry, counts=False, reason=join_lines(entry.reason, line))


def _handed_in_at(entry):
    """Return a time that can be compared with others, the earliest if it is unknown."""
    handed_in = entry.submission.handed_in or datetime.min
    return handed_in.replace(tzinfo=handed_in.tzinfo or timezone.utc)


def describe_class(entries: Iterable[Entry]) -> str:
    """Return the number of students, in total and with each status, in words."""
    counting = [entry for entry in entries if entry.counts]
    unlisted = sum(bool(entry.student.unlisted) for entry in counting)
    guesses = sum(entry.student.is_guess for entry in counting)
    parts = [counted(len(counting) - unlisted, "student")]
    if guesses:
        parts.append(counted(guesses, "guessed submission"))
    if unlisted > guesses:
        parts.append(f"{unlisted - guesses} not in the roster")
    counts = Counter(entry.outcome.status.value for entry in counting)
    statuses = [f"{count} {status}" for status, count in counts.most_common()]
    return f"{', '.join(parts)}: {', '.join(statuses)}"


def compare_with_gradescope(entries: Iterable[Entry]) -> str:
    """Return a line that compares the scores with Gradescope's, "" if it has none."""
    scores = []
    for entry in entries:
        if entry.outcome.status == Status.GRADED and entry.submission.score is not None:
            scores.append((entry.outcome.cents, entry.submission.score))
    if not scores:
        return ""
    equal = sum(own == other for own, other in scores)
    line = f"{equal} of {len(scores)} scores equal Gradescope's"
    if equal < len(scores):
        line += f"; compare the columns graded and Gradescope of {GRADEBOOK}"
    return line


# ---- gradebook.csv

GRADEBOOK = "gradebook.csv"
POINTS = re.compile(r"[0-9]{1,6}([.,][0-9]{1,2})?")


def write_gradebook(
    folder: Path, entries: Sequence[Entry], parts: Iterable[str]
) -> list[str]:
    """Write gradebook.csv, with a column for each of these parts of an Outcome.

    Returns lines about a gradebook that was edited by hand; see write_book().
    """
    rows = [_row_of(entry, parts) for entry in entries]
    return write_book(folder / GRADEBOOK, list(rows[0]), rows)


def _row_of(entry, parts):
    """Return column -> cell of a student's row."""
    outcome = entry.outcome
    submission = entry.submission
    cells_of_parts = {part: points_cell(outcome.parts.get(part)) for part in parts}
    return {
        **entry.owner_cells,
        "section": entry.student.section,
        "score": points_cell(entry.cents),
        "counts": "yes" if entry.counts else "no",
        **cells_of_parts,
        "diagnosis": "; ".join(outcome.diagnoses),
        "status": outcome.status.value,
        "reason": entry.reason,
        "graded": points_cell(outcome.cents),
        "note": entry.override.note,
        "handed in": submission.handed_in.isoformat() if submission.handed_in else "",
        "minutes late": "" if entry.minutes_late is None else str(entry.minutes_late),
        "late": entry.lateness,
        "Gradescope": points_cell(submission.score),
    }


def points_cell(cents: int | None) -> str:
    """Return points as the text of a cell, "" for None."""
    if cents is None:
        return ""
    return points_text(cents)


def read_gradebook(path: Path) -> list[Owner]:
    """Return the owner of each row of a gradebook.csv.

    Submissions that do not count come first. Raises InputError if the file is not a
    gradebook.
    """
    columns, rows = read_records(path)
    for column in OWNER_COLUMNS:
        if column not in columns:
            raise InputError(f"{path}: not a gradebook: no column {column}")
    owners = []
    for row in sorted(rows, key=lambda row: row.get("counts") != "no"):
        sid, name, email, id = [row.get(column, "") for column in OWNER_COLUMNS]
        owners.append(Owner(Student(name, sid, email), id))
    return owners


# ---- matches.csv

MATCHES = "matches.csv"


def write_matches(folder: Path, entries: Iterable[Entry]) -> list[str]:
    """Write matches.csv: the student, the evidence and the status of each file.

    Returns lines about a file that was edited by hand; see write_book().
    """
    rows = []
    for entry in entries:
        student = entry.student
        reason = student.unlisted if entry.counts else entry.reason
        for place, why in entry.submission.places:
            row = {
                "file": place,
                "submission": entry.outcome.id,
                "sid": student.sid,
                "name": student.name,
                "match": _kind_of_match(student),
                "evidence": student.evidence,
                "counts": "no" if why or not entry.counts else "yes",
                "why": why or reason,
            }
            rows.append(row)
    return write_book(folder / MATCHES, list(rows[0]), rows)


def _kind_of_match(student):
    if student.is_guess:
        return "guess"
    if student.unlisted or not student.evidence:
        return "none"
    return "certain"


# ---- overrides.csv


def read_overrides(
    path: Path, owners: Sequence[Owner], max_cents: float
) -> tuple[dict[Owner, Override], list[str]]:
    """Return owner -> Override of a file, and lines about ids that match no student.

    The file has the columns id, points and note. An id may be any name of one of these
    owners. Raises InputError for more points than `max_cents` without a note, for a second
    row of the same student, and for an ambiguous name.
    """
    overrides = {}
    place_of = {}  # owner -> place of the row
    unknown = []
    for where, (id, points, note) in read_handwritten(path, ("id", "points", "note")):
        cents = _read_points(id, points, where)
        if cents is not None and cents > max_cents and not note:
            most = points_text(max_cents)
            raise InputError(
                f"{where}: {points} of {most} points; write {most} or fewer, or add a note"
            )
        found = find_owners(id, owners, f"{where}: ")
        if not found:
            unknown.append(
                f"{where}: {id} does not match a sid, e-mail address, submission or name"
            )
        for owner in found:
            if owner in place_of:
                label = owner.student.label or id
                raise InputError(
                    f"{where}: {place_of[owner]} is for {label} too; delete one"
                )
            place_of[owner] = where.rpartition(", ")[2]
            overrides[owner] = Override(cents, sanitize(note))
    return overrides, unknown


def _read_points(id, points, where):
    """Return the points of a row in cents, None for a note alone. Raises InputError."""
    if not id or (points and not POINTS.fullmatch(points)):
        raise InputError(
            f"{where}: write an id (sid, e-mail address, submission), "
            "points such as 87.5 or nothing, and a note"
        )
    if not points:
        return None
    return round(float(points.replace(",", ".")) * 100)


# ---- the owner of a submission


def find_submission(name: str, books: Path) -> tuple[Path, str]:
    """Return the path of a submission and a description of its owner.

    name: a path, or any name that the gradebook of a course identifies.
    books: the folder of the course.
    Raises InputError unless exactly one student or one submission matches.
    """
    path = Path(name).expanduser()
    if not path.exists():
        path = books / _find_id(name, books) / SEARCH_PY
        if not path.is_file():
            raise InputError(f"{name}: the submission has no program that could run")
    folder = _folder_of(path)
    owners = [owner for owner in _owners_beside(folder) if owner.id == folder.name]
    return path, " and ".join(owner.label for owner in owners) or path.name


def _find_id(name, books):
    """Return the id of the student's submission that counts, in the gradebook."""
    gradebook = books / GRADEBOOK
    if not gradebook.is_file():
        raise InputError(
            f"{name}: no such file or folder, and no gradebook in {books}; "
            "give a path, or run make grade-all first"
        )
    found = find_owners(name, read_gradebook(gradebook))
    if not found:
        raise InputError(
            f"{name}: no such file or folder, and {gradebook} has no such sid, "
            "e-mail address, submission number or name"
        )
    return found[-1].id  # submissions that do not count come first


def find_points_by_hand(path: Path) -> dict[str, int | None]:
    """Return the points by hand of a submission's authors, as label -> cents.

    The points are None if a TA gave none. The result is empty if the path is not in the
    folder of a course. Raises InputError for an error in overrides.csv.
    """
    folder = _folder_of(path)
    owners = _owners_beside(folder)
    overrides, _ = read_overrides(folder.parent / OVERRIDES, owners, max_cents=math.inf)
    cents_of = {}
    for owner in owners:
        if owner.id == folder.name:
            cents_of[owner.student.label] = overrides.get(owner, Override()).cents
    return cents_of


def _folder_of(path):
    """Return the folder of the submission at a path."""
    folder = path.resolve()
    return folder if path.is_dir() else folder.parent


def _owners_beside(folder):
    """Return the owners in the gradebook beside a submission's folder."""
    with contextlib.suppress(InputError):  # it is missing, or not a gradebook
        return read_gradebook(folder.parent / GRADEBOOK)
    return []
