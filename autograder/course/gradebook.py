"""The course's books: gradebook.csv and canvas.csv, with overrides.csv taken in."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from autograder.course.download import Submission
from autograder.course.outcome import (
    COULD_NOT_TELL,
    GRADED,
    NO_SUBMISSION,
    NOT_YET,
    OUT_OF_DATE,
    Outcome,
)
from autograder.course.people import CourseError, Finder, Student, read_table
from autograder.judging.scores import points_text
from autograder.plaintext import cell, printable
from autograder.utilities import replace_file
from gametree.functions import FUNCTIONS

GRADEBOOK, CANVAS = "gradebook.csv", "canvas.csv"
OVERRIDES = "overrides.csv"  # written by hand: id, points, note
WRITTEN = "written.txt"  # hashes of the gradebooks that the kit wrote last
WHO = ("sid", "name", "email", "submission")
BEFORE_PARTS = (*WHO, "section", "score")
AFTER_PARTS = (
    *("diagnosis", "status", "reason"),
    *("graded", "note", "handed in", "minutes late", "late", "Gradescope", "seconds"),
)
CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
SECONDS_BETWEEN = 0.5
MOST_DIFFERENT = 10  # scores that are not Gradescope's, listed


@dataclass(frozen=True)
class Override:
    """What a TA decides by hand: points in cents, None for a note alone, and the note."""

    cents: int | None
    note: str


@dataclass(frozen=True)
class Entry:
    """One student of the course as the books show it.

    `submission` is None for who handed nothing in. `late` are minutes after the
    deadline, None where either is not known.
    """

    student: Student
    outcome: Outcome
    submission: Submission | None = None
    override: Override | None = None
    late: int | None = None

    @property
    def overridden(self) -> bool:
        """Whether a TA gave other points."""
        return self.override is not None and self.override.cents is not None

    @property
    def cents(self) -> int | None:
        """The score that counts, None where there is none."""
        return self.override.cents if self.overridden else self.outcome.cents

    @property
    def settled(self) -> int | None:
        """The score that may leave this folder: graded by this kit, or by hand."""
        if self.overridden or self.outcome.status == GRADED:
            return self.cents
        return None

    @property
    def lateness(self) -> str:
        """How late it came, in words: 1 day 3 h; "" where it is not late."""
        if self.late:
            return in_days(self.late)
        marked = self.submission is not None and self.submission.marked_late
        return "late, by Canvas" if marked else ""


def in_days(minutes: int) -> str:
    """Return minutes as people say them: 1 day 3 h, 5 h 10 min, 7 min."""
    days, hours = divmod(minutes // 60, 24)
    if days:
        return f"{days} day{'s' * (days > 1)} {hours} h"
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min"


@dataclass
class Gradebook:
    """Keeps gradebook.csv up to date while outcomes come in, twice a second at most.

    `submissions` are all of the course, `outcomes` those there are by submission id;
    `is_current` tells an outcome of this kit and file from an earlier one. `absent` are
    students who handed nothing in. `deadline` is a moment with its offset, or None.
    `cents` maps the functions that are asked to what they are worth: each has a column.
    `overrides` is the file of them, "" for the one in the folder; `edited` are lines on
    gradebooks that were edited by hand, and so kept. Raises CourseError for overrides
    that cannot be meant.
    """

    folder: Path
    submissions: Sequence[Submission]
    outcomes: dict[str, Outcome]
    is_current: Callable[[Outcome], bool]
    absent: Sequence[Student] = ()
    deadline: datetime | None = None
    cents: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FUNCTIONS, 10**6))
    overrides: Path | None = None
    edited: list[str] = field(default_factory=list, init=False)
    next_write: float = field(default=-math.inf, init=False)

    def __post_init__(self):
        people = [(who, one.id) for one in self.submissions for who in one.students]
        people += [(who, "") for who in self.absent]
        self.overrides = self.overrides or self.folder / OVERRIDES
        self._by_hand, self._unknown = read_overrides(
            self.overrides, people, sum(self.cents.values())
        )

    def add(self, outcome: Outcome) -> None:
        """Take an outcome in; write the file if the last time was long enough ago."""
        self.outcomes[outcome.id] = outcome
        now = time.monotonic()
        if now >= self.next_write:
            self.next_write = now + SECONDS_BETWEEN
            self.write()

    def write(self) -> None:
        """Write gradebook.csv now; one that was edited by hand is kept beside it."""
        entries = list(self.entries())
        named = {name for entry in entries for name in entry.outcome.parts}
        parts = [*self.cents, *sorted(named - {*FUNCTIONS, *self.cents})]  # and by hand
        rows = [_row(entry, parts) for entry in entries]
        content = table_of((*BEFORE_PARTS, *parts, *AFTER_PARTS), rows)
        self._keep_edited()
        _note_written(self.folder, content)
        replace_file(self.folder / GRADEBOOK, content)

    def write_canvas(self, title: str) -> None:
        """Write canvas.csv, which Canvas's gradebook imports, under the title.

        Canvas looks a student up by ID, then by SIS User ID, then by login. A score that
        is not settled is an empty cell; who has no name or nothing to be found by has no
        line. Of a student's submissions the last one counts.
        """
        rows = {}
        for entry in self.entries():
            student, number = entry.student, entry.student.number
            if is_known(student):
                came = _instant(entry.submission)
                id = number if number.isdecimal() else ""
                row = (student.name, id, student.sid, student.email, student.section)
                if came >= rows.get(student.key, (-math.inf,))[0]:
                    rows[student.key] = came, (*row, _points(entry.settled))
        content = table_of((*CANVAS_COLUMNS, title), (row for _, row in rows.values()))
        replace_file(self.folder / CANVAS, content)

    def entries(self) -> Iterator[Entry]:
        """Yield an Entry for each student, in the submissions' order, the absent last."""
        for one in self.submissions:
            outcome = self.outcomes.get(one.id)
            if outcome and not self.is_current(outcome):
                outcome = replace(outcome, status=OUT_OF_DATE)
            outcome = outcome or Outcome(one.id, "", "", NOT_YET)
            reason = "; ".join(filter(None, (outcome.reason, one.note)))
            late = minutes_late(one.handed_in, self.deadline)
            for student in one.students:
                override = self._by_hand.get((student, one.id))
                yield Entry(student, replace(outcome, reason=reason), one, override, late)
        for student in self.absent:
            override = self._by_hand.get((student, ""))
            yield Entry(student, Outcome("", "", "", NO_SUBMISSION), override=override)

    def remarks(self) -> list[str]:
        """Return lines on what the books leave out, and on what is not as it should be."""
        entries = list(self.entries())
        lost = [e.outcome for e in entries if e.outcome.status == COULD_NOT_TELL]
        lines = [f"{one.id}: {one.reason}" for one in lost] + self._unknown
        old = [e for e in entries if e.outcome.status == OUT_OF_DATE and not e.overridden]
        empty = [e for e in entries if e.settled is None and is_known(e.student)]
        unknown = [e for e in entries if not is_known(e.student)]
        for count, said in (
            (len(old), f"out of date (graded by another kit or file), left out of {CANVAS} "
             "and of the mean: grade-all without ONLY brings them up to date"),
            (len([e for e in empty if e not in old]), f"more cells of {CANVAS} are empty: "
             "not gradable, not settled, not graded, or no submission; "
             f"{OVERRIDES} (id, points, note) gives points"),
            (len(unknown), f"left out of {CANVAS}, name or sid not known: "
             "ROSTER=roster.csv tells"),
        ):  # fmt: skip
            lines += [f"{count} {said}"] * bool(count)
        if self.deadline and not any(one.handed_in for one in self.submissions):
            marked = sum(one.marked_late for one in self.submissions)
            lines.append(
                "DUE has nothing to compare with: these files do not say when they came"
                + f"; Canvas marked {marked} as late" * bool(marked)
            )
        return [*lines, *_beside_gradescope(entries)]

    def _keep_edited(self):
        """Keep a gradebook.csv that was edited by hand since the kit wrote it."""
        book = self.folder / GRADEBOOK
        try:
            content, written = book.read_bytes(), (self.folder / WRITTEN).read_text()
        except (OSError, ValueError):
            return
        if hashlib.sha256(content).hexdigest() in written.split():
            return
        number = 1
        while (kept := self.folder / f"gradebook-edited-{number}.csv").exists():
            number += 1
        replace_file(kept, content)
        self.edited.append(
            f"{book} was edited by hand: kept as {kept.name}; what {OVERRIDES} says "
            "(id, points, note) survives every run"
        )


