"""Read a course: an export of Gradescope, Canvas or Moodle, any folder of submissions, a
zip of either, or a folder with one of these for each section.

An export is the work of strangers, and nobody's may cost another a grade. So nothing is
unpacked: of each submission, search.py is read into memory and the other names are looked
at. What cannot be read is that submission's refusal. Of submission_metadata.yml only who
handed in, when, and Gradescope's score are read.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import yaml

from autograder.command import Refused
from autograder.course.downloads import download_of
from autograder.kit import as_taught
from autograder.mistakes.variants import EQUALITY
from autograder.plaintext import MOST_OF_A_NAME, printable
from autograder.sandbox.submission import (
    BYHAND_YAML,
    IGNORED,
    INSTEAD,
    MOST_OF,
    SEARCH_PY,
    NotGradable,
    choose,
    is_near,
    open_zip,
    read_entry,
    regular,
    stage_entries,
    stage_file,
    stage_named,
)
from gametree.saying import say

METADATA = "submission_metadata.yml"
SUFFIXES = (".py", ".zip")  # of files that are a submission each
OTHER_SUFFIXES = tuple(suffix for suffixes in INSTEAD for suffix in suffixes)  # refused
MOST_FOLDERS_AROUND = 5  # that hold one folder and nothing else
MOST_METADATA_BYTES = 2**30  # it holds the results of everybody
MOST_LIST_BYTES = 2**27  # of a zip's list of entries: about a million
MOST_FILE_BYTES = 2**25  # of a zip that is one submission in the course's zip


class CourseError(Refused):
    """A course that cannot be graded; str says in one line where and what to do."""


@dataclass(frozen=True)
class Student:
    """Who handed in: name, sid and email, each perhaps empty.

    `number` is the user's in Canvas, or "participant" and a number in Moodle.
    """

    name: str = ""
    sid: str = ""
    email: str = ""
    section: str = ""
    number: str = ""

    @property
    def key(self) -> str:
        """What tells this student from all others, or nothing."""
        return self.sid or self.email or self.number


@dataclass(frozen=True)
class Submission:
    """One submission: its id (unique, safe as a folder name), students and search.py.

    `source` is None where there is nothing to run, and `refusal` says why in a line.
    `sheet` are the bytes of byhand.yaml, or why there are none; "" where nobody asks.
    `note` is what a TA should know of it. `handed_in` is when, in ISO 8601, and `score`
    what Gradescope gave, in hundredths of a point; None where that is not known.
    """

    id: str
    students: tuple[Student, ...] = (Student(),)
    source: bytes | None = None
    refusal: str = ""
    note: str = ""
    sheet: bytes | str = ""
    handed_in: str = ""
    score: int | None = None

    @cached_property
    def hash(self) -> str:
        """The hash of search.py, or of why there is none, and of byhand.yaml."""
        kind, content = b"source\0", self.source
        if content is None:
            kind, content = b"refused\0", str(self.refusal).encode("utf-8", "replace")
        digest = hashlib.sha256(kind + content)
        if isinstance(self.sheet, bytes):
            digest.update(b"\0sheet\0" + hashlib.sha256(self.sheet).digest())
        return digest.hexdigest()

    @property
    def ids(self) -> tuple[str, ...] | None:
        """The sids and e-mail addresses of its students; None where nobody says any."""
        known = (id for student in self.students for id in (student.sid, student.email))
        return tuple(filter(None, known)) or None

    @property
    def whose(self) -> str:
        """Whose it is, in a line: names and sids, the id, the file."""
        people = [f"{s.name} {s.sid}".strip() for s in self.students]
        parts = [", ".join(filter(None, people)), self.id, "search.py"]
        return " \u00b7 ".join(dict.fromkeys(filter(None, parts)))


@dataclass(frozen=True)
class Course:
    """All submissions, in a fixed order, and remarks on what was passed over.

    `absent` are students of whom a class list knows, and who handed nothing in.
    """

    submissions: tuple[Submission, ...]
    remarks: tuple[str, ...] = ()
    absent: tuple[Student, ...] = ()


@dataclass(frozen=True)
class Rules:
    """How a course's files are read.

    Files of the kit's own solution/ are read in the cutoff `convention`. Where there is a
    part `by_hand`, its sheets are read. Where `near`, a file that is nearly called
    search.py is graded, and the note says so.
    """

    convention: str = EQUALITY
    by_hand: bool = False
    near: bool = False


def read_course(path: Path, rules: Rules = Rules()) -> Course:  # noqa: B008 - frozen
    """Return the Course at `path`.

    Raises CourseError with one line where there is nothing to grade.
    """
    if path.is_dir():
        return _course_in(_Folder(path, rules), path)
    if not path.exists():
        raise CourseError(f"{path}: no such file or folder; give SUBMISSIONS=path")
    if path.suffix == ".py":
        one = _submission(path.name, _Folder(path.parent, rules))
        return Course((replace(one, id=safe_id(path.stem)),))
    if path.suffix.lower() != ".zip":
        raise CourseError(f"{path}: neither a folder nor a zip; give either")
    try:
        with regular(path) as file, open_zip(file, path.name, MOST_LIST_BYTES) as archive:
            return _course_in(_Zip(archive, names_in(archive), rules), path)
    except NotGradable as reason:
        raise CourseError(f"{path}: {reason}") from None


class _Folder:
    """A folder of a course on disk; see _Zip, which is one in a zip."""

    def __init__(self, path, rules):
        self._path, self.rules = path, rules

    @cached_property
    def entries(self):
        """Name -> whether it is a folder, by name, without litter."""
        try:
            found = {entry.name: entry.is_dir() for entry in os.scandir(self._path)}
        except OSError as error:
            raise CourseError(f"{self._path}: cannot be read: {error.strerror}") from None
        return _without_litter(found)

    def into(self, name):
        """Return the folder of that name, None for a link to one."""
        path = self._path / name
        return None if path.is_symlink() else _Folder(path, self.rules)

    def read(self, name):
        with regular(self._path / name) as file:
            return file.read(MOST_METADATA_BYTES)

    @contextlib.contextmanager
    def unzipped(self, name):
        """Open a zip that lies here, as a place. Raises NotGradable."""
        with (
            regular(self._path / name) as file,
            open_zip(file, name, MOST_LIST_BYTES) as archive,
        ):
            yield _Zip(archive, names_in(archive), self.rules)

    def stage(self, name, wanted=SEARCH_PY):
        """Return the submission that an entry is, as Staged. Raises NotGradable."""
        path = self._path / name
        if path.is_symlink():
            raise NotGradable(say("refusal.link", name=_shown(name)))
        staged = stage_named(path, wanted, self.rules.near)
        if wanted != SEARCH_PY:
            return staged
        return staged._replace(source=as_taught(staged.source, path, self.rules.convention))


class _Zip:
    """A folder of a course in a zip: its entries, by their names inside it."""

    def __init__(self, archive, files, rules):
        self._archive, self.rules, self._below = archive, rules, {}
        for name, entry in files.items():
            first, _, rest = name.partition("/")
            self._below.setdefault(first, {})[rest] = entry

    @cached_property
    def entries(self):
        """Name -> whether it is a folder, by name, without litter."""
        return _without_litter(
            {
                name: any(rest or entry.is_dir() for rest, entry in below.items())
                for name, below in self._below.items()
            }
        )

    def into(self, name):
        below = self._below[name]
        return _Zip(
            self._archive, {rest: below[rest] for rest in below if rest}, self.rules
        )

    def read(self, name):
        return read_entry(self._archive, self._below[name][""], MOST_METADATA_BYTES)

    @contextlib.contextmanager
    def unzipped(self, name):
        """Open a zip that lies here, as a place. Raises NotGradable."""
        content = read_entry(self._archive, self._below[name][""], MOST_FILE_BYTES)
        with open_zip(io.BytesIO(content), name) as archive:
            yield _Zip(archive, names_in(archive), self.rules)

    def stage(self, name, wanted=SEARCH_PY):
        """Return the submission that an entry is, as Staged. Raises NotGradable."""
        below, near = self._below[name], self.rules.near
        if self.entries[name]:
            files = {rest: entry for rest, entry in below.items() if rest}
            return stage_entries(self._archive, files, wanted, near)
        content = read_entry(self._archive, below[""], MOST_FILE_BYTES)
        return stage_file(io.BytesIO(content), name, wanted, near)


def names_in(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Return name -> entry of a zip, the names with / between folders.

    Where no name has a /, the zip was made by a program that writes \\ for it; elsewhere
    a \\ is a letter in the name of somebody's file. macOS packs UTF-8 names without saying
    so; Python then reads them as code page 437.
    """
    entries = archive.infolist()
    between = "/" if any("/" in entry.filename for entry in entries) else "\\"
    names = {}
    for entry in entries:
        name = entry.filename
        if not entry.flag_bits & UTF_8:
            with contextlib.suppress(UnicodeError):
                name = name.encode("cp437").decode("utf-8")
        parts = [part for part in name.split(between) if part not in ("", ".")]
        if parts:
            names["/".join(parts)] = entry
    return names


