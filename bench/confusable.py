"""Match many small classes of students who are easily confused, and count wrong matches.

    python -m bench.confusable --classes 50000 --seed 1

Each class has up to six students with similar names, identifiers and files. Its class list
and its download are damaged independently. A person confirms proposals in people.csv in a
spreadsheet, and a second download follows. The generator knows who wrote which file. So it
counts the certain matches that are wrong, and the students and authors who do not have
exactly one row. Some classes cannot be decided by any program, and are not generated: a
person never confirms a wrong student, no two programs are equal, and no sid loses its zeros
in a list if it is then the sid of a student whom the list does not have.
"""

from __future__ import annotations

import argparse
import csv
import io
import random
import tempfile
import zipfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course.download import read_download
from autograder.course.entries import read_overrides
from autograder.course.matching import (
    PEOPLE,
    PROPOSED,
    SEAL,
    Matching,
    Row,
    match_class,
    read_people,
    write_people,
)
from autograder.course.roster import Roster, read_roster
from autograder.course.students import Student, read_id
from gametree.support.errors import InputError

FIRST = ("Wei", "Ann", "Lee", "Jo", "Joe", "Jörg", "Joerg", "Kim", "Ana María")
LAST = ("Zhang", "Lee", "Ann", "Kim", "Müller", "Mueller", "King", "King Moss")
SIDS = ("123", "0123", "00123", "12", "012", "1230", "1.1", "1.10", "100123", "00100123")
LOGINS = ("kim", "lee", "ann", "kim2", "wz", "wz1", "ann-lee", "lee-ann", "kimann", "jo")
DOMAINS = ("u.edu", "v.edu")
KINDS = ("Gradescope", "Canvas", "Moodle", "files")
COLUMNS_OF_LISTS = (("sid", "email"), ("sid",), ("email",), ("sid", "email", "login"))
ENDINGS = (".py", "/", ".txt", ".PY")
GARBAGE = ("", "n/a", "1.2E+11")  # in a damaged cell
FULL_POINTS = 10_000  # cents


@dataclass(eq=False)
class Person:
    """A student in truth.

    file: the name of the file or folder, without an ending, that the student chose.
    version: the number of the student's uploads.
    """

    first: str
    last: str
    sid: str
    email: str
    login: str
    number: str
    file: str = ""
    version: int = 1

    @property
    def name(self):
        """The first and the last name."""
        return f"{self.first} {self.last}"

    @property
    def program(self):
        """The text of the current upload."""
        return f"x = {self.login!r}, {self.version}\n"


@dataclass
class World:
    """A class in truth.

    kind: the platform, or "files" for names that students chose.
    people: all students.
    has_list: whether there is a class list.
    columns: the fields in the class list.
    has_wrong_sids: whether some students write another student's sid, which only a list
        with all addresses can show.
    groups: the authors of each submission.
    """

    chance: random.Random
    kind: str
    people: list[Person]
    has_list: bool
    columns: tuple[str, ...]
    has_wrong_sids: bool
    groups: list[list[Person]] = field(default_factory=list)


def make_world(chance: random.Random) -> World:
    """Return a class of up to six students who are easily confused."""
    size = chance.randint(2, 6)
    sids = list(SIDS)
    if chance.random() < 0.5:
        sids = [sid.zfill(8) for sid in ("123", "1230", "12", "12300", "99", "100123")]
        sids += ["10012300", "12300000"]
    chance.shuffle(sids)
    logins = chance.sample(LOGINS, size)
    numbers = chance.sample(range(1, 30), size)
    people = []
    for index in range(size):
        email = f"{chance.choice(LOGINS)}{chance.choice(('', '1', index))}"
        email += f"@{chance.choice(DOMAINS)}"
        if any(person.email == email for person in people):
            email = f"x{index}{email}"
        person = Person(
            chance.choice(FIRST),
            chance.choice(LAST),
            sids[index],
            email,
            logins[index],
            str(numbers[index]),
        )
        people.append(person)
    kind = chance.choice(KINDS)
    has_list = kind == "files" or chance.random() < 0.9
    columns = chance.choice(COLUMNS_OF_LISTS)
    has_wrong_sids = has_list and "email" in columns and chance.random() < 0.5
    return World(chance, kind, people, has_list, columns, has_wrong_sids)


# ---- the class list


