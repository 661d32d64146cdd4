"""Represent a row of every book, an Entry, and find rows by names that people write.

overrides.csv has points by hand for the rows that are found.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from autograder.course.outcome import Outcome, Status
from autograder.course.students import (
    Student,
    Submission,
    fold,
    join_lines,
    name_in_order,
    read_id,
    rotate_words,
    undamaged,
)
from autograder.ground.command import counted
from autograder.ground.plaintext import sanitize
from autograder.ground.tables import read_records
from autograder.scoring.scores import points_text
from gametree.support.errors import InputError

MAX_LISTED = 6  # students that an error lists
OVERRIDES = "overrides.csv"  # written by hand
OVERRIDE_COLUMNS = ("id", "points", "note")
NUMBER = "[0-9]{1,6}([.,][0-9]{1,2})?"
POINTS = {  # unit of a ByHand -> its points
    "=": re.compile(NUMBER),
    "+": re.compile(f"[+-]{NUMBER}"),
    "%": re.compile(f"[+-]{NUMBER} ?%"),
}
SECTIONS = re.compile(" and |[,;] ?")  # between two; Canvas writes "A and B"


class ByHand(NamedTuple):
    """A TA's decision about a score.

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


NO_SUBMISSION = Submission("")
NOT_YET_GRADED = Outcome()
NOTHING_BY_HAND = ByHand()


class Entry:
    """A student with one submission or none: a row of every book, filled in step by step.

    student: the student of the class list if the match is certain. Otherwise, what the
        download says about the author, without the identifiers of students in the list.
        So an identifier is in one row.
    submission: the submission; its id is "" for a student without a submission.
    is_certain: whether the points may be given to the student.
    evidence: the kinds of evidence for the match, in words.
    candidates: the students of the class list of whom a person has to choose one.
    match_remark: a line for the TA about a match that is not certain, else "".
    outcome: the outcome of the submission.
    by_hand: a TA's decision, which is empty for most students.
    """

    def __init__(
        self,
        student: Student,
        submission: Submission = NO_SUBMISSION,
        is_certain: bool = True,
        evidence: str = "",
        candidates: tuple[Student, ...] = (),
        match_remark: str = "",
        outcome: Outcome = NOT_YET_GRADED,
        by_hand: ByHand = NOTHING_BY_HAND,
    ):
        self.student = student
        self.submission = submission
        self.is_certain = is_certain
        self.evidence = evidence
        self.candidates = candidates
        self.match_remark = match_remark
        self.outcome = outcome
        self.by_hand = by_hand

    @property
    def cents(self) -> int | None:
        """The score in every book: given by hand or by this kit, None if not final."""
        if self.candidates:
            return None
        graded = None
        if self.outcome.status == Status.GRADED:
            graded = self.outcome.cents
        return self.by_hand.apply(graded)

    @property
    def match(self) -> str:
        """The kind of match in one word."""
        if self.is_certain:
            return "certain"
        return "proposal" if self.candidates else "none"

    @property
    def remark(self) -> str:
        """A line for the TA about problems with the file, the grading or the match."""
        file = self.submission
        return join_lines(self.outcome.remark, file.note, file.remark, self.match_remark)

    @property
    def label(self) -> str:
        """A line with the name, the sid and the submission's id."""
        id = self.submission.id
        if id and self.student.label:
            return f"{self.student.label} ({id})"
        return self.student.label or id


def describe_class(entries: Iterable[Entry]) -> str:
    """Return the number of students, in total and with each status, in words.

    Each student is counted once. Submissions that match no student of the class list, or
    not exactly one, are counted apart.
    """
    counts = Counter()
    unmatched = 0
    for entry in entries:
        if entry.match_remark:
            unmatched += len(entry.candidates) != 1
        else:
            counts[entry.outcome.status.value] += 1
    statuses = [f"{count} {status}" for status, count in counts.most_common()]
    line = f"{counted(counts.total(), 'student')}: {', '.join(statuses) or 'none'}"
    if unmatched:
        line += f"; {counted(unmatched, 'submission')} without exactly one matching student"
    return line


# ---- identifiers and names that people write


def drop_shared(entries: Iterable[Entry]) -> list[str]:
    """Remove the identifiers that several entries have; return remarks."""
    sharing = defaultdict(list)  # kind and text of an identifier -> entries
    for entry in entries:
        for identifier in entry.student.identifiers.items():
            sharing[identifier].append(entry)
    remarks = []
    for (kind, text), owners in sharing.items():
        if len(owners) > 1:
            both = " and ".join(owner.label for owner in owners)
            remarks.append(
                f"{both} have the same {kind} ({text}), so it identifies neither"
            )
            for owner in owners:
                owner.student = owner.student._replace(**{kind: ""})
    return remarks


# Kind of name -> the function that reads a text as this kind, the most reliable kind first.
# A file is the submission's name on the platform, or the whole name of its file or folder.
READERS: dict[str, Callable[[str], str]] = {
    "sid": read_id,
    "email": read_id,
    "number": read_id,
    "login": str.strip,
    "name": name_in_order,
    "file": str.strip,
    "text": str.strip,
}


