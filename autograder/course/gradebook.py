"""gradebook.csv for people and Gradescope, canvas.csv for Canvas."""

from __future__ import annotations

import csv
import io
import re
import time
from collections import Counter
from dataclasses import astuple, dataclass
from pathlib import Path

from autograder.course.export import CourseError
from autograder.course.outcome import NOT_YET, OUT_OF_DATE, Outcome, read_ledger
from autograder.judging.scores import points_text
from autograder.utilities import replace_file
from gametree.functions import FUNCTIONS

NAME, CANVAS_NAME = "gradebook.csv", "canvas.csv"
COLUMNS = ("sid", "name", "email", "submission", "score", *FUNCTIONS)
COLUMNS += ("diagnosis", "status", "reason", "seconds")
CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
SCORE = re.compile(r"(-?\d+(\.\d+)?)?")
FORMULA = re.compile(r"[=+\-@\t\r](?!\d+(\.\d+)?$)")  # but a negative number is one
SECONDS_BETWEEN = 0.5


@dataclass(frozen=True)
class Line:
    """One student's line of the gradebook; every field is a string."""

    sid: str
    name: str
    email: str
    submission: str
    score: str
    minimax: str
    alphabeta: str
    best_move: str
    diagnosis: str
    status: str
    reason: str
    seconds: str

    @property
    def key(self):
        """What finds the same student in another gradebook."""
        return self.sid or self.email or self.submission


def lines_of(submission, outcome, current=True):
    """Return a Line for each student of a submission; `outcome` may be None yet.

    `current` is False where the outcome belongs to an earlier kit or file.
    """
    scores, told, reasons = [""] * 4, ("", NOT_YET, ""), [submission.note]
    if outcome is not None:
        if outcome.cents is not None:
            cents = [outcome.cents, *(outcome.parts.get(name, 0) for name in FUNCTIONS)]
            scores = [points_text(c) for c in cents]
        status = outcome.status if current else OUT_OF_DATE
        told = ("; ".join(outcome.diagnoses), status, f"{outcome.seconds:.2f}")
        reasons.insert(0, outcome.reason)
    diagnosis, status, seconds = told
    told = (diagnosis, status, "; ".join(filter(None, reasons)), seconds)
    return [
        Line(who.sid, who.name, who.email, submission.id, *scores, *told)
        for who in submission.students
    ]


def safe(text):
    """Return text that a spreadsheet shows and never computes."""
    return "'" + text if FORMULA.match(text) else text


def unsafe(text):
    """Return what `safe` was given."""
    return text[1:] if text.startswith("'") and FORMULA.match(text, 1) else text


def write_gradebook(path, lines):
    """Write gradebook.csv, atomically: UTF-8, with the byte order mark that Excel needs."""
    write_table(path, COLUMNS, (astuple(line) for line in lines), mark="\ufeff")


def write_canvas(path, lines, title):
    """Write what Canvas's gradebook imports; the score's column is named `title`.

    Canvas looks a student up by SIS User ID where ID is empty, then by login.
    """
    rows = ((line.name, "", line.sid, line.email, "", line.score) for line in lines)
    write_table(path, (*CANVAS_COLUMNS, title), rows)


def write_table(path, columns, rows, mark=""):
    """Write a CSV file atomically; no field of it is taken for a formula."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(safe, row) for row in rows)
    replace_file(path, mark + file.getvalue())


def read_gradebook(path):
    """Return the Lines of a gradebook.csv. Raises CourseError with one line."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        rows = csv.DictReader(io.StringIO(text, newline=""))
        missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
        if missing:
            raise CourseError(f"{path}: no gradebook: the column {missing[0]} is missing")
        lines = [Line(*(unsafe(row[name] or "") for name in COLUMNS)) for row in rows]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise CourseError(f"{path}: cannot be read: {reason}") from None
    for line in lines:
        if not SCORE.fullmatch(line.score):
            wrong = f"{line.key[:40]!r} has the score {line.score[:40]!r}"
            raise CourseError(f"{path}: {wrong}; write a number such as 87.5, or nothing")
    return lines


class Gradebook:
    """Keeps gradebook.csv up to date while outcomes come in, twice a second at most.

    `submissions` are all of the course; `is_current` tells an outcome of this kit
    and file from an earlier one.
    """

    def __init__(self, folder, submissions, outcomes, is_current, clock=time.monotonic):
        self.folder = Path(folder)
        self.outcomes = dict(outcomes)
        self._submissions = submissions
        self._is_current = is_current
        self._clock = clock
        self._written = -SECONDS_BETWEEN
        self._begun = clock()

    def add(self, outcome):
        """Take an outcome in; write the file if the last time was long enough ago."""
        self.outcomes[outcome.id] = outcome
        now = self._clock() - self._begun
        if now - self._written >= SECONDS_BETWEEN:
            self._written = now
            self.write()

    @property
    def lines(self):
        """All Lines, in the submissions' order."""
        found = []
        for submission in self._submissions:
            outcome = self.outcomes.get(submission.id)
            current = outcome is not None and self._is_current(outcome)
            found += lines_of(submission, outcome, current)
        return found

    def write(self):
        """Write gradebook.csv now."""
        write_gradebook(self.folder / NAME, self.lines)