def write_list(world: World, path: Path) -> None:
    """Write a class list with some damage."""
    chance = world.chance
    own = world.kind in ("Canvas", "Moodle") and chance.random() < 0.7
    columns = world.columns
    if own and world.kind == "Canvas":
        columns = ("ID", "SIS User ID", "SIS Login ID")
    if own and world.kind == "Moodle":
        columns = ("Identifier", "ID number", "Email address", "Grade")
    rows = []
    for person in world.people:
        if chance.random() < 0.15:
            continue
        row = [name_variant(person, chance), person.login, *cells_of(world, person, own)]
        rows.append(row)
        if chance.random() < 0.1:
            rows.append(list(row))
    if chance.random() < 0.5:
        lose_zeros(world, rows)
    chance.shuffle(rows)
    heading = "Student" if own and world.kind == "Canvas" else "Full name"
    path.write_text(csv_text([[heading, "Section", *columns], *rows]), encoding="utf-8")


def lose_zeros(world: World, rows: list[list[str]]) -> None:
    """Remove the zeros before each sid, unless an unlisted student has the sid without."""
    listed = {(row[1], cell) for row in rows for cell in row[2:]}  # logins and cells
    unlisted = {p.sid for p in world.people if (p.login, p.sid) not in listed}
    for row in rows:
        for at, cell in enumerate(row):
            if cell.lstrip("0") not in unlisted:
                row[at] = cell.lstrip("0")


def cells_of(world: World, person: Person, own: bool) -> list[str]:
    """Return the cells of a row of the platform's own list, or of a damaged other one."""
    chance = world.chance
    if own and world.kind == "Canvas":
        return [person.number, person.sid, chance.choice((person.email, person.login))]
    if own:
        return [f"Participant {person.number}", person.sid, person.email, ""]
    cells = [vars(person)[column] for column in world.columns]
    at = chance.randrange(len(cells))
    if not world.has_wrong_sids and chance.random() < 0.1:
        cells[at] = chance.choice(GARBAGE)
    return cells


def name_variant(person: Person, chance: random.Random) -> str:
    """Return a name as another office may write it."""
    forms = [person.name] * 6
    forms.append(f"{person.last}, {person.first}")
    forms.append(f"{person.first} {chance.choice(FIRST)} {person.last}")
    forms.append(person.last)
    forms.append(f"{chance.choice(FIRST)} {person.last}")
    return chance.choice(forms)


def csv_text(rows: Sequence[Sequence[str]]) -> str:
    """Return the text of a CSV file."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(rows)
    return file.getvalue()


# ---- the download


def choose_files(world: World) -> None:
    """Let students submit, resubmit, and choose other names, also those of others."""
    let_submit(world)
    taken = set()
    for person, *_ in world.groups:
        if not person.file or world.chance.random() < 0.4:
            person.file = choose_name(world, person)
        while person.file in taken:
            person.file = choose_name(world, person)
        taken.add(person.file)


def choose_name(world: World, person: Person) -> str:
    """Return a name that a student may choose, which may name other students."""
    other = world.chance.choice(world.people)
    stems = [person.name, person.name.lower(), person.name.replace(" ", "")]
    stems += [person.sid, person.login, f"hw1-{person.login}", person.last]
    stems += [person.email, other.last, other.login, f"hw {other.sid}"]
    return world.chance.choice(stems) + world.chance.choice(ENDINGS)


def let_submit(world: World) -> None:
    """Let some students submit again, and others for the first time."""
    chance = world.chance
    for group in world.groups:
        for person in group:
            person.version += chance.random() < 0.4
    submitted = {person for group in world.groups for person in group}
    waiting = [person for person in world.people if person not in submitted]
    chance.shuffle(waiting)
    for person in waiting:
        if chance.random() < 0.3:
            continue
        if world.kind == "Gradescope" and world.groups and chance.random() < 0.15:
            chance.choice(world.groups).append(person)
        else:
            world.groups.append([person])


def write_download(world: World, path: Path) -> None:
    """Write the zip of a platform or of files with names that students chose."""
    chance = world.chance
    listed = ""
    with zipfile.ZipFile(path, "w") as archive:
        for at, group in enumerate(world.groups):
            person = group[0]
            own = chance.choice(
                ("search.py", "hw_1.py", f"{chance.choice(world.people).number}.py")
            )
            name = f"{place_of(world, person)}/search.py"
            if world.kind == "Canvas":
                words = f"{person.last}{person.first}".lower()
                squeezed = "".join(filter(str.isalnum, words))
                name = f"{squeezed}_{person.number}_{900 + at + 9 * person.version}_{own}"
            elif world.kind == "Moodle":
                name = f"{person.name}_{person.number}_assignsubmission_file_/{own}"
            elif world.kind == "files":
                name = person.file
                if name.endswith("/"):
                    name = f"{name}search.py"
            archive.writestr(name, person.program)
            listed += f"{place_of(world, person)}:\n  :submitters:\n"
            listed += "".join(submitter_text(world, member) for member in group)
        if listed and world.kind == "Gradescope":
            archive.writestr("submission_metadata.yml", listed)


def place_of(world: World, person: Person) -> str:
    """Return the folder of a submission in Gradescope's export."""
    return f"submission_{10 + 7 * world.people.index(person)}"


