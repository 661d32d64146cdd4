"""Read a course from a platform's download, a folder of submissions, or a zip of either.

The files are read as a flat dictionary, name -> Reader, and are then grouped by submission.
Students made these files, so the files of one student must not affect another student's
grade. An unreadable file refuses only its own submission. No file inside a submission
identifies the student. All names of a download must fit the platform's pattern, because
names that students chose could imitate the platform's numbers.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import yaml

from autograder.course.roster import CANVAS, MOODLE
from autograder.course.students import Course, Match, Student, Submission, clean_line
from autograder.ground.plaintext import make_folder_names, natural_sort_key, sanitize
from autograder.ground.submission import (
    NOTHING_READABLE,
    REFUSALS,
    SEARCH_PY,
    Files,
    NotGradable,
    files_at,
    stage_files,
)
from gametree.support.errors import InputError

MAX_FOLDERS_AROUND = 5  # nested folders around a course; each is read once
MAX_METADATA_BYTES = 2**30  # large, because it has the results of all students
METADATA = "submission_metadata.yml"  # in Gradescope's export

Found = tuple[Submission, Files]  # a submission without its program, and its files


def read_course(path: Path) -> Course:
    """Return the Course at `path`, without the matches of a class list.

    Raises InputError if there are no submissions.
    """
    if not path.exists():
        raise InputError(f"{path}: no such file or folder; give SUBMISSIONS=path")
    submissions = []
    try:
        with files_at(path.resolve()) as files:
            found, remarks = _submissions_in(_unwrap(files), path)
            for submission, own_files in found:
                submissions.append(_read_submission(submission, own_files))
    except NotGradable as reason:  # concerns the whole course
        advice = "; or unpack it, and give the folder" if path.is_file() else ""
        raise InputError(f"{path}: {reason}{advice}") from None
    if not submissions:
        raise InputError(
            f"{path}: no submissions; it must contain folders, .py files or zips"
        )
    return Course(_with_ids(submissions), tuple(remarks))


def _read_submission(submission, files):
    """Return the submission with its program, or with the reason for a refusal."""
    if submission.refusal:
        return submission
    try:
        staged = stage_files(files)
    except NotGradable as reason:
        return replace(submission, refusal=str(reason))
    return replace(submission, source=staged.source, upload_note=staged.note)


# ---- folders around a course


def _group_by_top_name(files):
    """Return top name -> {name below it: Reader}; a file has the name "" below it."""
    groups = {}
    for name, read in files.items():
        top, _, below = name.partition("/")
        groups.setdefault(top, {})[below] = read
    for group in groups.values():
        if len(group) > 1:  # a zip can have a file and a folder of the same name
            group.pop("", None)
    return groups


def _is_file(group):
    return "" in group


def _unwrap(files):
    """Remove outer folders that contain only one folder, as in many zips.

    A folder with a search.py, or with a single file, is a submission and not a class.
    """
    for _ in range(MAX_FOLDERS_AROUND):
        groups = _group_by_top_name(files)
        if len(groups) != 1 or _is_download(files):
            break
        [inside] = groups.values()
        is_one_file = len(inside) == 1 and "/" not in "".join(inside)
        is_submission = SEARCH_PY in inside or is_one_file
        if is_submission and not _is_download(inside):
            break
        files = inside
    return files


def _is_download(files):
    """Tell whether these are the names of a platform's download."""
    if METADATA in files:
        return True
    found, _ = parse_download(_group_by_top_name(files))
    return bool(found)


# ---- the submissions of a course


def _submissions_in(files, path) -> tuple[list[Found], list[str]]:
    """Return the submissions without their programs, and remarks. Raises InputError."""
    if METADATA in files:
        return _exported_submissions(files, f"{path}: {METADATA}"), []
    groups = _group_by_top_name(files)
    groups.pop(NOTHING_READABLE, None)
    named, remark = parse_download(groups)
    files_of = {}  # id -> {name: NamedFile}
    for name, parsed in named.items():
        files_of.setdefault(parsed.id, {})[name] = parsed
    found = [_join_files(id, own, groups) for id, own in files_of.items()]
    for name, group in groups.items():
        if name not in named:
            found.append(_plain_submission(name, group))
    return found, [remark] if remark else []


