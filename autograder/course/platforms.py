"""What Gradescope, Canvas and Moodle say of submissions.

Canvas and Moodle say it in the names of files, Gradescope in submission_metadata.yml. Of
that file only who handed in, when, and Gradescope's score are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timezone
from typing import NamedTuple

import yaml

from autograder.command import Refused
from autograder.course.people import Student
from autograder.course.submissions import Submission
from autograder.plaintext import MAX_NAME_LENGTH, sanitize

# ---- names of downloads
#
# Canvas makes one flat folder, `doejane_LATE_12345_678910_search-1.py`: a squeezed name,
# LATE where it came late, the user's number, the submission's, and the student's own name
# for the file, with -1 and so on where it was handed in again. Moodle makes a folder for
# each student, `Jane Doe_12345_assignsubmission_file_`, or puts that before
# the file's name.

CANVAS = re.compile(
    r"(?P<student>[^_]+)_(?P<late>LATE_)?(?P<user>[0-9]+)_[0-9]+_"
    r"(?P<file>.+?)(?:-(?P<attempt>[0-9]{1,4})(?=\.[^.]*\Z))?(?P<suffix>\.[^.]*)?",
    re.DOTALL,
)
MOODLE = re.compile(
    r"(?P<student>.+?)_(?P<user>[0-9]+)_assignsubmission_[a-z]+_?(?P<file>.*)", re.DOTALL
)
PARTICIPANT = "participant "  # keeps Moodle's numbers apart from Canvas's


class Download(NamedTuple):
    """What the name of a file or folder says of a submission.

    submission: the Submission, not read yet. Its id stays the same when the student hands
        in again.
    file: the student's own name for the file, "" for a folder.
    attempt: how many files of this name the student handed in before.
    """

    submission: Submission
    file: str
    attempt: int = 0


def parse_download_name(name: str) -> Download | None:
    """Return what a download's name says, None for a name of another kind."""
    found = MOODLE.fullmatch(name)
    if found:
        return _moodle_download(found)
    found = CANVAS.fullmatch(name)
    if found:
        return _canvas_download(found)
    return None


def _moodle_download(found):
    report = f"{found['student']}_{found['user']}_assignsubmission_file_report"
    submission = _submission_named(found, PARTICIPANT + found["user"], report)
    return Download(submission, found["file"])


def _canvas_download(found):
    before_the_file = found.string[: found.start("file")]
    submission = _submission_named(
        found, found["user"], before_the_file + "report", found["late"] is not None
    )
    file = found["file"] + (found["suffix"] or "")
    return Download(submission, file, int(found["attempt"] or 0))


def _submission_named(found, number, report, marked_late=False):
    name = found["student"].strip()
    student = Student(" ".join(printable_name(name).split()), number=number)
    id = f"{name}_{found['user']}"
    return Submission(id, (student,), marked_late=marked_late, report=report)


def printable_name(name: str) -> str:
    """Return a stranger's name for a file as a line may show it."""
    return sanitize(name, MAX_NAME_LENGTH)


# ---- submission_metadata.yml

METADATA = "submission_metadata.yml"
SUBMITTERS = ":submitters"
HANDED_IN = ":created_at"
SCORE = ":score"
KEYS = (SUBMITTERS, HANDED_IN, SCORE)
STUDENT_FIELDS = (":name", ":sid", ":email")  # in the order of Student
EMPTY = ("", "~", "null")  # how YAML writes that there is no sid
JOINERS = str.maketrans("", "", "\u200c\u200d")  # not seen; Persian and others write them
ENTRY = re.compile(r"^(?![ \r#]|---|\.\.\.|- |$)", re.MULTILINE)  # where one begins
INDENT = re.compile(r"^( *)\S", re.MULTILINE)
POINTS = re.compile(r"-?[0-9]{1,6}(\.[0-9]+)?")
Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # every scalar stays a string


