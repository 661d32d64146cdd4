"""Who is in a course: students, class lists, and who is meant by a name.

There is one rule for whom a name means, in class lists, overrides.csv, ONLY= and `make
explain`: names_of() has what finds a student, Finder looks it up.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from autograder.command import Refused
from autograder.plaintext import decode, escape_formula, sanitize, unescape_formula

MAX_LISTED = 6
# Field of a Student -> columns of Gradescope's, Canvas's and Moodle's lists that hold it.
COLUMNS = {
    "name": ("name", "full name", "student", "student name"),
    "sid": ("sid", "sis user id", "student id", "id number"),
    "email": ("email", "email address", "sis login id"),
    "section": ("section", "sections", "group"),
    "number": ("id", "identifier"),
}
SURE = ("number", "sid", "email")  # what a student is known by, in any list
FIRST, LAST, ROLE = "first name", "last name", "role"
STUDENTS = ("", "student", "s")
NO_STUDENT = ("points possible", "student, test")


class CourseError(Refused):
    """A course that cannot be graded; str says in one line where and what to do."""


@dataclass(frozen=True)
class Student:
    """Who handed in: name, sid and email, each perhaps empty.

    `number` is the user's in Canvas, or "participant" and a number in Moodle. `unlisted`
    says why nobody in the class list is meant, where there is a list.
    """

    name: str = ""
    sid: str = ""
    email: str = ""
    section: str = ""
    number: str = ""
    unlisted: str = ""

    @property
    def key(self) -> str:
        """What tells this student from all others, or nothing."""
        return self.sid or self.email or self.number

    @property
    def who(self) -> str:
        """Name and sid in a line, or what else is known."""
        return " ".join(filter(None, (self.name, self.sid))) or self.email


Entry = tuple[Student, str]  # and the submission's id, or ""


def whose(student: Student, id: str) -> str:
    """Return whose submission it is, in a line: name, sid and id."""
    return f"{student.who} ({id})".strip()


# ---- names

LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe",
                         "ı": "i", "þ": "th"})  # fmt: skip
# Doe, Jane <jane@example.edu>, or with what a file's name may have in place of < and >.
OUTLOOK = re.compile(r"(.*?)[<(\[_]([^<>()\[\]\s]+@[^<>()\[\]\s_]+)[>)\]_]?\s*")


def plain(text: str) -> str:
    """Return a text as names are compared: without accents, case and outer blanks."""
    apart = unicodedata.normalize("NFKD", text.strip().casefold())
    letters = "".join(c for c in apart if not unicodedata.combining(c))
    return letters.translate(LETTERS)


def words_of(name: str) -> list[str]:
    """Return the words of a name, compared as plain() has them."""
    return re.findall(r"[^\W_]+", plain(name))


def turned(name: str) -> set[str]:
    """Return a name's letters, from each of its words on: Jane Doe is also doejane."""
    words = words_of(name)
    return {"".join(words[at:] + words[:at]) for at in range(len(words))}


def names_of(student: Student, id: str = "") -> tuple[set[str], ...]:
    """Return what finds a student, the surest first.

    A sid; an e-mail address or the submission's id; the user's number; Gradescope's number
    of the submission, a sid without its zeros, a login; the name.
    """
    sid, email, own, number = map(plain, (student.sid, student.email, id, student.number))
    likely = {own.removeprefix("submission_"), _without_zeros(sid), email.partition("@")[0]}
    return {sid}, {email, own}, {number}, likely, turned(student.name)


def _without_zeros(text):
    return text.strip().lstrip("0") if text.strip().isdecimal() else ""


