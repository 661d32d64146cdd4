"""Read a course: a download of any platform, any folder of submissions, a zip of either, or
a folder with one of these for each section.

It is read as one flat dictionary, name -> Reader, as a submission is, and then grouped by
submission. Students made these files, and one student's must not cost another a grade: a
file that cannot be read refuses its own submission only, and no file inside a submission
says whose it is.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from autograder.command import Refused
from autograder.course.people import parse_roster
from autograder.course.platforms import (
    MAX_TEXT_BYTES,
    METADATA,
    SUFFIXES,
    parse_download,
    parse_repositories,
    printable_name,
    read_metadata,
)
from autograder.course.submissions import (
    Course,
    Submission,
    assign_ids,
    natural_sort_key,
)
from autograder.course.tables import parse_table
from autograder.kit import complete_source
from autograder.mistakes.variants import EQUALITY
from autograder.plaintext import sanitize
from autograder.sandbox.submission import (
    BYHAND_YAML,
    MAX_ZIP_BYTES,
    SEARCH_PY,
    NotGradable,
    files_at,
    open_zip,
    stage_files,
)

CLASSROOM = "classroom_roster.csv"  # GitHub Classroom's own list of logins
OWN_FILES = ("index.html", CLASSROOM)  # of platforms, beside the submissions
ONLINE_TEXT = ("onlinetext.html", "_text.html")  # ends of names of Moodle and Canvas
MAX_FOLDERS_AROUND = 5  # each with one folder in it
MAX_METADATA_BYTES = 2**30  # it holds the results of all students
MAX_LIST_BYTES = 2**27  # of a zip's list of entries: about a million


class Unread(NamedTuple):
    """A submission whose files are not read yet.

    submission: what its names say.
    files: name within the submission -> Reader.
    """

    submission: Submission
    files: dict


def read_course(
    path: Path,
    cutoff: str = EQUALITY,
    by_hand: bool = False,
    assigned: Mapping[str, str] | None = None,
) -> Course:
    """Return the Course at `path`.

    cutoff: the rule for ties by which files of the kit's own solution/ are read.
    by_hand: whether to read byhand.yaml, too.
    assigned: origin -> id of earlier runs; see assign_ids().
    Raises Refused with one line if there is nothing to grade.
    """
    if not path.exists():
        raise Refused(f"{path}: no such file or folder; give SUBMISSIONS=path")
    submissions = []
    remarks = []
    logins = []
    with ExitStack() as stack:
        try:
            files = stack.enter_context(files_at(path.resolve(), MAX_LIST_BYTES))
        except NotGradable as reason:
            raise Refused(f"{path}: {reason}") from None
        sections = _sections_of(_unwrap(files), stack)
        for section, files_of_section in sections.items():
            found, lines = _submissions_in(files_of_section, path / section)
            logins += _logins_in(files_of_section, path / section)
            for unread in found:
                submission = _read_submission(unread, path, cutoff, by_hand)
                submissions.append(_in_section(submission, section))
            for line in lines:
                remarks.append(f"{section}: {line}" if section else line)
    if not submissions:
        raise Refused(f"{path}: no submissions: no folder, .py file or zip in it")
    names = sorted({_section_of(submission) for submission in submissions} - {""})
    if names:
        remarks.append(f"sections, each with students of its own: {', '.join(names)}")
    in_order = assign_ids(submissions, assigned or {})
    return Course(in_order, tuple(remarks), logins=tuple(logins))


def _logins_in(files, where):
    """Return the Students of GitHub Classroom's own list, none if it is not here."""
    if CLASSROOM not in files:
        return []
    path = f"{where}/{CLASSROOM}"
    try:
        return parse_roster(parse_table(files[CLASSROOM](MAX_TEXT_BYTES)), path)
    except (NotGradable, UnicodeError, csv.Error) as reason:
        raise Refused(f"{path}: cannot be read: {reason}") from None


def _read_submission(unread, path, cutoff, by_hand):
    """Return the Submission with its program, or with the reason for refusing it."""
    submission = unread.submission
    if submission.refusal:
        return submission
    try:
        staged = stage_files(unread.files)
        source = complete_source(staged.source, path, cutoff)
        submission = replace(submission, source=source).with_note(staged.note)
    except NotGradable as reason:
        refusal = str(reason)
        for name in unread.files:
            if name.endswith(ONLINE_TEXT):
                refusal += "; the code may be in the online text"
        submission = replace(submission, refusal=refusal)
    if by_hand:
        submission = replace(submission, sheet=_sheet_in(unread.files))
    return submission


def _sheet_in(files):
    """Return the bytes of byhand.yaml, or a line that says why there are none."""
    try:
        return stage_files(files, BYHAND_YAML).source
    except NotGradable as reason:
        return str(reason)


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


def _section_of(submission):
    return submission.students[0].section


# ---- folders around a course, and its sections


def _group_by_top_name(files):
    """Return name at the top -> {name below it: Reader}; a file has "" below it."""
    groups = {}
    for name, read in files.items():
        top, _, below = name.partition("/")
        groups.setdefault(top, {})[below] = read
    for group in groups.values():
        if len(group) > 1:  # a zip can hold a file and a folder of one name
            group.pop("", None)
    return groups


def _is_file(group):
    return "" in group


def _unwrap(files):
    """Return the files inside folders that contain one folder only, as in many zips."""
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
    """Tell whether there are folders without a program beside them."""
    has_folders = any("/" in name for name in files)
    has_programs = any("/" not in name and name.endswith(".py") for name in files)
    return has_folders and not has_programs


def _is_course(files):
    """Tell whether a platform made these names."""
    if METADATA in files:
        return True
    found, _ = parse_download(_group_by_top_name(files))
    return bool(found)