def _plain_submission(name, group):
    """Return the submission in a file or folder whose name a person chose."""
    files = (sanitize(name),)
    if not _is_file(group):
        return Submission(name, files=files), group
    stem, suffix = os.path.splitext(name)
    own_name = SEARCH_PY if suffix.lower() == ".py" else name
    return Submission(stem, files=files), {own_name: group[""]}


def _join_files(id, named, groups):
    """Return the submission in a student's files; the last of equal names counts.

    named: name -> NamedFile.
    """
    files = {}
    for name in sorted(named, key=natural_sort_key):  # Canvas's numbers of files increase
        last = named[name]
        for below, read in groups[name].items():
            files[below or last.file] = read
    names = tuple(map(sanitize, named))
    return Submission(id, (Match(last.student),), report=last.report, files=names), files


def _exported_submissions(files, where):
    """Return the submissions of Gradescope's export."""
    listed = read_metadata(files[METADATA](MAX_METADATA_BYTES), where)
    groups = _group_by_top_name(files)
    folders = {name: group for name, group in groups.items() if not _is_file(group)}
    for name in sorted(folders.keys() - listed.keys()):
        listed[name] = Submission(name, note=f"not in {METADATA}")
    found = []
    for name, submission in listed.items():
        refusal = "" if name in folders else "its folder is not in the export"
        named = replace(submission, refusal=refusal, files=(sanitize(name),))
        found.append((named, folders.get(name, {})))
    return found


def _with_ids(submissions: Iterable[Submission]) -> tuple[Submission, ...]:
    """Return the submissions in order, each with an id that is a valid folder name."""
    in_order = sorted(submissions, key=lambda found: natural_sort_key(found.id))
    ids = make_folder_names(found.id for found in in_order)
    return tuple(replace(found, id=id) for found, id in zip(in_order, ids))


# ---- names by Canvas and Moodle

REFUSED_SUFFIXES = tuple(suffix for suffixes in REFUSALS for suffix in suffixes)
SUFFIXES = (".py", ".zip", *REFUSED_SUFFIXES)  # files that may be submissions

# A folder Jane Doe_12345_assignsubmission_file_, or files with this prefix.
MOODLE_NAME = re.compile(
    r"""(?xs) (?P<name>.+?) _ (?P<number>[0-9]+) _assignsubmission_[a-z]+_? (?P<file>.*)"""
)
# doejane_LATE_12345_678910_search-1.py: the end of a name is the file's number and name, or
# an online text without a number. LATE_ marks a late file. A file that replaces another
# ends in -1, -2 and so on.
CANVAS_NAME = re.compile(
    r"""(?xs) (?P<before> (?P<name>[^_]+) _ (?:LATE_)? (?P<number>[1-9][0-9]*) _
    (?: [0-9]+_ | (?=(?:text|link)\.html\Z) ) ) (?P<file>.+?)
    (?: -[0-9]{1,4} (?=\.[^.]*\Z) )? (?P<suffix>\.[^.]*)?"""
)

# Top name in a download -> its Files. A file has the name "" below it.
Groups = Mapping[str, Files]


class NamedFile(NamedTuple):
    """What a platform's name of a file or folder says.

    id: an id that all files of the student share.
    student: the student's name and number.
    report: the name, without .html, under which the platform accepts a report.
    file: the student's own name for the file, "" for a folder.
    """

    id: str
    student: Student
    report: str
    file: str


def parse_download(groups: Groups) -> tuple[dict[str, NamedFile], str]:
    """Return name -> NamedFile if all names fit a platform, and a remark or "".

    If no platform fits, the result is empty. The remark then names a misfit if most names
    fit a platform.
    """
    remark = ""
    for platform, parse in ((MOODLE, _parse_moodle), (CANVAS, _parse_canvas)):
        found = {}
        misfits = []
        for name, files in groups.items():
            is_file = "" in files
            named = parse(name, is_file)
            if named:
                found[name] = named
            elif not is_file or name.lower().endswith(SUFFIXES):
                misfits.append(name)
        if platform == CANVAS and not _have_own_numbers(found):
            continue
        if found and not misfits:
            return found, ""
        if len(found) > len(misfits):
            remark = (
                f"{clean_line(misfits[0])} is not a name by {platform}, so numbers in the "
                f"other {len(found)} names are ignored; move it to a folder outside this "
                "download"
            )
    return {}, remark