def _note_written(folder, content):
    """Note the hashes of what is there and of what will be, whatever stops this run."""
    contents = [content.encode("utf-8", "backslashreplace")]
    with contextlib.suppress(OSError):
        contents.append((folder / GRADEBOOK).read_bytes())
    hashes = [hashlib.sha256(each).hexdigest() for each in contents]
    replace_file(folder / WRITTEN, "\n".join(hashes) + "\n")


def is_known(student: Student) -> bool:
    """Tell whether Canvas may find a student: by a name, and a sid or the like."""
    return bool(student.name and student.key)


def _instant(submission):
    """Return when a submission came, in seconds; what is not known is the earliest."""
    if submission is None or not submission.handed_in:
        return -math.inf
    return datetime.fromisoformat(submission.handed_in).timestamp()


def minutes_late(handed_in: str, deadline: datetime | None) -> int | None:
    """Return the minutes after the deadline, begun ones as whole; None if not known."""
    if deadline is None or not handed_in:
        return None
    seconds = (datetime.fromisoformat(handed_in) - deadline).total_seconds()
    return max(0, math.ceil(seconds / 60))


def read_overrides(path: Path, people, most_cents: int) -> tuple[dict, list[str]]:
    """Return entry -> Override of a file (id, points, note), and lines on who is unknown.

    people: the entries, (student, submission's id), that there are. An id is a name of
    any kind that Finder knows. Raises CourseError for a line that cannot be meant: more
    points than `most_cents`, a second one for the same student, a name that two have.
    """
    if not path.exists():
        return {}, []
    overrides, lines, unknown, finder = {}, {}, [], Finder(people)
    for number, row in enumerate(read_table(path, str(path)), start=1):
        id, points, note = (*row, "", "", "")[:3]
        if (number == 1 and id.casefold() == "id") or not (id or points or note):
            continue
        where = f"{path}, line {number}: "
        if not id or not re.fullmatch(r"([0-9]{1,6}([.,][0-9]{1,2})?)?", points):
            raise CourseError(
                where + "write an id (sid, e-mail address, submission), "
                "points such as 87.5 or nothing, and a note"
            )
        cents = round(float(points.replace(",", ".")) * 100) if points else None
        if cents is not None and cents > most_cents:
            most = points_text(most_cents)
            raise CourseError(f"{where}{points} points of {most}; write {most} or fewer")
        found = finder.meant(id, where)
        if not found:
            unknown.append(f"{where}{id}: nobody's sid, e-mail address, submission or name")
        for entry in found:
            if entry in lines:
                raise CourseError(
                    f"{where}line {lines[entry]} is for {entry[0].who or id} too; keep one"
                )
            lines[entry], overrides[entry] = number, Override(cents, printable(note))
    return overrides, unknown


