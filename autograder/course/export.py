"""Read a course: a Gradescope export, or a folder of submissions, or a zip of either.

An export is the work of strangers: a zip is unpacked within bounds, ids are made safe
as names of folders, and of submission_metadata.yml only who handed in is read.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import tempfile
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

import yaml

from autograder.command import Refused
from autograder.kit import stage_as_taught
from autograder.sandbox.submission import IGNORED, SEARCH_PY, NotGradable, printable

METADATA = "submission_metadata.yml"
SUFFIXES = (".py", ".zip")  # of files that are a submission each
MOST_FOLDERS_AROUND = 5  # that hold one folder and nothing else


class CourseError(Refused):
    """A course that cannot be graded; str says in one line where and what to do."""


@dataclass(frozen=True)
class Student:
    """Who handed in: name, sid and email, each perhaps empty."""

    name: str = ""
    sid: str = ""
    email: str = ""

    @property
    def key(self) -> str:
        """What tells this student from all others: sid, else email, else nothing."""
        return self.sid or self.email


@dataclass(frozen=True)
class Submission:
    """One submission: its id (unique, safe as a folder name), path and students.

    `note` is what a TA should know of it. `refusal` is why there is nothing to
    stage, else "".
    """

    id: str
    path: Path | None
    students: tuple[Student, ...] = (Student(),)
    note: str = ""
    refusal: str = ""

    def stage(self) -> bytes:
        """Return the bytes of its search.py; raises NotGradable with the reason."""
        if self.refusal:
            raise NotGradable(self.refusal)
        if self.path.is_symlink():
            name = printable(self.path.name)
            raise NotGradable(f"{name} is a link; submit the file itself")
        try:
            return stage_as_taught(self.path)
        except OSError as error:
            raise NotGradable(f"cannot be read: {error.strerror or error}") from None


@dataclass(frozen=True)
class Course:
    """All submissions, in a fixed order, and remarks on what was passed over."""

    submissions: tuple[Submission, ...]
    remarks: tuple[str, ...] = ()


@contextlib.contextmanager
def opened(path: str | Path) -> Iterator[Course]:
    """Yield the Course at `path`, unpacked for as long as the `with` lasts.

    Raises CourseError with one line where there is nothing to grade.
    """
    path = Path(path)
    if path.is_dir():
        yield _read_course(path, path, {})
    elif not path.exists():
        raise CourseError(f"{path}: no such file or folder; give SUBMISSIONS=path")
    elif path.suffix.lower() == ".zip":
        with tempfile.TemporaryDirectory(prefix="course-") as folder:
            left_out = unpack(path, folder)
            yield _read_course(path, Path(folder), left_out)
    elif path.suffix == ".py":
        yield Course((Submission(path.stem, path),))
    else:
        raise CourseError(f"{path}: neither a folder nor a zip; give either")


def _read_course(path, folder, left_out):
    """Return the Course at `path`, which lies in `folder` but for what was left out."""
    top = _top(folder)
    left_out = _below(left_out, top.relative_to(folder).as_posix())
    if (top / METADATA).is_file():
        submissions, remarks = _exported(top)
    else:
        submissions, remarks = _loose(top, left_out), []
    if not submissions:
        raise CourseError(f"{path}: no submissions: no folder, .py file or zip in it")
    remarks += [f"left out {printable(name)}: {why}" for name, why in left_out.items()]
    submissions.sort(key=lambda submission: natural(submission.id))
    submissions = _noted(submissions, left_out)
    ids = unique(submission.id for submission in submissions)
    named = (replace(submission, id=id) for submission, id in zip(submissions, ids))
    return Course(tuple(named), tuple(remarks))


def _top(folder):
    """Step into folders that hold one folder and nothing else, as zips have them."""
    for _ in range(MOST_FOLDERS_AROUND):
        entries = _entries(folder)
        if len(entries) != 1 or not entries[0].is_dir():
            break
        below = _entries(entries[0])
        if not any(entry.is_dir() or entry.name == METADATA for entry in below):
            break
        if any(entry.suffix == ".py" for entry in below):
            break
        folder = entries[0]
    return folder


def _entries(folder):
    """Return what a folder holds, by name, without litter."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise CourseError(f"{folder}: cannot be read: {error.strerror}") from None
    return [e for e in entries if e.name not in IGNORED and not e.name.startswith("._")]


def _below(left_out, folder):
    """Return the part of `left_out` that lies in a folder, by the names inside it."""
    prefix = "" if folder == "." else folder + "/"
    inside = [name for name in left_out if name.startswith(prefix)]
    return {name[len(prefix) :]: left_out[name] for name in inside}