CHANGES_NAME = "changes.csv"
CHANGES_COLUMNS = ("sid", "name", "email", "submission", "before", "after", "change", "why")
MOST_LISTED = 40
MOST_ROWS = 3  # of the grading that the reason for one student names


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
    rows: dict
    why: str

    @property
    def cents(self):
        """The change in hundredths of a point, or None where one side has no score."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before


def read_grades(path):
    """Read a gradebook.csv and the ledger beside it. Raises CourseError."""
    return Grades(read_gradebook(path), read_ledger(Path(path).parent))


def changes_between(before, after):
    """Return the Changes between two Grades, the greatest losses first."""
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
        found, seen = {}, Counter()
        for line in lines:
            who = (line.key, line.submission if line.key in several else None)
            seen[who] += 1  # two students without sid and email in one submission
            found[who, seen[who]] = line
        return found

    old, new = identified(before), identified(after)
    return [(old.get(who), new.get(who)) for who in dict.fromkeys([*new, *old])]


def _cents(line):
    return round(float(line.score) * 100) if line is not None and line.score else None


def _change(old, new, old_outcomes, new_outcomes):
    was = old_outcomes.get(old.submission) if old else None
    now = new_outcomes.get(new.submission) if new else None
    rows = {}
    if was and now:
        for name in [*was.lost, *(name for name in now.lost if name not in was.lost)]:
            gained = was.lost.get(name, 0) - now.lost.get(name, 0)
            if gained:
                rows[name] = gained
    why = _why(old, new, was, now, rows)
    return Change(new or old, _cents(old), _cents(new), rows, why)


def _why(old, new, was, now, rows):
    if old is None:
        return "was not in the earlier gradebook"
    if new is None:
        return "is not in this one"
    told = []
    if was and now and was.source != now.source:
        told.append("the submission changed")
    if old.status != new.status:
        told.append(f"was {old.status}, is {new.status}")
    ordered = sorted(rows.items(), key=lambda item: -abs(item[1]))
    told += [f"{_signed(cents)} in {name}" for name, cents in ordered[:MOST_ROWS]]
    if len(ordered) > MOST_ROWS:
        told.append(f"and {len(ordered) - MOST_ROWS} more rows")
    return "; ".join(told) or "other points for the same rows"


def _signed(cents):
    return ("+" if cents > 0 else "-") + points_text(abs(cents))


def report(before, after, changes):
    """Return the lines that tell a TA what changed."""
    graded = [_cents(line) for line in after.lines]
    lines = [f"{len(changes)} of {len(graded)} scores changed"]
    both = [change.cents for change in changes if change.cents is not None]
    if both:
        lines[0] += f": {sum(c < 0 for c in both)} lower, {sum(c > 0 for c in both)} higher"
    lines[0] += f"; the mean went from {_mean(before)} to {_mean(after)}"
    lines.append(_what_changed(before, after))
    lines += _by_row(changes)
    for change in changes[:MOST_LISTED]:
        who = " ".join(filter(None, (change.line.sid, change.line.name)))
        shift = f"{_shown(change.before)} -> {_shown(change.after)}"
        lines.append(f"  {who or change.line.submission}: {shift} ({change.why})")
    if len(changes) > MOST_LISTED:
        lines.append(f"  and {len(changes) - MOST_LISTED} more, all in {CHANGES_NAME}")
    return lines


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
        for name, gained in change.rows.items():
            students[name] += 1
            cents[name] += gained
    ordered = sorted(students, key=lambda name: (-abs(cents[name]), name))[:10]
    return [
        f"  {_signed(cents[name]):>9} in all for {students[name]} students: {name}"
        for name in ordered
        if cents[name]
    ]


def _mean(grades):
    found = [c for c in map(_cents, grades.lines) if c is not None]
    return points_text(sum(found) / len(found)) if found else "nothing"


def _shown(cents):
    return "no score" if cents is None else points_text(cents)


def write_changes(path, changes):
    """Write changes.csv, a line for each student whose score changed."""
    rows = []
    for change in changes:
        line = change.line
        shift = "" if change.cents is None else points_text(change.cents)
        scores = [
            "" if c is None else points_text(c) for c in (change.before, change.after)
        ]
        who = (line.sid, line.name, line.email, line.submission)
        rows.append((*who, *scores, shift, change.why))
    write_table(path, CHANGES_COLUMNS, rows)
