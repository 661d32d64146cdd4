"""The students of a course as its books and its page show them: an Entry for each."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from autograder.course.outcome import Outcome, Status, reason_of
from autograder.course.people import Owner, Student
from autograder.course.submissions import Course, Submission
from autograder.progress import counted, duration


@dataclass(frozen=True)
class Override:
    """What a TA decides by hand.

    cents: the points, in hundredths; None for a note alone.
    note: the TA's words.
    """

    cents: int | None
    note: str


@dataclass(frozen=True)
class Entry:
    """One student and one submission of theirs.

    student: the student.
    outcome: what came of the submission.
    submission: the submission, None for a student who handed nothing in.
    override: what a TA decided by hand, None for nothing.
    minutes_late: minutes after the deadline, None where either is not known.
    counts: False where another submission of the student counts.
    reason: a line for people on what is odd, in the outcome or in whose it is.
    """

    student: Student
    outcome: Outcome
    submission: Submission | None = None
    override: Override | None = None
    minutes_late: int | None = None
    counts: bool = True
    reason: str = ""

    @property
    def is_overridden(self) -> bool:
        """Whether a TA gave other points."""
        return self.override is not None and self.override.cents is not None

    @property
    def cents(self) -> int | None:
        """The score that counts, None where there is none."""
        if self.is_overridden:
            return self.override.cents
        return self.outcome.cents

    @property
    def final_cents(self) -> int | None:
        """The score that may leave this folder: graded by this kit, or by hand."""
        if self.is_overridden or self.outcome.status == Status.GRADED:
            return self.cents
        return None

    @property
    def lateness(self) -> str:
        """How late it came, in words: 1 day 3 h; "" where it is not late."""
        if self.minutes_late:
            return duration(60 * self.minutes_late)
        if self.submission and self.submission.marked_late:
            return "late, by Canvas"
        return ""

    @property
    def label(self) -> str:
        """The student in a line for people, or else the submission."""
        return self.student.label or self.outcome.id


def join_reasons(*reasons: str) -> str:
    """Return reasons as one line, without those that are empty."""
    return "; ".join(filter(None, reasons))


def list_entries(
    course: Course,
    outcomes: Mapping[str, Outcome],
    kit: str = "",
    overrides: Mapping[Owner, Override] | None = None,
    deadline: datetime | None = None,
) -> list[Entry]:
    """Return an Entry for each student, in the submissions' order, the absent last.

    outcomes: submission's id -> its Outcome, of those that were graded.
    kit: the hash of the kit. What another kit graded, or what is of another file, is out of
        date; nothing is if this is "".
    overrides: see read_overrides().
    deadline: with its offset from UTC.
    """
    overrides = overrides or {}
    entries = []
    for submission in course.submissions:
        outcome = outcomes.get(submission.id)
        entries += _entries_of(submission, outcome, kit, overrides, deadline)
    entries = _with_counts(entries)
    nothing = Outcome("", "", "", Status.NO_SUBMISSION)
    for student in course.absent:
        override = overrides.get((student, ""))
        entries.append(Entry(student, nothing, override=override))
    return entries


def _entries_of(submission, outcome, kit, overrides, deadline):
    """Return an Entry for each student of one submission."""
    if outcome is None:
        outcome = Outcome(submission.id, "", "", Status.NOT_YET)
    reason = reason_of(outcome)
    if outcome.kit and kit and not outcome.is_of(kit, submission.hash):
        outcome = replace(outcome, status=Status.OUT_OF_DATE)
    entries = []
    for student in submission.students:
        entry = Entry(
            student,
            outcome,
            submission,
            overrides.get((student, submission.id)),
            _minutes_late(submission, deadline),
            reason=join_reasons(reason, submission.note, student.unlisted),
        )
        entries.append(entry)
    return entries


def _minutes_late(submission, deadline):
    """Return the minutes after the deadline, begun ones included; None if not known."""
    if not deadline or not submission.handed_in:
        return None
    seconds = (submission.handed_in - deadline).total_seconds()
    return max(0, math.ceil(seconds / 60))


def _with_counts(entries):
    """Return entries that say which of several of one student counts: the latest."""
    entries_of_key = defaultdict(list)
    for entry in entries:
        if entry.student.key:
            entries_of_key[entry.student.key].append(entry)
    marked = []
    for entry in entries:
        rivals = entries_of_key.get(entry.student.key, [])
        if len(rivals) > 1:
            entry = _among(rivals, entry)
        marked.append(entry)
    return marked


def _among(rivals, entry):
    """Return an entry that says whether it is the one of its student's that counts."""
    last = sorted(rivals, key=_handed_in_at)[-1]
    how = "the latest" if last.submission.handed_in else "by name the last"
    verb = "counts"
    if entry is not last:
        verb = f"does not count, {last.outcome.id} does"
    reason = join_reasons(entry.reason, f"{verb}: {how} of {len(rivals)}")
    return replace(entry, counts=entry is last, reason=reason)


def _handed_in_at(entry):
    handed_in = entry.submission.handed_in
    return handed_in.timestamp() if handed_in else -math.inf


def count_students(entries: Iterable[Entry]) -> str:
    """Return how many students the entries that count are of, in words."""
    students = [entry.student for entry in entries if entry.counts]
    unlisted = sum(bool(student.unlisted) for student in students)
    text = counted(len(students) - unlisted, "student")
    if unlisted:
        text += f" and {unlisted} not in the roster"
    return text
