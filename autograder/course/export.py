"""Ids of submissions: each the name of one folder, on every system."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import tempfile
import unicodedata
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import yaml

from autograder.sandbox.submission import IGNORED, WANTED, NotGradable, printable, stage

RESERVED = {"gradebook.csv", "canvas.csv", "changes.csv", "report.html", "ledger.jsonl"}


def natural(text):
    """Sort submission_9 before submission_10."""
    parts = re.split(r"(\d+)", text)
    return [(0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts if p], text


def safe_id(name):
    """Return a name that is one folder's name everywhere and prints on one line."""
    name = unicodedata.normalize("NFC", name)
    name = "".join("_" if c in '/\\:*?"<>|' or not c.isprintable() else c for c in name)
    name = os.fsencode(name)[:200].decode("utf-8", "ignore").strip()
    return "_" + name if not name or name.startswith(".") else name


def unique(names):
    """Return a safe id for each name, no two equal whatever the case of their letters."""
    taken, ids = set(RESERVED), []
    for given in names:
        wanted = name = safe_id(given)
        count = 1
        while name.casefold() in taken:
            count += 1
            name = f"{wanted}-{count}"
        taken.add(name.casefold())
        ids.append(name)
    return ids


NAME = "submission_metadata.yml"
SUBMITTERS = ":submitters"
EMPTY = ("", "~", "null")  # how YAML writes that there is no sid
Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # every scalar stays a string


class CourseError(Exception):
    """A course that cannot be read; str says in one line where and what to do."""


@dataclass(frozen=True)
class Student:
    """Who handed in: name, sid and email, each a string and each perhaps empty."""

    name: str = ""
    sid: str = ""
    email: str = ""

    @property
    def key(self):
        """What tells this student from all others: sid, else email, else nothing."""
        return self.sid or self.email


