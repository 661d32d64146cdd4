"""Grade a course: what is to do, by several processes at once, into the books."""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import signal
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing import connection
from pathlib import Path

from autograder.course.classpage import class_page
from autograder.course.export import Course, CourseError, Submission
from autograder.course.gradebook import Gradebook, compare, read_grades
from autograder.course.outcome import (
    COULD_NOT_TELL,
    Outcome,
    add_to_ledger,
    outcome_of,
    read_ledger,
)
from autograder.grading import grade, grade_path, refuse, with_by_hand
from autograder.judging.scores import score_text
from autograder.kit import Kit, content_hash
from autograder.results import results_of, write_results
from autograder.sandbox import Sandbox
from autograder.showing.report import write_report
from autograder.utilities import pin_to_one_cpu, replace_file

PAGE = "report.html"  # of a submission, and of the class
SPARE_SECONDS = 60.0  # for a diagnosis and files, beyond a submission's own time
SECONDS_TO_STOP = 0.5  # that a process has to leave by itself after a Ctrl-C
SECONDS_TO_END = 10  # and when all is done
GLANCE_SECONDS = 0.25  # between two looks at the clock; also how fast a Ctrl-C is seen


@dataclass(frozen=True)
class Options:
    """What a TA asks for.

    `only` are sids, emails or ids, and nothing means everybody. `before` is an earlier
    gradebook.csv to compare with, or None. `reports` asks for a page of each submission.
    """

    out: Path
    jobs: int
    only: tuple[str, ...] = ()
    force: bool = False
    reports: bool = True
    before: Path | None = None


class Run:
    """One run over a course: which submissions it grades, and where the books are.

    `chosen` are the submissions that the options name, `todo` those of them that are
    not graded yet. Raises CourseError where the options do not fit the course.
    """

    def __init__(self, kit: Kit, course: Course, options: Options):
        self.kit = kit
        self.kit_hash = content_hash(kit.root)
        self.course = course
        self.options = options
        self.before = _read_earlier(options)
        self.hashes = {one.id: one.hash for one in course.submissions}
        ledger = read_ledger(options.out)
        outcomes = {id: ledger[id] for id in self.hashes if id in ledger}
        self.book = Gradebook(options.out, course.submissions, outcomes, self.is_current)
        self.chosen = chosen(course.submissions, options.only)
        self.todo = [one for one in self.chosen if options.force or not self.is_done(one)]

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
        self.book.write()  # refuses here where nothing can be written
        try:
            with contextlib.closing(self._graded()) as outcomes:
                for outcome in outcomes:
                    add_to_ledger(self.options.out, outcome)
                    self.book.add(outcome)
                    step()
        finally:
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
        make_grader = partial(Grader, self.kit, self.kit_hash, self.options)
        jobs = min(self.options.jobs, len(submissions))
        patience = self.kit.rubric.limits.total_seconds + SPARE_SECONDS
        return pooled(make_grader, submissions, jobs, patience)

    def _write_books(self):
        self.book.write()
        self.book.write_canvas()
        file = PAGE if self.options.reports else "results.json"
        outcomes, rows = self.book.outcomes, self.kit.rows_of_all
        html = class_page(self.course.submissions, outcomes, rows, file)
        replace_file(self.options.out / PAGE, html)


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


def chosen(submissions, only):
    """Return the submissions that `only` names. Raises CourseError for an unknown name."""
    names = {
        submission.id: {submission.id}.union(
            *((who.sid, who.email) for who in submission.students)
        )
        for submission in submissions
    }
    unknown = set(only).difference(*names.values())
    if unknown:
        listed = ", ".join(sorted(unknown))
        raise CourseError(f"ONLY: {listed}: nobody's sid, email or submission")
    return [one for one in submissions if not only or names[one.id] & set(only)]


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
        write_results(folder / "results.json", results_of(grading))
        if self.options.reports:
            write_report(grading, folder / PAGE, submission.whose)
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
            pipe.send(result)
