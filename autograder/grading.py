"""Grade one submission: run it, judge it, score it, explain it. Nothing is shown.

The steps are the same for every submission. Each public search runs once, in order. If one
is wrong, it is explained with public and small trees. Then each hidden search runs once, in
order. All texts for students are found before the first hidden search, except the smallest
tree if only hidden trees fail.

A Grading has the full verdicts on public trees only. Of hidden trees it has the narrow
Results of its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from autograder.explaining.explanation import Evidence, Explanation, Reading
from autograder.kit import Kit
from autograder.sandbox import Budget, Sandbox, Session
from autograder.scoring.rubric import LINE, MISTAKE, VISIBLE, Rubric
from autograder.scoring.scores import (
    Result,
    Row,
    Score,
    all_right,
    plan_rows,
    score_rows,
    wrong_functions,
)
from autograder.scoring.tasks import Task, not_begun
from gametree.support.judging import Verdict, judge
from gametree.support.trace import NOT_RUN, Ending, Trace

# A wrong submission needs the modules that explain. They are imported late, because that
# takes as long as a seventh of a correct submission.
EXPLAINING_SHARE = 0.5  # CPU time for explanations, as a share of the submission's time

T = TypeVar("T")


class Guard:
    """Calls functions that may have bugs. An internal error never costs points.

    faults: the tracebacks of the internal errors so far.
    """

    def __init__(self) -> None:
        self.faults: list[str] = []

    def run(self, make: Callable[..., T], *arguments: object) -> T | None:
        """Return make(*arguments); if it fails, record the traceback and return None."""
        try:
            return make(*arguments)
        except Exception:
            import traceback  # takes 2 ms, and an internal error is rare

            self.faults.append(traceback.format_exc())
            return None


class Grading(NamedTuple):
    """The result of grading one submission.

    rubric: the rubric of the course.
    kit_key: a hash of all files on which the grade depends.
    rows: all rows, in order.
    public: the verdicts on the public trees, in the order of grading.
    refusal: the reason why nothing was run, such as a missing search.py, or "".
    load_failure: the trace of a search that never began because search.py could not be
        loaded, or None.
    explanation: what is wrong with the submission.
    faults: the tracebacks of internal errors.
    missing_layers: each missing layer of the sandbox -> the reason.
    note: a remark on the submitted file for staff, in one line.
    unseen_rows: the number of rows that student_view() has dropped.
    """

    rubric: Rubric
    kit_key: str
    rows: tuple[Row, ...]
    public: tuple[Verdict, ...] = ()
    refusal: str = ""
    load_failure: Trace | None = None
    explanation: Explanation = Explanation()
    faults: tuple[str, ...] = ()
    missing_layers: Mapping[str, str] = {}
    note: str = ""
    unseen_rows: int = 0

    @property
    def score(self) -> Score:
        """The Score of all rows."""
        return Score(self.rows)

    @property
    def flawless(self) -> bool:
        """Whether all rows are correct, without any remarks."""
        has_remark = self.refusal or self.load_failure or self.note
        return self.score.is_right and not has_remark

    @property
    def undecided(self) -> list[Result]:
        """The Results of searches that were not run because the time was used up."""
        return [result for result in self.score.results if result.ending.undecided]

    @property
    def given_up(self) -> list[Result]:
        """The Results of searches that were not run because the program slept too long.

        All others have returned. If one was stopped, its own ending is the reason.
        """
        results = self.score.results
        not_run = [result for result in results if not result.was_run]
        returned = sum(result.has_returned for result in results)
        is_explained = self.undecided or returned + len(not_run) < len(results)
        return [] if self.refusal or is_explained else not_run

    def public_verdicts(self, function: str) -> list[Verdict]:
        """Return the verdicts on the public trees of a function."""
        return [verdict for verdict in self.public if verdict.task.function == function]

    def with_faults(self, faults: Sequence[str]) -> Grading:
        """Return the Grading with further internal errors."""
        return self._replace(faults=(*self.faults, *faults))

    @property
    def student_view(self) -> Grading:
        """The part that students see immediately, without hidden rows and their points."""
        rows = tuple(row for row in self.rows if row.visibility == VISIBLE)
        unseen = len(self.rows) - len(rows)
        return self._replace(rows=rows, unseen_rows=unseen)


def grade(kit: Kit, source: bytes, sandbox: Sandbox | None = None) -> Grading:
    """Grade the bytes of a search.py in an open sandbox; None opens a new sandbox."""
    if sandbox is None:
        with Sandbox(kit.rubric.limits) as sandbox:
            return grade(kit, source, sandbox)
    public = grade_public(kit, source, sandbox)
    return grade_hidden(kit, source, sandbox, public)


class PublicPart(NamedTuple):
    """What is found before the first hidden tree: everything that is shown in full.

    traces: the searches of the public trees, in the order of grading.
    explanation: what public and small trees show.
    faults: the tracebacks of internal errors.
    budget: the submission's own Budget, for the Session of the hidden trees.
    """

    traces: tuple[Trace, ...]
    explanation: Explanation
    faults: tuple[str, ...]
    budget: Budget


def grade_public(kit: Kit, source: bytes, sandbox: Sandbox) -> PublicPart:
    """Run and judge the public trees, and explain what is wrong there."""
    session = Session(sandbox, source)
    verdicts = run_and_judge(session, kit.public_tasks, sealed=False)
    budget = session.leave()  # an explanation has time of its own
    guard = Guard()
    explanation = Explanation()
    run = runs_to_explain(verdicts)
    if not all_right(run):
        explanation = _explain_in_full(kit, session, run, guard)
    traces = tuple(verdict.trace for verdict in verdicts)
    return PublicPart(traces, explanation, tuple(guard.faults), budget)


def runs_to_explain(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return the verdicts on searches that were run; none if the file was not loaded."""
    run = [verdict for verdict in verdicts if verdict.was_run]
    return [] if _load_failure(run) else run