def _exported(top):
    """Return the submissions of an export, and remarks on folders that it does not list."""
    folders = {entry.name: entry for entry in _entries(top) if entry.is_dir()}
    submissions = []
    for name, students in read_metadata(top / METADATA).items():
        folder = folders.pop(name, None)
        refusal = "" if folder else "its folder is not in the export"
        students = students or (Student(),)
        submissions.append(Submission(name, folder, students, refusal=refusal))
    for name, folder in folders.items():
        submissions.append(Submission(name, folder, note=f"not in {METADATA}"))
    return submissions, [f"{printable(name)} is not in {METADATA}" for name in folders]


def _loose(top, left_out):
    """Return a submission for each folder, .py file and zip, those left out included."""
    entries = _entries(top)
    submissions = [
        Submission(entry.name if entry.is_dir() else entry.stem, entry)
        for entry in entries
        if entry.is_dir() or entry.suffix.lower() in SUFFIXES
    ]
    for name, why in left_out.items():
        file = PurePosixPath(name)
        if file.suffix.lower() in SUFFIXES and file.name == name:
            refusal = f"{printable(name)} {why}"
            submissions.append(Submission(file.stem, None, refusal=refusal))
    return submissions


def _noted(submissions, left_out):
    """Return the submissions, with what a TA should know of each."""
    times = Counter(
        key for one in submissions for key in {student.key for student in one.students}
    )
    noted = []
    for submission in submissions:
        inside = _below(left_out, submission.id)
        unreadable = inside.pop(SEARCH_PY, "")
        refusal = submission.refusal or (unreadable and f"{SEARCH_PY} {unreadable}")
        again = max((times[s.key] for s in submission.students if s.key), default=1)
        notes = [submission.note] if submission.note else []
        if again > 1:
            notes.append(f"one of {again} submissions of this student")
        notes += [f"{printable(name)} {why}" for name, why in inside.items()]
        noted.append(replace(submission, note="; ".join(notes), refusal=refusal))
    return noted


# ---- ids: each the name of one folder, on every system

OUR_FILES = {"gradebook.csv", "canvas.csv", "changes.csv", "report.html", "ledger.jsonl"}


def natural(text: str):
    """Return a key that sorts submission_9 before submission_10."""
    parts = re.split(r"(\d+)", text)
    return [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts if p], text


def safe_id(name: str) -> str:
    """Return a name that is one folder's name everywhere and prints on one line."""
    name = unicodedata.normalize("NFC", name)
    name = "".join("_" if c in '/\\:*?"<>|' or not c.isprintable() else c for c in name)
    name = os.fsencode(name)[:200].decode("utf-8", "ignore").strip()
    return "_" + name if not name or name.startswith(".") else name


def unique(names: Iterable[str]) -> list[str]:
    """Return a safe id for each name, no two equal whatever the case of their letters."""
    taken, ids = set(OUR_FILES), []
    for name in map(safe_id, names):
        id, count = name, 1
        while id.casefold() in taken:
            count += 1
            id = f"{name}-{count}"
        taken.add(id.casefold())
        ids.append(id)
    return ids


# ---- submission_metadata.yml

SUBMITTERS = ":submitters"
FIELDS = (":name", ":sid", ":email")  # in the order of Student
EMPTY = ("", "~", "null")  # how YAML writes that there is no sid
Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # every scalar stays a string


def read_metadata(path: Path) -> dict[str, tuple[Student, ...]]:
    """Return folder name -> its Students, in the file's order.

    Raises CourseError with file and line where it is not what Gradescope writes.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(f"{path}: cannot be read: {error}") from None
    kept = list(only_submitters(lines))
    try:
        data = yaml.load("\n".join(line for _, line in kept), Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        number = kept[min(mark.line, len(kept) - 1)][0] if mark and kept else 1
        reason = getattr(error, "problem", None) or "not YAML"
        raise CourseError(f"{path}:{number}: {reason}; export it again") from None
    if not isinstance(data, dict):
        raise CourseError(f"{path}: lists no submission; export it again")
    return {str(folder): _students(entry) for folder, entry in data.items()}


def only_submitters(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield (line number, line) of the folder names and their submitters' blocks.

    All else, which is nearly all of the file, need not be parsed. The keys of a
    submission stand as deep as its first one; what looks like a key further in is
    somebody's text. A block goes on while lines are deeper than its key, or are items
    of a list at the key's own depth.
    """
    key_depth = None  # of the keys of the present submission
    inside = False
    for number, line in enumerate(lines, start=1):
        bare = line.lstrip(" ")
        depth = len(line) - len(bare)
        if not bare:
            continue
        if depth == 0 and not bare.startswith(("---", "...", "#", "- ")):
            key_depth, inside = None, False
            yield number, line
            continue
        key_depth = depth if key_depth is None else key_depth
        if depth == key_depth and not bare.startswith("- "):
            inside = bare.startswith(SUBMITTERS + ":")
        if inside:
            yield number, line


