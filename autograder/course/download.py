"""Read a course: an export of Gradescope, Canvas or Moodle, any folder of submissions, a
zip of either, or a folder with one of these for each section.

It is read as one flat dictionary, name -> Read, as a submission is, and then grouped by
student. An export is the work of strangers, and nobody's may cost another a grade: what
cannot be read is that submission's refusal, and what lies inside a submission never says
whose it is. Of submission_metadata.yml only who handed in, when, and Gradescope's score
are read.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import yaml

from autograder.course.people import CourseError, Roster, Student
from autograder.kit import complete_source
from autograder.mistakes.variants import EQUALITY
from autograder.plaintext import MAX_NAME_LENGTH, sanitize
from autograder.sandbox.submission import (
    BYHAND_YAML,
    MAX_ZIP_BYTES,
    REFUSALS,
    SEARCH_PY,
    NotGradable,
    files_at,
    open_zip,
    stage_files,
)

METADATA = "submission_metadata.yml"
# How a file's name ends that is a submission, or is refused as one.
SUFFIXES = (".py", ".zip", *(suffix for suffixes in REFUSALS for suffix in suffixes))
MAX_FOLDERS_AROUND = 5  # that hold one folder and nothing else
MAX_METADATA_BYTES = 2**30  # it holds the results of everybody
MAX_LIST_BYTES = 2**27  # of a zip's list of entries: about a million


@dataclass(frozen=True)
class Submission:
    """One submission: its id (unique, safe as a folder name), students and search.py.

    `source` is None where there is nothing to run, and `refusal` says why in a line.
    `sheet` are the bytes of byhand.yaml, or why there are none; "" where nobody asks.
    `note` is what a TA should know of it. `handed_in` is when, with its offset, and
    `score` what Gradescope gave, in hundredths of a point; None where that is not known.
    `marked_late` says that Canvas did. `report` is what a report on it is called, without
    .html, so that Canvas or Moodle take it back; "" where neither made the download.
    """

    id: str
    students: tuple[Student, ...] = (Student(),)
    source: bytes | None = None
    refusal: str = ""
    note: str = ""
    sheet: bytes | str = ""
    handed_in: datetime | None = None
    score: int | None = None
    marked_late: bool = False
    report: str = ""

    @cached_property
    def hash(self) -> str:
        """The hash of search.py, or of why there is none, and of byhand.yaml."""
        content = repr((self.source, self.refusal, self.sheet))
        return hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()

    @property
    def ids(self) -> tuple[str, ...] | None:
        """The sids and e-mail addresses of its students; None where nobody says any."""
        known = (id for student in self.students for id in (student.sid, student.email))
        return tuple(filter(None, known)) or None

    @property
    def whose(self) -> str:
        """Whose it is, in a line: names and sids, the id, the file."""
        people = [f"{s.name} {s.sid}".strip() for s in self.students]
        parts = [", ".join(filter(None, people)), self.id, SEARCH_PY]
        return " \u00b7 ".join(dict.fromkeys(filter(None, parts)))

    def noted(self, *notes: str) -> Submission:
        """Return the submission with more notes, those that say anything."""
        every = dict.fromkeys(filter(None, (self.note, *notes)))
        return replace(self, note="; ".join(every))


@dataclass(frozen=True)
class Course:
    """All submissions, in a fixed order, and remarks on how the files were read.

    `absent` are students of whom a class list knows, and who handed nothing in.
    """

    submissions: tuple[Submission, ...]
    remarks: tuple[str, ...] = ()
    absent: tuple[Student, ...] = ()


def read_course(path: Path, convention: str = EQUALITY, by_hand: bool = False) -> Course:
    """Return the Course at `path`.

    Files of the kit's own solution/ are read in the cutoff `convention`. Where there is a
    part `by_hand`, its sheets are read. Raises CourseError with one line where there is
    nothing to grade.
    """
    if not path.exists():
        raise CourseError(f"{path}: no such file or folder; give SUBMISSIONS=path")
    every, remarks = [], []
    with ExitStack() as stack:
        try:
            files = stack.enter_context(files_at(path.resolve(), MAX_LIST_BYTES))
        except NotGradable as reason:
            raise CourseError(f"{path}: {reason}") from None
        for section, inside in _sections(_unwrapped(files), stack).items():
            owners, more = _owners_in(inside, path / section)
            remarks += (f"{section}: {line}" if section else line for line in more)
            for one, own in owners:
                students = tuple(replace(who, section=section) for who in one.students)
                one = replace(one, students=students)
                every.append(_read(one, own, path, convention, by_hand))
    if not every:
        raise CourseError(f"{path}: no submissions: no folder, .py file or zip in it")
    if names := sorted({who.section for one in every for who in one.students} - {""}):
        remarks.append(f"sections, each with students of its own: {', '.join(names)}")
    every.sort(key=lambda one: natural(one.id))
    ids = unique(one.id for one in every)
    submissions = tuple(replace(one, id=id) for one, id in zip(every, ids))
    return Course(submissions, tuple(remarks))


def _read(one, files, path, convention, by_hand):
    """Return a Submission, read from its files or refused."""
    if one.refusal:
        return one
    try:
        staged = stage_files(files)
        source = complete_source(staged.source, path, convention)
        one = replace(one, source=source).noted(staged.note)
    except NotGradable as reason:
        one = replace(one, refusal=str(reason))
    if not by_hand:
        return one
    try:
        return replace(one, sheet=stage_files(files, BYHAND_YAML).source)
    except NotGradable as reason:
        return replace(one, sheet=str(reason))


def with_roster(course: Course, students: Iterable[Student]) -> Course:
    """Return the course with what a class list knows of its students, and who is absent.

    Who is not in it keeps a row, and the row says so.
    """
    roster, submissions = Roster(students), []
    for one in course.submissions:
        found = tuple(roster.listed(student, one.id) for student in one.students)
        submissions.append(replace(one, students=found))
    return replace(course, submissions=tuple(submissions), absent=tuple(roster.absent))


# ---- whose a file is


def _grouped(files):
    """Return name at the top -> {name below it: Read}; a file has the name "" below it."""
    groups = {}
    for name, read in files.items():
        top, _, below = name.partition("/")
        groups.setdefault(top, {})[below] = read
    for group in groups.values():
        if len(group) > 1:  # a zip can hold a file and a folder of one name
            group.pop("", None)
    return groups


def _unwrapped(files):
    """Step into folders that hold one folder and nothing else, as zips have them."""
    for _ in range(MAX_FOLDERS_AROUND):
        if len(groups := _grouped(files)) != 1:
            break
        [inside] = groups.values()
        programs = any("/" not in name and name.endswith(".py") for name in inside)
        folders = any("/" in name for name in inside)
        if not _is_course(inside) and (programs or not folders):
            break
        files = inside
    return files


def _is_course(files):
    """Tell whether Gradescope, Canvas or Moodle made these names."""
    return METADATA in files or any(map(download_of, _grouped(files)))


def _sections(files, stack):
    """Return name -> files of each section, which `stack` closes; {"": files} if none.

    All of the folders and zips must be courses, and at least two: one that claims to be
    a course among others that do not is a submission. Other files lie in no section.
    """
    found, others = {}, {}
    for name, inside in _grouped(files).items() if METADATA not in files else ():
        if "" in inside and name.lower().endswith(".zip"):
            try:
                content = io.BytesIO(inside[""](MAX_ZIP_BYTES))
                inside = stack.enter_context(open_zip(content, name, MAX_LIST_BYTES))
            except NotGradable:
                return {"": files}
        elif "" in inside and not name.lower().endswith(SUFFIXES):
            others[name] = inside[""]
            continue
        section = re.sub(r"\.zip$", "", " ".join(_shown(name).split()), flags=re.I)
        found[section] = _unwrapped(inside)
        if not _is_course(found[section]):
            return {"": files}
    return {**found, "": others} if len(found) > 1 else {"": files}


def _owners_in(files, where):
    """Return pairs of a Submission and its files, and remarks on what was passed over."""
    if METADATA in files:
        return _exported(files, f"{where}: {METADATA}")
    groups, owners, remarks = _grouped(files), {}, []
    downloads = {name: download_of(name) for name in groups}
    for name in sorted(groups, key=lambda name: getattr(downloads[name], "again", 0)):
        group, download = groups[name], downloads[name]
        if download:
            one, own = owners.get(download.one.id) or (download.one, {})
            late = download.one.marked_late
            if "" in group and download.file in own:
                one = one.noted(f"{download.file} came more than once: the last one counts")
            else:
                late |= one.marked_late
            own |= {download.file: group[""]} if "" in group else group
            owners[one.id] = replace(one, marked_late=late), own
        elif "" not in group:
            owners[f"{name}/"] = Submission(name), group
        elif name.lower().endswith(SUFFIXES):
            stem, suffix = os.path.splitext(name)
            own = SEARCH_PY if suffix.lower() == ".py" else name
            owners[f"{name}/"] = Submission(stem), {own: group[""]}
        else:
            remarks.append(f"{_shown(name)} is no submission: neither .py nor .zip")
    return list(owners.values()), remarks


def _exported(files, where):
    """Return what _owners_in() does, of an export."""
    try:
        listed = read_metadata(files[METADATA](MAX_METADATA_BYTES), where)
    except NotGradable as reason:
        raise CourseError(f"{where}: {reason}") from None
    folders = {name: own for name, own in _grouped(files).items() if "" not in own}
    owners, strangers = [], sorted(folders.keys() - listed.keys())
    for name, one in listed.items():
        refusal = "" if name in folders else "its folder is not in the export"
        owners.append((replace(one, refusal=refusal), folders.get(name, {})))
    unlisted = f"not in {METADATA}"
    owners += [(Submission(name, note=unlisted), folders[name]) for name in strangers]
    return owners, [f"{_shown(name)} is {unlisted}" for name in strangers]


def _shown(name):
    return sanitize(name, MAX_NAME_LENGTH)


# ---- names of downloads
#
# Canvas makes one flat folder, `doejane_LATE_12345_678910_search-1.py`: a squeezed name,
# LATE where it came late, the user's number, the submission's, and the student's own name
# for the file, with -1 and so on where it was handed in again. Moodle makes a folder for
# each student, `Jane Doe_12345_assignsubmission_file_`, or puts that before
# the file's name.

CANVAS = re.compile(
    r"(?P<who>[^_]+)_(?P<late>LATE_)?(?P<user>[0-9]+)_[0-9]+_"
    r"(?P<file>.+?)(?:-(?P<again>[0-9]{1,4})(?=\.[^.]*\Z))?(?P<suffix>\.[^.]*)?",
    re.DOTALL,
)
MOODLE = re.compile(
    r"(?P<who>.+?)_(?P<user>[0-9]+)_assignsubmission_[a-z]+_?(?P<file>.*)", re.DOTALL
)
PARTICIPANT = "participant "  # before a number that Canvas would not know


class Download(NamedTuple):
    """What the name of a file or folder tells of whoever handed it in.

    `one` is the Submission, not read yet, whose id stays the same when the student hands
    in again. `file` is the student's own name for the file, "" for a folder; `again`
    counts how often it came again.
    """

    one: Submission
    file: str
    again: int = 0


def download_of(name: str) -> Download | None:
    """Return what a download's name tells, None for a name of another kind."""
    found = MOODLE.fullmatch(name) or CANVAS.fullmatch(name)
    if not found:
        return None
    who, user, again, late = found["who"].strip(), found["user"], 0, False
    file, number = found["file"], PARTICIPANT + user
    report = f"{found['who']}_{user}_assignsubmission_file_report"
    if found.re is CANVAS:
        file, number, late = file + (found["suffix"] or ""), user, found["late"] is not None
        report, again = name[: found.start("file")] + "report", int(found["again"] or 0)
    student = Student(" ".join(_shown(who).split()), number=number)
    one = Submission(f"{who}_{user}", (student,), marked_late=late, report=report)
    return Download(one, file, again)


