"""Grade a course: what is to do, by several processes at once, into the books."""

from __future__ import annotations

import contextlib
import errno
import gc
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from multiprocessing import connection
from pathlib import Path

from autograder.course.classpage import class_page
from autograder.course.download import Course, Submission
from autograder.course.gradebook import Gradebook, compare, keep_edited, read_grades
from autograder.course.outcome import (
    COULD_NOT_TELL,
    Outcome,
    add_to_ledger,
    outcome_of,
    read_ledger,
)
from autograder.course.people import MOST_LISTED, CourseError, Finder, whose
from autograder.course.similarity import alike_in, write_similarity
from autograder.grading import grade, grade_path, refuse, with_by_hand
from autograder.judging.scores import score_text
from autograder.kit import Kit
from autograder.results import results_text
from autograder.sandbox import Sandbox
from autograder.sandbox.submission import SEARCH_PY
from autograder.showing.report import write_report
from autograder.utilities import pin_to_one_cpu, replace_file

LOCK = "run.lock"  # with the pid of the run that holds the folder
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
PAGE = "report.html"  # of a submission, and of the class
SPARE_SECONDS = 60.0  # for a diagnosis and files, beyond a submission's own time
SECONDS_TO_STOP = 0.5  # that a process has to leave by itself after a Ctrl-C
SECONDS_TO_END = 10  # and when all is done
GLANCE_SECONDS = 0.25  # between two looks at the clock; also how fast a Ctrl-C is seen


@dataclass(frozen=True)
class Options:
    """What a TA asks for.

    `only` says who, as lookup.named() takes it, and nothing means everybody. `force` has
    what is done graded again, of all or of those it names. `before` is an earlier
    gradebook.csv to compare with, or None. `reports` asks for a page of each submission.
    """

    out: Path
    jobs: int
    only: tuple[str, ...] = ()
    force: bool | tuple[str, ...] = False
    reports: bool = True
    before: Path | None = None
    deadline: datetime | None = None


class Run:
    """One run over a course: which submissions it grades, and where the books are.

    `chosen` are the submissions that the options name, `todo` those of them that are
    not graded yet. Raises CourseError where the options do not fit the course.
    """

    def __init__(self, kit: Kit, course: Course, options: Options):
        self.kit = kit
        self.kit_hash = kit.key
        self.course = course
        self.options = options
        self.before = _read_earlier(options)
        self.edited = ""  # a line that says that a gradebook edited by hand was kept
        self.hashes = {one.id: one.hash for one in course.submissions}
        ledger = read_ledger(options.out)
        outcomes = {id: ledger[id] for id in self.hashes if id in ledger}
        self.book = Gradebook(
            options.out,
            course.submissions,
            outcomes,
            self.is_current,
            absent=course.absent,
            deadline=options.deadline,
            functions=tuple(kit.rubric.cents),
        )
        self.chosen = chosen(course.submissions, options.only, "ONLY")
        forced = self.chosen if options.force else []
        if isinstance(options.force, tuple):
            forced = chosen(course.submissions, options.force, "FORCE")
        again = {one.id for one in forced}
        self.todo = [one for one in self.chosen if one.id in again or not self.is_done(one)]

    @property
    def outcomes(self) -> list[Outcome]:
        """The outcomes of the chosen submissions, as far as there are any."""
        outcomes = (self.book.outcomes.get(submission.id) for submission in self.chosen)
        return [outcome for outcome in outcomes if outcome is not None]

    def is_current(self, outcome: Outcome) -> bool:
        """Tell whether an outcome is of this kit and of the file as it is now."""
        current = (self.kit_hash, self.hashes[outcome.id])
        return (outcome.kit, outcome.source) == current

    def is_done(self, submission: Submission) -> bool:
        """Tell whether a submission needs no grading: its outcome and files are there."""
        outcome = self.book.outcomes.get(submission.id)
        if outcome is None or not self.is_current(outcome) or outcome.cents is None:
            return False
        names = ["results.json"] + [PAGE] * self.options.reports
        return all((self.options.out / submission.id / name).is_file() for name in names)

    def preflight(self) -> None:
        """Raise CourseError unless the reference scores full marks."""
        grading = grade_path(self.kit, self.kit.root / "solution" / "search.py")
        if grading.cents != grading.most_cents:
            score = score_text(grading)
            fault = f"the reference scores {score}, so nobody is graded; see make check"
            raise CourseError(fault)

    def grade(self, step: Callable[[], None]) -> None:
        """Grade all that is to do, calling `step()` after each.

        Whatever stops it, what was done stays done and the books are written.
        """
        self.edited = keep_edited(self.options.out)
        self.book.write()  # refuses here where nothing can be written
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
                if isinstance(result, Full):
                    raise CourseError(f"{self.options.out}: {result}")
                if isinstance(result, Lost):
                    lost.append(submission)
                else:
                    yield result
        for submission in lost:
            [(_, result)] = self._pooled([submission])
            if isinstance(result, Full):
                raise CourseError(f"{self.options.out}: {result}")
            if isinstance(result, Lost):
                id, source = submission.id, self.hashes[submission.id]
                reason = f"{result.reason}, twice; grade it again with ONLY={id}"
                result = Outcome(id, self.kit_hash, source, COULD_NOT_TELL, reason)
            yield result

    def _pooled(self, submissions):
        make_grader = partial(Grader, self.kit, self.kit_hash, self.options)
        jobs = min(self.options.jobs, len(submissions))
        patience = self.kit.rubric.limits.total_seconds + SPARE_SECONDS
        return pooled(make_grader, submissions, jobs, patience)

    def _write_books(self):
        out, submissions = self.options.out, self.course.submissions
        self.book.write()
        self.book.write_canvas(self.kit.rubric.title)
        for submission in submissions:
            path = out / submission.id / SEARCH_PY
            if submission.source is not None and not _holds(path, submission.source):
                replace_file(path, submission.source)
        file = PAGE if self.options.reports else "results.json"
        programs = {s.id: s.source for s in submissions if s.source is not None}
        given = (self.kit.root / "starter" / "search.py").read_bytes()
        alike = alike_in(programs, given)
        write_similarity(out, programs, given, alike)
        entries, rows = list(self.book.entries()), self.kit.rows_of_all
        html = class_page(entries, rows, file, alike)
        replace_file(out / PAGE, html)