def _students(entry):
    members = entry.get(SUBMITTERS) if isinstance(entry, dict) else None
    if not isinstance(members, list):
        return ()
    return tuple(
        Student(*(_plain(member.get(field)) for field in FIELDS))
        for member in members
        if isinstance(member, dict)
    )


def _plain(value):
    if not isinstance(value, str) or value in EMPTY:
        return ""
    return re.sub(r"\s+", " ", value).strip()


# ---- zips

MOST_ENTRIES = 200_000
MOST_BYTES = 4 * 2**30
MOST_ENTRY_BYTES = 32 * 2**20
MOST_METADATA_BYTES = 2**30
MOST_RATIO = 200  # of unpacked to packed bytes; deflate reaches 1,000 on zeros
RATIO_FROM = 2**20  # smaller entries may be as repetitive as they like
CHUNK = 2**18
UTF_8 = 0x800  # the flag of an entry whose name is UTF-8


class _LeftOut(Exception):
    """One entry is not unpacked; str says why."""


def unpack(path: str | Path, folder: str | Path) -> dict[str, str]:
    """Unpack the zip at `path` into `folder`; return entry name -> why it was left out.

    Raises CourseError where it is no zip, or one that no honest tool makes; the
    line names the entry.
    """
    left_out, room = {}, MOST_BYTES
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            if len(entries) > MOST_ENTRIES:
                count = f"{len(entries):,} entries; at most {MOST_ENTRIES:,} are read"
                raise CourseError(f"{path}: {count}; unpack it and give the folder")
            for entry in entries:
                name = entry_name(entry)
                _refuse_outside(path, name)
                if IGNORED & set(name.split("/")):
                    continue
                try:
                    room -= _write(archive, entry, Path(folder) / name, room)
                except _LeftOut as reason:
                    left_out[name] = str(reason)
    except (zipfile.BadZipFile, OSError) as error:
        raise CourseError(f"{path}: not a readable zip file: {error}") from None
    return left_out


def entry_name(entry: zipfile.ZipInfo) -> str:
    """Return an entry's name with / between folders, in composed Unicode.

    macOS packs UTF-8 names without saying so; Python then reads them as code page 437.
    """
    name = entry.filename
    if not entry.flag_bits & UTF_8:
        with contextlib.suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return unicodedata.normalize("NFC", name.replace("\\", "/")).rstrip("/")


def _refuse_outside(path, name):
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or ":" in parts[0]:
        raise CourseError(
            f"{path}: the entry {printable(name)!r} points outside of the zip; "
            "this is not an export, do not open it"
        )


def _write(archive, entry, target, room):
    """Write one entry; return its bytes. Raises _LeftOut, or CourseError over `room`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise _LeftOut("is a link; submit the file itself")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise _LeftOut("is not a regular file; submit a file")
    try:
        if entry.is_dir():
            target.mkdir(parents=True, exist_ok=True)
            return 0
        with archive.open(entry) as packed, target.open("wb") as file:
            return _copy(archive, entry, packed, file, room)
    except (_LeftOut, CourseError):
        target.unlink(missing_ok=True)
        raise
    except NotImplementedError:
        raise _LeftOut("is packed in a way that Python cannot read") from None
    except RuntimeError:
        raise _LeftOut("is encrypted") from None
    except OSError as error:
        raise _LeftOut(f"cannot be written: {error.strerror or error}") from None
    except Exception:  # zlib.error, BadZipFile, EOFError: the fault of this entry alone
        target.unlink(missing_ok=True)
        raise _LeftOut("is damaged") from None


def _copy(archive, entry, packed, file, room):
    """Copy by what really comes out; the sizes in a zip's headers can lie."""
    name = entry_name(entry)
    most = MOST_METADATA_BYTES if Path(name).name == METADATA else MOST_ENTRY_BYTES
    size = 0
    while chunk := packed.read(CHUNK):
        size += len(chunk)
        if size > room:
            raise CourseError(
                f"{archive.filename}: more than {MOST_BYTES:,} bytes, reached at "
                f"{printable(name)}; unpack it yourself and give the folder"
            )
        if size > most:
            raise _LeftOut(f"is larger than {most:,} bytes")
        if size > RATIO_FROM and size > MOST_RATIO * max(entry.compress_size, 1):
            raise _LeftOut(f"unpacks to more than {MOST_RATIO} times its size")
        file.write(chunk)
    return size