class Finder:
    """Finds entries by names that people write, which must be exactly those of an entry.

    by_name: kind and text -> entries. Further kinds are "word", a folded word with which an
        entry has to do, "rest", a sid without the zeros that a spreadsheet removes, and
        "group", a folded section or id of a submission.
    """

    def __init__(self, entries: Iterable[Entry]):
        self.by_name = defaultdict(list)
        for entry in entries:
            student = entry.student
            for word in student.words:
                self.by_name["word", word].append(entry)
            self.by_name["rest", undamaged(student.sid)].append(entry)
            section = fold(student.section)
            groups = {fold(entry.submission.id), section, *SECTIONS.split(section)}
            for group in groups:
                self.by_name["group", group].append(entry)
            if not entry.is_certain:  # only its file may be named
                student = Student()
            names = student._asdict()
            names |= {"file": entry.submission.origin, "text": student.text}
            for kind, read in READERS.items():
                self.by_name[kind, read(names[kind])].append(entry)

    def find(self, name: str, where: str = "") -> list[Entry]:
        """Return the entries with exactly this name, by the most reliable kind of name.

        Several entries are partners, and the name is that of their submission.

        where: the beginning of the error message.

        Raises InputError if several students match, or if a spreadsheet may have removed
        the zeros before the sid of another student.
        """
        found = self.find_all(name)
        partners = self.by_name["file", name.strip()]
        if len(found) > 1 and found != partners:
            listed = ", ".join(entry.label for entry in found[:MAX_LISTED])
            raise InputError(
                f"{where}{name}: {len(found)} may have this name; write the e-mail "
                f"address or the whole sid: {listed}"
            )
        return found

    def find_all(self, name: str) -> list[Entry]:
        """Return the entries that find() would have to choose from."""
        for kind, read in READERS.items():
            text = read(name)
            found = self.by_name[kind, text]
            if text and found:
                is_whole = undamaged(name) != read_id(name)
                others = [] if is_whole else self.near(name)
                return list(dict.fromkeys([*found, *others]))
        return []

    def near(self, sid: str) -> list[Entry]:
        """Return the entries with another sid that a spreadsheet may confuse with this."""
        rest = undamaged(sid)
        near = self.by_name["rest", rest] if rest else []
        return [entry for entry in near if read_id(entry.student.sid) != read_id(sid)]

    def suggest(self, name: str) -> str:
        """Return words that list the entries that resemble an unknown name, or ""."""
        likely = self.near(name)
        for word in rotate_words(name):
            likely += self.by_name["word", word]
        labels = dict.fromkeys(e.student.label or e.submission.origin for e in likely)
        return f"; perhaps {' or '.join(list(labels)[:MAX_LISTED])}" if labels else ""


# ---- overrides.csv


def read_overrides(folder: Path, entries: Iterable[Entry], max_cents: int) -> list[str]:
    """Set the decisions of overrides.csv in the entries; return remarks.

    The file has the columns id, points and note. An id is a name as Finder finds it.

    Raises InputError for more points than `max_cents` or a change without a note, for a
    second row of the same student, and for an ambiguous name.
    """
    finder = Finder(entries)
    remarks = []
    for where, (id, points, note) in read_records(folder / OVERRIDES, OVERRIDE_COLUMNS):
        by_hand = _parse_points(id, points, note, where)
        if by_hand.unit == "=" and by_hand.hundredths > max_cents and not note:
            most = points_text(max_cents)
            raise InputError(
                f"{where}: {points} of {most} points; write {most} or fewer, or add a note"
            )
        found = finder.find(id, f"{where}: ")
        if not found:
            remarks.append(
                f"{where}: {id} is not a sid, e-mail address, file, login or name in this "
                f"class{finder.suggest(id)}"
            )
        for entry in found:
            student = entry.student
            if entry.by_hand != NOTHING_BY_HAND:
                label = student.label or id
                raise InputError(f"{where}: {label} has a row above too; delete one")
            entry.by_hand = by_hand
            known = (student.sid, student.email, entry.label)
            if read_id(id) not in map(read_id, known):
                remarks.append(f"{where}: {id} is {entry.label}")
    return remarks


def find_ineffective(entries: Iterable[Entry]) -> list[str]:
    """Return a line about each entry whose points by hand have no effect."""
    lines = []
    for entry in entries:
        if entry.by_hand.unit and entry.cents is None:
            reason = entry.remark or entry.outcome.status.value
            lines.append(f"{entry.label}: no effect of the points by hand: {reason}")
    return lines


def _parse_points(id, points, note, where):
    """Return the ByHand of a row. Raises InputError."""
    note = sanitize(note)
    if id and not points:
        return ByHand(note=note)
    for unit, pattern in POINTS.items():
        if id and pattern.fullmatch(points):
            if unit != "=" and not note:
                raise InputError(f"{where}: {points} changes the kit's score; add a note")
            number = points.rstrip(" %").replace(",", ".")
            return ByHand(unit, round(float(number) * 100), note)
    raise InputError(
        f"{where}: write an id (sid, e-mail address, file), points such as 87.5, +5, "
        "-10% or nothing, and a note"
    )
