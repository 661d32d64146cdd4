"""Match submissions to students of the class list: certainly, as a proposal, or not at all.

A match is certain if an identifier of the platform is exactly in the class list and nothing
contradicts it: no other identifier, no name, and no other submission with evidence for the
same student. It is also certain if a TA has confirmed it in people.csv. The identifiers are
the sid and the e-mail address in Gradescope's export, and the numbers of other platforms.
All other evidence, such as names of files, makes a proposal. The submission is then graded
and listed, but gives points to no student.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograder.course.byhand import (
    OVERRIDES,
    PEOPLE,
    PROPOSED,
    Confirmation,
    mark_of,
    plain_words,
    seal,
)
from autograder.course.entries import Entry, Finder
from autograder.course.outcome import Outcome, Status
from autograder.course.roster import Roster
from autograder.course.students import (
    Download,
    Student,
    Submission,
    drop_shared,
    fold,
    names_agree,
    read_id,
    undamaged,
    words_of,
)
from gametree.support.errors import InputError

MIN_DIGITS = 5  # of a number among other words that may be a sid
DAMAGED = "a similar sid"  # up to zeros that a spreadsheet removes


@dataclass(frozen=True, eq=False)
class Author:
    """An author of a submission.

    submission: the submission.
    student: what the download says, without identifiers that two authors share.
    mark: what a confirmation of this author holds for.
    """

    submission: Submission
    student: Student
    mark: str


@dataclass(frozen=True)
class Matching:
    """A class after matching.

    entries: an Entry for each author of each submission, and then for each absent student.
    people: the rows of people.csv for the next run.
    remarks: lines for the TA.
    """

    entries: list[Entry]
    people: list[Confirmation]
    remarks: list[str]


def match_class(
    download: Download, roster: Roster | None, rows: Sequence[Confirmation]
) -> Matching:
    """Match the authors of a download to the students of the class list.

    rows: the confirmed rows of people.csv. A row that contradicts itself, the download or
        another row is not applied, and a remark says so.
    """
    authors, shared = _authors_of(download)
    matcher = Matcher(authors, roster)
    kept, refused = matcher.confirm(rows)
    entries = [matcher.match(author) for author in authors]
    people = [*kept]
    for author, entry in zip(authors, entries):
        if author in matcher.confirmed or not entry.is_certain:
            people.append(matcher.row_of(author, entry))
    entries += matcher.absent(entries)
    return Matching(entries, people, [*download.remarks, *shared, *refused])


def _authors_of(download):
    """Return an Author for each author of each submission, and remarks."""
    pairs = []
    for submission in download.submissions:
        pairs += [(submission, student) for student in submission.authors]
    labels = [f"{student.label} ({submission.id})" for submission, student in pairs]
    separated, remarks = drop_shared([student for _, student in pairs], labels)
    authors = []
    for (submission, student), own in zip(pairs, separated):
        authors.append(Author(submission, own, mark_of(submission, student)))
    return authors, remarks


class Matcher:
    """Matches authors to the students of a class list, or to none without a list.

    confirmed: author -> the student whom a person has confirmed.
    """

    def __init__(self, authors: Sequence[Author], roster: Roster | None):
        self.confirmed = {}
        self._authors = authors
        self._roster = roster
        self._taken = set()  # students whom a person has confirmed
        self._students = roster.students if roster else ()
        self._finder = Finder(map(Entry, self._students))
        self._refused = {}  # author -> a row that is not applied
        self._by_identifier = {}  # (kind, text) -> student
        for student in self._students:
            self._by_identifier.update(dict.fromkeys(student.identifiers.items(), student))
        self._holder_of = {read_id(author.student.sid): author for author in authors}
        self._claims = defaultdict(list)  # student -> authors with an identifier of theirs
        for author in authors:
            for student in self._identified(author):
                self._claims[student].append(author)

    def _identified(self, author):
        """Return student -> the kinds of identifiers that the author has exactly.

        If there is none: the students with a sid that a spreadsheet may have changed.
        """
        kinds_of = defaultdict(set)
        for kind, text in author.student.identifiers.items():
            student = self._by_identifier.get((kind, text))
            if student:
                kinds_of[student].add(kind)
        if not kinds_of and author.student.sid:
            for entry in self._finder.near(author.student.sid):
                kinds_of[entry.student].add(DAMAGED)
        return kinds_of

    # ---- people.csv

    def confirm(self, rows: Sequence[Confirmation]) -> tuple[list[Confirmation], list[str]]:
        """Confirm authors by rows of people.csv.

        Returns the rows of submissions that are not in this download, and a remark for each
        row that is not applied.
        """
        gone = []
        remarks = []
        claims = []
        for row in rows:
            author = self._author_of(row)
            if author is None:
                gone.append(row)
                file = row.file or row.submission
                remarks.append(f"{row.where}: {file} is not in this download")
                continue
            try:
                claims.append((row, author, self._student_of(row, author)))
            except InputError as problem:
                self._refused[author] = row
                remarks.append(f"{row.where}: {problem}")
        counts = Counter()
        for _, author, student in claims:
            counts.update([author, student])
        for row, author, student in claims:
            if counts[author] == counts[student] == 1:
                self.confirmed[author] = student
                continue
            self._refused[author] = row
            both = f"{author.submission.id} or {student.label}"
            remarks.append(f"{row.where}: another row has {both} too; keep one")
        self._taken = set(self.confirmed.values())
        return gone, remarks

    def _author_of(self, row):
        """Return the author whom a row names, or None.

        The file counts. The id of a submission may belong to another file in this download.
        """
        named = []
        for author in self._authors:
            submission = author.submission
            place = submission.origin if row.file else submission.id
            if place == (row.file or row.submission):
                named.append(author)
        marked = [author for author in named if row.mark.startswith(author.mark)]
        found = marked or named
        return found[0] if len(found) == 1 else None

    def _student_of(self, row, author):
        """Return the student whom a row confirms. Raises InputError if it contradicts."""
        _check_is_about(row, author)
        student = self._listed(row, author)
        known = self._identified(author)
        exact = [student for student, kinds in known.items() if DAMAGED not in kinds]
        if exact and student not in exact:
            labels = " or ".join(student.label for student in exact)
            raise InputError(
                f"{author.submission.id} is by {labels} and not by {student.label} in the "
                f"download; delete the row, or give points in {OVERRIDES}"
            )
        number = author.student.number
        if number and student.number not in ("", number):
            raise InputError(f"{author.submission.id} is not by {student.number}")
        is_shown = row.name or (row.mark and self._roster)
        if is_shown and not _is_named(student, row.name):
            label = student.label
            other = f", and the name in the row is {row.name}" if row.name else ""
            raise InputError(f"{row.student} is {label}{other}; confirm it again")
        return student

    def _listed(self, row, author):
        """Return the student of the class list in a row. Raises InputError.

        Without a class list it is the author with this sid, which no other author may have.
        """
        if not self._roster:
            holder = self._holder_of.get(read_id(row.student), author)
            if holder is not author or author.student.sid not in ("", row.student):
                sid = author.student.sid or f"of {holder.submission.id}"
                raise InputError(f"the download has the sid {sid} and not {row.student}")
            return replace(author.student, sid=row.student)
        found = self._finder.find(row.student)
        near = []
        if not found:  # a spreadsheet may have removed zeros, and the row has the name
            near = self._finder.near(row.student)
            found = [entry for entry in near if _is_named(entry.student, row.name)]
        if len(found) != 1 or len(near) > 1:
            hint = self._finder.suggest(row.student)
            raise InputError(f"{row.student} is not in the class list{hint}")
        return found[0].student

    # ---- matches

    def match(self, author: Author) -> Entry:
        """Return the Entry of an author."""
        known = author.student
        submission = author.submission
        if author in self.confirmed:
            return Entry(self.confirmed[author], submission, evidence=PEOPLE)
        if not self._roster:
            kinds = " and ".join(known.identifiers)
            return Entry(known, submission, bool(kinds), kinds)
        identified = self._identified(author)
        if len(identified) == 1:
            [(student, kinds)] = identified.items()
            is_claimed = len(self._claims[student]) > 1 or student in self._taken
            if not is_claimed and _agree(student, known) and DAMAGED not in kinds:
                return Entry(student, submission, evidence=" and ".join(sorted(kinds)))
        return self._propose(author)

    def _evidence_of(self, author):
        """Return student -> kinds of identifiers and words that fit an author."""
        evidence_of = self._identified(author)
        row = self._refused.get(author)
        if row and self._roster:
            named = self._finder.find_all(row.student)
            if named and not evidence_of:
                return {entry.student: {PEOPLE} for entry in named}
            for entry in named:
                evidence_of[entry.student].add(PEOPLE)
        known = author.student
        if not known.name:
            login = self._login_at_the_end(author.submission.id)
            if login:
                evidence_of[self._by_identifier["login", login]].add(f"login {login}")
                return evidence_of
        for word in _words_in(known.name or author.submission.id):
            for entry in self._finder.by_word[word]:
                evidence_of[entry.student].add(word)
        return evidence_of

    def _login_at_the_end(self, id):
        """Return the longest login that ends an id, as in hw1-LOGIN of GitHub, or ""."""
        parts = read_id(id).split("-")
        for start in range(1, len(parts)):
            login = "-".join(parts[start:])
            if ("login", login) in self._by_identifier:
                return login
        return ""

    def _propose(self, author):
        """Return the Entry for evidence that is not certain, student -> words.

        The candidates are students of whom some evidence fits no better candidate. So they
        are several if two pieces of evidence disagree.
        """
        evidence_of = self._evidence_of(author)
        candidates = []
        for student in self._students:
            evidence = evidence_of.get(student)
            if evidence and not any(evidence < other for other in evidence_of.values()):
                candidates.append(student)
        known = author.student
        if not candidates:
            why = "no match in the class list"
            return Entry(known, author.submission, False, match_remark=why)
        lines = []
        for student in candidates:
            lines.append(f"{student.label}: {' '.join(sorted(evidence_of[student]))}")
            for other in self._authors:
                is_rival = other in self._claims[student]
                is_rival |= self.confirmed.get(other) == student
                if is_rival and other is not author:
                    lines.append(f"{other.submission.id} may be by the same student")
        said = " ".join([known.name, *known.identifiers.values()]).strip()
        if said:
            lines.append(f"the download says {said}")
        evidence = "; ".join(lines)
        in_rows_of_students = {}
        for kind, text in known.identifiers.items():
            if (kind, text) in self._by_identifier:
                in_rows_of_students[kind] = ""
        return Entry(
            replace(known, **in_rows_of_students),
            author.submission,
            is_certain=False,
            evidence=evidence,
            candidates=tuple(candidates),
            match_remark=f"a proposal ({evidence}); confirm it in {PEOPLE}",
        )

    def absent(self, entries: Sequence[Entry]) -> list[Entry]:
        """Return an Entry for each student of the class list without a certain one."""
        present = {entry.student for entry in entries if entry.is_certain}
        proposed_for = defaultdict(list)  # student -> ids of submissions
        for entry in entries:
            for student in entry.candidates:
                proposed_for[student].append(entry.submission.id)
        absent = []
        for student in self._students:
            if student in present:
                continue
            remark = ""
            status = Status.NO_SUBMISSION
            if student in proposed_for:
                proposals = " or ".join(proposed_for[student])
                status = Status.TO_CONFIRM
                remark = f"perhaps {proposals}; confirm it in {PEOPLE}"
            outcome = Outcome("", status=status)
            absent.append(Entry(student, match_remark=remark, outcome=outcome))
        return absent

    def row_of(self, author: Author, entry: Entry) -> Confirmation:
        """Return the row of people.csv for an author: confirmed, or a proposal."""
        refused = self._refused.get(author)
        if entry.is_certain:
            written = self._handle_of(entry.student)
            label = entry.student.label
        else:
            label = " or ".join(student.label for student in entry.candidates)
            written = ""
            if len(entry.candidates) == 1:
                written = PROPOSED + self._handle_of(entry.candidates[0])
            elif entry.candidates or refused:
                written = PROPOSED
            if refused and not entry.candidates:
                written += refused.student
        submission = author.submission
        return Confirmation(
            PEOPLE,
            submission.id,
            written,
            label,
            entry.evidence,
            submission.origin,
            seal(author.mark, label),
        )

    def _handle_of(self, student):
        """Return the best name that finds this student alone, for people.csv."""
        if not self._roster:
            return student.sid
        for name in (student.sid, student.email, student.login, student.name):
            if name and len(self._finder.find_all(name) + self._finder.near(name)) == 1:
                return name
        return ""


def _check_is_about(row, author):
    """Raise InputError unless the cells of a row are all about this author."""
    id = author.submission.id
    if row.mark and not row.mark.startswith(author.mark):
        raise InputError(f"{id} has changed; confirm it again")
    if row.mark and row.name and row.mark != seal(author.mark, row.name):
        raise InputError(f"{id} had another proposal than {row.name}; confirm it again")
    if row.file and undamaged(row.submission) != undamaged(id):
        raise InputError(f"{row.submission} is not {row.file}; confirm it again")


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


def _is_named(student, label):
    """Tell whether a cell shows a student's label, as a spreadsheet may have left it."""
    return plain_words(student.label) == plain_words(label)


def _words_in(text):
    """Return the folded words of a text, the whole text, and the words joined."""
    words = words_of(text)
    found = {word for word in words if not word.isdecimal() or len(word) >= MIN_DIGITS}
    found |= {"".join(words), fold(text)}
    return found - {""}
