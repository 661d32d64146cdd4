"""The course's books: gradebook.csv, canvas.csv, points by hand, and who changed since."""

from __future__ import annotations

import hashlib
import io
import math
import re
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from autograder.course.download import Course, Submission, unique
from autograder.course.outcome import EARLIER, REPORT, Outcome, Status
from autograder.course.people import CourseError, Finder, Student, read_table, table_of
from autograder.files import replace_file
from autograder.judging.scores import points_text
from autograder.plaintext import sanitize
from autograder.progress import counted, duration
from gametree.functions import FUNCTIONS

GRADEBOOK, CANVAS, CHANGES = "gradebook.csv", "canvas.csv", "changes.csv"
FEEDBACK = "feedback.zip"
OVERRIDES = "overrides.csv"  # written by hand: id, points, note
WRITTEN = "written.txt"  # hashes of the gradebooks that the kit wrote last
PEOPLE = ("sid", "name", "email", "submission")  # the columns that say whose a line is
SENT = (Status.GRADED, Status.NOT_GRADABLE, Status.NOT_LOADED)  # what is settled
EPOCH = (1980, 1, 1, 0, 0, 0)  # so that the same reports make the same zip
CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
CHANGE_COLUMNS = (*PEOPLE, "before", "after", "change", "why")
MAX_DIFFERENT = 10  # strangers, or scores that are not Gradescope's, listed
MAX_ROWS = 3  # of the grading that the reason for one change names


@dataclass(frozen=True)
class Override:
    """What a TA decides by hand: points in cents, None for a note alone, and the note."""

    cents: int | None
    note: str


@dataclass(frozen=True)
class Entry:
    """One student of the course as the books show it.

    `submission` is None for who handed nothing in. `late` are minutes after the
    deadline, None where either is not known. `counts` is False where another submission
    of the student's counts.
    """

    student: Student
    outcome: Outcome
    submission: Submission | None = None
    override: Override | None = None
    late: int | None = None
    counts: bool = True

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
        if self.overridden or self.outcome.status == Status.GRADED:
            return self.cents
        return None

    @property
    def lateness(self) -> str:
        """How late it came, in words: 1 day 3 h; "" where it is not late."""
        if self.late:
            return duration(60 * self.late)
        marked = self.submission is not None and self.submission.marked_late
        return "late, by Canvas" if marked else ""

    @property
    def who(self) -> str:
        """Whom a line for people names."""
        return self.student.who or self.outcome.id


def entries_of(
    course: Course, outcomes: Mapping[str, Outcome], kit="", by_hand=None, deadline=None
) -> list[Entry]:
    """Return an Entry for each student, in the submissions' order, the absent last.

    `outcomes` are those there are by submission id. What is of another kit than that of
    the hash `kit`, or of another file, is out of date. For `by_hand` see read_overrides().
    `deadline` is a moment with its offset, None where there is none.
    """
    entries, by_hand = [], by_hand or {}
    for one in course.submissions:
        outcome = outcomes.get(one.id) or Outcome(one.id, "", "", Status.NOT_YET)
        if outcome.kit and kit and not outcome.is_of(kit, one.hash):
            outcome = replace(outcome, status=Status.OUT_OF_DATE)
        late = None
        if deadline and one.handed_in:
            seconds = (one.handed_in - deadline).total_seconds()
            late = max(0, math.ceil(seconds / 60))
        for who in one.students:
            reason = "; ".join(filter(None, (outcome.reason, one.note, who.unlisted)))
            own = replace(outcome, reason=reason)
            entries.append(Entry(who, own, one, by_hand.get((who, one.id)), late))
    of = defaultdict(list)
    for entry in entries:
        of[entry.student.key].append(entry)
    entries = [_among(of[e.student.key], e) if e.student.key else e for e in entries]
    nothing = Outcome("", "", "", Status.NO_SUBMISSION)
    absent = (Entry(s, nothing, override=by_hand.get((s, ""))) for s in course.absent)
    return [*entries, *absent]


