"""The course's books: gradebook.csv, canvas.csv, and changes.csv between two gradings."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from autograder.course.download import Submission
from autograder.course.outcome import (
    GRADED,
    NO_SUBMISSION,
    NOT_YET,
    OUT_OF_DATE,
    Entry,
    Outcome,
    Override,
    read_ledger,
    shown,
)
from autograder.course.people import MOST_LISTED as MOST_NAMED
from autograder.course.people import CourseError, Finder, Student, whose
from autograder.judging.scores import points_text
from autograder.plaintext import cell, of_cell, printable
from autograder.sandbox.submission import SEARCH_PY
from autograder.utilities import replace_file
from gametree.asked import ASKED
from gametree.functions import FUNCTIONS

GRADEBOOK, CANVAS, CHANGES = "gradebook.csv", "canvas.csv", "changes.csv"
OVERRIDES = "overrides.csv"  # written by hand: id, points, note
WRITTEN = "written.txt"  # hashes of the gradebooks that the kit wrote last
WHO = ("sid", "name", "email", "submission")
BEFORE_PARTS = (*WHO, "section", "score")
AFTER_PARTS = (
    *("diagnosis", "status", "reason"),
    *("graded", "note", "handed in", "minutes late", "Gradescope", "seconds"),
)
NEEDED = (*WHO, "score", "status")  # of a gradebook that is compared
CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
CHANGES_COLUMNS = (*WHO, "before", "after", "change", "why")
SECONDS_BETWEEN = 0.5
MOST_LISTED = 40
MOST_DIFFERENT = 10  # scores that are not Gradescope's, listed
MOST_ROWS = 3  # of the grading that the reason for one student names


@dataclass
class Gradebook:
    """Keeps gradebook.csv up to date while outcomes come in, twice a second at most.

    `submissions` are all of the course, `outcomes` those there are by submission id;
    `is_current` tells an outcome of this kit and file from an earlier one. `absent` are
    students who handed nothing in. `deadline` is a moment with its offset, or None.
    `functions` are those that are asked: each has a column.
    """

    folder: Path
    submissions: Sequence[Submission]
    outcomes: dict[str, Outcome]
    is_current: Callable[[Outcome], bool]
    clock: Callable[[], float] = time.monotonic
    absent: Sequence[Student] = ()
    deadline: datetime | None = None
    functions: Sequence[str] = (*ASKED,)
    next_write: float = field(default=-math.inf, init=False)

    def __post_init__(self):
        self.overrides = read_overrides(self.folder / OVERRIDES)

    def add(self, outcome: Outcome) -> None:
        """Take an outcome in; write the file if the last time was long enough ago."""
        self.outcomes[outcome.id] = outcome
        now = self.clock()
        if now >= self.next_write:
            self.next_write = now + SECONDS_BETWEEN
            self.write()

    def write(self) -> None:
        """Write gradebook.csv now, and note what was written before it is."""
        entries = list(self.entries())
        named = (name for entry in entries for name in entry.outcome.parts)
        others = sorted({*named} - {*FUNCTIONS})  # by hand, where it is on
        parts = [*self.functions, *others]
        columns = (*BEFORE_PARTS, *parts, *AFTER_PARTS)
        rows = [_row(entry, parts) for entry in entries]
        content = table_of(columns, rows)
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
                when = entry.submission.handed_in if entry.submission else ""
                id = number if number.isdecimal() else ""
                row = (student.name, id, student.sid, student.email, student.section)
                before = rows.get(student.key, ("",))
                if when >= before[0]:
                    rows[student.key] = when, (*row, _points(entry.settled))
        lines = [row for _, row in rows.values()]
        content = table_of((*CANVAS_COLUMNS, title), lines)
        replace_file(self.folder / CANVAS, content)

    def entries(self) -> Iterator[Entry]:
        """Yield an Entry for each student, in the submissions' order, the absent last."""
        for submission in self.submissions:
            known = self.outcomes.get(submission.id)
            outcome = shown(submission, known)
            if known is not None and not self.is_current(known):
                outcome = replace(outcome, status=OUT_OF_DATE)
            late = minutes_late(submission.handed_in, self.deadline)
            for student in submission.students:
                override = self._override(submission.id, student)
                yield Entry(student, outcome, submission, override, late)
        for student in self.absent:
            outcome = Outcome("", kit="", source="", status=NO_SUBMISSION)
            yield Entry(student, outcome, override=self._override("", student))

    def _override(self, id, student):
        names = (student.sid, student.email, id)
        found = (self.overrides.get(name.casefold()) for name in names if name)
        return next(filter(None, found), None)

    def remarks(self) -> list[str]:
        """Return lines on what the books leave out, and on what is not as it should be."""
        entries, lines = list(self.entries()), []
        old = sum(e.outcome.status == OUT_OF_DATE and not e.overridden for e in entries)
        if old:
            lines.append(
                f"{old} out of date (graded by another kit or file), left out of "
                f"{CANVAS} and of the mean: grade-all without ONLY brings them up to date"
            )
        blank = [e for e in entries if e.settled is None and is_known(e.student)]
        empty = sum(e.outcome.status != OUT_OF_DATE for e in blank)
        if empty:
            lines.append(
                f"{CANVAS} leaves {empty} more cells empty: not gradable, not graded, or "
                f"no submission; {OVERRIDES} (id, points, note) gives points by hand"
            )
        unknown = sum(not is_known(e.student) for e in entries)
        if unknown:
            lines.append(
                f"{CANVAS} leaves out {unknown} whose name or sid is not known: "
                "ROSTER=roster.csv tells"
            )
        known = {e.outcome.id.casefold() for e in entries}
        known |= {n.casefold() for e in entries for n in (e.student.sid, e.student.email)}
        for name in self.overrides.keys() - known:
            lines.append(f"{OVERRIDES}: {name}: nobody's sid, e-mail address or submission")
        return [*lines, *_beside_gradescope(entries)]


