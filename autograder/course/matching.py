"""Match submissions to students of the class list: certainly, as a proposal, or not at all.

A match is certain if an identifier of the platform is in the class list and the name does
not contradict it, or if a TA has confirmed it in people.csv. The identifiers are the sid
and the e-mail address in Gradescope's export, and the numbers of Canvas and Moodle. An
identifier that several authors of a download have needs a name in the class list. All other
evidence, such as names of files, makes a proposal. The submission is then graded and
listed, but gives points to no student.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from autograder.course.folder import PEOPLE
from autograder.course.roster import Roster
from autograder.course.students import (
    IDENTIFIERS,
    Course,
    Match,
    Owner,
    Student,
    find_owners,
    fold,
    fold_sid,
    rotate_words,
    words_of,
)
from autograder.ground.files import replace_file
from autograder.ground.tables import read_handwritten, table_text
from gametree.support.errors import InputError

MIN_DIGITS = 5  # of a number among other words that may be a sid
ADDRESS = re.compile(r"[^\s<>()\[\],;_]+@[^\s<>()\[\],;_]+")
GROUP_ADVICE = "correct the group on the platform, or the class list"
PROPOSED = "?"  # starts a cell of people.csv that is not confirmed
COLUMNS = ("submission", "student", "name", "evidence", "file")  # of people.csv


def match_course(
    course: Course, roster: Roster | None, confirmed: Mapping[str, str]
) -> Course:
    """Return the course with the students of the class list, including absent students.

    confirmed: submission's id -> sid, as read_people() returns it.
    Raises InputError if a confirmed sid is not in the class list.
    """
    all_matches = [match for found in course.submissions for match in found.matches]
    everybody = dict.fromkeys(match.student for match in all_matches)
    index = Index(roster.students if roster else (), everybody)
    submissions = []
    present = set()
    for submission in course.submissions:
        authors = [match.student for match in submission.matches]
        # The students of a group are known to the platform, so people.csv has no row.
        advice = f"confirm it in {PEOPLE}" if len(authors) == 1 else GROUP_ADVICE
        if submission.id in confirmed:
            matches = [index.match_by_hand(confirmed[submission.id], *authors)]
        elif roster is None:
            matches = [index.match_unlisted(author, advice) for author in authors]
        else:
            matches = [index.match(each, submission.stem, advice) for each in authors]
        for match in matches:
            if match.is_certain:
                present.update(match.candidates)
        submissions.append(replace(submission, matches=tuple(matches)))
    absent = [student for student in index.students if student not in present]
    return replace(course, submissions=tuple(submissions), absent=tuple(absent))


class Index:
    """The students of a class list, to be found by identifiers and words.

    students: the students of the class list.
    authors: the authors of all submissions, as the download describes them.
    """

    def __init__(self, students: Sequence[Student], authors: Iterable[Student]):
        self.students = students
        self._students = _group_by_identifier(students)
        self._authors = _group_by_identifier(authors)
        self._by_word = defaultdict(set)  # folded word -> students
        for student in students:
            names = Owner(student, "").names
            for word in set().union(*names, words_of(student.name)):
                self._by_word[word].add(student)

    def _sharing(self, identifiers):
        """Return the authors in the download that share one of these, or none."""
        groups = [self._authors[identifier] for identifier in identifiers]
        largest = max(groups, key=len, default=())
        return largest if len(largest) > 1 else ()

    def match_unlisted(self, author: Student, advice: str) -> Match:
        """Return the Match of an author of a class without a class list."""
        identifiers = _identifiers_of(author)
        sharing = self._sharing(identifiers[:1])  # the most reliable
        if sharing:
            labels = " and ".join(student.label for student in sharing)
            why = f"{labels} share an identifier; {advice}"
            return Match(author, candidates=tuple(sharing), why=why)
        evidence = " and ".join(kind for kind, _ in identifiers)
        return Match(author, bool(evidence), evidence)

    def match_by_hand(self, sid: str, author: Student) -> Match:
        """Return the Match for a sid in people.csv. Raises InputError if it is unknown."""
        if not self.students:
            return Match(replace(author, sid=sid), True, PEOPLE)
        owners = [Owner(student, "") for student in self.students]
        found = find_owners(sid, owners, f"{PEOPLE}: ")
        if len(found) != 1:
            raise InputError(
                f"{PEOPLE}: {sid} is not the sid of one student of the class list"
            )
        student = found[0].student
        return Match(student, True, PEOPLE, (student,))

    def match(self, author: Student, stem: str, advice: str) -> Match:
        """Return the Match of an author.

        stem: the name of the file, without a suffix.
        advice: what a TA can do about a proposal.
        """
        found = {}  # kind of identifier -> students
        for kind, identifier in _identifiers_of(author):
            if students := self._students.get((kind, identifier)):
                found[kind] = students
        identified = set().union(*found.values())
        if len(identified) == 1:
            [student] = identified
            sharing = self._sharing(_identifiers_of(author))
            if names_agree(student.name, author.name) and (student.name or not sharing):
                own = replace(author, sid="") if sharing else author
                return _certain(student, own, " and ".join(found))
        return self._propose(author, stem, advice, found)

    def _propose(self, author, stem, advice, found):
        """Return the Match for evidence that is not certain.

        The candidates are students of whom some evidence fits no better candidate. So they
        are several if two pieces of evidence disagree.
        """
        evidence_of = defaultdict(set)  # student -> evidence
        for kind, students in found.items():
            for student in students:
                evidence_of[student].add(kind)
        for word in _words_in(author.name or stem):
            for student in self._by_word.get(word, ()):
                evidence_of[student].add(word)
        candidates = []
        for student in self.students:
            evidence = evidence_of.get(student)
            if evidence and not any(evidence < other for other in evidence_of.values()):
                candidates.append(student)
        if not candidates:
            return Match(author, why="not in the class list")
        evidence = "; ".join(
            f"{student.label}: {' '.join(sorted(evidence_of[student]))}"
            for student in candidates
        )
        if found:
            evidence += f"; the download has the name {author.name}"
        why = f"a proposal ({evidence}); {advice}"
        return Match(author, False, evidence, tuple(candidates), why)


def _group_by_identifier(students):
    """Return (kind, folded identifier) -> students."""
    groups = defaultdict(list)
    for student in students:
        for identifier in _identifiers_of(student):
            groups[identifier].append(student)
    return groups


def _identifiers_of(student):
    """Return the kind and the folded text of each known identifier of a student."""
    folded = {kind: fold(getattr(student, kind)) for kind in IDENTIFIERS}
    folded["sid"] = fold_sid(student.sid)
    return [(kind, text) for kind, text in folded.items() if text]


def _words_in(text):
    """Return the folded words, addresses and the joined words of a text."""
    words = words_of(text)
    found = {word for word in words if not word.isdecimal() or len(word) >= MIN_DIGITS}
    found |= {"".join(words), fold(text), *map(fold, ADDRESS.findall(text))}
    found |= {fold_sid(word) for word in found}
    return found - {""}


def _certain(student, author, evidence):
    """Return the Match of a listed student; the platform's own sid and section count."""
    if author.sid and student.sid and fold_sid(author.sid) != fold_sid(student.sid):
        evidence += f"; the class list has the sid {student.sid}"
    known = student.updated(Student(sid=author.sid, section=author.section))
    return Match(known, True, evidence, (student,))


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


