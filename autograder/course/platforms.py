"""Parse Gradescope's metadata, and the names by Canvas and Moodle in a download.

Only the submitters are read from submission_metadata.yml. All names of a download must fit
the platform's pattern, because names that students chose could imitate the platform's
numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

import yaml

from autograder.course.roster import CANVAS, MOODLE
from autograder.course.students import Match, Student, Submission, clean_line
from autograder.sandbox.submission import REFUSALS, Files
from gametree.support.errors import InputError

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


# ---- submission_metadata.yml

METADATA = "submission_metadata.yml"
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