def submitter_text(world: World, person: Person) -> str:
    """Return what Gradescope's export says about an author, with some damage."""
    chance = world.chance
    sid = person.sid
    email = person.email
    name = name_variant(person, chance)
    damage = chance.random()
    if damage < 0.1:
        sid = ""
    elif damage < 0.2:
        email = ""
    elif damage < 0.3:
        email = f"alias.{person.login}@mail.com"
    elif damage < 0.35:
        sid = f"777{person.number}"
    elif damage < 0.4 and world.has_wrong_sids:
        sid = chance.choice(world.people).sid
    return f"  - :name: '{name}'\n    :sid: '{sid}'\n    :email: '{email}'\n"


# ---- people.csv


def edit_people(world: World, matching: Matching, path: Path) -> None:
    """Confirm some proposals for the true students, in a spreadsheet."""
    chance = world.chance
    if not path.exists():
        return
    with open(path, encoding="utf-8-sig", newline="") as file:
        _, *cells = csv.reader(file)
    rows = [confirm(world, matching, Row(*row)) for row in cells]
    if chance.random() < 0.3:
        rows = sort_columns(chance, rows)
    if chance.random() < 0.6:
        rows = [Row(*map(after_excel, row)) for row in rows]
    path.write_text(csv_text([Row._fields, *rows]), "utf-8")


def confirm(world: World, matching: Matching, row: Row) -> Row:
    """Confirm a proposal for the true author, if the class list has that student."""
    author = author_of_row(world, row)
    is_open = row.student.startswith(PROPOSED) or not row.student
    if author is None or not is_open or world.chance.random() < 0.3:
        return row
    handles = []
    for entry in matching.entries:
        if entry.is_certain and is_same(author, entry.student):
            handles += filter(None, (entry.student.sid, entry.student.email))
    if not handles:
        return row
    written = row.student.removeprefix(PROPOSED)
    if set(handles).isdisjoint(SEAL.sub("", written).split()):
        written = world.chance.choice(handles)
    return row._replace(student=written)


def sort_columns(chance: random.Random, rows: list[Row]) -> list[Row]:
    """Sort some neighboring columns without the others."""
    start = chance.randrange(len(Row._fields))
    end = chance.randrange(start, len(Row._fields)) + 1
    block = sorted(row[start:end] for row in rows)
    return [Row(*row[:start], *new, *row[end:]) for row, new in zip(rows, block)]


def after_excel(cell: str) -> str:
    """Return a cell after a spreadsheet has read and written it."""
    try:
        number = float(cell)
    except ValueError:
        return cell
    return f"{number:.10g}"


def author_of_row(world: World, row: Row) -> Person | None:
    """Return the true author in a row of people.csv, which a person sees in the file."""
    words = {*row.author.replace("@mail.com", "").split()}
    for group in world.groups:
        for member in group:
            ids = {read_id(member.sid), read_id(member.email), f"alias.{member.login}"}
            is_author = row.author.endswith(f" {member.number}")
            if world.kind == "Gradescope":
                is_author = place_of(world, group[0]) in words and not ids.isdisjoint(words)
            elif world.kind == "files":
                is_author = row.author == member.file
            if is_author:
                return member
    return None


def is_same(person: Person, student: Student) -> bool:
    """Tell whether a student is this person.

    Each class list has the person's login as the section, which the kit does not compare.
    """
    if student.section:
        return student.section == person.login
    ids = {student.sid, student.email, student.number.rpartition(" ")[2]} - {""}
    own = {person.sid, person.email, person.number}
    own |= {f"alias.{person.login}@mail.com", f"777{person.number}"}
    return bool(ids) and ids <= own