# ---- ids: each the name of one folder, on every system

OUR_FILES = (
    *("gradebook.csv", "canvas.csv", "changes.csv", "report.html", "overrides.csv"),
    *("roster.csv", "due.txt", "feedback.zip", "similarity", "written.txt"),
    *("run.lock", "fault.txt"),
)


def natural(text: str) -> tuple[str, str]:
    """Return a key that sorts submission_9 before submission_10."""
    digits = re.compile("0*([0-9]+)")
    return digits.sub(lambda found: f"{len(found[1]):05}{found[1]}", text), text


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
ENTRY = re.compile(r"^(?![ \r#]|---|\.\.\.|- |$)", re.MULTILINE)  # where one begins
INDENT = re.compile(r"^( *)\S", re.MULTILINE)
Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # every scalar stays a string


def read_metadata(content: bytes, where: str) -> dict[str, Submission]:
    """Return folder name -> Submission, not read yet, in the file's order.

    Where an entry cannot be read, the note says so. Raises CourseError where the file
    lists no submission.
    """
    listed = {}
    for line, entry in entries_of(content.decode("utf-8-sig", "replace")):
        try:
            data = yaml.load(entry, Loader)
        except (yaml.YAMLError, RecursionError):
            name = entry.partition("\n")[0].strip().strip("'\"").rstrip(":")
            listed[name] = Submission(name, note=f"{METADATA}, line {line}: not YAML")
        else:
            entries = data.items() if isinstance(data, dict) else ()
            listed |= {str(name): _listed(str(name), of) for name, of in entries}
    if not listed:
        raise CourseError(f"{where}: lists no submission; export it again")
    return listed


