"""Match submissions to students of the class list: certainly, as a proposal, or not at all.

A match is certain if an identifier of the platform is exactly in the class list and nothing
contradicts it: no other identifier, no name, and no other submission with evidence for the
same student. It is also certain if a TA has confirmed it in people.csv. The identifiers are
the sid and the e-mail address in Gradescope's export, and the numbers of other platforms.
All other evidence, such as names of files, makes a proposal. The submission is then graded
and listed, but gives points to no student.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from autograder.course.books import retire_book, write_book
from autograder.course.entries import OVERRIDES, Entry, Finder, drop_shared
from autograder.course.outcome import Outcome, Status
from autograder.course.roster import Roster
from autograder.course.students import (
    Student,
    Submission,
    fold,
    names_agree,
    read_id,
    undamaged,
    words_of,
)
from autograder.ground.command import counted
from autograder.ground.tables import read_records, table_text
from gametree.support.errors import InputError

PEOPLE = "people.csv"  # proposed by the kit, confirmed by hand
PROPOSED = "?"  # starts a student's cell that is not confirmed
MIN_DIGITS = 5  # of a number among other words that may be a sid
SEAL = re.compile(r" \[[0-9a-f]{8}\]\Z")


class Row(NamedTuple):
    """A row of people.csv, whose fields are its columns.

    submission: the submission's id when the row was written.
    student: the student, and a seal for this row; or a name of the student by hand.
    evidence: the evidence for the proposal.
    author: the author as seal() describes it; "" in a row by hand.
    """

    submission: str
    student: str
    evidence: str = ""
    author: str = ""


def read_people(folder: Path) -> list[tuple[str, Row]]:
    """Return the place of each confirmed row of people.csv, and the Row."""
    rows = []
    for where, cells in read_records(folder / PEOPLE, Row._fields):
        row = Row(*cells)
        if row.student and not row.student.startswith(PROPOSED):
            rows.append((where, row))
    return rows


def write_people(folder: Path, rows: Sequence[Row]) -> list[str]:
    """Write people.csv if it has rows. Return a line about its proposals, if any."""
    path = folder / PEOPLE
    if rows:
        write_book(path, table_text([row._asdict() for row in rows]))
    elif path.exists():
        retire_book(path)
    proposals = sum(row.student.startswith(PROPOSED) for row in rows)
    if not proposals:
        return []
    listed = counted(proposals, "proposal")
    return [f"{listed} to confirm: delete each correct {PROPOSED} in {path}"]


class Matching(NamedTuple):
    """A class after matching.

    entries: an Entry for each author of each submission, and then for each absent student.
    people: the rows of people.csv for the next run.
    remarks: lines for the TA.
    """

    entries: list[Entry]
    people: list[Row]
    remarks: list[str]


def match_class(
    submissions: Iterable[Submission],
    roster: Roster,
    rows: Sequence[tuple[str, Row]],
) -> Matching:
    """Match the authors of submissions to the students of the class list.

    rows: the confirmed rows of people.csv with their places. A row that contradicts itself,
        the download or another row is not applied, and a remark says so.
    """
    authors = []
    for submission in submissions:
        for known in submission.authors:
            authors.append(Entry(known, submission, is_certain=False))
    shared = drop_shared(authors)
    matcher = _Matcher(authors, roster)
    people, refused = matcher.confirm(rows)
    entries = [matcher.match(author) for author in authors]
    for author, entry in zip(authors, entries):
        if author in matcher.confirmed or not entry.is_certain:
            people.append(matcher.row_of(author, entry))
    entries += matcher.absent(entries)
    return Matching(entries, people, [*shared, *refused])


class _Matcher:
    """Matches authors to the students of a class list, or to none without a list.

    An author is an Entry of what the download says, without identifiers that two share.

    confirmed: author -> the student whom a person has confirmed.
    """

    def __init__(self, authors, roster):
        self.confirmed = {}
        self._authors = authors
        self._has_list = bool(roster.students)
        self._students = roster.students
        self._finder = Finder(map(Entry, self._students))
        self._written = {}  # author -> the student's text in people.csv
        self._by_id = defaultdict(set)  # id of a submission -> its authors
        self._by_description = defaultdict(set)
        self._claims = defaultdict(set)  # student -> authors with an identifier of theirs
        for author in authors:
            self._by_id[author.submission.id].add(author)
            self._by_description[_describe(author)].add(author)
            for student in self._likely(author):
                self._claims[student].add(author)

    def _identified(self, author):
        """Return student -> the kinds of identifiers that the author has exactly."""
        kinds_of = defaultdict(set)
        for kind, text in author.student.identifiers.items():
            for entry in self._finder.by_name[kind, text]:
                kinds_of[entry.student].add(kind)
        return kinds_of

    def _likely(self, author):
        """Return the same, or else the students of a sid that a spreadsheet may change."""
        kinds_of = self._identified(author)
        if not kinds_of:
            sid = author.student.sid or author.submission.id
            for entry in self._finder.near(sid):
                kinds_of[entry.student].add("a similar sid")
        return kinds_of

    # ---- people.csv

    def confirm(self, rows):
        """Confirm authors by rows of people.csv, which have their places.

        Returns the rows of submissions that are not in this download, and a remark for each
        row that is not applied.
        """
        gone = []
        remarks = []
        claims = []
        counts = Counter()  # author or student -> rows
        for where, row in rows:
            named = self._by_description[row.author or row.submission]
            if not row.author:  # by hand
                named = named | self._by_id[row.submission]
            if len(named) != 1:
                gone.append(row)
                remarks.append(f"{where}: {row.submission} is not in this download")
                continue
            [author] = named
            self._written[author] = SEAL.sub("", row.student)
            try:
                student = self._student_of(row, author)
            except InputError as problem:
                remarks.append(f"{where}: {problem}")
                continue
            claims.append((where, author, student))
            counts.update([author, student])
        for where, author, student in claims:
            if counts[author] == counts[student] == 1:
                self.confirmed[author] = student
                self._claims[student].add(author)
                continue
            both = f"{author.submission.id} or {student.label}"
            remarks.append(f"{where}: another row has {both} too; keep one")
        return gone, remarks

    def _student_of(self, row, author):
        """Return the student whom a row confirms. Raises InputError if it contradicts.

        A seal is for one author and one student, so no cell fits into another row. A row
        that a person wrote as a whole has none.
        """
        id = author.submission.id
        text = SEAL.sub("", row.student)
        student = self._listed(text, author)
        exact = self._identified(author)
        numbers = {student.number, author.student.number} - {""}
        if exact and student not in exact or len(numbers) > 1:
            raise InputError(
                f"{id} is not by {student.label} in the download; delete the row, or give "
                f"points in {OVERRIDES}"
            )
        is_by_hand = row.student == text and not row.author
        if not is_by_hand and row.student != _seal(row.submission, author, text):
            raise InputError(
                f"{student.label} was not proposed for {id}, or a file or a cell has "
                "changed; confirm it again"
            )
        return student

    def _listed(self, text, author):
        """Return the only student whom a text identifies. Raises InputError.

        Without a class list it is the author with this sid, which no other author may have.
        """
        if self._has_list:
            found = self._finder.find_all(text)
            if len(found) == 1:
                return found[0].student
            hint = self._finder.suggest(text)
            raise InputError(f"{text} is not one student of the class list{hint}")
        for other in self._authors:
            sid = other.student.sid
            if sid and (read_id(sid) == read_id(text)) != (other is author):
                id = other.submission.id
                raise InputError(f"{text}: in the download, {id} has the sid {sid}")
        return author.student._replace(sid=text)

    def row_of(self, author, entry):
        """Return the row of people.csv for an author: confirmed, or a proposal."""
        text = self._written.get(author, "")
        if self._has_list and entry.is_certain:
            text = entry.student.text
        elif entry.candidates:
            text = entry.candidates[0].text if len(entry.candidates) == 1 else ""
        id = author.submission.id
        cell = _seal(id, author, text) if text else ""
        if entry.candidates or not entry.is_certain and text:
            cell = PROPOSED + cell
        return Row(id, cell, entry.evidence, _describe(author))

    # ---- matches

    def match(self, author):
        """Return the Entry of an author whose student is decided, or proposed."""
        known = author.student
        student = known
        kinds = known.identifiers
        if author in self.confirmed:
            student = self.confirmed[author]
            kinds = [PEOPLE]
        elif self._has_list:
            identified = self._identified(author)
            if len(identified) != 1:
                return self._propose(author)
            [(student, kinds)] = identified.items()
            if self._claims[student] != {author} or not _agree(student, known):
                return self._propose(author)
        evidence = " and ".join(sorted(kinds))
        return Entry(student, author.submission, bool(kinds), evidence)

    def _evidence_of(self, author):
        """Return student -> kinds of identifiers and words that fit an author."""
        evidence_of = self._likely(author)
        written = self._written.get(author, "")
        named = self._finder.find_all(written) or self._finder.near(written)
        for entry in named:
            evidence_of[entry.student].add(PEOPLE)
        if named:
            return evidence_of
        id = read_id(author.submission.id)
        name = author.student.name
        owners = []
        for student in self._students:
            login = read_id(student.login)
            if login and id.endswith(f"-{login}") and not name:  # as in hw1-LOGIN of GitHub
                owners.append(student)
        if owners:
            owner = max(owners, key=lambda student: len(student.login))
            evidence_of[owner].add(f"login {owner.login}")
            return evidence_of
        for word in _words_in(name or id):
            for entry in self._finder.by_name["word", word]:
                evidence_of[entry.student].add(word)
        return evidence_of

    def _propose(self, author):
        """Return the Entry for evidence that is not certain.

        The candidates are students of whom some evidence fits no better candidate. So they
        are several if two pieces of evidence disagree.
        """
        evidence_of = self._evidence_of(author)
        candidates = []
        lines = []
        for student in self._students:
            evidence = evidence_of.get(student)
            if evidence and not any(evidence < other for other in evidence_of.values()):
                candidates.append(student)
                lines.append(f"{student.label}: {' '.join(sorted(evidence))}")
                for rival in self._authors:
                    if rival in self._claims[student] and rival is not author:
                        lines.append(f"{rival.submission.id} may be by the same student")
        known = author.student
        if not candidates:
            remark = "no match in the class list"
            return Entry(known, author.submission, is_certain=False, match_remark=remark)
        if known != Student():
            lines.append(f"the download says {known.text}")
        evidence = "; ".join(lines)
        return Entry(
            Student(known.name),
            author.submission,
            is_certain=False,
            evidence=evidence,
            candidates=tuple(candidates),
            match_remark=f"a proposal ({evidence}); confirm it in {PEOPLE}",
        )

    def absent(self, entries):
        """Return an Entry for each student of the class list without a certain one."""
        present = {entry.student for entry in entries if entry.is_certain}
        absent = []
        for student in self._students:
            if student in present:
                continue
            ids = [entry.submission.id for entry in entries if student in entry.candidates]
            status = Status.TO_CONFIRM if ids else Status.NO_SUBMISSION
            remark = f"perhaps {' or '.join(ids)}; confirm it in {PEOPLE}" if ids else ""
            absent.append(Entry(student, outcome=Outcome(status, remark)))
        return absent


def _describe(author):
    """Return the place of an author and what the platform says, which no other has."""
    return f"{author.submission.origin} {author.student.text}".strip()


def _seal(submission, author, text):
    """Return the text of a student with a seal for this author.

    Where the platform does not name the author, the seal holds for the file's content.

    submission: the submission's id in the row, which a spreadsheet may have changed.
    """
    parts = [undamaged(submission), _describe(author), text]
    if author.student == Student():
        parts.append(author.submission.key(""))
    digest = hashlib.sha256(repr(parts).encode()).hexdigest()
    return f"{text} [{digest[:8]}]"


def _agree(student, author):
    """Tell whether nothing in the download contradicts a student of the class list.

    Two sids may differ by zeros that a spreadsheet removes, if another identifier is equal.
    """
    listed = student.identifiers
    for kind, text in author.identifiers.items():
        known = listed.get(kind, text)
        if known != text and not (kind == "sid" and undamaged(known) == undamaged(text)):
            return False
    return names_agree(student.name, author.name)


def _words_in(text):
    """Return the folded words of a text, the whole text, and the words joined."""
    words = words_of(text)
    found = {word for word in words if not word.isdecimal() or len(word) >= MIN_DIGITS}
    found |= {"".join(words), fold(text)}
    return found - {""}