def read_people(folder: Path, course: Course) -> tuple[dict[str, str], list[dict]]:
    """Return submission's id -> sid of the confirmed rows of people.csv, and other rows.

    The other rows are confirmed too, but this course does not have the submission, or it is
    of a group, whose students the platform knows. Raises InputError for two students of a
    submission.
    """
    ids = [found.id for found in course.submissions if len(found.matches) == 1]
    confirmed = {}
    others = []
    for where, cells in read_handwritten(folder / PEOPLE, COLUMNS):
        name, sid, *_ = cells
        found = [name]
        if name not in ids:  # a spreadsheet may have removed leading zeros
            found = [id for id in ids if fold_sid(id) == fold_sid(name)]
        is_confirmed = sid and not sid.startswith(PROPOSED)
        if is_confirmed and len(found) != 1:
            others.append(dict(zip(COLUMNS, cells)))
        elif is_confirmed:
            first = confirmed.setdefault(found[0], sid)
            if first != sid:
                raise InputError(
                    f"{where}: {name} has the student {first} above; write one"
                )
    return confirmed, others


def write_people(
    folder: Path, course: Course, confirmed: Mapping[str, str], others: list[dict]
) -> int:
    """Write people.csv with a row for each submission without a certain match.

    Confirmed rows and `others`, the rows of other submissions, remain. Returns the number
    of proposals.
    """
    rows = []
    for submission in course.submissions:
        match = submission.matches[0]
        cell = confirmed.get(submission.id, "")
        if not cell and (match.is_certain or len(submission.matches) > 1):
            continue
        if not cell and match.candidates:
            cell = PROPOSED
            if len(match.candidates) == 1:
                cell += match.candidates[0].handle
        labels = [candidate.label for candidate in match.candidates]
        row = {
            "submission": submission.id,
            "student": cell,
            "name": " or ".join(labels),
            "evidence": match.evidence,
            "file": submission.files[0],
        }
        rows.append(row)
    if rows or others:
        replace_file(folder / PEOPLE, table_text(COLUMNS, rows + others))
    return sum(row["student"].startswith(PROPOSED) for row in rows)
