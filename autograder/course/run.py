"""Grade a course: what is to do, by a pool of processes, into the books."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from autograder.course import gradebook
from autograder.course.classpage import alike_in, class_page, write_similarity
from autograder.course.download import Course, Submission
from autograder.course.folder import deadline_of
from autograder.course.gradebook import GRADEBOOK, OVERRIDES, Entry
from autograder.course.outcome import REPORT, Outcome, Status, outcome_of
from autograder.course.people import CourseError, Finder
from autograder.course.pool import WorkerFailure, run_in_pool
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
            with contextlib.closing(self._graded(jobs)) as outcomes:
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

    def _graded(self, jobs):
        """Yield Outcomes as they come; where a process failed, once more, at the end."""
        failed = []
        with contextlib.closing(self._results(self.todo, jobs)) as results:
            for submission, result in results:
                if isinstance(result, WorkerFailure):
                    failed.append(submission)
                else:
                    yield result
        for submission in failed:
            [(_, result)] = self._results([submission], jobs=1)
            if isinstance(result, WorkerFailure):
                why = f"{result.message}, twice; grade it again with ONLY={submission.id}"
                known = submission.id, self.kit.key, submission.hash
                result = Outcome(*known, Status.COULD_NOT_TELL, why)
            yield result

    def _results(self, submissions, jobs):
        """Yield (submission, Outcome or WorkerFailure) as `jobs` processes grade them.

        Raises CourseError for what would stop every grading: a full disk, or a process
        that could not start.
        """
        patience = self.kit.rubric.limits.total_seconds + SPARE_SECONDS
        make_grader = partial(grader, self.kit, self.out)
        pool = run_in_pool(make_grader, submissions, jobs, patience)
        with contextlib.closing(pool) as results:
            for submission, result in results:
                if isinstance(result, OSError):
                    to_do = "make room, and the same command goes on"
                    raise CourseError(f"{self.out}: {result.strerror}; {to_do}")
                if isinstance(result, WorkerFailure) and result.at_start:
                    to_do = "fix this, and the same command goes on"
                    raise CourseError(f"{result.message}; {to_do}")
                yield submission, result

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