def entries_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield each submission's entry: its line's number, its name and its KEYS, as YAML.

    All else, which is nearly all of the file, need not be parsed. The keys of a
    submission stand as deep as its first one; what looks like a key further in is
    somebody's text. A block goes on while lines are deeper than its key, or are items
    of a list at the key's own depth.
    """
    before, *entries = ENTRY.split(text)
    line, keys = 1 + before.count("\n"), "|".join(KEYS)
    for entry in entries:
        name, _, body = entry.partition("\n")
        first = INDENT.search(body)
        depth = first[1] if first else ""
        block = rf"^{depth}(?:{keys}):.*(?:\n(?:{depth}(?: |- ).*|[ \r]*$))*"
        yield line, "\n".join([name, *re.findall(block, body, re.MULTILINE)])
        line += entry.count("\n")


def _listed(name, entry):
    entry = entry if isinstance(entry, Mapping) else {}
    members, score = entry.get(SUBMITTERS), entry.get(SCORE)
    students = tuple(
        Student(*(_plain(member.get(field)) for field in FIELDS))
        for member in (members if isinstance(members, list) else ())
        if isinstance(member, Mapping)
    )
    came = entry.get(HANDED_IN)
    if isinstance(came, Mapping):  # as Ruby writes it: utc, zone, time
        came = came.get("utc")
    came = parse_timestamp(came) if isinstance(came, str) else None
    if came and came.tzinfo is None:
        came = came.replace(tzinfo=timezone.utc)
    known = isinstance(score, str) and re.fullmatch(r"-?[0-9]{1,6}(\.[0-9]+)?", score)
    cents = round(float(score) * 100) if known else None
    return Submission(name, students or (Student(),), handed_in=came, score=cents)


def _plain(value):
    if not isinstance(value, str) or value in EMPTY:
        return ""
    return " ".join(sanitize(value.translate(JOINERS)).split())


MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[ T]([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(?:\.[0-9]+)?"
    r" *(?:(Z|UTC)|([+-][0-9]{2}):?([0-9]{2}))?"
)


def parse_timestamp(text: str) -> datetime | None:
    """Return a point in time, as ISO 8601 or Ruby writes it; None where there is none.

    It has no offset from UTC where the text has none.
    """
    if found := MOMENT.fullmatch(text.strip()):
        day, clock, utc, hours, minutes = found.groups()
        offset = "+00:00" if utc else f"{hours}:{minutes}" if hours else ""
        with suppress(ValueError):
            return datetime.fromisoformat(f"{day}T{clock}{offset}")
    return None
