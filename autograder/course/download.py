"""Read a course: an export of Gradescope, Canvas or Moodle, any folder of submissions, a
zip of either, or a folder with one of these for each section.

It is read as one flat dictionary, name -> Read, as a submission is, and then grouped by
submission. An export is the work of strangers, and nobody's may cost another a grade: what
cannot be read is that submission's refusal, and what lies inside a submission never says
whose it is.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from autograder.command import Refused
from autograder.course.people import Roster, Student
from autograder.course.platforms import (
    METADATA,
    parse_download_name,
    printable_name,
    read_metadata,
)
from autograder.course.submissions import (
    Course,
    Submission,
    make_folder_names,
    natural_sort_key,
)
from autograder.kit import complete_source
from autograder.mistakes.variants import EQUALITY
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

REFUSED_SUFFIXES = tuple(suffix for suffixes in REFUSALS for suffix in suffixes)
SUFFIXES = (".py", ".zip", *REFUSED_SUFFIXES)  # of files that are taken for submissions
MAX_FOLDERS_AROUND = 5  # that hold one folder and nothing else
MAX_METADATA_BYTES = 2**30  # it holds the results of everybody
MAX_LIST_BYTES = 2**27  # of a zip's list of entries: about a million


class Unread(NamedTuple):
    """A submission whose files were found and not read yet.

    submission: what is known of it without them.
    files: name within the submission -> Read.
    """

    submission: Submission
    files: dict


def read_course(path: Path, cutoff: str = EQUALITY, by_hand: bool = False) -> Course:
    """Return the Course at `path`.

    cutoff: the rule for ties by which files of the kit's own solution/ are read.
    by_hand: whether byhand.yaml is read, too.
    Raises Refused with one line where there is nothing to grade.
    """
    if not path.exists():
        raise Refused(f"{path}: no such file or folder; give SUBMISSIONS=path")
    submissions = []
    remarks = []
    with ExitStack() as stack:
        try:
            files = stack.enter_context(files_at(path.resolve(), MAX_LIST_BYTES))
        except NotGradable as reason:
            raise Refused(f"{path}: {reason}") from None
        sections = _sections_of(_unwrap(files), stack)
        for section, files_of_section in sections.items():
            found, lines = _submissions_in(files_of_section, path / section)
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
    return Course(_with_safe_ids(submissions), tuple(remarks))


def _read_submission(unread, path, cutoff, by_hand):
    """Return a Submission with what its files hold, or with why they were refused."""
    submission = unread.submission
    if submission.refusal:
        return submission
    try:
        staged = stage_files(unread.files)
        source = complete_source(staged.source, path, cutoff)
        submission = replace(submission, source=source).with_note(staged.note)
    except NotGradable as reason:
        submission = replace(submission, refusal=str(reason))
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
    students = [replace(student, section=section) for student in submission.students]
    return replace(submission, students=tuple(students))


def _section_of(submission):
    return submission.students[0].section


def _with_safe_ids(submissions):
    """Return the submissions in order, each with an id that is a folder's name."""
    in_order = sorted(submissions, key=lambda found: natural_sort_key(found.id))
    ids = make_folder_names(submission.id for submission in in_order)
    return tuple(replace(found, id=id) for found, id in zip(in_order, ids))


def with_roster(course: Course, students: Iterable[Student]) -> Course:
    """Return the course with what a class list knows of its students, and who is absent.

    A student who is not in the list keeps a row, and the row says so.
    """
    roster = Roster(students)
    submissions = []
    for submission in course.submissions:
        matched = [roster.match(who, submission.id) for who in submission.students]
        submissions.append(replace(submission, students=tuple(matched)))
    return replace(course, submissions=tuple(submissions), absent=tuple(roster.absent))


# ---- folders around a course, and its sections


def _group_by_top_name(files):
    """Return name at the top -> {name below it: Read}; a file has the name "" below it."""
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
    """Step into folders that hold one folder and nothing else, as zips have them."""
    for _ in range(MAX_FOLDERS_AROUND):
        groups = _group_by_top_name(files)
        if len(groups) != 1:
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
    """Tell whether Gradescope, Canvas or Moodle made these names."""
    if METADATA in files:
        return True
    return any(parse_download_name(name) for name in _group_by_top_name(files))


def _sections_of(files, stack):
    """Return name -> files of each section, which `stack` closes; {"": files} if none.

    All of the folders and zips must be courses, and at least two: one that claims to be
    a course among others that do not is a submission. Other files lie in no section.
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
    """Return a list of Unread, and remarks on files that were passed over."""
    if METADATA in files:
        return _exported_submissions(files, f"{where}: {METADATA}")
    groups = _group_by_top_name(files)
    downloads = {name: parse_download_name(name) for name in groups}

    def attempt_of(name):
        return downloads[name].attempt if downloads[name] else 0

    found = {}  # id, or the name of a folder or file and a slash -> Unread
    remarks = []
    for name in sorted(groups, key=attempt_of):
        group = groups[name]
        download = downloads[name]
        if download:
            id = download.submission.id
            found[id] = _with_download(found.get(id), download, group)
        elif not _is_file(group):
            found[f"{name}/"] = Unread(Submission(name), group)
        elif name.lower().endswith(SUFFIXES):
            found[f"{name}/"] = _single_file(name, group[""])
        else:
            remark = f"{printable_name(name)} is no submission: neither .py nor .zip"
            remarks.append(remark)
    return list(found.values()), remarks


def _single_file(name, read):
    """Return the Unread of a file that is a submission by itself."""
    stem, suffix = os.path.splitext(name)
    if suffix.lower() == ".py":
        name = SEARCH_PY
    return Unread(Submission(stem), {name: read})


def _with_download(earlier, download, group):
    """Return an Unread with one more download of the student, who may have handed in again.

    earlier: the Unread of the student's other downloads, None before the first.
    """
    if earlier is None:
        earlier = Unread(download.submission, {})
    submission = earlier.submission
    is_late = download.submission.marked_late
    if _is_file(group) and download.file in earlier.files:
        again = f"{download.file} came more than once: the last one counts"
        submission = submission.with_note(again)
    else:
        is_late = is_late or submission.marked_late
    if _is_file(group):
        group = {download.file: group[""]}
    return Unread(replace(submission, marked_late=is_late), {**earlier.files, **group})


def _exported_submissions(files, where):
    """Return what _submissions_in() does, of an export of Gradescope."""
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
        found.append(Unread(submission, folders.get(name, {})))
    remarks = []
    note = f"not in {METADATA}"
    for name in sorted(folders.keys() - listed.keys()):
        found.append(Unread(Submission(name, note=note), folders[name]))
        remarks.append(f"{printable_name(name)} is {note}")
    return found, remarks
