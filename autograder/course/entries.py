"""Combine students, submissions, outcomes and points by hand: an Entry for each student."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.course.matching import PEOPLE
from autograder.course.outcome import Outcome, Status
from autograder.course.students import (
    Course,
    Match,
    Owner,
    Student,
    Submission,
    find_owners,
    join_lines,
)
from autograder.ground.command import counted
from autograder.ground.plaintext import sanitize
from autograder.ground.tables import read_records
from autograder.scoring.scores import points_text
from gametree.support.errors import InputError

OVERRIDES = "overrides.csv"  # written by hand
COLUMNS = ("id", "points", "note")  # of overrides.csv
POINTS = re.compile(r"([+-]?)([0-9]{1,6}(?:[.,][0-9]{1,2})?)( ?%?)")


@dataclass(frozen=True)
class Override:
    """A TA's decision about one submission.

    unit: "=" for points, "+" for a change of the kit's score, "%" for a change of it in
        percent, and "" without any points.
    hundredths: the points or percents, in hundredths.
    note: the TA's note, "" if there is none.
    """

    unit: str = ""
    hundredths: int = 0
    note: str = ""

    def apply(self, graded: int | None) -> int | None:
        """Return the cents for a score by the kit; None stands for an unknown score."""
        if self.unit == "=":
            return self.hundredths
        if graded is None:
            return None
        change = self.hundredths
        if self.unit == "%":
            change = round(graded * self.hundredths / 10_000)
        return max(0, graded + change)


@dataclass(frozen=True)
class Entry:
    """A student with one submission or none.

    match: the student, and the evidence.
    outcome: the outcome of the submission.
    submission: the submission; its id is "" for a student without a submission.
    override: a TA's decision, which is empty for most students.
    reason: a line for the TA about problems with the grading or with the match.
    """

    match: Match
    outcome: Outcome
    submission: Submission = Submission("")
    override: Override = Override()
    reason: str = ""

    @property
    def student(self) -> Student:
        """All that is known about the student."""
        return self.match.student

    @property
    def cents(self) -> int | None:
        """The score in every book: given by hand or by this kit, None if not final."""
        if self.match.is_proposal:
            return None
        graded = None
        if self.outcome.status == Status.GRADED:
            graded = self.outcome.cents
        return self.override.apply(graded)

    @property
    def label(self) -> str:
        """A label for the student, or the submission's id if the student is unknown."""
        return self.student.label or self.outcome.id


def list_entries(
    course: Course, outcomes: Mapping[str, Outcome], overrides: Mapping[Owner, Override]
) -> list[Entry]:
    """Return an Entry for each student, in submission order, absent students last.

    outcomes: submission's id -> its Outcome.
    overrides: the overrides that read_overrides() returns.
    """
    entries = []
    proposed_for = defaultdict(list)  # student -> ids of submissions
    for submission in course.submissions:
        outcome = outcomes[submission.id]
        for match in submission.matches:
            override = overrides.get(Owner(match.student, submission.id), Override())
            notes = submission.note, submission.upload_note
            reason = join_lines(outcome.reason, *notes, match.why)
            entry = Entry(match, outcome, submission, override, reason=reason)
            entries.append(entry)
            if match.is_proposal and len(match.candidates) == 1:
                proposed_for[match.candidates[0]].append(submission.id)
    for student in course.absent:
        status = Status.NO_SUBMISSION
        reason = ""
        if student in proposed_for:
            status = Status.TO_CONFIRM
            proposals = " or ".join(proposed_for[student])
            reason = f"perhaps {proposals}; confirm it in {PEOPLE}"
        override = overrides.get(Owner(student, ""), Override())
        outcome = Outcome("", status=status)
        match = Match(student, True, candidates=(student,))
        entries.append(Entry(match, outcome, override=override, reason=reason))
    return entries


def describe_class(entries: Iterable[Entry]) -> str:
    """Return the number of students, in total and with each status, in words.

    Each student is counted once. Submissions that match no student of the class list, or
    not exactly one, are counted apart.
    """
    counts = Counter()
    unmatched = 0
    for entry in entries:
        if entry.match.why:
            unmatched += len(entry.match.candidates) != 1
        else:
            counts[entry.outcome.status.value] += 1
    statuses = [f"{count} {status}" for status, count in counts.most_common()]
    line = f"{counted(counts.total(), 'student')}: {', '.join(statuses) or 'none'}"
    if unmatched:
        line += f"; {counted(unmatched, 'submission')} without exactly one matching student"
    return line


def find_anomalies(entries: Iterable[Entry]) -> list[str]:
    """Return lines about failures and about ineffective points by hand."""
    lines = []
    for entry in entries:
        if entry.outcome.status == Status.GRADER_FAILED:
            lines.append(f"{entry.outcome.id}: {entry.reason}")
        if entry.override.unit and entry.cents is None:
            lines.append(f"{entry.label}: no effect of the points by hand: {entry.reason}")
    return list(dict.fromkeys(lines))  # partners share a line


# ---- overrides.csv


def read_overrides(
    folder: Path, owners: Sequence[Owner], max_cents: float
) -> tuple[dict[Owner, Override], list[str]]:
    """Return owner -> Override of overrides.csv, and lines about ids that match nobody.

    The file has the columns id, points and note. An id may be any name of one of these
    owners. Raises InputError for more points than `max_cents` or a change without a note,
    for a second row of the same student, and for an ambiguous name.
    """
    overrides = {}
    unknown = []
    for where, (id, points, note) in read_records(folder / OVERRIDES, COLUMNS):
        override = _parse_override(id, points, note, where)
        is_points = override.unit == "="
        if is_points and override.hundredths > max_cents and not note:
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
            if owner in overrides:
                label = owner.student.label or id
                raise InputError(f"{where}: {label} has a row above too; delete one")
            overrides[owner] = override
    return overrides, unknown


def _parse_override(id, points, note, where):
    """Return the Override of a row. Raises InputError."""
    found = POINTS.fullmatch(points)
    is_valid = not points or (found and (found[1] or not found[3].strip()))
    if not id or not is_valid:
        raise InputError(
            f"{where}: write an id (sid, e-mail address, submission), points such as "
            "87.5, +5, -10% or nothing, and a note"
        )
    if not points:
        return Override(note=sanitize(note))
    sign, number, unit = found.groups()
    if sign and not note:
        raise InputError(f"{where}: {points} changes the kit's score; add a note")
    hundredths = round(float(f"{sign}{number}".replace(",", ".")) * 100)
    kind = unit.strip() or ("+" if sign else "=")
    return Override(kind, hundredths, sanitize(note))
