"""Read a course from a platform's download, a folder of submissions, or a zip of either.

The files are read as a flat dictionary, name -> Reader, and are then grouped by submission.
Students made these files, so the files of one student must not affect another student's
grade. An unreadable file refuses only its own submission. No file inside a submission
identifies the student.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from autograder.course.platforms import (
    METADATA,
    parse_download,
    read_metadata,
)
from autograder.course.students import Course, Match, Submission
from autograder.ground.plaintext import make_folder_names, natural_sort_key, sanitize
from autograder.sandbox.submission import (
    NOTHING_READABLE,
    SEARCH_PY,
    Files,
    NotGradable,
    files_at,
    stage_files,
)
from gametree.support.errors import InputError

MAX_FOLDERS_AROUND = 5  # nested folders around a course; each is read once
MAX_METADATA_BYTES = 2**30  # large, because it has the results of all students

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
        if len(groups) != 1 or _is_course(files):
            break
        [inside] = groups.values()
        is_one_file = len(inside) == 1 and "/" not in "".join(inside)
        is_submission = SEARCH_PY in inside or is_one_file
        if is_submission and not _is_course(inside):
            break
        files = inside
    return files


def _is_course(files):
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
