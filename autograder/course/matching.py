"""Match submissions to students of the class list: certainly, as a guess, or not at all.

Only complete evidence is certain. The strongest evidence is people.csv, which a TA writes.
Next is a number or login of the platform, a sid or an e-mail address in the list. Last is a
complete name that fits one student and no field of another student. All other evidence is a
guess. A guessed submission is graded and listed, but gives points to no student.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from autograder.course.people import (
    GITHUB,
    IDENTIFIERS,
    Course,
    Owner,
    Student,
    find_owners,
    fold,
    rotate_words,
    words_of,
)
from autograder.course.tables import PEOPLE, read_handwritten
from gametree.support.errors import InputError

MIN_SID = 5  # characters of a sid that is recognized among other words
NAME = "name"  # evidence, and a kind of text by which a Roster finds students
WORD = "word"
OWN_WORDS = ("search", "py")  # words of file names that are not names of students
ADDRESS = re.compile(r"[^\s<>()\[\],;]+@[^\s<>()\[\],;]+")


class Match(NamedTuple):
    """The result of matching a submission's names to a student.

    evidence: a description of the evidence that identifies the student.
    candidates: the possible students.
    certain: the student of the class list; None for a guess or without a match.
    """

    evidence: str
    candidates: Collection[Student] = ()
    certain: Student | None = None


def match_course(
    course: Course, roster: Iterable[Student] | None, people: Mapping[str, str]
) -> Course:
    """Return the course with the students of the class list, including absent students.

    roster: the class list. None selects GitHub Classroom's own list if there is one.
    people: submission's id -> sid, as read_people() returns it.
    """
    if roster is None and course.logins:
        roster = course.logins
    listed = Roster(roster or ())
    linked = {fold(student.login): student for student in course.logins if student.login}
    matches = {}  # Owner -> Match
    for owner in course.owners:
        student = owner.student
        if owner.id in people:
            match = listed.match_by_hand(people[owner.id])
        elif roster is None:
            match = Match("the platform" if student.key else "", certain=student)
        else:
            link = linked.get(fold(student.login), student)
            match = listed.match(replace(student, **_known_fields(link)), owner.files)
        matches[owner] = match
    _demote_namesakes(matches)
    submissions = []
    for submission in course.submissions:
        students = [_with_match(owner, matches[owner]) for owner in submission.owners]
        submissions.append(replace(submission, students=tuple(students)))
    present = {match.certain for match in matches.values()}
    absent = [student for student in listed.students if student not in present]
    return replace(course, submissions=tuple(submissions), absent=tuple(absent))


def _demote_namesakes(matches):
    """Demote matches by name to guesses if the student has another submission.

    The other submission may belong to a namesake outside the list.
    """
    counts = Counter(match.certain for match in matches.values())
    for owner, match in matches.items():
        count = counts[match.certain]
        if match.evidence == NAME and match.certain and count > 1:
            evidence = f"name, but {count} submissions have it"
            matches[owner] = Match(evidence, match.candidates)


def _with_match(owner, match):
    """Return the student of an Owner with the fields that the match adds."""
    student = replace(owner.student, evidence=match.evidence)
    if match.certain:
        return replace(student, **_known_fields(match.certain))
    if not match.candidates:
        return replace(student, unlisted="not in the roster")
    labels = sorted(candidate.label for candidate in match.candidates)
    why = f"a guess ({match.evidence}): {' or '.join(labels)}; write the sid into {PEOPLE}"
    return replace(student, unlisted=why, is_guess=True)


def _known_fields(student):
    """Return field -> value for the known fields of a student."""
    return {field: value for field, value in vars(student).items() if value}


# ---- people.csv


def read_people(folder: Path, course: Course) -> tuple[dict[str, str], list[str]]:
    """Return submission's id -> sid from people.csv, and lines about unknown files.

    The submissions of groups are omitted. Raises InputError for a row without a sid, or
    without a file or login, for an ambiguous name, and for a second sid of a submission.
    """
    alone = [found for found in course.submissions if len(found.students) == 1]
    owners = [owner for submission in alone for owner in submission.owners]
    sid_of = {}
    lines = []
    for where, (name, sid) in read_handwritten(folder / PEOPLE, ("file or login", "sid")):
        if not name or not sid:
            raise InputError(f"{where}: write a file or login, and a sid")
        found = _find_exactly(name, owners) or find_owners(name, owners, f"{where}: ")
        if not found:
            lines.append(f"{where}: {name}: not a file or login in this download")
        for owner in found:
            given = sid_of.setdefault(owner.id, sid)
            if given != sid:
                raise InputError(
                    f"{where}: {owner.id} has the sid {given} above; write one"
                )
    return sid_of, lines


def _find_exactly(name, owners):
    """Return the owners of a file, login or number, which only people.csv may use.

    `make explain` finds owners in the gradebook, which does not have these names.
    """
    return [owner for owner in owners if name in (*owner.files, *owner.student.accounts)]


# ---- the class list


class Roster:
    """A class list with an index for matching.

    students: the students in list order, without duplicates.
    """

    def __init__(self, students: Iterable[Student]):
        self.students = list({student.key: student for student in students}.values())
        self._owners = [Owner(student, "") for student in self.students]
        self._has_github = any(s.login.startswith(GITHUB) for s in self.students)
        self._index = defaultdict(set)  # (field, NAME or WORD; folded text) -> students
        for student in self.students:
            texts = [(field, fold(getattr(student, field))) for field in IDENTIFIERS]
            for name in rotate_words(student.name, " ") | rotate_words(student.name):
                texts.append((NAME, name))
            for word in _other_words(student):
                texts.append((WORD, word))
            for kind_and_text in texts:
                self._index[kind_and_text].add(student)

    def find(self, kind: str, texts: Iterable[str]) -> set[Student]:
        """Return the students with one of these texts.

        kind: an identifying field, NAME for a complete name, or WORD for a part of it.
        """
        students = set()
        for text in filter(None, map(fold, texts)):
            students |= self._index.get((kind, text), set())
        return students

    def _find_similar(self, words):
        """Return the students with one of these words in a name or an identifier."""
        return self.find(NAME, words) | self.find(WORD, words)

    def match_by_hand(self, sid: str) -> Match:
        """Return the Match for a sid of people.csv; raise InputError if it is unknown."""
        if not self.students:
            return Match(PEOPLE, certain=Student(sid=sid))
        owners = self._owners
        found = find_owners(sid, owners, f"{PEOPLE}: ") or _find_exactly(sid, owners)
        if len(found) != 1:
            raise InputError(
                f"{PEOPLE}: {sid} is not the sid of one student of the class list"
            )
        return Match(PEOPLE, certain=found[0].student)

    def match(self, student: Student, files: Sequence[str]) -> Match:
        """Return the Match for a student with these files or folders in a download."""
        found = {}  # student of the list -> field
        for field in IDENTIFIERS:
            for listed in self.find(field, [getattr(student, field)]):
                found.setdefault(listed, field)
        if found:
            return _match_by(next(iter(found.values())), found)
        if student.name:
            return self._match_name(student, words_of(student.name))
        identifier = student.number or student.login
        if identifier and (self._has_github or not identifier.startswith(GITHUB)):
            return _guess("login", self._find_similar(student.accounts))
        return self._match_text(files[0].rpartition("/")[2])

    def _match_text(self, text):
        """Return the Match for a file or folder name that a student chose."""
        stem = re.sub(r"\.(py|zip)$", "", text, flags=re.IGNORECASE)
        words = words_of(stem)
        addresses = ADDRESS.findall(stem) + ADDRESS.findall(stem.replace("_", " "))
        long_words = [word for word in words if len(word) >= MIN_SID]
        parts = [stem, *addresses, *long_words]
        found = self.find("sid", parts) | self.find("email", parts)
        similar = self._find_similar(words)
        named = {student for student in similar if _is_named(student, words)}
        if len(found) == 1 and (not named or named & found):
            return _match_by("sid or e-mail address", found)
        if found:
            return _guess("sid and name differ", found | named)
        return self._match_name(Student(), words)

    def _match_name(self, student, words):
        """Return the Match for the words of a complete or partial name."""
        name = [word for word in words if not word.isdecimal() and word not in OWN_WORDS]
        squeezed = ["".join(name)]
        fitting = self.find(NAME, [" ".join(name)]) or self.find(NAME, squeezed)
        similar = fitting | self.find(WORD, squeezed)
        if fitting and len(similar) == 1:
            differing = _differing_field(student, *fitting)
            if differing:
                return _guess(f"name, but another {differing}", fitting)
        if fitting:
            return _match_by(NAME, similar)
        for listed in self._find_similar(words):
            has_part = bool(name) and set(name) <= set(words_of(listed.name))
            is_named = has_part or _is_named(listed, words)
            has_sid = fold(listed.sid) in words
            if has_sid or (is_named and not _differing_field(student, listed)):
                similar.add(listed)
        return _guess("part of a name or login", similar)


def _match_by(evidence, students):
    """Return the Match for complete evidence, which is certain if it fits one student."""
    if len(students) == 1:
        return Match(evidence, students, *students)
    return _guess(f"{evidence} of several students", students)


def _guess(evidence, students):
    """Return the Match for incomplete evidence."""
    return Match(evidence if students else "", students)


def _other_words(student):
    """Return words of a student that conflict with the joined name of another student."""
    words = {*words_of(student.name), "".join(words_of(student.email.partition("@")[0]))}
    words.update(map(fold, (student.sid, student.email, *student.accounts)))
    return words - {""}


def _is_named(student, words):
    """Tell whether a student's complete name is among words, joined or separate."""
    name = set(words_of(student.name))
    is_squeezed = not rotate_words(student.name).isdisjoint(words)
    return len(name) > 1 and (is_squeezed or name <= set(words))


def _differing_field(student, listed):
    """Return the first identifying field in which two students differ, or ""."""
    for field in IDENTIFIERS:
        value = fold(getattr(student, field))
        other = fold(getattr(listed, field))
        is_same_kind = value.rpartition(" ")[0] == other.rpartition(" ")[0]
        is_same_kind = is_same_kind and ("@" in value) == ("@" in other)
        if value and other and is_same_kind and value != other:
            return field
    return ""