def _among(own, entry):
    """Return an entry that says which of its student's own counts: the latest."""
    if len(own) == 1:
        return entry
    last = sorted(own, key=_instant)[-1]
    how = "the latest" if last.submission.handed_in else "by name the last"
    says = "counts" if entry is last else f"does not count, {last.outcome.id} does"
    reason = filter(None, (entry.outcome.reason, f"{says}: {how} of {len(own)}"))
    outcome = replace(entry.outcome, reason="; ".join(reason))
    return replace(entry, outcome=outcome, counts=entry is last)


def _instant(entry):
    came = entry.submission.handed_in
    return came.timestamp() if came else -math.inf


# ---- gradebook.csv


def write(folder: Path, entries: Sequence[Entry], asked=FUNCTIONS) -> list[str]:
    """Write gradebook.csv, with a column for each function that is asked.

    One that was edited by hand since the kit wrote it is kept beside it; the lines that
    are returned say so. Whatever stops this, the kit knows its own file again.
    """
    book, written, lines = folder / GRADEBOOK, folder / WRITTEN, []
    parts = dict.fromkeys([*asked, *(part for e in entries for part in e.outcome.parts)])
    rows = [_row(entry, parts) for entry in entries]
    content = table_of(rows[0], (row.values() for row in rows))
    known = written.read_text().split() if written.exists() else []
    old = book.read_bytes() if book.exists() else b""
    if old and _hash(old) not in known:
        number = 1
        while (kept := folder / f"gradebook-edited-{number}.csv").exists():
            number += 1
        replace_file(kept, old)
        lines.append(
            f"{book} was edited by hand: kept as {kept.name}; what {OVERRIDES} says "
            "(id, points, note) survives every run"
        )
    content = content.encode("utf-8", "backslashreplace")
    replace_file(written, "\n".join([_hash(old), _hash(content)]))
    replace_file(book, content)
    return lines


def _hash(content):
    return hashlib.sha256(content).hexdigest()


def _row(entry, parts):
    """Return column -> cell of a student's line."""
    student, outcome, submission = entry.student, entry.outcome, entry.submission
    came = submission.handed_in if submission else None
    return {
        "sid": student.sid,
        "name": student.name,
        "email": student.email,
        "submission": outcome.id,
        "section": student.section,
        "score": _points(entry.cents),
        **{part: _points(outcome.parts.get(part)) for part in parts},
        "diagnosis": "; ".join(outcome.diagnoses),
        "status": outcome.status,
        "reason": outcome.reason,
        "graded": _points(outcome.cents),
        "note": entry.override.note if entry.override else "",
        "handed in": came.isoformat() if came else "",
        "minutes late": "" if entry.late is None else str(entry.late),
        "late": entry.lateness,
        "Gradescope": _points(submission.score) if submission else "",
    }


def _points(cents):
    return "" if cents is None else points_text(cents)


def read(path: Path) -> list[tuple[Student, str]]:
    """Return who is in a gradebook.csv: (student, submission's id). Raises CourseError."""
    heads, *rows = read_table(path) or [[]]
    missing = [name for name in PEOPLE if name not in heads]
    if missing:
        raise CourseError(f"{path}: not a gradebook: no column {missing[0]}")
    lines = (dict(zip(heads, row)) for row in rows if row)
    found = ([line.get(column, "") for column in PEOPLE] for line in lines)
    return [(Student(name, sid, email), id) for sid, name, email, id in found]


# ---- what is given back: canvas.csv, feedback.zip


def write_canvas(folder: Path, entries: Iterable[Entry], title: str) -> None:
    """Write canvas.csv, which Canvas's gradebook imports, under the title.

    Canvas looks a student up by ID, then by SIS User ID, then by login. A score that
    is not settled is an empty cell; who has no name or nothing to be found by has no
    line, nor has a submission that does not count.
    """
    rows = []
    for entry in filter(is_known, entries):
        who = entry.student
        id = who.number if who.number.isdecimal() else ""
        row = who.name, id, who.sid, who.email, who.section, _points(entry.settled)
        rows += [row] * entry.counts
    replace_file(folder / CANVAS, table_of((*CANVAS_COLUMNS, title), rows))


