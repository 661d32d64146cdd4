"""Grade submissions in one process of the pool: one kit, one sandbox, kept."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import time
from collections import deque
from dataclasses import dataclass
from multiprocessing import connection
from pathlib import Path

from autograder.course import gradebook
from autograder.course.classpage import class_page, class_report_of
from autograder.course.export import CourseError
from autograder.course.gradebook import Gradebook
from autograder.course.outcome import (
    COULD_NOT_TELL,
    Ledger,
    Outcome,
    outcome_of,
    read_ledger,
    source_and_hash,
)
from autograder.grading import grade, grade_path, refuse
from autograder.judging.scores import points_text
from autograder.results import results_of, write_results
from autograder.sandbox import Sandbox
from autograder.utilities import pin_to_one_cpu, replace_file
from gametree.trace import NOT_RUN, RAISED, RETURNED

HARMLESS = (RETURNED, RAISED, NOT_RUN)


class Grader:
    """Grades submissions into `out`/<id>/. A context manager; call it to grade one.

    The sandbox's first process never runs a student's code, so it serves the next
    submission too. After a search that was ended by force it is started afresh.
    """

    def __init__(self, kit, kit_hash, out, write_report=None, index=None):
        self.kit = kit
        self.kit_hash = kit_hash
        self.out = Path(out)
        self.write_report = write_report
        self.index = index
        self._sandbox = None

    def __enter__(self):
        self._unpin = pin_to_one_cpu(self.index)
        return self

    def __exit__(self, *_):
        self._close()
        self._unpin()

    def __call__(self, submission):
        """Grade one submission, write its results.json, return its Outcome."""
        begun = time.monotonic()
        source, refusal, source_hash = source_and_hash(submission)
        grading = refuse(self.kit, refusal) if source is None else self._grade(source)
        folder = self.out / submission.id
        write_results(folder / "results.json", results_of(grading))
        if self.write_report is not None:
            self.write_report(grading, folder / "report.html")
        seconds = time.monotonic() - begun
        return outcome_of(grading, submission.id, self.kit_hash, source_hash, seconds)

    def _grade(self, source):
        if self._sandbox is None:
            self._sandbox = Sandbox(self.kit.rubric.limits).__enter__()
        try:
            grading = grade(self.kit, source, self._sandbox)
        except BaseException:
            self._close()
            raise
        if any(trace.ending.kind not in HARMLESS for trace in grading.traces):
            self._close()
        return grading

    def _close(self):
        if self._sandbox is not None:
            sandbox, self._sandbox = self._sandbox, None
            sandbox.__exit__(None, None, None)


SECONDS_TO_STOP = 0.5  # that a process has to leave by itself after a Ctrl-C
GLANCE_SECONDS = 0.25  # between two looks at the clock; also how fast a Ctrl-C is seen


@dataclass(frozen=True)
class Lost:
    """No result: the process died, raised or hung. `reason` says which, in a line."""

    reason: str


@dataclass
class _Process:
    """One process, the pool's end of its pipe, and the item it has in hand."""

    process: object
    pipe: object
    index: int
    item: object = None
    since: float = 0.0


class Pool:
    """Runs `work(item)` for many items in `jobs` processes.

    `make_work(index)` is called once in each process and returns a context manager
    whose value is `work`; `index` counts the processes from 0. An item that takes
    longer than `patience` seconds is lost and its process killed. Use it as a
    context manager: leaving by an exception stops at once, else it ends in peace.
    """

    def __init__(self, jobs, make_work, patience):
        self._context = multiprocessing.get_context("fork")
        self._make_work = make_work
        self._patience = patience
        self._processes = []
        self._jobs = jobs

    def __enter__(self):
        for index in range(self._jobs):
            self._start(index)
        return self

    def __exit__(self, kind, *_):
        for one in self._processes:
            if kind is not None:
                one.process.terminate()
            one.pipe.close()
        deadline = time.monotonic() + (SECONDS_TO_STOP if kind else 10)
        for one in self._processes:
            one.process.join(max(0.0, deadline - time.monotonic()))
            if one.process.is_alive():
                one.process.kill()
                one.process.join()

    def run(self, items):
        """Yield (item, result or Lost) for each item, in the order they are done."""
        waiting = deque(items)
        while waiting or any(one.item is not None for one in self._processes):
            for one in list(self._processes):
                if one.item is None and waiting:
                    self._give(one, waiting.popleft())
            yield from self._collect()

    def _start(self, index):
        ours, theirs = self._context.Pipe()
        others = [one.pipe for one in self._processes] + [ours]
        process = self._context.Process(
            target=_serve, args=(theirs, others, self._make_work, index), daemon=True
        )
        process.start()
        theirs.close()
        self._processes.append(_Process(process, ours, index))

    def _give(self, one, item):
        one.item, one.since = item, time.monotonic()
        with contextlib.suppress(OSError):  # it died idle: the next look finds that
            one.pipe.send(item)

    def _collect(self):
        busy = [one for one in self._processes if one.item is not None]
        ready = connection.wait([one.pipe for one in busy], GLANCE_SECONDS)
        for one in busy:
            item = one.item
            if one.pipe in ready:
                yield item, self._receive(one)
            elif time.monotonic() - one.since > self._patience:
                one.process.kill()
                self._replace(one)
                yield item, Lost(f"its grader gave no answer for {self._patience:g} s")

    def _receive(self, one):
        try:
            result = one.pipe.recv()
        except (EOFError, OSError):
            self._replace(one)
            return Lost(f"its grader ended ({_how(one.process.exitcode)})")
        one.item = None
        return result

    def _replace(self, one):
        one.pipe.close()
        one.process.join()
        self._processes.remove(one)
        self._start(one.index)


