"""Read a class from a platform's download, a folder of submissions, or a zip of either.

The files are read as a flat dictionary, name -> Reader, and are then grouped by submission.
Students made these files, so the files of one student must not affect another student's
grade. An unreadable file refuses only its own submission. No file inside a submission
identifies the student. All names of a download must fit the platform's pattern, because
names that students chose could imitate the platform's numbers.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import yaml

from autograder.course.platforms import PLATFORMS
from autograder.course.students import Student, Submission, clean_line
from autograder.ground.plaintext import make_folder_names, natural_sort_key, sanitize
from autograder.ground.submission import (
    MAX_BYTES,
    NOTHING_READABLE,
    REFUSALS,
    SEARCH_PY,
    Files,
    NotGradable,
    files_at,
    stage_files,
)
from gametree.support.errors import InputError

MAX_FOLDERS_AROUND = 5  # nested folders around a class; each is read once
MAX_METADATA_BYTES = 2**30  # large, because it has the results of all students
METADATA = "submission_metadata.yml"  # in Gradescope's export
VERSIONS = "user_assignment_settings.json"  # in each folder of Submitty
COPY = re.compile(r"(?i)search ?\([0-9]+\)\.py")  # a browser's name of a second download
# The files that Blackboard writes for an attempt: a receipt, and the student's own files.
ATTEMPT = re.compile(r"(.+_attempt_[0-9-]+)(?:_|(?=\.))(.+)")
RESERVED = re.compile(r"(?i)\.(csv|html|lock|txt|zip)\Z")  # endings of files beside folders
ANONYMOUS = "anon"  # begins the names of an anonymous assignment on Canvas


def read_download(path: Path) -> tuple[list[Submission], list[str]]:
    """Return the submissions at `path` in a fixed order, and remarks on the download.

    Raises InputError if there are no submissions.
    """
    if not path.exists():
        raise InputError(f"{path}: no such file or folder; give SUBMISSIONS=path")
    try:
        with files_at(path.resolve()) as files:
            found, remarks = _submissions_in(_unwrap(files), path)
            submissions = [_read_submission(*named) for named in found]
    except NotGradable as reason:  # concerns the whole class
        advice = "; download it again, or unpack it and give the folder"
        raise InputError(f"SUBMISSIONS: {reason}{advice}") from None
    is_other_file = path.is_file() and path.suffix.lower() not in (".py", ".zip")
    if is_other_file or not submissions:
        raise InputError(
            f"{path}: no submissions; give a folder or a zip of folders, .py files or zips"
        )
    return _with_ids(submissions), remarks


def _read_submission(submission, files):
    """Return the submission with its program, or with the reason for a refusal."""
    try:
        staged = stage_files(_active_version(files))
    except NotGradable as reason:
        note = str(reason) if files else "its folder is not in the export"
        return submission._replace(note=note)
    remark = submission.remark
    if SEARCH_PY in files:
        for copy in filter(COPY.fullmatch, files):
            remark = f"{sanitize(copy)} is ignored beside {SEARCH_PY}"
    return submission._replace(source=staged.source, note=staged.note, remark=remark)


def _active_version(files):
    """Return the files of the version that counts on Submitty, or else all files."""
    with suppress(ValueError, TypeError, KeyError):
        settings = json.loads(files[VERSIONS](MAX_BYTES))
        return _group_by_top_name(files)[str(settings["active_version"])]
    return files


# ---- folders around a class


def _group_by_top_name(files):
    """Return top name -> {name below it: Reader}; a file has the name "" below it."""
    groups = {}
    for name, read in files.items():
        top, _, below = name.partition("/")
        groups.setdefault(top, {})[below] = read
    return groups


def _is_file(group):
    return "" in group


def _unwrap(files):
    """Return the groups below outer folders that contain only one folder.

    A folder with a search.py, or with a single file, is a submission and not a class.
    """
    groups = _group_by_top_name(files)
    for _ in range(MAX_FOLDERS_AROUND):
        if len(groups) != 1 or _is_download(groups):
            break
        [inside] = groups.values()
        is_one_file = len(inside) == 1 and "/" not in "".join(inside)
        is_submission = SEARCH_PY in inside or is_one_file
        groups_inside = _group_by_top_name(inside)
        if is_submission and not _is_download(groups_inside):
            break
        groups = groups_inside
    return groups


def _is_download(groups):
    """Tell whether these are the names of a platform's download."""
    found, _ = parse_download(groups)
    return METADATA in groups or bool(found)


# ---- the submissions of a class


def _submissions_in(groups, path):
    """Return the submissions with their files and no programs yet, and remarks.

    Raises InputError.
    """
    groups.pop(NOTHING_READABLE, None)
    remark = ""
    if METADATA in groups:
        [read] = groups.pop(METADATA).values()
        named = read_metadata(read(MAX_METADATA_BYTES), f"{path}: {METADATA}")
        folders = {name: files for name, files in groups.items() if not _is_file(files)}
        groups = {**dict.fromkeys(named, {}), **folders}  # some folders may be missing
    else:
        named, remark = parse_download(groups)
    joined = {}  # origin -> a submission and its files
    for name in sorted(groups, key=natural_sort_key):  # the last of equal names counts
        submission, own_name = named.get(name) or _plain_name(name, groups[name])
        _, own_files = joined.get(submission.origin, (submission, {}))
        for below, read in groups[name].items():
            own_files[below or own_name] = read
        joined[submission.origin] = submission, own_files
    if groups and all(name.startswith(f"{ANONYMOUS}_") for name in groups):
        remark = (
            "the names are anonymous; show the students' names in the assignment, and "
            "download it again"
        )
    return joined.values(), [remark] if remark else []


