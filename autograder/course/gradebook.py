"""gradebook.csv for people and Gradescope, canvas.csv for Canvas."""

from __future__ import annotations

import csv
import io
import re
import time
from dataclasses import astuple, dataclass
from pathlib import Path

from autograder.course.metadata import CourseError
from autograder.course.outcome import NOT_YET, OUT_OF_DATE
from autograder.judging.scores import points_text
from autograder.judging.verdict import ASPECTS
from autograder.running.files import replace_file

NAME, CANVAS_NAME = "gradebook.csv", "canvas.csv"
COLUMNS = ("sid", "name", "email", "submission", "score", *ASPECTS)
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
            cents = [outcome.cents, *(outcome.parts.get(name, 0) for name in ASPECTS)]
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
