"""Grade the submissions of a course in a pool of processes, and write the books."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from autograder.course.classpage import class_page
from autograder.course.gradebook import (
    GRADEBOOK,
    Entry,
    list_entries,
    read_gradebook,
    read_overrides,
    write_gradebook,
    write_matches,
)
from autograder.course.handback import (
    remarks_on,
    write_canvas,
    write_changes,
    write_feedback,
    write_moodle,
)
from autograder.course.outcome import Outcome, Status, outcome_of
from autograder.course.people import Course, Owner, Submission, find_owners, join_lines
from autograder.course.platforms import parse_timestamp
from autograder.course.tables import OVERRIDES, ROSTER
from autograder.grading import grade, refuse
from autograder.ground.command import counted
from autograder.ground.files import private, replace_file
from autograder.ground.processes import (
    DISK_FULL,
    WorkerFailure,
    pin_to_one_cpu,
    run_in_pool,
)
from autograder.kit import Kit
from autograder.kit.solution import reference_text
from autograder.sandbox import Sandbox
from autograder.sandbox.submission import SEARCH_PY
from autograder.scoring.scores import score_text
from autograder.showing.results import FAULTS, write_page, write_results
from gametree.support.errors import InputError

PAGE = "report.html"  # the page of the class
LOCK = "run.lock"  # holds the pid of the run that uses the folder
SETTINGS = "settings.json"  # the deadline, and the ids of all submissions so far
SPARE_SECONDS = 60.0  # for the diagnosis and the files, beyond the submission's time limit


class Run:
    """One run of grade-all over a course.

    kit: the kit that grades the submissions.
    course: the submissions and students.
    out: the folder of the books.
    due: the deadline, as written on the command line.
    only: the names of the students to grade, separated by commas; "" for all students.
    force: whether to grade finished submissions again.
    chosen: the submissions that `only` matches.
    todo: the chosen submissions that need grading.
    notes: lines about rows of overrides.csv and of the earlier gradebook that match no
        student of this course.

    Raises InputError if these arguments do not fit the course.
    """

    def __init__(self, kit: Kit, course: Course, out: Path, due="", only="", force=False):
        self.kit = kit
        self.out = out
        self.deadline = parse_deadline(due)
        self.course = course
        self.max_cents = dict(kit.rubric.cents)
        ids = [submission.id for submission in course.submissions]
        self.outcomes = {id: Outcome.load(out, id) or Outcome(id) for id in ids}
        owners = course.owners
        gone = count_gone(owners, out)
        total = sum(self.max_cents.values())
        self._overrides, self.notes = read_overrides(out / OVERRIDES, owners, total)
        if gone:
            rows = counted(gone, "row")
            line = f"{rows} of the earlier gradebook without a student in this course"
            self.notes.append(line)
        self.chosen = self._choose(only, owners)
        self.todo = self.chosen
        if not force:
            self.todo = [found for found in self.chosen if not self._is_done(found)]

    def _choose(self, only, owners):
        """Return the submissions that match `only`, or all submissions if it is empty."""
        names = [name.strip() for name in only.split(",") if name.strip()]
        if not names:
            return list(self.course.submissions)
        ids = set()
        for name in names:
            found = find_owners(name, owners, "ONLY: ")
            if not found:
                kinds = "sid, e-mail address, submission or name"
                raise InputError(f"ONLY: {name}: not a {kinds} in this course")
            ids.update(owner.id for owner in found)
        return [found for found in self.course.submissions if found.id in ids]

    def _is_done(self, submission):
        """Tell whether the score of a submission is final."""
        outcome = self.outcomes[submission.id]
        is_final = outcome.status not in (Status.COULD_NOT_TELL, Status.PROVISIONAL)
        return is_final and outcome.is_of(self.kit.key, submission.hash)

    def entries(self) -> list[Entry]:
        """Return the current entries of all students."""
        return list_entries(
            self.course, self.outcomes, self.kit.key, self._overrides, self.deadline
        )

    def preflight(self) -> None:
        """Raise InputError unless the reference scores full marks."""
        reference = reference_text(self.kit.root, self.kit.rubric.cutoff)
        grading = grade(self.kit, reference.encode())
        if grading.cents != grading.max_cents:
            raise InputError(
                f"the reference scores {score_text(grading)}, so nothing is graded; "
                "run make check for the reasons"
            )

    def grade(self, jobs: int, step: Callable[[], None]) -> list[str]:
        """Grade the submissions in `todo` in `jobs` processes; call `step()` after each.

        Returns lines about the books. After an interruption, finished submissions are
        stored and the books are written. Raises InputError if the disk is full or a process
        cannot start.
        """
        seconds = self.kit.rubric.limits.total_seconds
        patience = 2 * seconds + SPARE_SECONDS  # hints may take as long as the searches
        make_grader = partial(grader, self.kit, self.out)
        pool = run_in_pool(make_grader, self.todo, jobs, patience)
        try:
            with contextlib.closing(pool) as results:
                for submission, result in results:
                    self._store(submission, result)
                    step()
        except BaseException as error:
            with contextlib.suppress(OSError, InputError):  # the first exception says why
                self._write_books()
            if isinstance(error, OSError) and error.errno in DISK_FULL:
                to_do = "free some space and run the same command again"
                raise InputError(f"{self.out}: {error.strerror}; {to_do}") from None
            raise
        return self._write_books()

    def _store(self, submission, result):
        """Store an Outcome, or the reason for a WorkerFailure."""
        outcome = result
        if isinstance(result, WorkerFailure):
            outcome = Outcome(
                submission.id,
                self.kit.key,
                submission.hash,
                Status.COULD_NOT_TELL,
                f"{result.message}; the same command grades it again",
            )
        outcome.save(self.out)
        self.outcomes[submission.id] = outcome

    def _write_books(self):
        """Write all books and the page of the class; return lines about them."""
        entries = self.entries()
        total = sum(self.max_cents.values())
        date = datetime.now().astimezone().isoformat(timespec="minutes")
        lines = write_gradebook(self.out, entries, self.max_cents)
        lines += write_matches(self.out, entries)
        lines += write_changes(self.out, entries, date)
        lines += write_canvas(self.out, entries, self.kit.rubric.title, total)
        lines += write_moodle(self.out, entries, total)
        write_feedback(self.out, entries)
        for submission in self.course.submissions:
            if submission.source is not None:
                replace_file(self.out / submission.id / SEARCH_PY, submission.source)
        replace_file(self.out / PAGE, class_page(entries, self.kit.rows))
        return lines + remarks_on(entries, self.deadline)


# ---- the folder of a course: its lock, settings and gradebook


@contextlib.contextmanager
def lock_folder(out: Path):
    """Lock a course's folder, so that only one run writes in it. Raises InputError.

    The lock ends with this process, even after a crash. Files that are written under the
    lock are readable only by their owner, because they contain grades and hidden trees.
    """
    import fcntl  # Windows does not have it

    with private():
        out.mkdir(parents=True, exist_ok=True)
        with open(out / LOCK, "a+", encoding="ascii") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except (BlockingIOError, PermissionError):
                file.seek(0)
                pid = file.read().strip() or "unknown"
                raise InputError(
                    f"{out} is in use by process {pid}; wait, or give another OUT"
                ) from None
            file.truncate(0)
            print(os.getpid(), file=file, flush=True)
            yield


def parse_deadline(text: str) -> datetime | None:
    """Parse the value of DUE; return None for an empty text. Raises InputError."""
    if not text:
        return None
    deadline = parse_timestamp(text)
    if deadline is None or deadline.tzinfo is None:
        raise InputError(f"DUE={text}: write it with an offset, as 2026-12-01T23:59+01:00")
    return deadline


def load_settings(
    out: Path, roster: Path | None, due: str
) -> tuple[Path | None, str, list[str]]:
    """Return the class list and the deadline, as given or as stored in the folder.

    The returned lines name the settings that were stored.
    """
    lines = []
    stored_due = read_settings(out)["due"]
    if not due and stored_due:
        due = stored_due
        lines.append(f"the deadline is {due}, as before; DUE= changes it")
    if not roster and (out / ROSTER).exists():
        roster = out / ROSTER
        lines.append(f"the class list is {roster}, as before; ROSTER= changes it")
    return roster, due, lines


def read_settings(out: Path) -> dict:
    """Return the stored deadline as `due`, and origin -> id of all submissions as `ids`."""
    path = out / SETTINGS
    if not path.exists():
        return {"due": "", "ids": {}}
    return json.loads(path.read_text())


def store_settings(out: Path, roster: Path | None, due: str, course: Course) -> None:
    """Store the class list, the deadline and the submissions' ids for later runs."""
    if roster and roster != out / ROSTER:
        replace_file(out / ROSTER, roster.read_bytes())
    ids = read_settings(out)["ids"]
    for submission in course.submissions:
        ids[submission.origin] = submission.id
    replace_file(out / SETTINGS, json.dumps({"due": due, "ids": ids}, indent=1))