def _sections_of(files, stack):
    """Return name -> files of each section, which `stack` closes; {"": files} if none.

    There must be at least two folders or zips, and all must be courses: a course among
    submissions is a submission. Other files belong to no section.
    """
    whole = {"": files}
    if METADATA in files:
        return whole
    sections = {}
    other_files = {}
    for name, group in _group_by_top_name(files).items():
        if _is_file(group) and not name.lower().endswith(SUFFIXES):
            other_files[name] = group[""]
            continue
        section_files = _unwrap(_open_if_zip(name, group, stack))
        if not _is_course(section_files):
            return whole
        sections[_section_name(name)] = section_files
    if len(sections) < 2:
        return whole
    sections[""] = other_files
    return sections


def _open_if_zip(name, group, stack):
    """Return the files of a folder or a zip, none of a zip that cannot be read."""
    if not _is_file(group) or not name.lower().endswith(".zip"):
        return group
    try:
        content = io.BytesIO(group[""](MAX_ZIP_BYTES))
        return stack.enter_context(open_zip(content, name, MAX_LIST_BYTES))
    except NotGradable:
        return {}


def _section_name(name):
    printed = " ".join(printable_name(name).split())
    return re.sub(r"\.zip$", "", printed, flags=re.IGNORECASE)


# ---- the submissions of a course or a section


def _submissions_in(files, where):
    """Return a list of Unread, and remarks on ignored files."""
    if METADATA in files:
        return _exported_submissions(files, f"{where}: {METADATA}")
    groups = _group_by_top_name(files)
    parsed, remark = parse_download(groups)
    names_of = {}  # id -> {name: Submission}
    for name, submission in parsed.items():
        names_of.setdefault(submission.id, {})[name] = submission
    found = [_join_attempts(attempts, groups) for attempts in names_of.values()]
    repositories = parsed or parse_repositories(groups)
    remarks = [remark] if remark else []
    for name, group in groups.items():
        if name in parsed:
            continue
        if not _is_file(group):
            submission = repositories.get(name, Submission(name))
            found.append(Unread(_placed(submission, name), group))
        elif name.lower().endswith(SUFFIXES):
            found.append(_single_file(name, group[""]))
        elif name not in OWN_FILES:
            remarks.append(
                f"{printable_name(name)} is not a submission: neither .py nor .zip"
            )
    return found, remarks


def _placed(submission, name):
    """Return the submission that is the file or folder of this name."""
    return replace(submission, origin=name, places=((sanitize(name), ""),))


def _single_file(name, read):
    """Return the Unread of a file that is a submission by itself."""
    stem, suffix = os.path.splitext(name)
    own_name = SEARCH_PY if suffix.lower() == ".py" else name
    return Unread(_placed(Submission(stem), name), {own_name: read})


def _join_attempts(attempts, groups):
    """Return the Unread of one submission: the files of its last attempt.

    attempts: name -> Submission, each with the same id.
    """
    last = _last_time(attempts, groups)
    counting = {}
    why = {}  # name -> why it does not count
    for name, attempt in attempts.items():
        if attempt.handed_in == last:
            counting[name] = attempt
        else:
            why[name] = f"the attempt of {last} counts"
    files = _join_files(counting, groups, why)
    first = next(iter(counting.values()))
    named = [attempt for attempt in attempts.values() if attempt.students[0].name]
    submission = replace(
        first,
        students=(*named, first)[0].students,
        marked_late=any(counting[name].marked_late for name in counting.keys() - why),
        origin=f"{first.id}_*",
        places=tuple((sanitize(name), why.get(name, "")) for name in attempts),
    )
    if why:
        note = "handed in more than once: the last attempt counts"
        submission = submission.with_note(note)
    return Unread(submission, files)


def _last_time(attempts, groups):
    """Return the time of the last attempt with a program, None if names have no times."""
    times = []
    for name, attempt in attempts.items():
        if _has_program(groups[name], name):
            times.append(attempt.handed_in)
    if not times:
        times = [attempt.handed_in for attempt in attempts.values()]
    return max(filter(None, times), default=None)


def _has_program(group, name):
    """Tell whether a file, or a folder of this name, holds what may be a program."""
    names = [name] if _is_file(group) else group
    return any(below.lower().endswith(SUFFIXES) for below in names)


def _join_files(attempts, groups, why):
    """Return the files of an attempt; add to `why` the names that later ones replace."""
    files = {}
    name_of = {}  # the student's own name for a file -> name in the download
    in_order = sorted(attempts, key=natural_sort_key)  # Canvas's numbers of files increase
    for name in sorted(in_order, key=lambda name: attempts[name].attempt):
        group = groups[name]
        if _is_file(group):
            own_name = attempts[name].file
            if own_name in name_of:
                why[name_of[own_name]] = f"{sanitize(name)} replaces it"
            name_of[own_name] = name
            group = {own_name: group[""]}
        files.update(group)
    return files


def _exported_submissions(files, where):
    """Return a list of Unread of Gradescope's export, and remarks."""
    try:
        listed = read_metadata(files[METADATA](MAX_METADATA_BYTES), where)
    except NotGradable as reason:
        raise Refused(f"{where}: {reason}") from None
    groups = _group_by_top_name(files)
    folders = {name: group for name, group in groups.items() if not _is_file(group)}
    found = []
    for name, submission in listed.items():
        if name not in folders:
            submission = replace(submission, refusal="its folder is not in the export")
        found.append(Unread(_placed(submission, name), folders.get(name, {})))
    remarks = []
    note = f"not in {METADATA}"
    for name in sorted(folders.keys() - listed.keys()):
        found.append(Unread(_placed(Submission(name, note=note), name), folders[name]))
        remarks.append(f"{printable_name(name)} is {note}")
    return found, remarks