def read_metadata(content: bytes, where: str) -> dict[str, Submission]:
    """Return folder name -> Submission, not read yet, in the file's order.

    Where an entry cannot be read, the note says so. Raises Refused where the file
    lists no submission.
    """
    submissions = {}
    for line, entry in split_entries(content.decode("utf-8-sig", "replace")):
        try:
            data = yaml.load(entry, Loader)
        except (yaml.YAMLError, RecursionError):
            first_line = entry.partition("\n")[0]
            name = first_line.strip().strip("'\"").rstrip(":")
            note = f"{METADATA}, line {line}: not YAML"
            submissions[name] = Submission(name, note=note)
            continue
        if isinstance(data, dict):
            for name, fields in data.items():
                submissions[str(name)] = _submission_of(str(name), fields)
    if not submissions:
        raise Refused(f"{where}: lists no submission; export it again")
    return submissions


def split_entries(text: str) -> Iterator[tuple[int, str]]:
    """Yield each submission's entry: its line's number, its name and its KEYS, as YAML.

    All else, which is nearly all of the file, need not be parsed. The keys of a
    submission stand as deep as its first one; what looks like a key further in is
    somebody's text. A block goes on while lines are deeper than its key, or are items
    of a list at the key's own depth.
    """
    before, *entries = ENTRY.split(text)
    line = 1 + before.count("\n")
    keys = "|".join(KEYS)
    for entry in entries:
        name, _, body = entry.partition("\n")
        first = INDENT.search(body)
        depth = first[1] if first else ""
        block = rf"^{depth}(?:{keys}):.*(?:\n(?:{depth}(?: |- ).*|[ \r]*$))*"
        blocks = re.findall(block, body, re.MULTILINE)
        yield line, "\n".join([name, *blocks])
        line += entry.count("\n")


def _submission_of(name, fields):
    if not isinstance(fields, Mapping):
        return Submission(name)
    return Submission(
        name,
        _students_in(fields.get(SUBMITTERS)) or (Student(),),
        handed_in=_handed_in(fields.get(HANDED_IN)),
        score=_cents(fields.get(SCORE)),
    )


def _students_in(members):
    if not isinstance(members, list):
        return ()
    students = []
    for member in members:
        if isinstance(member, Mapping):
            known = [_clean_text(member.get(field)) for field in STUDENT_FIELDS]
            students.append(Student(*known))
    return tuple(students)


def _clean_text(value):
    """Return a field's text as one line, "" where there is none."""
    if not isinstance(value, str) or value in EMPTY:
        return ""
    return " ".join(sanitize(value.translate(JOINERS)).split())


def _handed_in(value):
    """Return the datetime of a field, in UTC if it has no offset; None if it has none."""
    if isinstance(value, Mapping):  # as Ruby writes it: utc, zone, time
        value = value.get("utc")
    if not isinstance(value, str):
        return None
    timestamp = parse_timestamp(value)
    if timestamp and timestamp.tzinfo is None:
        return timestamp.replace(tzinfo=timezone.utc)
    return timestamp


def _cents(value):
    """Return the hundredths of a point in a field, None if it does not hold points."""
    if not isinstance(value, str) or not POINTS.fullmatch(value):
        return None
    return round(float(value) * 100)


TIMESTAMP = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[ T]([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(?:\.[0-9]+)?"
    r" *(?:(Z|UTC)|([+-][0-9]{2}):?([0-9]{2}))?"
)


def parse_timestamp(text: str) -> datetime | None:
    """Return a point in time, as ISO 8601 or Ruby writes it; None where there is none.

    It has no offset from UTC where the text has none.
    """
    found = TIMESTAMP.fullmatch(text.strip())
    if not found:
        return None
    day, clock, utc, hours, minutes = found.groups()
    offset = ""
    if utc:
        offset = "+00:00"
    elif hours:
        offset = f"{hours}:{minutes}"
    with suppress(ValueError):  # such as the 45th of a month
        return datetime.fromisoformat(f"{day}T{clock}{offset}")
    return None
