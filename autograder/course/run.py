"""Grade what is new or changed of a course, and keep its books while it goes."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from autograder.course import gradebook
from autograder.course.classdata import class_report_of
from autograder.course.gradebook import Gradebook
from autograder.course.grader import Grader
from autograder.course.ledger import Ledger, read_ledger
from autograder.course.metadata import CourseError
from autograder.course.outcome import COULD_NOT_TELL, Outcome, source_and_hash
from autograder.course.pool import Lost, Pool
from autograder.grade import grade_path
from autograder.grading import refuse
from autograder.judging.scores import points_text
from autograder.running.files import replace_file
from autograder.showing.class_report import class_page

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

    def _grader(self, turn):
        return Grader(self.kit, self.kit_hash, self.wish.out, self.wish.write_report, turn)

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
        rows = refuse(self.kit, "").rows
        report = class_report_of(self.course.submissions, self.book.outcomes, rows, links)
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