UTF_8 = 0x800  # the flag of an entry whose name is UTF-8


def _without_litter(entries):
    return {
        name: entries[name]
        for name in sorted(entries)
        if name not in IGNORED and not name.startswith("._")
    }


def _course_in(place, path):
    """Return the Course of a folder, on disk or in a zip."""
    submissions, remarks = _submissions_in(_top(place), path)
    if not submissions:
        raise CourseError(f"{path}: no submissions: no folder, .py file or zip in it")
    submissions.sort(key=lambda submission: natural(submission.id))
    submissions = _noted(submissions)
    ids = unique(submission.id for submission in submissions)
    named = (replace(submission, id=id) for submission, id in zip(submissions, ids))
    return Course(tuple(named), tuple(remarks))


def _submissions_in(place, path, sections=True):
    """Return (submissions, remarks) of a place; it may hold one course a section."""
    if place.entries.get(METADATA) is False:
        return _exported(place, f"{path}: {METADATA}")
    submissions, remarks, groups = [], [], {}
    for name, is_folder in place.entries.items():
        download = download_of(name)
        if download is not None:
            groups.setdefault(download.id, {})[name] = download
            continue
        inside = _section(place, name, path) if sections else None
        if inside is not None:
            submissions += inside[0]
            remarks += inside[1]
            continue
        stem, suffix = os.path.splitext(name)
        if is_folder:
            submissions.append(_submission(name, place))
        elif suffix.lower() in SUFFIXES:
            submissions.append(replace(_submission(name, place), id=stem))
        elif name.lower().endswith(OTHER_SUFFIXES):
            submissions.append(_refused_file(name, place))
        else:
            remarks.append(f"{_shown(name)} is no submission: neither .py nor .zip")
    submissions += [_downloaded(place, group) for group in groups.values()]
    return submissions, remarks


