"""Match submissions to students of the class list: certainly, as a proposal, or not at all.

A match is certain if an identifier of the platform is in the class list and the name does
not contradict it, or if a TA has confirmed it in people.csv. The identifiers are the sid
and the e-mail address in Gradescope's export, and the numbers of Canvas and Moodle. An
identifier that a download has twice does not count, whether for two authors or for two
submissions of one author. All other evidence, such as names of files, makes a proposal. The
submission is then graded and listed, but gives points to no student.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from autograder.course.roster import Roster
from autograder.course.students import (
    Course,
    Match,
    Owner,
    Student,
    drop_shared,
    find_owners,
    fold,
    fold_sid,
    rotate_words,
    words_of,
)
from autograder.ground.files import replace_file
from autograder.ground.tables import read_records, table_text
from gametree.support.errors import InputError

PEOPLE = "people.csv"  # proposed by the kit, confirmed by hand
MIN_DIGITS = 5  # of a number among other words that may be a sid
PROPOSED = "?"  # starts a cell of people.csv that is not confirmed
COLUMNS = ("submission", "student", "name", "evidence", "file")  # of people.csv
People = Mapping[str, Mapping[str, str]]  # submission's id -> confirmed row of people.csv


def match_course(course: Course, roster: Roster | None, confirmed: People) -> Course:
    """Return the course with the students of the class list, including absent students.

    confirmed: the rows that read_people() returns. A row for a group has no effect, because
        the platform knows the students.

    Raises InputError if a confirmed sid is not in the class list, or if several submissions
    are certainly of one student.
    """
    owners = list(dict.fromkeys(course.owners))
    separated, shared = drop_shared(owners)
    author_of = dict(zip(owners, separated))
    index = Index(roster.students if roster else ())
    alone = {found.id for found in course.submissions if len(found.matches) == 1}
    by_hand = {id: row["student"] for id, row in confirmed.items() if id in alone}
    submissions = []
    present = set()
    for submission in course.submissions:
        matches = []
        for match in submission.matches:
            author = author_of[Owner(match.student, submission.id)]
            if submission.id in by_hand:
                match = index.match_by_hand(by_hand[submission.id], author)
            elif roster:
                match = index.match(author, submission)
            else:
                evidence = " and ".join(kind for kind, _ in author.identifiers)
                match = Match(author, bool(evidence), evidence)
            matches.append(match)
            if match.is_certain:
                present.update(match.candidates)
        submissions.append(replace(submission, matches=tuple(matches)))
    _refuse_several_submissions(submissions)
    absent = [student for student in index.students if student not in present]
    remarks = [*course.remarks, *shared]
    for id in sorted(confirmed.keys() - alone):
        remarks.append(f"{PEOPLE}: {id} is not a submission of one student")
    return Course(tuple(submissions), tuple(remarks), tuple(absent))


def _refuse_several_submissions(submissions):
    """Raise InputError if several submissions are certainly of one student."""
    first_of = {}  # key of a student -> id of a submission
    for submission in submissions:
        for match in submission.matches:
            if match.is_certain:
                key = match.candidates or match.student.identifiers[0]
                first = first_of.setdefault(key, submission.id)
                if first != submission.id:
                    raise InputError(
                        f"{match.student.label} has two submissions, {first} and "
                        f"{submission.id}; write ? before one sid in {PEOPLE}, or "
                        "correct the class list"
                    )


class Index:
    """The students of a class list, to be found by identifiers and words."""

    def __init__(self, students: Sequence[Student]):
        self.students = students
        self._owners = [Owner(student, "") for student in students]
        self._by_identifier = {}  # (kind, folded text) -> student
        self._by_word = defaultdict(set)  # folded word -> students
        for owner in self._owners:
            student = owner.student
            self._by_identifier.update(dict.fromkeys(student.identifiers, student))
            for word in set().union(*owner.names, words_of(student.name)):
                self._by_word[word].add(student)

    def match_by_hand(self, sid, author) -> Match:
        """Return the Match for a sid in people.csv. Raises InputError if it is unknown."""
        if not self.students:
            return Match(replace(author, sid=sid), True, PEOPLE)
        found = find_owners(sid, self._owners, f"{PEOPLE}: ")
        if len(found) != 1:
            raise InputError(
                f"{PEOPLE}: {sid} is not the sid of one student of the class list"
            )
        student = found[0].student
        return Match(student, True, PEOPLE, (student,))

    def match(self, author, submission) -> Match:
        """Return the Match of an author. The sid in a download counts, if it has one."""
        evidence_of = defaultdict(set)  # student -> kinds of identifiers, and then words
        for kind, text in author.identifiers:
            student = self._by_identifier.get((kind, text))
            if student:
                evidence_of[student].add(kind)
        if len(evidence_of) == 1:
            [(student, kinds)] = evidence_of.items()
            if names_agree(student.name, author.name):
                known = replace(student, sid=author.sid or student.sid)
                return Match(known, True, " and ".join(sorted(kinds)), (student,))
        for word in _words_in(author.name or submission.id):
            for student in self._by_word.get(word, ()):
                evidence_of[student].add(word)
        return self._propose(author, submission, evidence_of)

    def _propose(self, author, submission, evidence_of):
        """Return the Match for evidence that is not certain, student -> words.

        The candidates are students of whom some evidence fits no better candidate. So they
        are several if two pieces of evidence disagree.
        """
        candidates = []
        for student in self.students:
            evidence = evidence_of.get(student)
            if evidence and not any(evidence < other for other in evidence_of.values()):
                candidates.append(student)
        if not candidates:
            return Match(author, why="no match in the class list")
        evidence = "; ".join(
            f"{student.label}: {' '.join(sorted(evidence_of[student]))}"
            for student in candidates
        )
        if author.name:
            evidence += f"; the download has the name {author.name}"
        advice = f"confirm it in {PEOPLE}"
        if len(submission.matches) > 1:  # the platform knows the students of a group
            advice = "correct the group on the platform, or the class list"
        why = f"a proposal ({evidence}); {advice}"
        return Match(author, False, evidence, tuple(candidates), why)


def _words_in(text):
    """Return the folded words of a text, the whole text, and the words joined."""
    words = words_of(text)
    found = {word for word in words if not word.isdecimal() or len(word) >= MIN_DIGITS}
    found |= {"".join(words), fold(text)}
    found |= {fold_sid(word) for word in found}
    return found - {""}


def names_agree(name: str, other: str) -> bool:
    """Tell whether a name in the class list may belong to the author of a submission.

    A list may omit all names. Otherwise one name has all words of the other, or they are
    equal when their words are joined.
    """
    words = set(words_of(name))
    others = set(words_of(other))
    if not words or not others:
        return not words
    if words <= others or others <= words:
        return True
    return not rotate_words(name).isdisjoint(rotate_words(other))


# ---- people.csv


def read_people(folder: Path, course: Course) -> People:
    """Return submission's id -> row for the confirmed rows of people.csv.

    Raises InputError for two students of a submission.
    """
    ids = [submission.id for submission in course.submissions]
    confirmed = {}
    for where, cells in read_records(folder / PEOPLE, COLUMNS):
        id, sid, *others = cells
        if not sid or sid.startswith(PROPOSED):
            continue
        found = [known for known in ids if fold_sid(known) == fold_sid(id)]
        if id not in ids and len(found) == 1:  # a spreadsheet has removed leading zeros
            [id] = found
        row = dict(zip(COLUMNS, (id, sid, *others)))
        first = confirmed.setdefault(id, row)["student"]
        if first != sid:
            raise InputError(f"{where}: {id} has the student {first} above; write one")
    return confirmed


def write_people(folder: Path, course: Course, confirmed: People) -> int:
    """Write people.csv: the confirmed rows, and a row for each other uncertain match.

    Returns the number of proposals.
    """
    rows = list(confirmed.values())
    proposals = 0
    for submission in course.submissions:
        match = submission.matches[0]
        is_group = len(submission.matches) > 1
        if match.is_certain or is_group:
            continue
        cell = ""
        if match.candidates:
            proposals += 1
            cell = PROPOSED
        if len(match.candidates) == 1:
            cell += match.candidates[0].handle
        labels = " or ".join(candidate.label for candidate in match.candidates)
        cells = submission.id, cell, labels, match.evidence, submission.files[0]
        rows.append(dict(zip(COLUMNS, cells)))
    if rows:
        replace_file(folder / PEOPLE, table_text(rows))
    return proposals
