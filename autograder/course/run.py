"""Grade a course: what is to do, by several processes at once, into the books."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from autograder.course.changes import compare, read_grades
from autograder.course.classpage import FILE, class_page
from autograder.course.download import Course, Submission
from autograder.course.folder import Memory, remember
from autograder.course.gradebook import GRADEBOOK, Gradebook
from autograder.course.outcome import (
    COULD_NOT_TELL,
    Outcome,
    add_to_ledger,
    outcome_of,
    read_ledger,
)
from autograder.course.people import CourseError, Finder
from autograder.course.pool import Full, Lost, pooled
from autograder.course.review import alike_in, write_similarity
from autograder.grading import grade, grade_path, refuse, with_by_hand
from autograder.judging.scores import score_text
from autograder.kit import Kit
from autograder.results import results_text
from autograder.sandbox import Sandbox
from autograder.sandbox.submission import SEARCH_PY
from autograder.showing.report import write_report
from autograder.utilities import pin_to_one_cpu, replace_file

PAGE = "report.html"  # of the class
SPARE_SECONDS = 60.0  # for a diagnosis and files, beyond a submission's own time


@dataclass(frozen=True)
class Options:
    """What a TA asks for.

    `only` says who, by names of any kind, and nothing means everybody. `force` has what
    is done graded again. `before` is an earlier gradebook.csv to compare with, or None.
    """

    out: Path
    jobs: int
    only: tuple[str, ...] = ()
    force: bool = False
    before: Path | None = None
    deadline: datetime | None = None


class Run:
    """One run over a course: which submissions it grades, and where the books are.

    `chosen` are the submissions that the options name, `todo` those of them that are
    not graded yet. Raises CourseError where the options do not fit the course.
    """

    def __init__(self, kit: Kit, course: Course, options: Options, memory: Memory):
        self.kit = kit
        self.kit_hash = kit.key
        self.course = course
        self.options = options
        self.memory = memory
        self.before = _read_earlier(options)
        self.gone = _see_that_it_is_the_class(course, options.out)
        self.hashes = {one.id: one.hash for one in course.submissions}
        ledger = read_ledger(options.out)
        cents = dict(kit.rubric.cents)
        if kit.rubric.by_hand_cents:
            cents["by hand"] = kit.rubric.by_hand_cents
        self.book = Gradebook(
            options.out,
            course.submissions,
            {id: ledger[id] for id in self.hashes if id in ledger},
            self.is_current,
            absent=course.absent,
            deadline=options.deadline,
            cents=cents,
            overrides=Path(memory.overrides) if memory.overrides else None,
        )
        self.chosen = chosen(course.submissions, options.only)
        self.todo = [one for one in self.chosen if options.force or not self.is_done(one)]

    def is_current(self, outcome: Outcome) -> bool:
        """Tell whether an outcome is of this kit and of the file as it is now."""
        current = (self.kit_hash, self.hashes[outcome.id])
        return (outcome.kit, outcome.source) == current

    def is_done(self, submission: Submission) -> bool:
        """Tell whether a submission needs no grading: its outcome and files are there."""
        outcome = self.book.outcomes.get(submission.id)
        if outcome is None or not self.is_current(outcome) or outcome.cents is None:
            return False
        folder = self.options.out / submission.id
        return all((folder / name).is_file() for name in ("results.json", FILE))

    def preflight(self) -> None:
        """Raise CourseError unless the reference scores full marks."""
        grading = grade_path(self.kit, self.kit.root / "solution" / SEARCH_PY)
        if grading.cents != grading.most_cents:
            score = score_text(grading)
            fault = f"the reference scores {score}, so nobody is graded; see make check"
            raise CourseError(fault)

    def grade(self, step: Callable[[], None]) -> None:
        """Grade all that is to do, calling `step()` after each.

        Whatever stops it, what was done stays done and the books are written.
        """
        self.memory.downloads = {s.id: s.download for s in self.course.submissions}
        self.book.write()  # refuses here where nothing can be written
        remember(self.options.out, self.memory)
        try:
            with contextlib.closing(self._graded()) as outcomes:
                for outcome in outcomes:
                    add_to_ledger(self.options.out, outcome)
                    self.book.add(outcome)
                    step()
        except BaseException:
            with contextlib.suppress(OSError):  # what stopped it says why
                self._write_books()
            raise
        self._write_books()

    def comparison(self) -> list[str]:
        """Write changes.csv, if there is a gradebook to compare; return what to tell."""
        return compare(self.before, self.options.out) if self.before else []

    def _graded(self):
        """Yield Outcomes as they come; what was lost is tried again at the end, alone."""
        lost = []
        with contextlib.closing(self._pooled(self.todo)) as results:
            for submission, result in results:
                if isinstance(result, Lost):
                    lost.append(submission)
                else:
                    yield result
        for submission in lost:
            [(_, result)] = self._pooled([submission])
            if isinstance(result, Lost):
                id, source = submission.id, self.hashes[submission.id]
                reason = f"{result.reason}, twice; grade it again with ONLY={id}"
                result = Outcome(id, self.kit_hash, source, COULD_NOT_TELL, reason)
            yield result

    def _pooled(self, submissions):
        make_grader = partial(Grader, self.kit, self.kit_hash, self.options.out)
        jobs = min(self.options.jobs, len(submissions))
        patience = self.kit.rubric.limits.total_seconds + SPARE_SECONDS
        for submission, result in pooled(make_grader, submissions, jobs, patience):
            if isinstance(result, Full):
                raise CourseError(f"{self.options.out}: {result}")
            yield submission, result

    def _write_books(self):
        out, submissions = self.options.out, self.course.submissions
        self.book.write()
        self.book.write_canvas(self.kit.rubric.title)
        programs = {s.id: s.source for s in submissions if s.source is not None}
        for id, source in programs.items():
            replace_file(out / id / SEARCH_PY, source)
        given = (self.kit.root / "starter" / SEARCH_PY).read_bytes()
        alike = alike_in(programs, given)
        write_similarity(out, programs, given, alike)
        html = class_page(list(self.book.entries()), self.kit.rows_of_all, alike)
        replace_file(out / PAGE, html)


def _read_earlier(options):
    """Return the Grades of the earlier gradebook, None where there is none to compare."""
    if options.before is None:
        return None
    if options.before.resolve().parent == options.out.resolve():
        raise CourseError(
            f"{options.before} lies in {options.out}, which is about to be written; "
            "give another OUT"
        )
    return read_grades(options.before)


def _see_that_it_is_the_class(course, out):
    """Return how many of the folder's gradebook are not in this course.

    Raises CourseError where the folder holds another class: where not even half of the
    smaller of both are in the other.
    """
    if not (out / GRADEBOOK).exists():
        return 0
    try:
        lines = read_grades(out / GRADEBOOK).lines
    except CourseError:  # edited by hand: kept, and written anew
        return 0
    now = {(who.key, one.id) for one in course.submissions for who in one.students}
    now |= {(who.key, "") for who in course.absent}
    keys, ids = ({pair[n] for pair in now} - {""} for n in (0, 1))
    here = sum(line.student.key in keys or line.submission in ids for line in lines)
    if 2 * here < min(len(lines), len(now)):
        raise CourseError(
            f"{out} holds another class: {here} of {len(lines)} in its gradebook are in "
            "this one; give another OUT"
        )
    return len(lines) - here


def chosen(submissions, names):
    """Return the submissions that the names mean, all of them where there are none.

    Raises CourseError for a name that nobody has, or that several have.
    """
    finder = Finder((who, one.id) for one in submissions for who in one.students)
    ids = set()
    for name in names:
        found = finder.meant(name, "ONLY: ", partly=True)
        if not found:
            raise CourseError(f"ONLY: {name}: nobody's sid, email, submission or name")
        ids.update(id for _, id in found)
    return [one for one in submissions if one.id in ids or not names]


@dataclass
class Grader:
    """Grades submissions into out/<id>/. A context manager; call it to grade one.

    The sandbox's first process never runs a student's code, and sweeps what a worker
    leaves, so it serves the whole class. Where it fails, the next one has another.
    """

    kit: Kit
    kit_hash: str
    out: Path
    index: int  # of the core to run on
    sandbox: Sandbox | None = None

    def __enter__(self):
        self._unpin = pin_to_one_cpu(self.index)
        self._stack = contextlib.ExitStack()
        return self

    def __exit__(self, *_):
        self._close()
        self._unpin()

    def __call__(self, submission: Submission) -> Outcome:
        """Grade one submission, write its files, return its Outcome.

        What it says is in none of them, only what it did: they may be handed out.
        """
        begun = time.monotonic()
        if submission.source is None:
            grading = refuse(self.kit, submission.refusal)
        else:
            grading = self._grade(submission.source)
        if self.kit.rubric.by_hand_cents:
            ids, sheet = submission.ids, submission.sheet
            grading = with_by_hand(grading, self.kit, sheet, ids)
        folder = self.out / submission.id
        replace_file(folder / "results.json", results_text(grading, self.kit))
        write_report(grading.seen, folder / FILE, submission.whose, submission.source)
        seconds = time.monotonic() - begun
        id, source = submission.id, submission.hash
        return outcome_of(grading, id, self.kit_hash, source, seconds)

    def _grade(self, source):
        if self.sandbox is None:
            self.sandbox = self._stack.enter_context(Sandbox(self.kit.rubric.limits))
        try:
            return grade(self.kit, source, self.sandbox, sealed=True)
        except BaseException:
            self._close()
            raise

    def _close(self):
        self.sandbox = None
        self._stack.close()