def _section(place, name, path):
    """Return (submissions, remarks) of an entry that is a course itself, else None.

    That is one that Gradescope, Canvas or Moodle made.
    """
    where = f"{path}/{_shown(name)}"
    if place.entries[name]:
        with contextlib.suppress(CourseError):  # cannot be read: a submission's refusal
            inside = place.into(name)
            return _of_section(_top(inside), name, where) if inside else None
    if name.lower().endswith(".zip"):
        with contextlib.suppress(NotGradable), place.unzipped(name) as inside:
            return _of_section(_top(inside), name[: -len(".zip")], where)
    return None


def _of_section(place, name, where):
    if METADATA not in place.entries and not any(map(download_of, place.entries)):
        return None
    submissions, remarks = _submissions_in(place, where, sections=False)
    section = " ".join(printable(name, MOST_OF_A_NAME).split())
    members = [
        replace(one, students=tuple(replace(who, section=section) for who in one.students))
        for one in submissions
    ]
    return members, [f"{section}: {remark}" for remark in remarks]


def _refused_file(name, place):
    try:
        choose([name])
    except NotGradable as reason:
        return Submission(name, refusal=str(reason))
    return _submission(name, place)


def _downloaded(place, group):
    """Return the submission of one student's downloads: entry name -> Download."""
    first = next(iter(group.values()))
    who = " ".join(printable(first.who, MOST_OF_A_NAME).split())
    students = (Student(name=who, number=first.number),)
    late = "late, by Canvas" if any(one.late for one in group.values()) else ""
    folders = [name for name in group if place.entries[name]]
    if folders:  # of Moodle; online text lies in one of its own
        name = next((n for n in folders if "_file" in n), folders[0])
        return replace(_submission(name, place, students), id=first.id)
    by_file = {}  # the student's name for it -> the newest entry
    for name, one in sorted(group.items(), key=lambda item: item[1].again):
        by_file[one.file] = name
    zips = [name for name in group if name.lower().endswith(".zip")]
    sheet = by_file.get(BYHAND_YAML) if place.rules.by_hand else None
    given = {"sheet": _sheet(place, sheet)} if sheet else {}
    try:
        chosen = by_file[choose(by_file, near=place.rules.near)]
    except NotGradable as reason:
        if len(zips) != 1:
            return Submission(first.id, students, refusal=str(reason), note=late, **given)
        chosen = zips[0]
    one = replace(_submission(chosen, place, students, late), **given)
    if is_near(group[chosen].file):
        one = replace(one, note=_near_note(group[chosen].file, late))
    return replace(one, id=first.id)


