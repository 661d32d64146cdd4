"""Parse the names of files in a platform's download, and Gradescope's metadata.

Each platform has a pattern for names. All names of a download must fit the same pattern,
because names that students chose could imitate the platform's numbers. Only the submitters,
the time and the score are read from submission_metadata.yml.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timezone
from typing import NamedTuple

import yaml

from autograder.course.people import GITHUB, UNIVERSITY, Student, Submission, clean_line
from autograder.ground.files import load_data
from autograder.ground.plaintext import decode
from autograder.sandbox.submission import REFUSALS, Files, NotGradable
from gametree.support.errors import InputError

REFUSED_SUFFIXES = tuple(suffix for suffixes in REFUSALS for suffix in suffixes)
SUFFIXES = (".py", ".zip", *REFUSED_SUFFIXES)  # files that may be submissions
MAX_TEXT_BYTES = 2**20  # of a file that the platform adds to a submission

# ---- names in downloads


class Platform(NamedTuple):
    """The names that a platform gives to files and folders; see platforms.yaml."""

    name: str
    pattern: str
    id: str
    report: str
    number: str = ""
    login: str = ""
    file: str = ""
    time: str = ""
    has_folders: bool = False
    is_common: bool = False


PLATFORMS = [Platform(**fields) for fields in load_data("platforms.yaml", __file__)]
OWNER_LINE = re.compile(r"Name: (?P<name>.+) \((?P<login>[^()]+)\)")  # in Blackboard's .txt
GITHUB_LOGIN = re.compile(r"[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}")
TIMESTAMP_TXT = "timestamp.txt"  # of nbgrader

# Top name in a download -> its Files. A file has the name "" below it.
Groups = Mapping[str, Files]


def parse_download(groups: Groups) -> tuple[dict[str, Submission], str]:
    """Return name -> unread Submission if all names fit a platform, and a remark or "".

    Names of the same submission have the same id. If no platform fits, the result is empty.
    The remark then names a misfit if most names fit a platform.
    """
    remark = ""
    for platform in PLATFORMS:
        found = {}
        misfits = []
        for name, files in groups.items():
            match = re.fullmatch(platform.pattern, name)
            if match and ("" in files or platform.has_folders):
                found[name] = _submission_named(platform, match, files)
            elif "" not in files or name.lower().endswith(SUFFIXES):
                misfits.append(name)
        is_doubtful = platform.is_common and not _have_own_numbers(found)
        if found and not misfits and not is_doubtful:
            return found, ""
        if len(found) > len(misfits) > 0:
            remark = (
                f"{clean_line(misfits[0])} is not a name by {platform.name}, so numbers"
                f" and times in the other {len(found)} names are ignored; move it to a "
                "folder outside this download"
            )
    return _parse_nbgrader(groups), remark


def _submission_named(platform, match, files):
    """Return the Submission that a match of a platform's pattern describes."""
    parts = defaultdict(str, match.groupdict(""))
    name = parts["name"]
    if parts["text"]:
        owner = OWNER_LINE.match(_read_text(files[""]))
        if owner and owner["login"] == parts["login"]:
            name = owner["name"]
    number = match.expand(platform.number)
    login = match.expand(platform.login)
    return Submission(
        match.expand(platform.id).strip(),
        (Student(clean_line(name), number=number, login=login),),
        file=match.expand(platform.file),
        attempt=int(parts["attempt"] or 0),
        handed_in=_parse_time(parts["time"], platform.time),
        marked_late=bool(parts["late"]),
        report=match.expand(platform.report),
    )


def _parse_time(text, form):
    """Return the local time in a name, or None."""
    four_digits = re.sub(r" ([0-9]{3}) ", r" 0\1 ", text)  # 914 PM is 0914 PM
    with suppress(ValueError):
        return datetime.strptime(four_digits, form) if text else None
    return None


def _have_own_numbers(found):
    """Tell whether the numbers may be a platform's: each has one name, and names differ.

    If all programs begin with the same word, it is the name of the assignment.
    """
    students = {submission.students[0] for submission in found.values()}
    numbers = {student.number for student in students}
    names = {student.name for student in students}
    programs = [name for name in found if name.lower().endswith(SUFFIXES)]
    return len(numbers) == len(students) and (len(programs) < 2 or len(names) > 1)