def _beside_gradescope(entries):
    """Return lines that compare the scores with Gradescope's own, where it has any."""
    both = {
        entry.outcome.id: (entry.outcome.cents, entry.submission.score, entry.student)
        for entry in entries
        if entry.outcome.status == GRADED and entry.submission.score is not None
    }
    if not both:
        return []
    differ = [(id, *pair) for id, pair in both.items() if pair[0] != pair[1]]
    lines = [f"{len(both) - len(differ)} of {len(both)} scores equal Gradescope's own"]
    for id, ours, theirs, student in differ[:MOST_DIFFERENT]:
        who = student.who or id
        lines.append(f"  {who}: laptop {_points(ours)}, Gradescope {_points(theirs)}")
    if len(differ) > MOST_DIFFERENT:
        lines.append(f"  and {len(differ) - MOST_DIFFERENT} more, all in {GRADEBOOK}")
    return lines


def _row(entry, parts):
    student, outcome, submission = entry.student, entry.outcome, entry.submission
    graded = outcome.status not in (NOT_YET, NO_SUBMISSION)
    return (
        *(student.sid, student.name, student.email, outcome.id, student.section),
        _points(entry.cents),
        *(_points(outcome.parts.get(part)) for part in parts),
        *("; ".join(outcome.diagnoses), outcome.status, outcome.reason),
        _points(outcome.cents),
        entry.override.note if entry.override else "",
        submission.handed_in if submission else "",
        "" if entry.late is None else str(entry.late),
        entry.lateness,
        _points(submission.score) if submission else "",
        f"{outcome.seconds:.2f}" if graded else "",
    )


def _points(cents):
    return "" if cents is None else points_text(cents)


def table_of(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a CSV file with the mark that Excel needs; no field of it is a formula."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(cell, row) for row in rows)
    return "\ufeff" + file.getvalue()