def _sheet(place, name):
    """Return the bytes of a download that is byhand.yaml, or why there are none."""
    try:
        content = place.read(name)
    except NotGradable as reason:
        return str(reason)
    most = MOST_OF[BYHAND_YAML]
    return content if len(content) <= most else f"{BYHAND_YAML} has over {most} bytes"


def _near_note(name, note=""):
    return "; ".join(filter(None, (note, f"{_shown(name)} was taken for {SEARCH_PY}")))


def _top(place):
    """Step into folders that hold one folder and nothing else, as zips have them."""
    for _ in range(MOST_FOLDERS_AROUND):
        if list(place.entries.values()) != [True]:
            break
        below = place.into(*place.entries)
        if below is None:
            break
        inside = below.entries
        if not any(inside.values()) and METADATA not in inside:
            break
        if any(name.endswith(".py") for name in inside):
            break
        place = below
    return place


def _submission(name, place, students=(Student(),), note=""):
    """Return the Submission of an entry of a place, read or refused."""
    staged, refusal = _read(place, name)
    if staged and place.entries.get(name) and is_near(staged.name):
        note = _near_note(staged.name, note)
    source, sheet = staged.source if staged else None, ""
    if place.rules.by_hand:
        found, why = _read(place, name, BYHAND_YAML)
        sheet = found.source if found else why
    return Submission(name, students, source, refusal, note, sheet)


def _read(place, name, wanted=SEARCH_PY):
    """Return (Staged, ""), or (None, the line that says why there is none)."""
    try:
        return _stage(place, name, wanted), ""
    except NotGradable as reason:
        return None, str(reason)
    except OSError as error:
        return None, f"cannot be read: {error.strerror or error}"


def _stage(place, name, wanted):
    """Return the Staged of an entry; a folder with one zip and nothing else is that."""
    try:
        return place.stage(name, wanted)
    except NotGradable:
        with contextlib.suppress(CourseError):  # it cannot be read, as stage() said
            inside = place.into(name) if place.entries.get(name) else None
            names = [*inside.entries] if inside else []
            if len(names) == 1 and names[0].lower().endswith(".zip"):
                return inside.stage(names[0], wanted)
        raise


def _exported(place, where):
    """Return the submissions of an export, and remarks on folders that it does not list."""
    try:
        listed = read_metadata(place.read(METADATA), where)
    except NotGradable as reason:
        raise CourseError(f"{where}: {reason}") from None
    folders = [name for name, is_folder in place.entries.items() if is_folder]
    submissions = []
    for name, (students, note, handed_in, score) in listed.items():
        if name in folders:
            one = _submission(name, place, students, note)
        else:
            refusal = "its folder is not in the export"
            one = Submission(name, students, refusal=refusal, note=note)
        submissions.append(replace(one, handed_in=handed_in, score=score))
    others = [name for name in folders if name not in listed]
    for name in others:
        submissions.append(_submission(name, place, note=f"not in {METADATA}"))
    return submissions, [f"{_shown(name)} is not in {METADATA}" for name in others]


def _noted(submissions):
    """Return the submissions; those of a student who handed in several say so."""
    times = Counter(
        key for one in submissions for key in {student.key for student in one.students}
    )
    noted = []
    for submission in submissions:
        again = max((times[s.key] for s in submission.students if s.key), default=1)
        more = f"one of {again} submissions of this student" if again > 1 else ""
        note = "; ".join(filter(None, (submission.note, more)))
        noted.append(replace(submission, note=note))
    return noted


def _shown(name):
    return printable(name, MOST_OF_A_NAME)


# ---- ids: each the name of one folder, on every system

OUR_FILES = {
    *("gradebook.csv", "canvas.csv", "changes.csv", "report.html", "ledger.jsonl"),
    *("overrides.csv", "similarity", "written.txt", "run.lock", "fault.txt"),
}


def natural(text: str):
    """Return a key that sorts submission_9 before submission_10."""
    parts = [(part, part.lstrip("0")) for part in re.split(r"([0-9]+)", text) if part]
    return [
        (0, len(digits), digits) if part[0] in "0123456789" else (1, 0, part)
        for part, digits in parts
    ], text


def safe_id(name: str) -> str:
    """Return a name that is one folder's name everywhere and prints on one line."""
    name = unicodedata.normalize("NFC", name)
    name = "".join("_" if c in '/\\:*?"<>|' or not c.isprintable() else c for c in name)
    name = os.fsencode(name)[:200].decode("utf-8", "ignore").strip()
    return "_" + name if not name or name.startswith(".") else name


