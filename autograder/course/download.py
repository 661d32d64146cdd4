"""Read a course from a platform's download, a folder of submissions, or a zip of either.

A folder may also contain one of these for each section. The files are read as a flat
dictionary, name -> Reader, and are then grouped by submission. Students made these files,
so the files of one student must not affect another student's grade. An unreadable file
refuses only its own submission. No file inside a submission identifies the student.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from autograder.course.people import (
    Course,
    Submission,
    assign_ids,
    clean_line,
    make_folder_names,
    natural_sort_key,
    parse_roster,
)
from autograder.course.platforms import (
    MAX_TEXT_BYTES,
    METADATA,
    SUFFIXES,
    parse_download,
    parse_repositories,
    read_metadata,
)
from autograder.course.tables import parse_table
from autograder.ground.plaintext import sanitize
from autograder.sandbox.submission import (
    MAX_ZIP_BYTES,
    SEARCH_PY,
    NotGradable,
    files_at,
    open_zip,
    stage_files,
)
from gametree.support.errors import InputError

CLASSROOM = "classroom_roster.csv"  # GitHub Classroom's own list of logins
OWN_FILES = ("index.html", CLASSROOM)  # files that platforms add to a download
ONLINE_TEXT = ("onlinetext.html", "_text.html")  # ends of file names in Moodle and Canvas
MAX_FOLDERS_AROUND = 5  # nested folders around a course; each is read once
MAX_METADATA_BYTES = 2**30  # large, because it has the results of all students
MAX_LIST_BYTES = 2**27  # of a zip's directory, which is about a million entries


def read_course(path: Path, assigned: Mapping[str, str] | None = None) -> Course:
    """Return the Course at `path`.

    assigned: origin -> id of earlier runs; see assign_ids().

    Raises InputError if there are no submissions.
    """
    if not path.exists():
        raise InputError(f"{path}: no such file or folder; give SUBMISSIONS=path")
    submissions = []
    remarks = []
    logins = []
    try:
        with ExitStack() as stack:
            files = stack.enter_context(files_at(path.resolve(), MAX_LIST_BYTES))
            sections = _sections_of(_unwrap(files), stack)
            for section, files_of_section in sections.items():
                found, lines = _submissions_in(files_of_section, path / section)
                logins += _logins_in(files_of_section, path / section)
                for unread, files_of_one in found:
                    submission = _read_submission(unread, files_of_one)
                    submissions.append(_in_section(submission, section))
                remarks += [f"{section}: {line}" if section else line for line in lines]
    except NotGradable as reason:  # concerns the whole course
        raise InputError(f"{path}: {reason}") from None
    if not submissions:
        raise InputError(
            f"{path}: no submissions; it must contain folders, .py files or zips"
        )
    if len(sections) > 1:
        names = sorted(filter(None, sections))
        remarks.append(f"read as separate sections: {', '.join(names)}")
    in_order = assign_ids(submissions, assigned or {})
    return Course(in_order, tuple(remarks), logins=tuple(logins))


def _logins_in(files, where):
    """Return the Students of GitHub Classroom's own list, or [] without a list."""
    if CLASSROOM not in files:
        return []
    path = f"{where}/{CLASSROOM}"
    return parse_roster(parse_table(files[CLASSROOM](MAX_TEXT_BYTES), path), path)


def _read_submission(submission, files):
    """Return the submission with its program, or with the reason for a refusal."""
    if submission.refusal:
        return submission
    try:
        staged = stage_files(files)
    except NotGradable as reason:
        refusal = str(reason)
        if any(name.endswith(ONLINE_TEXT) for name in files):
            refusal += "; the code may be in the online text"
        return replace(submission, refusal=refusal)
    return replace(submission, source=staged.source).with_note(staged.note)


def _in_section(submission, section):
    if not section:
        return submission
    students = [replace(student, section=section) for student in submission.students]
    return replace(
        submission,
        students=tuple(students),
        origin=f"{section}/{submission.origin}",
        places=tuple((f"{section}/{place}", why) for place, why in submission.places),
    )


# ---- folders around a course, and its sections


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
    """Remove outer folders that contain only one folder, as in many zips."""
    for _ in range(MAX_FOLDERS_AROUND):
        groups = _group_by_top_name(files)
        if len(groups) != 1 or _is_course(files):
            break
        [inside] = groups.values()
        if not _is_course(inside) and not _holds_only_folders(inside):
            break
        files = inside
    return files


def _holds_only_folders(files):
    """Tell whether there are folders, and no program beside them."""
    has_folders = any("/" in name for name in files)
    has_programs = any("/" not in name and name.endswith(".py") for name in files)
    return has_folders and not has_programs


def _is_course(files):
    """Tell whether these are the names of a platform's download."""
    if METADATA in files:
        return True
    found, _ = parse_download(_group_by_top_name(files))
    return bool(found)