def _parse_nbgrader(groups):
    """Return login -> Submission for login/ps/, if each ps/ has a timestamp.txt."""
    folders = {name.partition("/")[0] for files in groups.values() for name in files}
    timestamp = f"{min(folders, default='')}/{TIMESTAMP_TXT}"
    if len(folders) != 1 or not all(timestamp in files for files in groups.values()):
        return {}
    submissions = {}
    for login, files in groups.items():
        handed_in = parse_timestamp(_read_text(files[timestamp]))
        student = Student(sid=clean_line(login), login=f"{UNIVERSITY} {login}")
        submissions[login] = Submission(login, (student,), handed_in=handed_in)
    return submissions


def parse_repositories(groups: Groups) -> dict[str, Submission]:
    """Return name -> Submission for assignment-login/, as GitHub Classroom names folders.

    Other folders may have such names. So a login is evidence only if the class list has
    GitHub logins.
    """
    names = [name for name, files in groups.items() if "" not in files]
    assignment, dash, _ = os.path.commonprefix(names).rpartition("-")
    logins = {name: name.removeprefix(assignment + dash) for name in names}
    if len(names) < 2 or not dash or not all(map(GITHUB_LOGIN.fullmatch, logins.values())):
        return {}
    submissions = {}
    for name, login in logins.items():
        submissions[name] = Submission(name, (Student(login=f"{GITHUB} {login}"),))
    return submissions


def _read_text(read):
    """Return the text of a platform's own file, "" if it cannot be read."""
    with suppress(NotGradable):
        return decode(read(MAX_TEXT_BYTES))
    return ""


# ---- submission_metadata.yml

METADATA = "submission_metadata.yml"
SUBMITTERS = ":submitters"
HANDED_IN = ":created_at"
SCORE = ":score"
KEYS = (SUBMITTERS, HANDED_IN, SCORE)
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
        raise InputError(f"{where}: lists no submission; export it again")
    return submissions


def split_entries(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line number and the YAML text of each entry, reduced to name and KEYS.

    Parsing whole entries would be slow, because nearly all of their text is not needed. All
    keys of a submission have the same indentation. A similar line with more indentation
    belongs to a student's text. The block of a key contains the lines with more
    indentation, and list items with the key's indentation.
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
    """Return the Submission of an entry. Fields of an unknown form are unknown."""
    if not isinstance(fields, Mapping):
        return Submission(name)
    members = fields.get(SUBMITTERS)
    students = []
    with suppress(TypeError, AttributeError):  # not a list of mappings
        for member in members:
            known = [_clean_text(member.get(field)) for field in STUDENT_FIELDS]
            students.append(Student(*known))
    score = None
    with suppress(TypeError, ValueError, OverflowError):  # such as a list, "many", inf
        score = round(100 * float(fields.get(SCORE)))
    return Submission(
        name,
        tuple(students) or (Student(),),
        handed_in=_handed_in(fields.get(HANDED_IN)),
        score=score,
    )


def _clean_text(value):
    """Return a field's text as one line, "" if it is empty."""
    if not isinstance(value, str) or value in EMPTY:
        return ""
    return clean_line(value)


def _handed_in(value):
    """Return the time in a field, in UTC if it has no offset; None without a time."""
    if isinstance(value, Mapping):  # as Ruby writes it: utc, zone, time
        value = value.get("utc")
    timestamp = parse_timestamp(str(value))
    if timestamp and timestamp.tzinfo is None:
        return timestamp.replace(tzinfo=timezone.utc)
    return timestamp


TIMESTAMP = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[ T]([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)(?:\.[0-9]+)?"
    r" *(?:(Z|UTC)|([+-][0-9]{2}):?([0-9]{2}))?"
)


def parse_timestamp(text: str) -> datetime | None:
    """Parse a time in the format of ISO 8601 or Ruby; return None for any other text.

    The result has an offset from UTC only if the text has one.
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
