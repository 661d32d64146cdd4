"""Grade one submission: run it, judge it, score it, explain it. Nothing is shown.

The steps are the same for every submission. Each public search runs once, in order. If one
is wrong, it is explained with public and small trees. Then each hidden search runs once, in
order. All texts for students are found before the first hidden search, except the smallest
tree if only hidden trees fail.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from autograder.explaining import Explanation, explain
from autograder.kit import Kit
from autograder.sandbox import Sandbox, Session
from autograder.scoring.rubric import VISIBLE
from autograder.scoring.scores import Row, score_rows
from autograder.scoring.tasks import Task, not_begun
from gametree.support.judging import Verdict, judge
from gametree.support.trace import NOT_RUN, Ending, Trace


class Faults(list):
    """The tracebacks of internal errors. An internal error never costs points."""

    def guarded(self, make: Callable, *arguments: object):
        """Return make(*arguments); if it fails, record the traceback and return None."""
        try:
            return make(*arguments)
        except Exception:
            self.append(traceback.format_exc())
            return None


@dataclass(frozen=True)
class Grading:
    """The result of grading one submission.

    rows: all rows, in order.
    refusal: the reason why nothing was run, such as a missing search.py, or "".
    load_failure: the trace of a search that never began because search.py could not be
        loaded, or None.
    explanation: what is wrong with the submission.
    faults: the internal errors so far; writing the results may add some.
    missing_layers: each missing layer of the sandbox -> the reason.
    note: a remark on the submitted file for staff, in one line.
    unseen_rows: the number of rows that student_view() has dropped.
    term: the term of the course, or "".
    """

    rows: tuple[Row, ...] = ()
    refusal: str = ""
    load_failure: Trace | None = None
    explanation: Explanation = Explanation()  # noqa: RUF009  it is immutable
    faults: Faults = field(default_factory=Faults)
    missing_layers: dict[str, str] = field(default_factory=dict)
    note: str = ""
    unseen_rows: int = 0
    term: str = ""

    @property
    def flawless(self) -> bool:
        """Whether all rows are correct, without any remarks."""
        if self.refusal or self.load_failure or self.note:
            return False
        return all(row.is_right for row in self.rows)

    @property
    def traces(self) -> list[Trace]:
        """The traces of all searches, row by row."""
        return [verdict.trace for row in self.rows for verdict in row.verdicts]

    @property
    def undecided(self) -> list[Trace]:
        """The traces of searches that were not run because the time was used up."""
        return [trace for trace in self.traces if trace.ending.undecided]

    @property
    def student_view(self) -> Grading:
        """The part that students see immediately, without hidden rows and their points."""
        rows = tuple(row for row in self.rows if row.visibility == VISIBLE)
        unseen = len(self.rows) - len(rows)
        return replace(self, rows=rows, unseen_rows=unseen)

    @property
    def cents(self) -> int:
        """The total score in hundredths of a point."""
        return sum(row.cents for row in self.rows)

    @property
    def max_cents(self) -> int:
        """The maximum score in hundredths of a point."""
        return sum(row.max_cents for row in self.rows)


def grade(kit: Kit, source: bytes, sandbox: Sandbox | None = None) -> Grading:
    """Grade the bytes of a search.py in an open sandbox; None opens a new sandbox."""
    if sandbox is None:
        with Sandbox(kit.rubric.limits) as sandbox:
            return grade(kit, source, sandbox)
    session = Session(sandbox, source)
    faults = Faults()
    guarded = faults.guarded
    public = run_and_judge(session, [task for task in kit.tasks if not task.is_hidden])
    with session.budget.paused():
        explanation = guarded(explain, session, public, kit, guarded)
    explanation = explanation or Explanation()
    hidden = run_and_judge(session, [task for task in kit.tasks if task.is_hidden])
    verdicts = public + hidden
    shown = verdicts if kit.rubric.visibility == VISIBLE else public
    final = guarded(explain, session, shown, kit, guarded, explanation) or explanation
    return Grading(
        rows=score_rows(kit.rows, verdicts, kit.rubric),
        load_failure=_load_failure(verdicts),
        explanation=final,
        faults=faults,
        missing_layers=sandbox.missing_layers,
        term=kit.rubric.term,
    )


def run_and_judge(session: Session, tasks: Sequence[Task]) -> list[Verdict]:
    """Run the submission on each task, and return the Verdicts."""
    return [judge(task, trace) for task, trace in zip(tasks, session.run(tasks))]


def _load_failure(verdicts):
    """Return the first trace if search.py could not be loaded, else None."""
    if verdicts and verdicts[0].trace.ending.loading:
        return verdicts[0].trace
    return None


def refuse(kit: Kit, reason: str) -> Grading:
    """Return the Grading of a submission that cannot be run: 0 points in every row."""
    ending = Ending(NOT_RUN, reason=reason)
    verdicts = [judge(task, not_begun(task, ending)) for task in kit.tasks]
    rows = score_rows(kit.rows, verdicts, kit.rubric)
    return Grading(rows, refusal=reason, term=kit.rubric.term)