def _sections_of(files, stack):
    """Return name -> files of each section, which `stack` closes; {"": files} if none.

    Sections need at least two folders or zips, and all of them must be courses. Otherwise a
    folder that looks like a course is a submission. Other files belong to no section.
    """
    whole = {"": files}
    if METADATA in files:
        return whole
    names = []
    courses = []
    other_files = {}
    for name, group in _group_by_top_name(files).items():
        if _is_file(group) and not name.lower().endswith(SUFFIXES):
            other_files[name] = group[""]
            continue
        course = _unwrap(_open_if_zip(name, group, stack))
        if not _is_course(course):
            return whole
        stem = re.sub(r"\.zip$", "", name, flags=re.IGNORECASE)
        names.append(clean_line(stem))
        courses.append(course)
    if len(courses) < 2:
        return whole
    sections = dict(zip(make_folder_names(names), courses))
    sections[""] = other_files
    return sections


def _open_if_zip(name, group, stack):
    """Return the files of a folder or a zip, {} for an unreadable zip."""
    if not _is_file(group) or not name.lower().endswith(".zip"):
        return group
    try:
        content = io.BytesIO(group[""](MAX_ZIP_BYTES))
        return stack.enter_context(open_zip(content, name, MAX_LIST_BYTES))
    except NotGradable:
        return {}


# ---- the submissions of a course or a section


def _submissions_in(files, where):
    """Return a list of pairs (unread Submission, its files), and remarks."""
    if METADATA in files:
        return _exported_submissions(files, f"{where}: {METADATA}")
    groups = _group_by_top_name(files)
    parsed, remark = parse_download(groups)
    attempts_of = {}  # id -> {name: Submission}
    for name, submission in parsed.items():
        attempts_of.setdefault(submission.id, {})[name] = submission
    found = [_join_attempts(attempts, groups) for attempts in attempts_of.values()]
    repositories = parse_repositories(groups)
    remarks = [remark] if remark else []
    for name, group in groups.items():
        if name in parsed:
            continue
        stem, suffix = os.path.splitext(name)
        if not _is_file(group):
            submission = repositories.get(name, Submission(name))
            found.append((_placed(submission, name), group))
        elif name.lower().endswith(SUFFIXES):
            own_name = SEARCH_PY if suffix.lower() == ".py" else name
            found.append((_placed(Submission(stem), name), {own_name: group[""]}))
        elif name not in OWN_FILES:
            shown = clean_line(name)
            remarks.append(f"{shown} is not a submission: neither .py nor .zip")
    return found, remarks


def _placed(submission, name):
    """Return the submission with this name as its origin and its place."""
    return replace(submission, origin=name, places=((sanitize(name), ""),))


def _join_attempts(attempts, groups):
    """Return the Submission of a student's attempts, and the files of the last attempt.

    attempts: name -> Submission, all with the same id.
    """
    last = _last_time(attempts, groups)

    def order(name):  # Canvas's numbers of files increase
        return attempts[name].attempt, natural_sort_key(name)

    files = {}
    name_of = {}  # the student's own name for a file -> name in the download
    why = {}  # name in the download -> why it does not count
    for name in sorted(attempts, key=order):
        if attempts[name].handed_in != last:
            why[name] = f"the attempt of {last} counts"
            continue
        for below, read in groups[name].items():
            own_name = below or attempts[name].file
            if own_name in name_of:
                why[name_of[own_name]] = f"{sanitize(name)} replaces it"
            name_of[own_name] = name
            files[own_name] = read
    counting = [attempt for name, attempt in attempts.items() if name not in why]
    named = [attempt for attempt in attempts.values() if attempt.students[0].name]
    submission = replace(
        counting[0],
        students=(*named, *counting)[0].students,
        marked_late=any(attempt.marked_late for attempt in counting),
        origin=f"{counting[0].id}_*",
        places=tuple((sanitize(name), why.get(name, "")) for name in attempts),
    )
    if why:
        note = "handed in more than once: the last attempt counts"
        submission = submission.with_note(note)
    return submission, files


def _last_time(attempts, groups):
    """Return the time of the last attempt with a program, None if unknown."""
    with_program = [name for name in attempts if _has_program(name, groups[name])]
    times = [attempts[name].handed_in for name in with_program or attempts]
    return max(filter(None, times), default=None)


def _has_program(name, group):
    """Tell whether a file or folder of this name may contain a program."""
    return any((below or name).lower().endswith(SUFFIXES) for below in group)


def _exported_submissions(files, where):
    """Return a list of pairs for Gradescope's export, as _submissions_in() does."""
    listed = read_metadata(files[METADATA](MAX_METADATA_BYTES), where)
    groups = _group_by_top_name(files)
    folders = {name: group for name, group in groups.items() if not _is_file(group)}
    note = f"not in {METADATA}"
    unlisted = sorted(folders.keys() - listed.keys())
    for name in unlisted:
        listed[name] = Submission(name, note=note)
    found = []
    for name, submission in listed.items():
        if name not in folders:
            submission = replace(submission, refusal="its folder is not in the export")
        found.append((_placed(submission, name), folders.get(name, {})))
    return found, [f"{clean_line(name)} is {note}" for name in unlisted]