def _holds(path, content):
    try:
        return path.read_bytes() == content
    except OSError:
        return False


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


def chosen(submissions, names, setting):
    """Return the submissions that the names mean, all of them where there are none.

    Raises CourseError for a name that nobody has, or that several have.
    """
    if not names:
        return list(submissions)
    finder = Finder((who, one.id) for one in submissions for who in one.students)
    ids = set()
    for name in names:
        found = finder.find(name, partly=True)
        if not found:
            raise CourseError(
                f"{setting}: {name}: nobody's sid, email, submission, number or name"
            )
        if len({student for student, _ in found}) > 1 and len({i for _, i in found}) > 1:
            listed = ", ".join(whose(*entry) for entry in found[:MOST_LISTED])
            raise CourseError(f"{setting}: {name}: several have that name: {listed}")
        ids.update(id for _, id in found)
    return [one for one in submissions if one.id in ids]


@contextlib.contextmanager
def locked(out: Path):
    """Hold a course's folder, so that no two runs write in it. Raises CourseError.

    The lock ends with this process, whatever ends it.
    """
    import fcntl

    out.mkdir(parents=True, exist_ok=True)
    with open(out / LOCK, "a+", encoding="ascii") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            file.seek(0)
            pid = "".join(filter(str.isdigit, file.read(20)))
            raise CourseError(
                f"{out} is in use by process {pid or 'unknown'}; wait for it, or give "
                "another OUT"
            ) from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


@dataclass
class Grader:
    """Grades submissions into out/<id>/. A context manager; call it to grade one.

    The sandbox's first process never runs a student's code, and sweeps what a worker
    leaves, so it serves the whole class. Where it fails, the next one has another.
    """

    kit: Kit
    kit_hash: str
    options: Options
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
        """Grade one submission, write its results.json, return its Outcome."""
        begun = time.monotonic()
        if submission.source is None:
            grading = refuse(self.kit, submission.refusal)
        else:
            grading = self._grade(submission.source)
        if self.kit.rubric.by_hand_cents:
            ids, sheet = submission.ids, submission.sheet
            grading = with_by_hand(grading, self.kit, sheet, ids)
        folder = self.options.out / submission.id
        replace_file(folder / "results.json", results_text(grading, self.kit))
        if self.options.reports:
            shown = grading.seen if self.kit.rubric.handed_out else grading
            write_report(shown, folder / PAGE, submission.whose, submission.source)
        seconds = time.monotonic() - begun
        id, source = submission.id, submission.hash
        return outcome_of(grading, id, self.kit_hash, source, seconds)

    def _grade(self, source):
        if self.sandbox is None:
            self.sandbox = self._stack.enter_context(Sandbox(self.kit.rubric.limits))
        try:
            return grade(self.kit, source, self.sandbox, self.kit.rubric.handed_out)
        except BaseException:
            self._close()
            raise

    def _close(self):
        self.sandbox = None
        self._stack.close()


