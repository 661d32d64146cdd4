"""The course's books: gradebook.csv, canvas.csv, points by hand, and who changed since."""

from __future__ import annotations

import hashlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from autograder.course.download import Course, Submission
from autograder.course.outcome import Outcome, Status
from autograder.course.people import CourseError, Finder, Student, read_table, table_of
from autograder.judging.scores import points_text
from autograder.plaintext import printable
from autograder.utilities import duration, replace_file
from gametree.functions import FUNCTIONS

GRADEBOOK, CANVAS, CHANGES = "gradebook.csv", "canvas.csv", "changes.csv"
OVERRIDES = "overrides.csv"  # written by hand: id, points, note
WRITTEN = "written.txt"  # hashes of the gradebooks that the kit wrote last
NEEDED = ("sid", "name", "email", "submission", "score", "status")  # of one that is read
CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
CHANGE_COLUMNS = (*NEEDED[:4], "before", "after", "change", "why")
MOST_DIFFERENT = 10  # scores that are not Gradescope's, listed
MOST_LISTED = 40  # changes
MOST_ROWS = 3  # of the grading that the reason for one change names


@dataclass(frozen=True)
class Override:
    """What a TA decides by hand: points in cents, None for a note alone, and the note."""

    cents: int | None
    note: str


@dataclass(frozen=True)
class Entry:
    """One student of the course as the books show it.

    `submission` is None for who handed nothing in, and where an earlier gradebook was
    read. `late` are minutes after the deadline, None where either is not known.
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
    def key(self) -> str:
        """What finds the same student in another gradebook."""
        return self.student.key or self.outcome.id

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
        reason = "; ".join(filter(None, (outcome.reason, one.note)))
        outcome, late = replace(outcome, reason=reason), None
        if deadline and one.handed_in:
            seconds = (one.handed_in - deadline).total_seconds()
            late = max(0, math.ceil(seconds / 60))
        entries += [
            Entry(student, outcome, one, by_hand.get((student, one.id)), late)
            for student in one.students
        ]
    nothing = Outcome("", "", "", Status.NO_SUBMISSION)
    absent = (Entry(s, nothing, override=by_hand.get((s, ""))) for s in course.absent)
    return [*entries, *absent]


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
    if book.exists() and _hash(old := book.read_bytes()) not in known:
        number = 1
        while (kept := folder / f"gradebook-edited-{number}.csv").exists():
            number += 1
        replace_file(kept, old)
        lines.append(
            f"{book} was edited by hand: kept as {kept.name}; what {OVERRIDES} says "
            "(id, points, note) survives every run"
        )
    content = content.encode("utf-8", "backslashreplace")
    replace_file(written, "\n".join([*known[-1:], _hash(content)]))
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
        "seconds": f"{outcome.seconds:.2f}" if outcome.kit else "",
    }


def _points(cents):
    return "" if cents is None else points_text(cents)


def read(path: Path) -> list[Entry]:
    """Return the entries of a gradebook.csv, with what is known of each outcome beside it.

    Where somebody gave other points than the kit, these are an override. Raises
    CourseError.
    """
    heads, *rows = read_table(path) or [[]]
    missing = [name for name in NEEDED if name not in heads]
    if missing:
        raise CourseError(f"{path}: not a gradebook: no column {missing[0]}")
    return [_read_entry(path, dict(zip(heads, row))) for row in rows if row]


def _read_entry(path, row):
    sid, name, email, id, score, status = (row.get(column, "") for column in NEEDED)
    student, cents = Student(name, sid, email), []
    for points in (score, row.get("graded", score)):
        if not re.fullmatch(r"(-?\d+(\.\d+)?)?", points):
            wrong = f"{(student.key or id)[:40]!r} has the score {points[:40]!r}"
            raise CourseError(f"{path}: {wrong}; write a number such as 87.5, or nothing")
        cents.append(round(float(points) * 100) if points else None)
    kept = Outcome.kept(path.parent, id) or Outcome(id, "", "", status)
    outcome = replace(kept, status=status, cents=cents[1])
    override = Override(cents[0], "") if cents[0] != cents[1] else None
    return Entry(student, outcome, override=override)


# ---- canvas.csv


def write_canvas(folder: Path, entries: Iterable[Entry], title: str) -> None:
    """Write canvas.csv, which Canvas's gradebook imports, under the title.

    Canvas looks a student up by ID, then by SIS User ID, then by login. A score that
    is not settled is an empty cell; who has no name or nothing to be found by has no
    line. Of a student's submissions the last one counts.
    """
    rows = {}
    for entry in filter(is_known, entries):
        who, came = entry.student, entry.submission and entry.submission.handed_in
        instant = came.timestamp() if came else -math.inf
        id = who.number if who.number.isdecimal() else ""
        row = who.name, id, who.sid, who.email, who.section, _points(entry.settled)
        if instant >= rows.get(who.key, (instant,))[0]:
            rows[who.key] = instant, row
    table = table_of((*CANVAS_COLUMNS, title), (row for _, row in rows.values()))
    replace_file(folder / CANVAS, table)


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
    known = [e for e in entries if is_known(e)]
    ungraded = [e for e in known if e.outcome.status != Status.OUT_OF_DATE]
    empty = sum(e.settled is None for e in ungraded)
    more = "more " * bool(old)
    for count, said in (
        (len(old), f"out of date (graded by another kit or file), left out of {CANVAS} and "
         "of the mean: grade-all without ONLY brings them up to date"),
        (empty, f"{more}cells of {CANVAS} are empty: not gradable, not settled, not "
         f"graded, or no submission; {OVERRIDES} (id, points, note) gives points"),
        (len(entries) - len(known), f"left out of {CANVAS}, name or sid not known: "
         "ROSTER=roster.csv tells"),
    ):  # fmt: skip
        lines += [f"{count} {said}"] * bool(count)
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
    return first_of(lines, MOST_DIFFERENT, GRADEBOOK) if both else []


def first_of(lines: list[str], most: int, book: str) -> list[str]:
    """Return the first lines, and one that says how many more the book has."""
    more = [f"  and {len(lines) - most} more, all in {book}"] * (len(lines) > most)
    return [*lines[:most], *more]


# ---- overrides.csv


def read_overrides(path: Path, finder: Finder, most_cents: int) -> tuple[dict, list[str]]:
    """Return entry -> Override of a file (id, points, note), and lines on who is unknown.

    An id is a name of any kind that the finder knows. Raises CourseError for a line that
    cannot be meant: more points than `most_cents`, a second one for the same student, a
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


