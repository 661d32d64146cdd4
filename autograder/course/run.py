"""Grade a course: what is to do, by several processes at once, into the books."""

from __future__ import annotations

import contextlib
import errno
import gc
import multiprocessing
import signal
import time
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from multiprocessing import connection
from pathlib import Path

from autograder.course import gradebook
from autograder.course.classpage import alike_in, class_page, write_similarity
from autograder.course.download import Course, Submission
from autograder.course.folder import deadline_of
from autograder.course.gradebook import GRADEBOOK, OVERRIDES, Entry
from autograder.course.outcome import REPORT, Outcome, Status, outcome_of
from autograder.course.people import CourseError, Finder
from autograder.files import replace_file
from autograder.grading import grade, grade_path, refuse, with_by_hand
from autograder.judging.scores import score_text
from autograder.kit import Kit
from autograder.processes import pin_to_one_cpu
from autograder.results import results_text, write_faults
from autograder.sandbox import Sandbox
from autograder.sandbox.submission import SEARCH_PY
from autograder.showing.report import write_report

PAGE = "report.html"  # of the class
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
SECONDS_TO_STOP = 5.0  # that a process has to leave by itself, which takes milliseconds
GLANCE_SECONDS = 0.25  # between two looks at the clock; also how fast a Ctrl-C is seen
SPARE_SECONDS = 60.0  # for a diagnosis and files, beyond a submission's own time


class Run:
    """One run over a course: which submissions it grades, and where the books are.

    `out` is the folder of the books, `due` the deadline as it was given. `only` has names
    of who is to be graded, with commas, "" for everybody; `force` has what is done graded
    again. `chosen` are the submissions that are meant, `todo` those of them that are not
    graded yet or not settled, `gone` counts the lines of the folder's gradebook of whom the
    course has none. Raises CourseError where these do not fit the course.
    """

    def __init__(self, kit: Kit, course: Course, out: Path, due="", only="", force=False):
        self.kit, self.course, self.out = kit, course, out
        self.deadline = deadline_of(due)
        self.cents = dict(kit.rubric.cents)
        if kit.rubric.by_hand_cents:
            self.cents["by hand"] = kit.rubric.by_hand_cents
        kept = [Outcome.load(self.out, one.id) for one in course.submissions]
        self.outcomes = {outcome.id: outcome for outcome in kept if outcome}
        people = [(e.student, e.outcome.id) for e in gradebook.entries_of(course, {})]
        self.gone, finder = _see_that_it_is_the_class(people, self.out), Finder(people)
        told = gradebook.read_overrides(out / OVERRIDES, finder, sum(self.cents.values()))
        self._by_hand, self._lines = told
        only = list(filter(None, map(str.strip, only.split(","))))
        ids = {id for name in only for id in _ids_of(name, finder)}
        self.chosen = [one for one in course.submissions if one.id in ids or not only]
        self.todo = [one for one in self.chosen if force or not self._is_done(one)]

    def entries(self) -> list[Entry]:
        """Return everybody's entry as it is now."""
        known = self.kit.key, self._by_hand, self.deadline
        return gradebook.entries_of(self.course, self.outcomes, *known)

    def _is_done(self, one):
        """Tell whether a submission needs no grading: settled, with its files."""
        outcome = self.outcomes.get(one.id)
        if outcome is None or not outcome.is_of(self.kit.key, one.hash):
            return False
        there = (self.out / one.id / "results.json").is_file()
        return there and outcome.status not in (Status.COULD_NOT_TELL, Status.NOT_SETTLED)

    def preflight(self) -> None:
        """Raise CourseError unless the reference scores full marks."""
        grading = grade_path(self.kit, self.kit.root / "solution" / SEARCH_PY)
        if grading.cents != grading.max_cents:
            score = score_text(grading)
            fault = f"the reference scores {score}, so nobody is graded; see make check"
            raise CourseError(fault)

    def grade(self, jobs: int, step: Callable[[], None]) -> None:
        """Grade all that is to do, in so many processes, calling `step()` after each.

        Whatever stops it, what was done stays done and the books are written.
        """
        self._write_gradebook()  # refuses here where nothing can be written
        try:
            with contextlib.closing(self._graded(self.todo, jobs)) as outcomes:
                for outcome in outcomes:
                    outcome.save(self.out)
                    self.outcomes[outcome.id] = outcome
                    step()
        except BaseException:
            with contextlib.suppress(OSError):  # what stopped it says why
                self._write_books()
            raise
        self._write_books()

    def told(self) -> list[str]:
        """Return lines on the books: what became of them, and what they leave out."""
        return self._lines + gradebook.remarks(self.entries(), self.deadline)

    def _graded(self, todo, jobs, again=False):
        """Yield Outcomes as they come; what was lost is tried again at the end, alone."""
        lost, patience = [], self.kit.rubric.limits.total_seconds + SPARE_SECONDS
        make_grader = partial(grader, self.kit, self.out)
        with contextlib.closing(pooled(make_grader, todo, jobs, patience)) as results:
            for one, result in results:
                if isinstance(result, OSError):  # there is no room for anybody's files
                    todo = "make room, and the same command goes on"
                    raise CourseError(f"{self.out}: {result.strerror}; {todo}")
                if again and isinstance(result, Lost):
                    why = f"{result}, twice; grade it again with ONLY={one.id}"
                    known = one.id, self.kit.key, one.hash
                    result = Outcome(*known, Status.COULD_NOT_TELL, why)
                if isinstance(result, Lost):
                    lost.append(one)
                else:
                    yield result
        for one in lost:
            yield from self._graded([one], 1, again=True)

    def _write_gradebook(self):
        entries = self.entries()
        self._lines += gradebook.write(self.out, entries, self.cents)
        return entries

    def _write_books(self):
        entries = self._write_gradebook()
        self._lines += gradebook.write_changes(self.out, entries)
        gradebook.write_feedback(self.out, entries)
        gradebook.write_canvas(self.out, entries, self.kit.rubric.title)
        programs = {s.id: s.source for s in self.course.submissions if s.source is not None}
        for id, source in programs.items():
            replace_file(self.out / id / SEARCH_PY, source)
        given = (self.kit.root / "starter" / SEARCH_PY).read_bytes()
        alike = alike_in(programs, given)
        write_similarity(self.out, programs, given, alike)
        replace_file(self.out / PAGE, class_page(entries, self.kit.rows_of_all, alike))