def _plain_name(name, group):
    """Return what a name says that a person or Blackboard chose, as parse_download()."""
    shown = sanitize(name)
    attempt = ATTEMPT.fullmatch(name)
    if not _is_file(group):
        return Submission(name, origin=shown), ""
    if attempt:
        return Submission(attempt[1], origin=sanitize(attempt[1])), attempt[2]
    stem, suffix = os.path.splitext(name)
    return Submission(stem, origin=shown), SEARCH_PY if suffix.lower() == ".py" else name


def _with_ids(submissions):
    """Return the submissions in order, each with an id that is a valid folder name."""
    in_order = sorted(submissions, key=lambda found: natural_sort_key(found.id))
    ids = make_folder_names(RESERVED.sub(r"_\1", found.id) for found in in_order)
    return [found._replace(id=id) for found, id in zip(in_order, ids)]


# ---- names by platforms

REFUSED_SUFFIXES = tuple(suffix for suffixes in REFUSALS for suffix in suffixes)
SUFFIXES = (".py", ".zip", *REFUSED_SUFFIXES)  # files that may be submissions

# Top name in a download -> its Files. A file has the name "" below it.
Groups = Mapping[str, Files]
# What a name says: a submission without its program, which several files may share, and the
# student's own name for the file, "" for a folder.
NamedFile = tuple[Submission, str]


def parse_download(groups: Groups) -> tuple[dict[str, NamedFile], str]:
    """Return name -> NamedFile if all names fit a platform, and a remark or "".

    If no platform fits, the result is empty. The remark then names a misfit if most names
    fit a platform.
    """
    programs = []  # files and folders that may be submissions
    for name, files in groups.items():
        if not _is_file(files) or name.lower().endswith(SUFFIXES):
            programs.append(name)
    remark = ""
    for platform in PLATFORMS:
        found = {}
        students = set()
        for name in groups:
            named = _parse_name(platform, name)
            if named:
                found[name] = named
                students.add(named[0].authors[0].name)
        if platform.can_be_imitated and len(students) == 1 < len(programs):
            continue  # the first word names the assignment, as in hw_1_12_ada.py
        misfits = [name for name in programs if name not in found]
        if found and not misfits:
            return found, ""
        if len(found) > len(misfits):
            remark = (
                f"{clean_line(misfits[0])} is not a name by {platform.name}, so numbers in "
                f"the other {len(found)} names are ignored; move it to a folder outside "
                "this download"
            )
    return {}, remark


def _parse_name(platform, name):
    """Return the NamedFile of a platform's file or folder, None for any other name."""
    found = platform.pattern.fullmatch(name)
    if not found:
        return None
    groups = found.groupdict("")
    student = Student(
        clean_line(groups["name"]), number=platform.number_in(groups["number"])
    )
    id = f"{groups['name']}_{groups['number']}"
    report = platform.report.format_map(groups)
    submission = Submission(id, (student,), report=report, origin=sanitize(id))
    return submission, groups["file"] + groups.get("suffix", "")


# ---- submission_metadata.yml: only the submitters are read

SUBMITTERS = ":submitters"
STUDENT_FIELDS = (":name", ":sid", ":email")  # in the order of Student
ENTRY = re.compile(r"^(?![ \r#]|---|\.\.\.|- |$)", re.MULTILINE)  # start of an entry
INDENT = re.compile(r"^( *)\S", re.MULTILINE)
Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # loads every scalar as a string


def read_metadata(content: bytes, where: str) -> dict[str, NamedFile]:
    """Return folder name -> NamedFile.

    If an entry cannot be parsed, the submission has a remark. Raises InputError if the file
    lists no submission.
    """
    named = {}
    for entry in split_entries(content.decode("utf-8-sig", "replace")):
        name = entry.partition(":")[0].strip("'\"")
        remark = ""
        try:
            data = yaml.load(entry, Loader)
        except yaml.YAMLError:
            data = {}
            remark = f"not YAML in {METADATA}"
        if isinstance(data, Mapping):
            authors = _authors_in(data.get(name))
            submission = Submission(name, authors, remark=remark, origin=sanitize(name))
            named[name] = submission, ""
    if not named:
        raise InputError(f"{where}: lists no submission; export it again")
    return named


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
    """Return the authors of an entry, each once; an unknown form has an unknown author."""
    authors = []
    with suppress(TypeError, AttributeError):  # not a list of mappings to texts
        for member in fields[SUBMITTERS]:
            known = [member.get(field) or "" for field in STUDENT_FIELDS]
            authors.append(Student(*map(clean_line, known)))
    return tuple(dict.fromkeys(authors)) or (Student(),)