# ---- counts


def check(
    world: World, matching: Matching, roster: Roster | None, counts: Counter
) -> list[str]:
    """Count the matches of a class. Return lines about wrong ones."""
    faults = check_rows(matching, roster)
    by_program = {}
    for group in world.groups:
        by_program[group[0].program.encode()] = group
    authors = Counter(entry.submission.id for entry in matching.entries)
    for entry in matching.entries:
        submission = entry.submission
        if submission.id and authors[submission.id] != len(submission.authors):
            faults.append(f"{submission.id} has {authors[submission.id]} rows")
        group = by_program.get(submission.source, [])
        if not group:  # a text file, or no submission
            continue
        counts[entry.match] += 1
        counts["confirmed"] += entry.evidence == PEOPLE
        is_right = any(is_same(member, entry.student) for member in group)
        if entry.is_certain and not is_right:
            faults.append(f"wrong: {submission.id} is not by {entry.student}")
    return faults


def check_rows(matching: Matching, roster: Roster | None) -> list[str]:
    """Return lines about students who do not have exactly one row."""
    faults = []
    rows = Counter(entry.student for entry in matching.entries if entry.is_certain)
    for student, count in Counter(roster.students if roster else ()).items():
        if rows[student] != count:
            faults.append(f"{student.label} has {rows[student]} rows")
    sids = Counter(entry.student.sid for entry in matching.entries if entry.is_certain)
    for sid, count in sids.items():
        if sid and count > 1:
            faults.append(f"{sid} has {count} rows")
    return faults


def check_overrides(
    world: World, matching: Matching, folder: Path, counts: Counter
) -> list[str]:
    """Give points by hand to a student. Return lines about other students with points."""
    chance = world.chance
    person = chance.choice(world.people)
    written = chance.choice((person.sid, person.email, person.login))
    if any(entry.student.sid == person.sid for entry in matching.entries):
        written = chance.choice((written, after_excel(written)))
    (folder / "overrides.csv").write_text(csv_text([("id", "points"), (written, "50")]))
    try:
        entries, _ = read_overrides(folder, matching.entries, FULL_POINTS)
    except InputError:
        counts["refused override"] += 1
        return []
    faults = []
    for entry in entries:
        if entry.by_hand.unit:
            counts["override"] += 1
            if entry.cents is not None and not is_same(person, entry.student):
                faults.append(f"wrong: {written} of {person} gives points to {entry.label}")
    return faults


def run_class(seed: str, folder: Path, counts: Counter) -> list[str]:
    """Match a class twice. Return lines about wrong matches and missing rows."""
    world = make_world(random.Random(seed))
    faults = []
    (folder / PEOPLE).unlink(missing_ok=True)
    for _ in range(2):
        choose_files(world)
        if not world.groups:
            continue
        write_download(world, folder / "class.zip")
        write_list(world, folder / "list.csv")
        try:
            roster = read_roster(folder / "list.csv") if world.has_list else None
            download, _ = read_download(folder / "class.zip")
        except InputError:
            counts["refused"] += 1
            continue
        matching = match_class(download, roster, read_people(folder))
        faults += check(world, matching, roster, counts)
        faults += check_overrides(world, matching, folder, counts)
        write_people(folder, matching.people)
        for _ in range(2):
            edit_people(world, matching, folder / PEOPLE)
            matching = match_class(download, roster, read_people(folder))
            counts["asked"] += len(matching.remarks)
            faults += check(world, matching, roster, counts)
            write_people(folder, matching.people)
    return [f"{seed}: {fault}" for fault in faults]


def main() -> None:
    """Run the classes that the command line describes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--classes", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    counts = Counter()
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.classes):
            found = run_class(f"{options.seed}-{number}", Path(folder), counts)
            faults += found
            for line in found[:1]:
                print(line, flush=True)
    for name, count in counts.most_common():
        print(f"{count:8} {name}")
    wrong = sum(": wrong: " in fault for fault in faults)
    print(
        f"{options.classes} classes, seed {options.seed}: {wrong} wrong certain matches, ",
        end="",
    )
    print(f"{len(faults) - wrong} students without exactly one row")


if __name__ == "__main__":
    main()
