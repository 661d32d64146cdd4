"""Read a course: a Gradescope export, or a folder of submissions, or a zip of either.

An export is the work of strangers, and nobody's may cost another a grade. So nothing is
unpacked: of each submission, search.py is read into memory and the other names are looked
at. What cannot be read is that submission's refusal. Of submission_metadata.yml only who
handed in is read.
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

import yaml

from autograder.command import Refused
from autograder.kit import stage_as_taught
from autograder.mistakes.variants import EQUALITY
from autograder.plaintext import MOST_OF_A_NAME, printable
from autograder.sandbox.submission import (
    BYHAND_YAML,
    IGNORED,
    SEARCH_PY,
    NotGradable,
    open_zip,
    read_entry,
    regular,
    stage,
    stage_entries,
    stage_file,
)

METADATA = "submission_metadata.yml"
SUFFIXES = (".py", ".zip")  # of files that are a submission each
MOST_FOLDERS_AROUND = 5  # that hold one folder and nothing else
MOST_METADATA_BYTES = 2**30  # it holds the results of everybody
MOST_LIST_BYTES = 2**27  # of a zip's list of entries: about a million
MOST_FILE_BYTES = 2**25  # of a zip that is one submission in the course's zip


class CourseError(Refused):
    """A course that cannot be graded; str says in one line where and what to do."""


@dataclass(frozen=True)
class Student:
    """Who handed in: name, sid and email, each perhaps empty."""

    name: str = ""
    sid: str = ""
    email: str = ""

    @property
    def key(self) -> str:
        """What tells this student from all others: sid, else email, else nothing."""
        return self.sid or self.email


@dataclass(frozen=True)
class Submission:
    """One submission: its id (unique, safe as a folder name), students and search.py.

    `source` is None where there is nothing to run, and `refusal` says why in a line.
    `sheet` are the bytes of byhand.yaml, or why there are none; "" where nobody asks.
    `note` is what a TA should know of it.
    """

    id: str
    students: tuple[Student, ...] = (Student(),)
    source: bytes | None = None
    refusal: str = ""
    note: str = ""
    sheet: bytes | str = ""

    @cached_property
    def hash(self) -> str:
        """The hash of search.py, or of why there is none, and of byhand.yaml."""
        kind, content = b"source\0", self.source
        if content is None:
            kind, content = b"refused\0", self.refusal.encode("utf-8", "replace")
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
    """All submissions, in a fixed order, and remarks on what was passed over."""

    submissions: tuple[Submission, ...]
    remarks: tuple[str, ...] = ()


def read_course(path: Path, convention: str = EQUALITY, by_hand: bool = False) -> Course:
    """Return the Course at `path`, with the sheets where there is a part by hand.

    Files of the kit's own solution/ are read in the cutoff convention. Raises
    CourseError with one line where there is nothing to grade.
    """
    if path.is_dir():
        return _course_in(_Folder(path, convention, by_hand), path)
    if not path.exists():
        raise CourseError(f"{path}: no such file or folder; give SUBMISSIONS=path")
    if path.suffix == ".py":
        one = _submission(path.name, _Folder(path.parent, convention, by_hand))
        return Course((replace(one, id=safe_id(path.stem)),))
    if path.suffix.lower() != ".zip":
        raise CourseError(f"{path}: neither a folder nor a zip; give either")
    try:
        with regular(path) as file, open_zip(file, path.name, MOST_LIST_BYTES) as archive:
            return _course_in(_Zip(archive, names_in(archive), by_hand), path)
    except NotGradable as reason:
        raise CourseError(f"{path}: {reason}") from None


class _Folder:
    """A folder of a course on disk; see _Zip, which is one in a zip."""

    def __init__(self, path, convention, by_hand):
        self._path, self._convention, self.by_hand = path, convention, by_hand

    @cached_property
    def entries(self):
        """Name -> whether it is a folder, by name, without litter."""
        try:
            found = {entry.name: entry.is_dir() for entry in os.scandir(self._path)}
        except OSError as error:
            raise CourseError(f"{self._path}: cannot be read: {error.strerror}") from None
        return _without_litter(found)

    def into(self, name):
        return _Folder(self._path / name, self._convention, self.by_hand)

    def read(self, name):
        with regular(self._path / name) as file:
            return file.read(MOST_METADATA_BYTES)

    def stage(self, name):
        return stage_as_taught(self._own(name), self._convention)

    def sheet(self, name):
        return stage(self._own(name), BYHAND_YAML)

    def _own(self, name):
        path = self._path / name
        if path.is_symlink():
            raise NotGradable(f"{_shown(name)} is a link; submit the file itself")
        return path


class _Zip:
    """A folder of a course in a zip: its entries, by their names inside it."""

    def __init__(self, archive, files, by_hand):
        self._archive, self._below, self.by_hand = archive, {}, by_hand
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
        files = {rest: below[rest] for rest in below if rest}
        return _Zip(self._archive, files, self.by_hand)

    def read(self, name):
        return read_entry(self._archive, self._below[name][""], MOST_METADATA_BYTES)

    def stage(self, name, wanted=SEARCH_PY):
        below = self._below[name]
        if self.entries[name]:
            files = {rest: entry for rest, entry in below.items() if rest}
            return stage_entries(self._archive, files, wanted)
        content = read_entry(self._archive, below[""], MOST_FILE_BYTES)
        return stage_file(io.BytesIO(content), name, wanted)

    def sheet(self, name):
        return self.stage(name, BYHAND_YAML)


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
    place = _top(place)
    if place.entries.get(METADATA) is False:
        submissions, remarks = _exported(place, f"{path}: {METADATA}")
    else:
        submissions, remarks = _loose(place), []
    if not submissions:
        raise CourseError(f"{path}: no submissions: no folder, .py file or zip in it")
    submissions.sort(key=lambda submission: natural(submission.id))
    submissions = _noted(submissions)
    ids = unique(submission.id for submission in submissions)
    named = (replace(submission, id=id) for submission, id in zip(submissions, ids))
    return Course(tuple(named), tuple(remarks))


def _top(place):
    """Step into folders that hold one folder and nothing else, as zips have them."""
    for _ in range(MOST_FOLDERS_AROUND):
        if list(place.entries.values()) != [True]:
            break
        below = place.into(*place.entries)
        inside = below.entries
        if not any(inside.values()) and METADATA not in inside:
            break
        if any(name.endswith(".py") for name in inside):
            break
        place = below
    return place


def _submission(name, place, students=(Student(),), note=""):
    """Return the Submission of an entry of a place, read or refused."""
    source, refusal = _read(place.stage, name)
    sheet = ""
    if place.by_hand:
        content, why = _read(place.sheet, name)
        sheet = why if content is None else content
    return Submission(name, students, source, refusal, note, sheet)


def _read(staged, name):
    """Return (bytes, ""), or (None, the line that says why there are none)."""
    try:
        return staged(name), ""
    except NotGradable as reason:
        return None, str(reason)
    except OSError as error:
        return None, f"cannot be read: {error.strerror or error}"


def _exported(place, where):
    """Return the submissions of an export, and remarks on folders that it does not list."""
    try:
        listed = read_metadata(place.read(METADATA), where)
    except NotGradable as reason:
        raise CourseError(f"{where}: {reason}") from None
    folders = [name for name, is_folder in place.entries.items() if is_folder]
    submissions = []
    for name, (students, note) in listed.items():
        if name in folders:
            submissions.append(_submission(name, place, students, note))
        else:
            refusal = "its folder is not in the export"
            submissions.append(Submission(name, students, refusal=refusal, note=note))
    others = [name for name in folders if name not in listed]
    for name in others:
        submissions.append(_submission(name, place, note=f"not in {METADATA}"))
    return submissions, [f"{_shown(name)} is not in {METADATA}" for name in others]


def _loose(place):
    """Return a submission for each folder, .py file and zip."""
    submissions = []
    for name, is_folder in place.entries.items():
        stem, suffix = os.path.splitext(name)
        if is_folder or suffix.lower() in SUFFIXES:
            one = _submission(name, place)
            submissions.append(one if is_folder else replace(one, id=stem))
    return submissions


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

OUR_FILES = {"gradebook.csv", "canvas.csv", "changes.csv", "report.html", "ledger.jsonl"}


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

SUBMITTERS = ":submitters"
FIELDS = (":name", ":sid", ":email")  # in the order of Student
EMPTY = ("", "~", "null")  # how YAML writes that there is no sid
JOINERS = str.maketrans("", "", "\u200c\u200d")  # not seen; Persian and others write them
Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # every scalar stays a string

Listed = tuple[tuple[Student, ...], str]  # and a note


def read_metadata(content: bytes, where: str) -> dict[str, Listed]:
    """Return folder name -> (its Students, a note), in the file's order.

    Where an entry cannot be read, the note says so. Raises CourseError where the file
    lists no submission.
    """
    lines = content.decode("utf-8-sig", "replace").split("\n")
    listed = {}
    for entry in entries_of(only_submitters(lines)):
        number = entry[0][0]
        try:
            data = yaml.load("\n".join(line for _, line in entry), Loader)
        except (yaml.YAMLError, RecursionError):
            name = entry[0][1].strip().strip("'\"").rstrip(":")
            listed[name] = (Student(),), f"{METADATA}, line {number}: not YAML"
        else:
            if isinstance(data, dict):
                listed |= {str(name): (_students(of), "") for name, of in data.items()}
    if not listed:
        raise CourseError(f"{where}: lists no submission; export it again")
    return listed


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


def only_submitters(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield (line number, line) of the folder names and their submitters' blocks.

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
            inside = bare.startswith(SUBMITTERS + ":")
        if inside:
            yield number, line


def _students(entry):
    members = entry.get(SUBMITTERS) if isinstance(entry, Mapping) else None
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
