"""Match many small classes of students who are easily confused, and count wrong matches.

    python -m bench.confusable --classes 50000 --seed 1

Each class has up to six students with similar names, identifiers and files. Its class list
and its download are damaged independently. A person confirms proposals in people.csv in a
spreadsheet, and a second download follows. The generator knows who wrote which file. So it
counts the certain matches that are wrong, and the students and authors who do not have
exactly one row. Some classes cannot be decided by any program, and are not generated: a
person never confirms a wrong student, no two programs are equal, students write wrong sids
only if the list has all addresses, and no sid loses its zeros in a list if it is then the
sid of a student whom the list does not have.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import zipfile
from collections import Counter
from pathlib import Path

from autograder.course.download import METADATA, read_download
from autograder.course.matching import (
    PEOPLE,
    PROPOSED,
    Matching,
    Row,
    match_class,
    read_people,
    write_people,
)
from autograder.course.roster import Roster, read_roster
from autograder.course.students import Student, Submission
from autograder.ground.tables import exact_text
from gametree.support.errors import InputError

FIRST = ("Wei", "Ann", "Lee", "Jo", "Joe", "Jörg", "Joerg", "Kim", "Ana María")
LAST = ("Zhang", "Lee", "Ann", "Kim", "Müller", "Mueller", "King", "King Moss")
SHORT_SIDS = ("123", "0123", "00123", "12", "012", "1230", "1.1", "1.10", "100123")
LONG_SIDS = ("00000123", "00001230", "00000012", "00012300", "00100123", "10012300")
LOGINS = ("kim", "lee", "ann", "kim2", "wz", "wz1", "ann-lee", "lee-ann", "kimann", "jo")
EMAILS = [f"{login}{end}" for login in LOGINS for end in ("@u.edu", "@v.edu", "1@u.edu")]
KINDS = ("Gradescope", "Canvas", "files")  # files: students choose their names
HEADINGS = ("Full name", "Section", "SID", "Email", "Login")
HEADINGS_OF_CANVAS = ("Student", "Section", "SIS User ID", "SIS Login ID", "ID")
ALIAS = "alias."  # begins an address that no class list has
ENDINGS = (".py", "/", ".txt", ".PY")


class Person:
    """A student in truth.

    number: the number on Canvas, and of the folder on Gradescope.
    file: the name of the file, or of the folder with a slash, that the student chose.
    version: the number of the student's uploads.
    """

    file = ""
    version = 0

    def __init__(
        self, sid: str, email: str, login: str, number: str, first: str, last: str
    ):
        self.sid = sid
        self.email = email
        self.login = login
        self.number = number
        self.first = first
        self.last = last

    @property
    def name(self):
        """The first and the last name."""
        return f"{self.first} {self.last}"

    @property
    def program(self):
        """The content of the current upload."""
        return f"x = {self.login!r}, {self.version}\n".encode()

    def is_same(self, student: Student) -> bool:
        """Tell whether a student is this person.

        Class lists have the login as the section, which the kit does not compare.
        """
        if student.section:
            return student.section == self.login
        email = student.email.removeprefix(ALIAS)
        number = student.number.removeprefix("Canvas ")
        ids = {student.sid, email, number} - {""}
        return bool(ids) and ids <= {self.sid, self.email, self.number}


class World:
    """A class in truth of up to six students who are easily confused.

    kind: one of KINDS.
    people: all students.
    has_list, has_addresses: whether there is a class list, and one with addresses.
    groups: the authors of each submission.
    """

    def __init__(self, chance: random.Random):
        self.chance = chance
        self.kind = chance.choice(KINDS)
        self.has_list = self.kind == "files" or chance.random() < 0.9
        self.has_addresses = self.has_list and chance.random() < 0.6
        self.people: list[Person] = []
        self.groups: list[list[Person]] = []
        size = chance.randint(2, 6)
        sids = chance.sample(chance.choice((SHORT_SIDS, LONG_SIDS)), size)
        emails = chance.sample(EMAILS, size)
        logins = chance.sample(LOGINS, size)
        numbers = chance.sample(range(1, 30), size)
        for sid, email, login, number in zip(sids, emails, logins, numbers):
            first = chance.choice(FIRST)
            last = chance.choice(LAST)
            self.people.append(Person(sid, email, login, str(number), first, last))

    def happens(self, probability: float) -> bool:
        """Return True with this probability."""
        return self.chance.random() < probability

    def authors_of(self, submission: Submission) -> list[Person]:
        """Return the authors of a submission, none for other files than programs."""
        for group in self.groups:
            if group[0].program == submission.source:
                return group
        return []


def name_variant(world, person):
    """Return a name as another office may write it."""
    other = world.chance.choice(FIRST)
    forms = [person.name] * 6
    forms += [f"{person.last}, {person.first}", f"{person.first} {other} {person.last}"]
    forms += [person.last, f"{other} {person.last}"]
    return world.chance.choice(forms)


def write_list(world, path):
    """Write a class list with some damage."""
    listed = [person for person in world.people if world.happens(0.85)]
    unlisted = {person.sid for person in world.people if person not in listed}
    loses_zeros = world.happens(0.5)
    rows = []
    for person in listed:
        sid = person.sid
        if world.happens(0.1):
            sid = world.chance.choice(("", "n/a", "1.2E+11"))
            unlisted.add(person.sid)
        elif loses_zeros and sid.lstrip("0") not in unlisted:
            sid = sid.lstrip("0")
        email = person.email if world.has_addresses else ""
        last = person.number if world.kind == "Canvas" else person.login
        row = (name_variant(world, person), person.login, sid, email, last)
        rows.append(row)
        if world.happens(0.1):
            rows.append(row)
    world.chance.shuffle(rows)
    headings = HEADINGS_OF_CANVAS if world.kind == "Canvas" else HEADINGS
    path.write_text(exact_text([headings, *rows]), encoding="utf-8")


# ---- the download


def let_submit(world):
    """Let some students submit again, others for the first time, and choose their files."""
    submitted = [person for group in world.groups for person in group]
    for person in world.chance.sample(world.people, len(world.people)):
        if person in submitted:
            person.version += world.happens(0.4)
        elif world.kind == "Gradescope" and world.groups and world.happens(0.15):
            world.chance.choice(world.groups).append(person)
        elif world.happens(0.7):
            world.groups.append([person])
    taken = {""}
    for person, *_ in world.groups:
        if world.happens(0.4):
            person.file = ""
        while person.file in taken:
            person.file = choose_name(world, person)
        taken.add(person.file)


def choose_name(world, person):
    """Return a name that a student may choose, which may name other students."""
    other = world.chance.choice(world.people)
    stems = [person.name, person.name.lower(), person.name.replace(" ", "")]
    stems += [person.sid, person.login, f"hw1-{person.login}", person.last]
    stems += [person.email, other.last, other.login, f"hw {other.sid}"]
    stems.append(f"hw_{other.number}_{person.sid}_search")  # like a name by Canvas
    return world.chance.choice(stems) + world.chance.choice(ENDINGS)


def write_download(world, path):
    """Write the zip of a platform or of files with names that students chose."""
    listed = ""
    with zipfile.ZipFile(path, "w") as archive:
        for person, *partners in world.groups:
            archive.writestr(file_name(world, person), person.program)
            listed += f"submission_{person.number}:\n  :submitters:\n"
            for member in (person, *partners):
                listed += submitter_text(world, member)
        if world.kind == "Gradescope":
            archive.writestr(METADATA, listed)


def file_name(world, person):
    """Return the name of a program in the download."""
    if world.kind == "Gradescope":
        return f"submission_{person.number}/search.py"
    if world.kind == "files":
        return person.file.replace("/", "/search.py")
    squeezed = "".join(filter(str.isalnum, f"{person.last}{person.first}".lower()))
    own = world.chance.choice(("search", "hw_1", world.chance.choice(world.people).number))
    return f"{squeezed}_{person.number}_{900 + person.version}_{own}.py"


def submitter_text(world, person):
    """Return what Gradescope's export says about an author, with some damage."""
    sid = person.sid
    email = person.email
    damage = world.chance.randrange(10)
    if damage == 0:
        sid = ""
    elif damage == 1 and world.has_addresses:
        sid = world.chance.choice(world.people).sid
    elif damage == 2:
        email = ""
    elif damage == 3:
        email = ALIAS + email
    name = name_variant(world, person)
    return f"  - :name: '{name}'\n    :sid: '{sid}'\n    :email: '{email}'\n"


