"""Find the submissions of a course: an export, a folder of them, or a zip of either."""

from __future__ import annotations

import contextlib
import tempfile
from dataclasses import dataclass
from pathlib import Path

from autograder.course.ids import natural, unique
from autograder.course.metadata import NAME, CourseError, Student, read_metadata
from autograder.course.unpack import unpack
from autograder.running.submission import IGNORED, WANTED, NotGradable, printable, stage

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