def read_metadata(path):
    """Return folder name -> tuple of its Students, in the file's order.

    Raises CourseError with file and line where it is not what Gradescope writes.
    """
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CourseError(f"{path}: cannot be read: {error}") from None
    kept = list(only_submitters(lines))
    try:
        data = yaml.load("\n".join(text for _, text in kept), Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = kept[min(mark.line, len(kept) - 1)][0] if mark and kept else 1
        reason = getattr(error, "problem", None) or "not YAML"
        raise CourseError(f"{path}:{line}: {reason}; export it again") from None
    if not isinstance(data, dict):
        raise CourseError(f"{path}: lists no submission; export it again")
    return {str(folder): _students(entry) for folder, entry in data.items()}


def only_submitters(lines):
    """Yield (line number, line) of the folder names and their submitters' blocks.

    Works on the text. The keys of a submission stand as deep as its first one; what
    looks like a key further in is somebody's text. A block goes on while lines are
    deeper than its key, or are items of a list at the key's own depth.
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
    found = entry.get(SUBMITTERS) if isinstance(entry, dict) else None
    if not isinstance(found, list):
        return ()
    return tuple(_student(one) for one in found if isinstance(one, dict))


def _student(fields):
    return Student(*(_text(fields.get(key)) for key in (":name", ":sid", ":email")))


def _text(value):
    if not isinstance(value, str) or value in EMPTY:
        return ""
    return re.sub(r"\s+", " ", value).strip()


MOST_ENTRIES = 200_000
MOST_BYTES = 4 * 2**30
MOST_ENTRY_BYTES = 32 * 2**20
MOST_METADATA_BYTES = 2**30
MOST_RATIO = 200  # of unpacked to packed bytes; deflate reaches 1,000 on zeros
RATIO_FROM = 2**20  # smaller entries may be as repetitive as they like
CHUNK = 2**18
UTF_8 = 0x800  # the flag of an entry whose name is UTF-8


class LeftOut(Exception):
    """One entry is not unpacked; str says why."""


def unpack(path, folder):
    """Unpack the zip at `path` into `folder`; return entry name -> why it was left out.

    Raises CourseError where it is no zip, or one that no honest tool makes; the
    line names the entry.
    """
    path, folder, left_out, total = Path(path), Path(folder), {}, 0
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
                    total += _write(archive, entry, folder / name, MOST_BYTES - total)
                except LeftOut as reason:
                    left_out[name] = str(reason)
                except OverflowError:
                    raise CourseError(
                        f"{path}: more than {MOST_BYTES:,} bytes, reached at "
                        f"{printable(name)}; unpack it yourself and give the folder"
                    ) from None
    except (zipfile.BadZipFile, OSError) as error:
        raise CourseError(f"{path}: no readable zip file: {error}") from None
    return left_out


def entry_name(entry):
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
            "this is no export, do not open it"
        )


def _write(archive, entry, target, room):
    """Write one entry; return its bytes. Raises LeftOut, or OverflowError over `room`."""
    mode = entry.external_attr >> 16
    target.parent.mkdir(parents=True, exist_ok=True)
    if stat.S_ISLNK(mode):
        raise LeftOut("is a link; submit the file itself")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise LeftOut("is not a regular file; submit a file")
    try:
        if entry.is_dir():
            target.mkdir(parents=True, exist_ok=True)
            return 0
        with archive.open(entry) as packed, target.open("wb") as file:
            return _copy(entry, packed, file, room)
    except (LeftOut, OverflowError):
        target.unlink(missing_ok=True)
        raise
    except NotImplementedError:
        raise LeftOut("is packed in a way that Python cannot read") from None
    except RuntimeError:
        raise LeftOut("is encrypted") from None
    except OSError as error:
        raise LeftOut(f"cannot be written: {error.strerror or error}") from None
    except Exception:  # zlib.error, BadZipFile, EOFError: the fault of this entry alone
        target.unlink(missing_ok=True)
        raise LeftOut("is damaged") from None


def _copy(entry, packed, file, room):
    """Copy by what really comes out; the sizes in a zip's headers can lie."""
    most = MOST_METADATA_BYTES if Path(entry.filename).name == NAME else MOST_ENTRY_BYTES
    size = 0
    while chunk := packed.read(CHUNK):
        size += len(chunk)
        if size > room:
            raise OverflowError
        if size > most:
            raise LeftOut(f"is larger than {most:,} bytes")
        if size > RATIO_FROM and size > MOST_RATIO * max(entry.compress_size, 1):
            raise LeftOut(f"unpacks to more than {MOST_RATIO} times its size")
        file.write(chunk)
    return size


SUFFIXES = (".py", ".zip")  # of files that are a submission each
MOST_DEPTH = 5


@dataclass(frozen=True)
class Submission:
    """One submission: its id (unique, safe as a folder name), path and students.

    `note` is what a TA should know of it. `refusal` is why there is nothing to
    stage, else "".
    """

    id: str
    path: Path | None
    students: tuple = ()
    note: str = ""
    refusal: str = ""

    def stage(self):
        """Return the bytes of its search.py; raises NotGradable with the reason."""
        if self.refusal:
            raise NotGradable(self.refusal)
        if self.path.is_symlink():
            name = printable(self.path.name)
            raise NotGradable(f"{name} is a link; submit the file itself")
        try:
            return stage(self.path)
        except OSError as error:
            raise NotGradable(f"cannot be read: {error.strerror or error}") from None


@dataclass(frozen=True)
class Course:
    """All submissions, in a fixed order, and remarks on what was passed over."""

    submissions: tuple
    remarks: tuple = ()


@contextlib.contextmanager
def opened(path):
    """Yield the Course at `path`, unpacked for as long as the `with` lasts.

    Raises CourseError with one line where there is nothing to grade.
    """
    path = Path(path)
    if path.is_dir():
        yield read_course(path)
    elif not path.exists():
        raise CourseError(f"{path}: no such file or folder; give SUBMISSIONS=path")
    elif path.suffix.lower() == ".zip":
        with tempfile.TemporaryDirectory(prefix="course-") as folder:
            left_out = unpack(path, folder)
            yield read_course(Path(folder), left_out, path)
    elif path.suffix == ".py":
        yield Course((Submission(path.stem, path),))
    else:
        raise CourseError(f"{path}: neither a folder nor a zip; give either")


def read_course(folder, left_out=None, given=None):
    """Return the Course in a folder.

    Where it was unpacked, `left_out` is what that left out, and `given` the zip.
    """
    top = _top(folder)
    left_out = _below(left_out or {}, top.relative_to(folder).as_posix())
    if (top / NAME).is_file():
        found, remarks = _export(top)
    else:
        found, remarks = _loose(top, left_out), []
    if not found:
        raise CourseError(
            f"{given or folder}: no submissions: no folder, .py file or zip in it"
        )
    found.sort(key=lambda submission: natural(submission.id))
    remarks += [f"left out {printable(name)}: {why}" for name, why in left_out.items()]
    ids = unique(one.id for one in found)
    return Course(_noted(list(zip(found, ids)), left_out), tuple(remarks))


def _top(folder):
    """Step into folders that hold one folder and nothing else, as zips have them."""
    for _ in range(MOST_DEPTH):
        inner = _listed(folder)
        if len(inner) != 1 or not inner[0].is_dir():
            break
        below = _listed(inner[0])
        if not any(entry.is_dir() or entry.name == NAME for entry in below):
            break
        if any(entry.suffix == ".py" for entry in below):
            break
        folder = inner[0]
    return folder


def _listed(folder):
    """Return what a folder holds, by name, without litter."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise CourseError(f"{folder}: cannot be read: {error.strerror}") from None
    return [e for e in entries if e.name not in IGNORED and not e.name.startswith("._")]


def _export(top):
    students = read_metadata(top / NAME)
    folders = {entry.name: entry for entry in _listed(top) if entry.is_dir()}
    found = [Submission(name, folders.get(name), who) for name, who in students.items()]
    found = [s if s.path else _without_folder(s) for s in found]
    strangers = [name for name in folders if name not in students]
    found += [Submission(name, folders[name], note=f"not in {NAME}") for name in strangers]
    return found, [f"{printable(name)} is not in {NAME}" for name in strangers]


def _without_folder(submission):
    return Submission(
        submission.id, None, submission.students, refusal="its folder is not in the export"
    )


def _loose(top, left_out):
    found = []
    for entry in _listed(top):
        if entry.is_dir():
            found.append(Submission(entry.name, entry))
        elif entry.suffix.lower() in SUFFIXES:
            found.append(Submission(entry.stem, entry))
    files = [Path(name) for name in left_out if Path(name).suffix.lower() in SUFFIXES]
    return found + [
        Submission(file.stem, None, refusal=f"{printable(file.name)} {left_out[file.name]}")
        for file in files
        if file.name in left_out
    ]


def _below(left_out, prefix):
    prefix = "" if prefix == "." else prefix + "/"
    inside = [name for name in left_out if name.startswith(prefix)]
    return {name[len(prefix) :]: left_out[name] for name in inside}


def _noted(pairs, left_out):
    """Return the submissions under their ids, with what a TA should know of each."""
    times = {}
    for one, _ in pairs:
        for key in {student.key for student in one.students}:
            times[key] = times.get(key, 0) + 1
    done = []
    for one, name in pairs:
        notes = [one.note] if one.note else []
        again = max((times[s.key] for s in one.students if s.key), default=1)
        if again > 1:
            notes.append(f"one of {again} submissions of this student")
        mine = _below(left_out, one.id)
        wanted = mine.pop(WANTED, "")
        refusal = one.refusal or (wanted and f"{WANTED} {wanted}")
        notes += [f"{printable(inner)} {why}" for inner, why in mine.items()]
        students = one.students or (Student(),)
        done.append(Submission(name, one.path, students, "; ".join(notes), refusal))
    return tuple(done)