# ---- people.csv


def edit_people(world, matching):
    """Return people.csv after a person has edited it in a spreadsheet.

    Rows by hand have no seals, so nobody can notice one sorted column in them.
    """
    students = true_students(world, matching)
    if world.happens(0.2):
        by_hand = []
        for id, student in students.items():
            by_hand.append(Row(id, after_excel(student.sid or student.email)))
        return by_hand
    rows = []
    for row in matching.people:
        if row.submission in students and world.happens(0.7):
            row = confirm(row, students[row.submission])
        rows.append(row)
    if world.happens(0.3):  # sort a column alone
        column = world.chance.choice(Row._fields)
        cells = sorted(getattr(row, column) for row in rows)
        rows = [row._replace(**{column: cell}) for row, cell in zip(rows, cells)]
    if world.happens(0.6):
        rows = [Row(*map(after_excel, row)) for row in rows]
    return rows


def true_students(world, matching):
    """Return id of a submission -> its only author, if the class list has this student."""
    students = {}
    for entry in matching.entries:
        authors = world.authors_of(entry.submission)
        if len(authors) != 1:
            continue
        for other in matching.entries:
            if other.is_certain and authors[0].is_same(other.student):
                students[entry.submission.id] = other.student
    return students


def confirm(row, student):
    """Return a row that a person has confirmed for the true student."""
    if row.student and not row.student.startswith(PROPOSED):
        return row
    cell = student.sid or student.email
    if student.text in row.student:
        cell = row.student.removeprefix(PROPOSED)
    return row._replace(student=cell)