def _explain_in_full(kit, session, verdicts, guard):
    """Return the Explanation of wrong searches; an internal error loses a part of it.

    After a hidden tree, no line is searched for.
    """
    from autograder.explaining.explain import explain, find_lines

    rubric = kit.rubric
    budget = session.new_budget(EXPLAINING_SHARE)
    by_loss = _functions_by_loss(kit, verdicts)
    evidence = Evidence(session, kit.ladder, verdicts, budget)
    found = guard.run(lambda: explain(evidence, by_loss)) or Explanation()
    if rubric.allows(LINE) and not session.is_sealed:
        lines = guard.run(lambda: find_lines(evidence, found))
        found = found._replace(lines=lines or {})
    session.end_tools()
    if not rubric.allows(MISTAKE):
        found = found._replace(reading=Reading())
    return found._replace(cut_short=budget.is_used_up())


def _functions_by_loss(kit, verdicts):
    """Return the wrong functions, sorted by lost points, as if these trees were all."""
    planned = plan_rows([verdict.task for verdict in verdicts], kit.rubric)
    rows = score_rows(planned, verdicts, kit.rubric)
    return [score.function for score in wrong_functions(rows)]


def grade_hidden(kit: Kit, source: bytes, sandbox: Sandbox, part: PublicPart) -> Grading:
    """Run and judge the hidden trees, and return the Grading.

    The full verdicts on hidden trees do not leave this function. They are compared with the
    known mistakes. If only hidden trees fail, the smallest tree is searched for last.
    """
    public = tuple(map(judge, kit.public_tasks, part.traces))
    session = Session(sandbox, source, part.budget)
    hidden = run_and_judge(session, kit.hidden_tasks, sealed=True)
    verdicts = [*public, *hidden]
    guard = Guard()
    explanation = part.explanation
    shown = verdicts if kit.rubric.visibility == VISIBLE else public
    run = runs_to_explain(shown)
    if not all_right(run):
        if all_right(runs_to_explain(public)):
            explanation = _explain_in_full(kit, session, run, guard)
        explanation = _name_causes(kit, run, explanation, guard)
    return Grading(
        kit.rubric,
        kit.key,
        rows=score_rows(kit.plan, verdicts, kit.rubric),
        public=public,
        load_failure=_load_failure(verdicts),
        explanation=explanation,
        faults=(*part.faults, *guard.faults),
        missing_layers=sandbox.missing_layers,
    )


def _name_causes(kit, verdicts, found, guard):
    """Return an Explanation with the symptoms and, if hints allow, the diagnoses."""
    from autograder.explaining.known import diagnose
    from autograder.explaining.symptoms import symptoms_of

    symptoms = guard.run(symptoms_of, verdicts, found.smallest) or {}
    found = found._replace(symptoms=symptoms)
    if not kit.rubric.allows(MISTAKE):
        return found
    diagnoses = guard.run(lambda: diagnose(kit.library, kit.ladder, verdicts, found))
    return found._replace(diagnoses=diagnoses or {})


def run_and_judge(
    session: Session, tasks: Sequence[Task], *, sealed: bool
) -> list[Verdict]:
    """Run the submission on each task, and return the Verdicts.

    sealed: see Session.run().
    """
    traces = session.run(tasks, sealed=sealed)
    return [judge(task, trace) for task, trace in zip(tasks, traces)]


def _load_failure(verdicts):
    """Return the first trace if search.py could not be loaded, else None."""
    if verdicts and verdicts[0].trace.ending.loading:
        return verdicts[0].trace
    return None


def refuse(kit: Kit, reason: str) -> Grading:
    """Return the Grading of a submission that cannot be run: 0 points in every row."""
    ending = Ending(NOT_RUN, reason=reason)
    verdicts = [judge(task, not_begun(task, ending)) for task in kit.tasks]
    rows = score_rows(kit.plan, verdicts, kit.rubric)
    return Grading(kit.rubric, kit.key, rows, refusal=reason)