def _parse_moodle(name, is_file):
    """Return the NamedFile of a file or folder of Moodle, None for any other name."""
    found = MOODLE_NAME.fullmatch(name)
    if not found:
        return None
    owner = f"{found['name']}_{found['number']}"
    student = Student(clean_line(found["name"]), moodle=found["number"])
    report = f"{owner}_assignsubmission_file_report"
    return NamedFile(owner, student, report, found["file"])


def _parse_canvas(name, is_file):
    """Return the NamedFile of a file of Canvas, None for any other name."""
    found = CANVAS_NAME.fullmatch(name)
    if not found or not is_file:
        return None
    return NamedFile(
        f"{found['name']}_{found['number']}",
        Student(clean_line(found["name"]), canvas=found["number"]),
        f"{found['before']}report",
        found["file"] + (found["suffix"] or ""),
    )


def _have_own_numbers(found):
    """Tell whether the numbers may be Canvas's: each has one name, and names differ.

    If all programs begin with the same word, it is the name of the assignment.
    """
    students = {named.student for named in found.values()}
    numbers = {student.canvas for student in students}
    names = {student.name for student in students}
    programs = [name for name in found if name.lower().endswith(SUFFIXES)]
    return len(numbers) == len(students) and (len(programs) < 2 or len(names) > 1)


# ---- submission_metadata.yml: only the submitters are read

SUBMITTERS = ":submitters"
STUDENT_FIELDS = (":name", ":sid", ":email")  # in the order of Student
EMPTY = ("", "~", "null")  # a missing sid in YAML
ENTRY = re.compile(r"^(?![ \r#]|---|\.\.\.|- |$)", re.MULTILINE)  # start of an entry
INDENT = re.compile(r"^( *)\S", re.MULTILINE)
Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # loads every scalar as a string


def read_metadata(content: bytes, where: str) -> dict[str, Submission]:
    """Return folder name -> unread Submission, in file order.

    If an entry cannot be parsed, the submission has a note. Raises InputError if the file
    lists no submission.
    """
    submissions = {}
    for entry in split_entries(content.decode("utf-8-sig", "replace")):
        name = entry.partition(":")[0].strip("'\"")
        try:
            data = yaml.load(entry, Loader)
        except yaml.YAMLError:
            submissions[name] = Submission(name, note=f"not YAML in {METADATA}")
            continue
        if isinstance(data, Mapping):
            submissions[name] = Submission(name, _authors_in(data.get(name)))
    if not submissions:
        raise InputError(f"{where}: lists no submission; export it again")
    return submissions


def split_entries(text: str) -> Iterator[str]:
    """Yield the YAML text of each entry, reduced to its submitters.

    Parsing whole entries would be slow, because nearly all of their text is not needed. All
    keys of a submission have the same indentation. A similar line with more indentation
    belongs to a student's text. The block of a key contains the lines with more
    indentation, and list items with the key's indentation.
    """
    _, *entries = ENTRY.split(text)
    for entry in entries:
        name, _, body = entry.partition("\n")
        first = INDENT.search(body)
        depth = first[1] if first else ""
        block = rf"^{depth}{SUBMITTERS}:.*(?:\n(?:{depth}(?: |- ).*|[ \r]*$))*"
        blocks = re.findall(block, body, re.MULTILINE)
        yield "\n".join([name, *blocks])


def _authors_in(fields):
    """Return a Match for each author of an entry; an unknown form has an unknown author."""
    authors = []
    with suppress(TypeError, AttributeError):  # not a mapping with a list of mappings
        for member in fields[SUBMITTERS]:
            known = [_clean_text(member.get(field)) for field in STUDENT_FIELDS]
            authors.append(Match(Student(*known)))
    return tuple(authors) or (Match(),)


def _clean_text(value):
    """Return a field's text as one line, "" if it is empty."""
    if not isinstance(value, str) or value in EMPTY:
        return ""
    return clean_line(value)