def write_feedback(folder: Path, entries: Iterable[Entry]) -> None:
    """Write feedback.zip: a report for each student whose grade is settled.

    Canvas takes it at *Upload submissions* in the gradebook, and finds who is meant by the
    numbers in a name; Moodle at *Upload multiple feedback files in a zip*, by the number of
    the participant. Of other courses each report has the name of its student.
    """
    reports = {}  # partners have one where the platform names it, else one each
    for entry in entries:
        path = folder / entry.outcome.id / REPORT
        if entry.outcome.status in SENT and path.is_file():
            reports[entry.submission.report or entry.who, path] = path.read_bytes()
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, report in zip(unique(name for name, _ in reports), reports.values()):
            entry = zipfile.ZipInfo(f"{name}.html", EPOCH)
            archive.writestr(entry, report, zipfile.ZIP_DEFLATED)
    replace_file(folder / FEEDBACK, content.getvalue())


def is_known(entry: Entry) -> bool:
    """Tell whether Canvas may find a student: by a name, and a sid or the like."""
    return bool(entry.student.name and entry.student.key)


def remarks(entries: Sequence[Entry], deadline: datetime | None = None) -> list[str]:
    """Return lines on what the books leave out, and on what is not as it should be."""
    lost = [e.outcome for e in entries if e.outcome.status == Status.COULD_NOT_TELL]
    lines = [f"{one.id}: {one.reason}" for one in lost]
    old = [
        e for e in entries if e.outcome.status == Status.OUT_OF_DATE and not e.overridden
    ]
    ungraded = [e for e in entries if e.outcome.status != Status.OUT_OF_DATE]
    empty = sum(e.settled is None for e in ungraded if e.counts and is_known(e))
    cells = counted(empty, f"{'more ' * bool(old)}empty cell")
    left = [e for e in entries if not is_known(e)]
    strangers = ", ".join(e.who for e in left[:MAX_DIFFERENT] if e.student.unlisted)
    if strangers:
        why = f"not in the roster: {strangers}{', ...' * (len(left) > MAX_DIFFERENT)}"
    else:
        why = "name or sid not known: ROSTER=roster.csv tells"
    for count, said in (
        (old, f"{len(old)} out of date (graded by another kit or file), left out of "
         f"{CANVAS} and of the mean: grade-all without ONLY brings them up to date"),
        (empty, f"{cells} of {CANVAS}: no settled score; {OVERRIDES} (id, points, note) "
         "gives points"),
        (left, f"{len(left)} left out of {CANVAS}, {why}"),
    ):  # fmt: skip
        lines += [said] * bool(count)
    handed_in = [entry.submission for entry in entries if entry.submission]
    if deadline and not any(one.handed_in for one in handed_in):
        marked = sum(one.marked_late for one in handed_in)
        lines.append(
            "DUE has nothing to compare with: these files do not say when they came"
            + f"; Canvas marked {marked} as late" * bool(marked)
        )
    return [*lines, *_beside_gradescope(entries)]


def _beside_gradescope(entries):
    """Return lines that compare the scores with Gradescope's own, where it has any."""
    graded = {e.outcome.id: e for e in entries if e.outcome.status == Status.GRADED}
    both = [e for e in graded.values() if e.submission.score is not None]
    differ = [e for e in both if e.outcome.cents != e.submission.score]
    lines = [f"{len(both) - len(differ)} of {len(both)} scores equal Gradescope's own"]
    for entry in differ:
        ours, theirs = _points(entry.outcome.cents), _points(entry.submission.score)
        lines.append(f"  {entry.who}: laptop {ours}, Gradescope {theirs}")
    if more := len(lines) - MAX_DIFFERENT:
        lines[MAX_DIFFERENT:] = [f"  and {more} more, all in {GRADEBOOK}"] * (more > 0)
    return lines if both else []