def _see_that_it_is_the_class(people, out):
    """Return how many of the folder's gradebook are not among these (student, id) pairs.

    Raises CourseError where the folder holds another class: where of those who handed in
    not even half of the smaller of both are in the other.
    """
    try:
        lines = gradebook.read(out / GRADEBOOK) if (out / GRADEBOOK).exists() else []
    except CourseError:  # edited by hand: kept, and written anew
        return 0
    now = [(who, id) for who, id in people if id]
    names = {name for who, id in now for name in (who.key, id)} - {""}
    came = [(who, id) for who, id in lines if id]
    here = sum(bool(names & {who.key, id}) for who, id in came)
    if 2 * here < min(len(came), len(now)):
        raise CourseError(
            f"{out} holds another class: {here} of {len(came)} in its gradebook are in "
            "this one; give another OUT"
        )
    names |= {who.key for who, _ in people} - {""}
    return sum(not names & {who.key, id} for who, id in lines)


def _ids_of(name, finder):
    """Return the ids of the submissions of whom a name of ONLY means."""
    found = finder.meant(name, "ONLY: ", partly=True)
    if not found:
        raise CourseError(f"ONLY: {name}: nobody's sid, email, submission or name")
    return [id for _, id in found]


@contextlib.contextmanager
def grader(kit: Kit, out: Path, index: int):
    """Yield what grades a submission, for a process that keeps the core of this index.

    The sandbox's first process never runs a student's code, and ends each worker, so it
    serves the whole class.
    """
    pin_to_one_cpu(index)
    with Sandbox(kit.rubric.limits) as sandbox:
        yield partial(grade_one, kit, out, sandbox)


def grade_one(kit: Kit, out: Path, sandbox: Sandbox, submission: Submission) -> Outcome:
    """Grade one submission, write its files into out/<id>/, return its Outcome.

    What it says is in none of them, only what it did: they may be handed out.
    """
    folder = out / submission.id
    if submission.source is None:
        grading = refuse(kit, submission.refusal)
    else:
        grading = grade(kit, submission.source, sandbox, sealed=True)
    if kit.rubric.by_hand_cents:
        grading = with_by_hand(grading, kit, submission.sheet, submission.ids)
    replace_file(folder / "results.json", results_text(grading, kit))
    try:
        write_report(
            grading.student_view, folder / REPORT, submission.whose, submission.source
        )
    except OSError:
        raise
    except Exception:  # a fault of the kit's costs nobody the points
        grading.faults.append(traceback.format_exc())
    outcome = outcome_of(grading, submission.id, kit.key, submission.hash)
    write_faults(grading, folder)
    if not grading.faults:
        return outcome
    fault = f"the explanation could not be made; see {folder / 'fault.txt'}"
    return replace(outcome, reason="; ".join(filter(None, (outcome.reason, fault))))


