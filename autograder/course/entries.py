"""Represent a row of every book, an Entry, and find rows by names that people write."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from autograder.course.outcome import Outcome, Status
from autograder.course.students import (
    Student,
    Submission,
    join_lines,
    name_in_order,
    read_id,
    rotate_words,
    undamaged,
)
from autograder.ground.command import counted
from gametree.support.errors import InputError

MAX_LISTED = 6  # students that an error lists


@dataclass(frozen=True)
class ByHand:
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


@dataclass(frozen=True, eq=False)
class Entry:
    """A student with one submission or none: a row of every book.

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

    student: Student
    submission: Submission = Submission("")
    is_certain: bool = True
    evidence: str = ""
    candidates: tuple[Student, ...] = ()
    match_remark: str = ""
    outcome: Outcome = field(default=Outcome())
    by_hand: ByHand = ByHand()

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


def with_outcomes(entries: Iterable[Entry], outcomes: Mapping[str, Outcome]) -> list[Entry]:
    """Return the entries with these outcomes, submission's id -> Outcome."""
    return [
        replace(entry, outcome=outcomes.get(entry.submission.id, entry.outcome))
        for entry in entries
    ]


def describe_class(entries: Iterable[Entry]) -> str:
    """Return the number of students, in total and with each status, in words.

    Each student is counted once. Submissions that match no student of the class list, or
    not exactly one, are counted apart.
    """
    counts = Counter()
    unmatched = 0
    for entry in entries:
        if entry.match_remark and entry.submission.id:
            unmatched += len(entry.candidates) != 1
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
            lines.append(f"{entry.submission.id}: {entry.remark}")
        if entry.by_hand.unit and entry.cents is None:
            reason = entry.remark or entry.outcome.status.value
            lines.append(f"{entry.label}: no effect of the points by hand: {reason}")
    return list(dict.fromkeys(lines))  # partners share a line


# ---- identifiers and names that people write


def drop_shared(entries: Sequence[Entry]) -> tuple[list[Entry], list[str]]:
    """Return the entries without identifiers that several of them have, and remarks."""
    sharing = defaultdict(list)  # kind and text -> labels of entries
    for entry in entries:
        for identifier in entry.student.identifiers.items():
            sharing[identifier].append(entry.label)
    remarks = []
    for (kind, text), labels in sharing.items():
        if len(labels) > 1:
            both = " and ".join(labels)
            remarks.append(
                f"{both} have the same {kind} ({text}), so it identifies neither"
            )
    separated = []
    for entry in entries:
        student = entry.student
        for kind, text in student.identifiers.items():
            if len(sharing[kind, text]) > 1:
                student = replace(student, **{kind: ""})
        separated.append(replace(entry, student=student))
    return separated, remarks


# Kind of name -> the function that reads a text as this kind, the most reliable kind first.
# A file is the submission's name on the platform, or the whole name of its file.
READERS: dict[str, Callable[[str], str]] = {
    "sid": read_id,
    "email": read_id,
    "number": read_id,
    "file": str.strip,
    "login": str.strip,
    "name": name_in_order,
    "text": str.strip,
}


class Finder:
    """Finds entries by names that people write, which must be exactly those of an entry.

    by_word: folded word -> the entries with which it has to do.
    by_name: kind and text of an exact name -> the entries that have it.
    """

    def __init__(self, entries: Iterable[Entry]):
        self.by_word = defaultdict(list)
        self.by_name = defaultdict(list)
        self._by_rest = defaultdict(list)  # sid without zeros at its ends -> entries
        for entry in entries:
            student = entry.student
            for word in student.words:
                self.by_word[word].append(entry)
            self._by_rest[undamaged(student.sid)].append(entry)
            if not entry.is_certain:  # only its file may be named
                student = Student()
            names = {**vars(student), "file": entry.submission.origin, "text": student.text}
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
        near = self._by_rest[rest] if rest else []
        return [entry for entry in near if read_id(entry.student.sid) != read_id(sid)]

    def suggest(self, name: str) -> str:
        """Return words that list the entries that resemble an unknown name, or ""."""
        likely = self.near(name)
        for word in rotate_words(name):
            likely += self.by_word[word]
        labels = dict.fromkeys(e.student.label or e.submission.origin for e in likely)
        return f"; perhaps {' or '.join(list(labels)[:MAX_LISTED])}" if labels else ""