@dataclass(frozen=True)
class Lost:
    """No result: the process died, raised or hung. `reason` says which, in a line."""

    reason: str


@dataclass(frozen=True)
class Full(Lost):
    """No result, and none for anybody: what was graded cannot be written."""

    def __str__(self):
        return f"{self.reason}; make room, and the same command goes on from here"


def pooled(make_work, items, jobs, patience):
    """Yield (item, work(item) or Lost) for each item, as `jobs` processes get them done.

    `make_work(index)` is called once in each process and returns a context manager
    whose value is `work`; `index` counts the processes from 0. A death costs the item
    in hand only. An item that takes longer than `patience` seconds is lost and its
    process killed. Closing the generator stops all at once.

    An executor of concurrent.futures cannot serve: one death breaks it for all items
    and hides how the process ended, no call of it ends a process that hangs, and it
    forks the next process beside its own threads, which may hold locks.
    """
    waiting, workers, done = deque(items), [], False
    try:
        for index in range(jobs):
            workers.append(_Worker(make_work, index, workers))
        while True:
            for worker in workers:
                if worker.item is None and waiting:
                    worker.begin(waiting.popleft())
            busy = [worker for worker in workers if worker.item is not None]
            if not busy:
                done = True
                return
            ready = connection.wait([worker.pipe for worker in busy], GLANCE_SECONDS)
            for worker in busy:
                item = worker.item
                if worker.pipe in ready:
                    result = worker.finish()
                elif time.monotonic() - worker.since > patience:
                    worker.process.kill()
                    worker.process.join()
                    result = Lost(f"its grader gave no answer for {patience:g} s")
                else:
                    continue
                if worker.process.exitcode is not None:
                    worker.pipe.close()
                    workers.remove(worker)
                    workers.append(_Worker(make_work, worker.index, workers))
                yield item, result
    finally:
        _stop(workers, at_once=not done)


class _Worker:
    """One process, the pool's end of its pipe, and since when it has an item in hand."""

    def __init__(self, make_work, index, others):
        context = multiprocessing.get_context("fork")
        self.index = index
        self.item = None
        self.pipe, theirs = context.Pipe()
        inherited = [self.pipe, *(other.pipe for other in others)]
        arguments = (theirs, inherited, make_work, index)
        self.process = context.Process(target=_serve, args=arguments, daemon=True)
        self.process.start()
        theirs.close()

    def begin(self, item):
        """Hand over an item."""
        self.item, self.since = item, time.monotonic()
        with contextlib.suppress(OSError):  # it died idle: finish() tells
            self.pipe.send(item)

    def finish(self):
        """Return the result of the item in hand, or Lost where the process ended."""
        self.item = None
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            self.process.join()
            code = self.process.exitcode
            how = f"killed by {signal.Signals(-code).name}" if code < 0 else ""
            return Lost(f"its grader ended ({how or f'exit status {code}'})")


def _stop(workers, at_once):
    """Have the processes leave by themselves; kill those that do not in time."""
    deadline = time.monotonic() + (SECONDS_TO_STOP if at_once else SECONDS_TO_END)
    for worker in workers:
        if at_once:
            worker.process.terminate()
        worker.pipe.close()
    for worker in workers:
        worker.process.join(max(0.0, deadline - time.monotonic()))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()


def _serve(pipe, others, make_work, index):
    """Serve the pool from a process of its own until the pipe is closed.

    The terminal sends Ctrl-C to every process; only the pool acts on it, and stops
    this process by a terminate, which raises KeyboardInterrupt here.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for other in others:
        other.close()
    gc.freeze()  # the kit came by the fork, for good: no need to go through it
    with (
        contextlib.suppress(KeyboardInterrupt, EOFError, OSError),
        make_work(index) as work,
    ):
        while True:
            item = pipe.recv()
            try:
                result = work(item)
            except Exception as error:
                text = " ".join(str(error).split())[:200]
                result = Lost(f"the grader failed: {type(error).__name__}: {text}")
                if getattr(error, "errno", None) in DISK_FULL:
                    result = Full(error.strerror)
            pipe.send(result)