# ---- processes


class Lost(str):
    """No result: the process died, raised or hung. The text says which, in a line."""


def pooled(make_work, items, jobs, patience):
    """Yield (item, work(item) or Lost) for each item, as `jobs` processes get them done.

    `make_work(index)` is called once in each process and returns a context manager
    whose value is `work`; `index` counts the processes from 0. A death or an exception
    costs the item in hand only, and the next has a process of its own. An item that takes
    longer than `patience` seconds is lost and its process killed. Where the disk is full,
    the OSError is the result. Closing the generator stops all at once.

    An executor of concurrent.futures cannot serve: one death breaks it for all items
    and hides how the process ended, no call of it ends a process that hangs, and it
    forks the next process beside its own threads, which may hold locks.
    """
    waiting, workers = deque(items), []
    workers += (_Worker(make_work, index, workers) for index in range(jobs))
    try:
        while busy := [worker for worker in workers if worker.takes_from(waiting)]:
            connection.wait([worker.pipe for worker in busy], GLANCE_SECONDS)
            for worker in busy:
                item, result = worker.item, worker.result(patience)
                if result is not None:
                    yield item, result
    finally:
        _stop([worker for worker in workers if worker.process])


class _Worker:
    """A place in the pool: its process, this end of its pipe, and the item in hand."""

    def __init__(self, make_work, index, workers):
        self.process = self.pipe = self.item = None
        self._work, self._workers = (make_work, index), workers

    def takes_from(self, waiting):
        """Take the next item if none is in hand; tell whether there is one now."""
        if self.item is None and waiting:
            if self.process is None or self.process.exitcode is not None:
                self._start()
            self.item, self._since = waiting.popleft(), time.monotonic()
            with contextlib.suppress(OSError):  # it died just now: result() tells
                self.pipe.send(self.item)
        return self.item is not None

    def _start(self):
        context = multiprocessing.get_context("fork")
        self.pipe, theirs = context.Pipe()
        inherited = [worker.pipe for worker in self._workers if worker.pipe]
        arguments = (theirs, inherited, *self._work)
        self.process = context.Process(target=_serve, args=arguments, daemon=True)
        self.process.start()
        theirs.close()

    def result(self, patience):
        """Return the result of the item in hand, Lost where the process ended, or None."""
        if self.pipe.poll():
            try:
                result = self.pipe.recv()
                if isinstance(result, Lost):  # then the process leaves
                    self.process.join()
            except (EOFError, OSError):
                self.process.join()
                code = self.process.exitcode
                how = f"killed by {signal.Signals(-code).name}" if code < 0 else ""
                result = Lost(f"its grader ended ({how or f'exit status {code}'})")
        elif time.monotonic() - self._since > patience:
            self.process.kill()
            self.process.join()
            result = Lost(f"its grader gave no answer for {patience:g} s")
        else:
            return None
        self.item = None
        return result


def _stop(workers):
    """Have the processes leave by themselves; kill those that do not in time."""
    deadline = time.monotonic() + SECONDS_TO_STOP
    for worker in workers:
        worker.process.terminate()
        worker.pipe.close()
    for worker in workers:
        worker.process.join(max(0.0, deadline - time.monotonic()))
        if worker.process.is_alive():
            worker.process.kill()
            worker.process.join()


def _serve(pipe, inherited, make_work, index):
    """Serve the pool from a process of its own until the pipe is closed.

    The terminal sends Ctrl-C to every process; only the pool acts on it, and stops
    this process by a terminate, which raises KeyboardInterrupt here.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    for other in inherited:
        other.close()
    gc.freeze()  # the kit came by the fork, for good: no need to go through it
    with (
        contextlib.suppress(KeyboardInterrupt, EOFError, OSError),
        make_work(index) as work,
    ):
        result = None
        while not isinstance(result, Lost):
            item = pipe.recv()
            try:
                result = work(item)
            except Exception as error:
                text = " ".join(str(error).split())[:200]
                result = Lost(f"the grader failed: {type(error).__name__}: {text}")
                if getattr(error, "errno", None) in DISK_FULL:
                    result = error
            pipe.send(result)