def count_gone(owners: Sequence[Owner], out: Path) -> int:
    """Return the number of submissions in the gradebook that none of these owners has.

    Raises InputError if the folder belongs to another class. This is assumed if the classes
    share less than half of the smaller class's submissions.
    """
    try:
        rows = read_gradebook(out / GRADEBOOK)
    except InputError:  # missing, or edited by hand; it is saved under another name
        return 0
    earlier = [owner for owner in rows if owner.id]
    keys = set()
    for owner in owners:
        keys |= {owner.student.key, owner.id}
    keys.discard("")
    common = sum(bool(keys & {owner.student.key, owner.id}) for owner in earlier)
    submitted = sum(bool(owner.id) for owner in owners)
    if 2 * common < min(len(earlier), submitted):
        raise InputError(
            f"{out} belongs to another class: {common} of {len(earlier)} in its "
            "gradebook are in this class; give another OUT"
        )
    return len(earlier) - common


# ---- in a process of the pool


@contextlib.contextmanager
def grader(kit: Kit, out: Path, index: int):
    """Yield a function that grades a submission, in a process on the core of this index.

    One zygote serves the whole class, because it never runs a student's code and it ends
    every worker.
    """
    pin_to_one_cpu(index)
    with Sandbox(kit.rubric.limits) as sandbox:
        yield partial(grade_one, kit, out, sandbox)


def grade_one(kit: Kit, out: Path, sandbox: Sandbox, submission: Submission) -> Outcome:
    """Grade one submission, write its files into out/<id>/, and return its Outcome.

    The files are safe for students. They show what the submission did, but no text that it
    printed or returned. Raises OSError if a file cannot be written.
    """
    folder = out / submission.id
    if submission.source is None:
        grading = refuse(kit, submission.refusal)
    else:
        grading = grade(kit, submission.source, sandbox, sealed=True)
    outcome = outcome_of(grading, submission.id, kit.key, submission.hash)
    write_results(folder, grading, kit)
    error = write_page(folder, grading.student_view, submission.label, submission.source)
    if isinstance(error, OSError):
        raise error
    if grading.faults:  # an internal error costs no points
        fault = f"not explained because of an internal error; see {folder / FAULTS}"
        outcome = replace(outcome, reason=join_lines(outcome.reason, fault))
    return outcome