def _how(exitcode):
    if exitcode is not None and exitcode < 0:
        return f"killed by {signal.Signals(-exitcode).name}"
    return f"exit status {exitcode}"


def _serve(pipe, others, make_work, index):
    """Serve the pool from a process of its own until the pipe is closed.

    The terminal sends Ctrl-C to every process; only the pool acts on it, and stops
    this process by a terminate, which raises KeyboardInterrupt here.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for other in others:
        other.close()
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


CANVAS_TITLE = "Minimax and alpha-beta"
SPARE_SECONDS = 60.0  # for a diagnosis and files, beyond a submission's own time


@dataclass(frozen=True)
class Wish:
    """What a TA asks for. `only` are sids, emails or ids; empty means everybody."""

    out: Path
    jobs: int
    only: tuple = ()
    force: bool = False
    write_report: object = None


class Run:
    """One run over a course: which submissions it grades, and where the books are."""

    def __init__(self, kit, kit_hash, course, wish):
        self.kit = kit
        self.kit_hash = kit_hash
        self.course = course
        self.wish = wish
        self.hashes = {one.id: source_and_hash(one)[2] for one in course.submissions}
        known = {} if not Path(wish.out).is_dir() else read_ledger(wish.out)
        here = {id: outcome for id, outcome in known.items() if id in self.hashes}
        self.book = Gradebook(wish.out, course.submissions, here, self.is_current)
        self.chosen = chosen(course.submissions, wish.only)
        self.todo = [one for one in self.chosen if wish.force or not self.is_done(one)]

    def is_current(self, outcome):
        """Tell whether an outcome is of this kit and of the file as it is now."""
        return outcome.key == (self.kit_hash, self.hashes[outcome.id])

    def is_done(self, submission):
        """Tell whether a submission needs no grading: its outcome and files are there."""
        outcome = self.book.outcomes.get(submission.id)
        if outcome is None or not self.is_current(outcome) or outcome.cents is None:
            return False
        folder = Path(self.wish.out) / submission.id
        wanted = ["results.json"] + ["report.html"] * (self.wish.write_report is not None)
        return all((folder / name).is_file() for name in wanted)

    def preflight(self):
        """Raise CourseError unless the reference scores full marks."""
        grading = grade_path(self.kit, self.kit.root / "solution" / "search.py")
        if grading.cents != grading.most_cents:
            got, most = points_text(grading.cents), points_text(grading.most_cents)
            raise CourseError(
                f"the reference scores {got} of {most}, so nobody is graded; see make check"
            )

    def grade(self, step):
        """Grade all that is to do, calling `step()` after each.

        Whatever stops it, what was done stays done and the books are written.
        """
        try:
            outcomes = contextlib.closing(self._outcomes())
            with Ledger(self.wish.out) as ledger, outcomes as found:
                for outcome in found:
                    ledger.add(outcome)
                    self.book.add(outcome)
                    step()
        finally:
            self.write_books()

    def _outcomes(self):
        """Yield Outcomes as they come; what was lost is tried again at the end, alone."""
        lost = []
        jobs = min(self.wish.jobs, len(self.todo))
        for submission, result in self._pooled(self.todo, jobs):
            if isinstance(result, Lost):
                lost.append(submission)
            else:
                yield result
        for submission in lost:
            for _, result in self._pooled([submission], 1):
                if isinstance(result, Lost):
                    result = self._unknown(submission, result)
                yield result

    def _pooled(self, submissions, jobs):
        patience = self.kit.rubric.limits.total_seconds + SPARE_SECONDS
        with Pool(jobs, self._grader, patience) as pool:
            yield from pool.run(submissions)

    def _grader(self, index):
        return Grader(self.kit, self.kit_hash, self.wish.out, self.wish.write_report, index)

    def _unknown(self, submission, lost):
        source = self.hashes[submission.id]
        reason = f"{lost.reason}, twice; grade it again with ONLY={submission.id}"
        return Outcome(submission.id, self.kit_hash, source, COULD_NOT_TELL, reason)

    def write_books(self):
        """Write gradebook.csv, canvas.csv and the class's report.html."""
        out = Path(self.wish.out)
        self.book.write()
        lines = self.book.lines
        gradebook.write_canvas(out / gradebook.CANVAS_NAME, lines, CANVAS_TITLE)
        links = "results.json" if self.wish.write_report is None else "report.html"
        outcomes, rows = self.book.outcomes, self.kit.rows
        report = class_report_of(self.course.submissions, outcomes, rows, links)
        replace_file(out / "report.html", class_page(report))


def chosen(submissions, only):
    """Return the submissions that `only` names. Raises CourseError for an unknown name."""
    if not only:
        return list(submissions)
    found, unknown = [], set(only)
    for one in submissions:
        names = {one.id} | {name for who in one.students for name in (who.sid, who.email)}
        if names & set(only):
            found.append(one)
            unknown -= names
    if unknown:
        listed = ", ".join(sorted(unknown))
        raise CourseError(f"ONLY: {listed}: nobody's sid, email or submission")
    return found