# ---- overrides.csv


def read_overrides(path: Path, finder: Finder, max_cents: int) -> tuple[dict, list[str]]:
    """Return entry -> Override of a file (id, points, note), and lines on who is unknown.

    An id is a name of any kind that the finder knows. Raises CourseError for a line that
    cannot be meant: more points than `max_cents`, a second one for the same student, a
    name that two have.
    """
    overrides, lines, unknown = {}, {}, []
    for number, row in enumerate(read_table(path) if path.exists() else (), start=1):
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
        if cents is not None and cents > max_cents:
            most = points_text(max_cents)
            raise CourseError(f"{where}{points} points of {most}; write {most} or fewer")
        found = finder.meant(id, where)
        if not found:
            unknown.append(f"{where}{id}: nobody's sid, e-mail address, submission or name")
        for entry in found:
            if entry in lines:
                raise CourseError(
                    f"{where}line {lines[entry]} is for {entry[0].who or id} too; keep one"
                )
            lines[entry], overrides[entry] = number, Override(cents, sanitize(note))
    return overrides, unknown


# ---- what another kit gave


def write_changes(folder: Path, entries: Sequence[Entry]) -> list[str]:
    """Write changes.csv: whose score changed with the kit; return a line that sums it up.

    Scores are compared where an earlier kit has graded the same file; where none has,
    nothing is written or said. The greatest losses come first.
    """
    pairs = [(Outcome.load(folder, one.outcome.id, EARLIER), one) for one in entries]
    pairs = [
        (was, one)
        for was, one in pairs
        if was
        and was.source == one.outcome.source
        and one.outcome.status != Status.OUT_OF_DATE
    ]
    if not pairs:
        return []
    changes = [_change(was, one) for was, one in pairs if was.cents != one.outcome.cents]
    changes.sort()
    rows = [row for _, row in changes]
    replace_file(folder / CHANGES, table_of(CHANGE_COLUMNS, rows))
    lower = sum(change < 0 for change, _ in changes)
    higher = sum(change > 0 for change, _ in changes)
    before, after = _mean(was for was, _ in pairs), _mean(one.outcome for _, one in pairs)
    return [
        f"{len(changes)} of {len(pairs)} scores changed with the kit: {lower} lower, "
        f"{higher} higher; the mean went from {before} to {after}; see {folder / CHANGES}"
    ]


def _change(was, entry):
    """Return by how many cents a score changed, and its line of changes.csv."""
    student, now = entry.student, entry.outcome
    known = was.cents is not None and now.cents is not None
    change = now.cents - was.cents if known else 0
    why = _why(was, now)
    if entry.overridden:
        why += f"; {_points(entry.cents)} by hand stands"
    before, after = _points(was.cents), _points(now.cents)
    about = student.sid, student.name, student.email, now.id
    return change, (*about, before, after, _points(change) if known else "", why)


def _why(was, now):
    reasons = [f"was {was.status}, is {now.status}"] * (was.status != now.status)
    gained = Counter(was.lost)
    gained.subtract(now.lost)
    rows = sorted((-abs(cents), name) for name, cents in gained.items() if cents)
    for cents, name in rows[:MAX_ROWS]:
        more = "more" if gained[name] > 0 else "less"
        reasons.append(f"{points_text(-cents)} {more} in {name}")
    if len(rows) > MAX_ROWS:
        left = len(rows) - MAX_ROWS
        reasons.append(f"and {left} more row{'s' * (left > 1)}")
    return "; ".join(reasons) or "other points for the same rows"


def _mean(outcomes):
    cents = [outcome.cents for outcome in outcomes if outcome.cents is not None]
    return points_text(sum(cents) / len(cents)) if cents else "nothing"