# ---- two gradings compared


def compare(before: Sequence[Entry], after: Sequence[Entry], folder: Path) -> list[str]:
    """Write changes.csv to a folder; return lines that tell a TA who changed and why.

    The greatest losses come first. A student is the same whatever the submission's id. Of
    one with several lines, the first in one gradebook and the first in the other are a
    pair, and so on.
    """
    old, new = _by_key(before), _by_key(after)
    pairs = [(old.get(who), new.get(who)) for who in dict.fromkeys([*new, *old])]
    changes = [_change(was, now) for was, now in pairs]
    changes = [one for one in changes if one["before"] != one["after"]]
    changes.sort(key=lambda one: (not one["change"], float(one["change"] or 0), one["sid"]))
    rows = [[one[column] for column in CHANGE_COLUMNS] for one in changes]
    replace_file(folder / CHANGES, table_of(CHANGE_COLUMNS, rows))
    known = [float(one["change"]) for one in changes if one["change"]]
    head = f"{len(changes)} of {len(after)} scores changed"
    if known:
        head += f": {sum(c < 0 for c in known)} lower, {sum(c > 0 for c in known)} higher"
    head += f"; the mean went from {_mean(before)} to {_mean(after)}"
    told = []
    for one in changes:
        scores = " -> ".join(one[side] or "no score" for side in ("before", "after"))
        told.append(f"  {one['who']}: {scores} ({one['why']})")
    lines = [head, _what_changed(before, after), *first_of(told, MOST_LISTED, CHANGES)]
    for was, now in pairs:
        if was and now and now.overridden and was.outcome.cents != now.outcome.cents:
            graded = [_points(one.outcome.cents) or "no score" for one in (was, now)]
            lines.append(
                f"  {now.who}: {_points(now.cents)} by hand stands; it was given when "
                f"grading gave {graded[0]}, and grading gives {graded[1]} now"
            )
    return [*lines, f"wrote {folder / CHANGES}"]


def _by_key(entries):
    known, times = {}, Counter()
    for entry in entries:
        times[entry.key] += 1
        known[entry.key, times[entry.key]] = entry
    return known


def _change(was, now):
    """Return column -> cell of a line of changes.csv, and `who` it is of."""
    one, cents = now or was, [was and was.cents, now and now.cents]
    change = "" if None in cents else points_text(cents[1] - cents[0])
    student, (before, after) = one.student, map(_points, cents)
    values = student.sid, student.name, student.email, one.outcome.id, before, after
    return dict(zip(CHANGE_COLUMNS, (*values, change, _why(was, now))), who=one.who)


def _why(was, now):
    if was is None or now is None:
        return "is not in this one" if was else "was not in the earlier gradebook"
    old, new = was.outcome, now.outcome
    reasons = ["given by hand"] * now.overridden
    reasons += ["no longer given by hand"] * (was.overridden and not now.overridden)
    known = bool(old.source and new.source)
    reasons += ["the submission changed"] * (known and old.source != new.source)
    if old.status != new.status:
        reasons.append(f"was {old.status}, is {new.status}")
    gained = Counter(old.lost if known else {})
    gained.subtract(new.lost if known else {})
    rows = sorted((-abs(cents), name) for name, cents in gained.items() if cents)
    for cents, name in rows[:MOST_ROWS]:
        more = "more" if gained[name] > 0 else "less"
        reasons.append(f"{points_text(-cents)} {more} in {name}")
    if len(rows) > MOST_ROWS:
        left = len(rows) - MOST_ROWS
        reasons.append(f"and {left} more row{'s' * (left > 1)}")
    return "; ".join(reasons) or "other points for the same rows"


def _mean(entries):
    cents = [entry.cents for entry in entries if entry.cents is not None]
    return points_text(sum(cents) / len(cents)) if cents else "nothing"


def _what_changed(before, after):
    kits = [{e.outcome.kit for e in side} - {""} for side in (before, after)]
    if not all(kits):
        return "no outcomes beside the earlier gradebook: reasons are by score only"
    same = "the same kit" if kits[0] == kits[1] else "another kit (code, trees or rubric)"
    return f"graded by {same}"