def is_known(student: Student) -> bool:
    """Tell whether Canvas may find a student: by a name, and a sid or the like."""
    return bool(student.name and student.key)


def minutes_late(handed_in: str, deadline: datetime | None) -> int | None:
    """Return the minutes after the deadline, begun ones as whole; None if not known."""
    if deadline is None or not handed_in:
        return None
    seconds = (datetime.fromisoformat(handed_in) - deadline).total_seconds()
    return max(0, math.ceil(seconds / 60))


def read_overrides(path: Path) -> dict[str, Override]:
    """Return id -> Override of a file with id, points, note. Raises CourseError."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CourseError(f"{path}: cannot be read: {reason}") from None
    overrides = {}
    for number, row in enumerate(csv.reader(io.StringIO(text, newline="")), start=1):
        id, points, note = (*(of_cell(each).strip() for each in row), "", "", "")[:3]
        if (number == 1 and id.casefold() == "id") or not (id or points or note):
            continue
        if not id or not re.fullmatch(r"([0-9]{1,6}(\.[0-9]{1,2})?)?", points):
            raise CourseError(
                f"{path}, line {number}: write an id (sid, e-mail address, submission), "
                "points such as 87.5 or nothing, and a note"
            )
        cents = round(float(points) * 100) if points else None
        overrides[id.casefold()] = Override(cents, printable(note))
    return overrides


def keep_edited(folder: Path) -> str:
    """Keep a gradebook.csv that was edited by hand; return a line that says so, or ""."""
    book = folder / GRADEBOOK
    try:
        content, written = book.read_bytes(), (folder / WRITTEN).read_text().split()
    except (OSError, ValueError):
        return ""
    if hashlib.sha256(content).hexdigest() in written:
        return ""
    number = 1
    while (kept := folder / f"gradebook-edited-{number}.csv").exists():
        number += 1
    replace_file(kept, content)
    return (
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
        who = " ".join(filter(None, (student.sid, student.name))) or id
        lines.append(f"  {who}: laptop {_points(ours)}, Gradescope {_points(theirs)}")
    if len(differ) > MOST_DIFFERENT:
        lines.append(f"  and {len(differ) - MOST_DIFFERENT} more, all in {GRADEBOOK}")
    return lines


def _row(entry, parts):
    student, outcome, submission = entry.student, entry.outcome, entry.submission
    graded = outcome.status not in (NOT_YET, NO_SUBMISSION)
    return (
        *_who(student, outcome.id),
        student.section,
        _points(entry.cents),
        *(_points(outcome.parts.get(part)) for part in parts),
        "; ".join(outcome.diagnoses),
        outcome.status,
        outcome.reason,
        _points(outcome.cents),
        entry.override.note if entry.override else "",
        submission.handed_in if submission else "",
        "" if entry.late is None else str(entry.late),
        _points(submission.score) if submission else "",
        f"{outcome.seconds:.2f}" if graded else "",
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
    replace_file(path, table_of(CHANGES_COLUMNS, rows))


def table_of(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a CSV file with the mark that Excel needs; no field of it is a formula."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(cell, row) for row in rows)
    return "\ufeff" + file.getvalue()


def find_submission(asked: str, books: Path) -> tuple[Path, str]:
    """Return the path of a submission, and whose it is; `asked` may be a path itself.

    Who is no path is looked up in the books of the last course. Raises CourseError in a
    line where nobody, or more than one, is meant.
    """
    path = Path(asked).expanduser()
    if path.exists():
        return path, path.name
    book = books / GRADEBOOK
    if not book.is_file():
        raise CourseError(
            f"{asked}: no such file or folder, and no course in {books} to look it up in; "
            "give a path, or run make grade-all first"
        )
    finder = Finder((line.student, line.submission) for line in read_grades(book).lines)
    found = finder.find(asked, partly=True)
    ids = list(dict.fromkeys(id for _, id in found))
    if not ids:
        raise CourseError(
            f"{asked}: no such file or folder, and nobody in {book} has this sid, e-mail "
            "address, submission number or name"
        )
    if len(ids) > 1:
        listed = ", ".join(whose(*entry) for entry in found[:MOST_NAMED])
        raise CourseError(f"{asked}: {len(ids)} submissions are of that name: {listed}")
    [id] = ids
    path = books / id / SEARCH_PY
    if not path.is_file():
        raise CourseError(f"{asked}: {id} holds nothing that could be run; see {book}")
    return path, " and ".join(whose(student, id) for student, _ in found)