class Finder:
    """Finds entries, (student, submission's id), by a name of any kind."""

    def __init__(self, entries: Iterable[Entry]):
        self._entries = list(entries)
        self._known = [{} for _ in names_of(Student())]  # name -> entries, the surest first
        for entry in self._entries:
            for known, names in zip(self._known, names_of(*entry)):
                for name in names - {""}:
                    known.setdefault(name, []).append(entry)

    def find(self, asked: str, partly: bool = False) -> list[Entry]:
        """Return whom `asked` names, by the surest kind of name that finds any.

        Where `partly`, a part of a name does where nothing else finds anybody.
        """
        outlook = OUTLOOK.fullmatch(asked)
        forms = [asked, outlook[2], outlook[1]] if outlook else [asked]
        for form in forms:
            own = {plain(form)}
            names = own, own, own, own | {_without_zeros(form)}, turned(form)
            for known, kind in zip(self._known, names):
                found = [one for name in sorted(kind) for one in known.get(name, ())]
                if found:
                    return list(dict.fromkeys(found))
        words = set(words_of(forms[-1]))
        if not partly or not words:
            return []
        return [one for one in self._entries if words <= {*words_of(one[0].name)}]

    def within(self, text: str) -> list[Entry]:
        """Return whom a text names by a sid or by a whole name among other words.

        Shorter sids and single names may mean anything there.
        """
        words = set(words_of(text))
        names = {e: {*words_of(e[0].name)} for e in self._entries}
        sids = {e: plain(e[0].sid) for e in self._entries}
        by_sid = {e: 0 for e, sid in sids.items() if len(sid) > 2 and sid in words}
        by_name = {e: 0 for e, name in names.items() if len(name) > 1 and name <= words}
        return [*(by_sid.keys() & by_name.keys() or {**by_sid, **by_name})]

    def meant(self, asked: str, where: str = "", partly: bool = False) -> list[Entry]:
        """Return what find() does, of one student or of one submission's group.

        `where` begins the line of the CourseError that is raised for several students.
        """
        found = self.find(asked, partly)
        several = {id or who for who, id in found}
        if len(several) > 1 and len({who for who, _ in found}) > 1:
            listed = ", ".join(whose(*entry) for entry in found[:MAX_LISTED])
            raise CourseError(
                f"{where}{asked}: {len(several)} have that name; write the sid: {listed}"
            )
        return found


# ---- tables


def table_of(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a CSV file with the mark that Excel needs; no field of it is a formula."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(map(escape_formula, row) for row in rows)
    return "\ufeff" + file.getvalue()


def read_table(path: Path, what: str = "") -> list[list[str]]:
    """Return the rows of a CSV file: by commas, or by semicolons as Excel in Europe has it.

    what: names the file in the error. Raises CourseError where it cannot be read.
    """
    try:
        text = decode(path.read_bytes())
        first = text.partition("\n")[0]
        delimiter = max(",;\t", key=first.count)
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        return [[unescape_formula(cell).strip() for cell in row] for row in rows]
    except (OSError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise CourseError(f"{what or path}: cannot be read: {reason}") from None


def read_roster(path: Path) -> list[Student]:
    """Return the Students of a class list, as Gradescope, Canvas or Moodle exports it.

    Raises CourseError with one line where it is none.
    """
    rows = read_table(path, f"ROSTER={path}")
    heads = [head.casefold() for head in rows[0]] if rows else []
    has_name = {FIRST, LAST} <= {*heads} or {*heads} & {*COLUMNS["name"]}
    if not has_name or not {*heads} & {*COLUMNS["sid"], *COLUMNS["email"]}:
        raise CourseError(
            f"ROSTER={path}: no class list: it needs a column of names and one of sids or "
            "e-mail addresses, as Gradescope's and Canvas's have them"
        )
    return list(filter(None, (_student(dict(zip(heads, row))) for row in rows[1:])))


def _student(row):
    """Return the Student of a row, None where it is of no student."""
    row = {head: " ".join(sanitize(text).split()) for head, text in row.items()}
    given = {
        field: next((row[head] for head in heads if row.get(head)), "")
        for field, heads in COLUMNS.items()
    }
    given["name"] = given["name"] or f"{row.get(FIRST, '')} {row.get(LAST, '')}".strip()
    given["number"] = given["number"].casefold()
    staff = row.get(ROLE, "").casefold() not in STUDENTS
    known = not staff and given["name"].casefold() not in NO_STUDENT
    return Student(**given) if known and any(given[field] for field in SURE) else None


class Roster:
    """A class list; `absent` are those of it who were not found so far."""

    def __init__(self, students: Iterable[Student]):
        self.absent = dict.fromkeys(students)
        self._finder = Finder((student, "") for student in self.absent)
        self._same = {(f, plain(getattr(s, f))): s for s in self.absent for f in SURE}

    def listed(self, student: Student, id: str) -> Student:
        """Return a student with what the list knows, or with why it knows nothing.

        Who has no name is looked for in the submission's id: the name of a file or folder.
        """
        own = {field: value for field, value in asdict(student).items() if value}
        name = student.name or ("" if student.key else id)
        found = {
            self._same.get((field, plain(own[field]))) for field in SURE if field in own
        }
        named = self._finder.find(name) or ([] if own else self._finder.within(name))
        found = found - {None} or {who for who, _ in named}
        if not found:
            return replace(student, unlisted="not in the roster")
        if len(found) > 1:
            why = f"{len(found)} in the roster are called {name}: which sid?"
            return replace(student, unlisted=why)
        [one] = found
        self.absent.pop(one, None)
        return replace(student, **{f: v for f, v in asdict(one).items() if v})