def unique(names: Iterable[str]) -> list[str]:
    """Return a safe id for each name, no two of which a file system takes for one."""
    taken, ids = set(OUR_FILES), []
    for name in map(safe_id, names):
        id, count = name, 1
        while (key := unicodedata.normalize("NFKD", id.casefold()).casefold()) in taken:
            count += 1
            id = f"{name}-{count}"
        taken.add(key)
        ids.append(id)
    return ids


# ---- submission_metadata.yml

SUBMITTERS, HANDED_IN, SCORE = KEYS = ":submitters", ":created_at", ":score"
FIELDS = (":name", ":sid", ":email")  # in the order of Student
EMPTY = ("", "~", "null")  # how YAML writes that there is no sid
JOINERS = str.maketrans("", "", "\u200c\u200d")  # not seen; Persian and others write them
Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # every scalar stays a string


class Listed(NamedTuple):
    """One entry: who handed in, a note, when (ISO 8601, or ""), Gradescope's score.

    The score is in hundredths of a point, None where there is none.
    """

    students: tuple[Student, ...] = (Student(),)
    note: str = ""
    handed_in: str = ""
    score: int | None = None


def read_metadata(content: bytes, where: str) -> dict[str, Listed]:
    """Return folder name -> Listed, in the file's order.

    Where an entry cannot be read, the note says so. Raises CourseError where the file
    lists no submission.
    """
    lines = content.decode("utf-8-sig", "replace").split("\n")
    listed = {}
    for entry in entries_of(only_needed(lines)):
        number = entry[0][0]
        try:
            data = yaml.load("\n".join(line for _, line in entry), Loader)
        except (yaml.YAMLError, RecursionError):
            name = entry[0][1].strip().strip("'\"").rstrip(":")
            listed[name] = Listed(note=f"{METADATA}, line {number}: not YAML")
        else:
            if isinstance(data, dict):
                listed |= {str(name): _listed(of) for name, of in data.items()}
    if not listed:
        raise CourseError(f"{where}: lists no submission; export it again")
    return listed


def _listed(entry):
    fields = entry if isinstance(entry, Mapping) else {}
    score = fields.get(SCORE)
    known = isinstance(score, str) and re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]+)?", score)
    return Listed(
        _students(fields),
        handed_in=_moment(fields.get(HANDED_IN)),
        score=round(float(score) * 100) if known else None,
    )


MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[ T]([0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.[0-9]+)?"
    r" *(Z|UTC|[+-][0-9]{2}:?[0-9]{2})?"
)


def _moment(value):
    """Return a point in time as ISO 8601 with its offset, "" where there is none."""
    if isinstance(value, Mapping):  # as Ruby writes it: utc, zone, time
        value = value.get("utc")
    found = MOMENT.match(value) if isinstance(value, str) else None
    if not found:
        return ""
    day, clock, zone = found.groups()
    zone = "+00:00" if zone in (None, "Z", "UTC") else f"{zone[:3]}:{zone[-2:]}"
    return f"{day}T{clock}{zone}"


def entries_of(lines: Iterable[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Yield the (line number, line) pairs of each submission's entry."""
    entry = []
    for number, line in lines:
        if not line.startswith(" ") and entry:
            yield entry
            entry = []
        entry.append((number, line))
    if entry:
        yield entry


def only_needed(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield (line number, line) of the folder names and their blocks of the KEYS.

    All else, which is nearly all of the file, need not be parsed. The keys of a
    submission stand as deep as its first one; what looks like a key further in is
    somebody's text. A block goes on while lines are deeper than its key, or are items
    of a list at the key's own depth.
    """
    key_depth = None  # of the keys of the present submission
    inside = False
    for number, line in enumerate(lines, start=1):
        bare = line.strip(" \r")
        depth = len(line) - len(line.lstrip(" "))
        if not bare:
            continue
        if depth == 0 and not bare.startswith(("---", "...", "#", "- ")):
            key_depth, inside = None, False
            yield number, line
            continue
        key_depth = depth if key_depth is None else key_depth
        if depth == key_depth and not bare.startswith("- "):
            inside = bare.startswith(tuple(f"{key}:" for key in KEYS))
        if inside:
            yield number, line


def _students(entry):
    members = entry.get(SUBMITTERS)
    if not isinstance(members, list):
        return (Student(),)
    students = (
        Student(*(_plain(member.get(field)) for field in FIELDS))
        for member in members
        if isinstance(member, Mapping)
    )
    return tuple(students) or (Student(),)


def _plain(value):
    if not isinstance(value, str) or value in EMPTY:
        return ""
    return " ".join(printable(value.translate(JOINERS)).split())