def after_excel(cell):
    """Return a cell after a spreadsheet has read and written it."""
    try:
        return f"{float(cell):.10g}"
    except ValueError:
        return cell


# ---- counts


def check(world: World, matching: Matching, roster: Roster, counts: Counter) -> list[str]:
    """Count the matches of a class. Return lines about wrong matches and missing rows."""
    faults = []
    expected: Counter = Counter(roster.students)
    rows: Counter = Counter()
    for entry in matching.entries:
        submission = entry.submission
        if submission.id:
            rows[submission] += 1
            expected[submission] = len(submission.authors)
        if entry.is_certain:
            for owner in {entry.student, entry.student.sid} - {""}:
                rows[owner] += 1
                expected[owner] |= 1
        authors = world.authors_of(submission)
        if authors:
            counts[entry.match] += 1
            counts["confirmed"] += entry.evidence == PEOPLE
            if entry.is_certain and not any(p.is_same(entry.student) for p in authors):
                faults.append(f"wrong: {submission.id} is not by {entry.student}")
    for owner, count in expected.items():
        if rows[owner] != count:
            faults.append(f"{owner} has {rows[owner]} rows")
    return faults


def run_class(seed: str, folder: Path, counts: Counter) -> list[str]:
    """Match two downloads of a class, each three times. Return lines as check() does."""
    world = World(random.Random(seed))
    faults = []
    (folder / PEOPLE).unlink(missing_ok=True)
    for _ in range(2):
        let_submit(world)
        write_download(world, folder / "class.zip")
        write_list(world, folder / "list.csv")
        try:
            roster = read_roster(folder / "list.csv") if world.has_list else Roster()
            download, _ = read_download(folder / "class.zip")
        except InputError:  # an empty list or download
            continue
        for step in range(3):
            matching = match_class(download, roster, read_people(folder))
            faults += check(world, matching, roster, counts)
            rows = matching.people
            if step < 2:
                rows = edit_people(world, matching)
            write_people(folder, rows)
    return [f"{seed}: {fault}" for fault in faults]


def main() -> None:
    """Run the classes that the command line describes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--classes", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    counts: Counter = Counter()
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.classes):
            faults += run_class(f"{options.seed}-{number}", Path(folder), counts)
    for line in faults:
        print(line)
    wrong = sum(": wrong: " in fault for fault in faults)
    print(", ".join(f"{count} {name}" for name, count in counts.items()))
    print(
        f"{options.classes} classes, seed {options.seed}: {wrong} wrong certain matches, "
        f"{len(faults) - wrong} students without exactly one row"
    )


if __name__ == "__main__":
    main()
