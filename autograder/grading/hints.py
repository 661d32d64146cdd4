"""Explain a wrong submission: state leaks, the smallest tree, the line, the mistake.

Explanations use public and small trees. Their budgets are counts of searches, queries and
changed programs, so that every machine finds the same hints. A limit in seconds only stops
slow programs, and these seconds do not count toward the submission's time. An internal
error here is recorded and does not affect the score.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from autograder.explaining.evidence import is_right
from autograder.grading.record import Grading
from autograder.kit import Kit
from autograder.sandbox import Session
from autograder.scoring.rubric import LINE, MISTAKE
from autograder.scoring.scores import functions_by_loss, plan_rows, score_rows
from autograder.scoring.tasks import Task
from gametree.functions import FUNCTIONS
from gametree.support.judging import Verdict, judge

if TYPE_CHECKING:  # importing them takes 20 ms, and a correct submission does not need them
    from autograder.explaining.reading import Reading

MAX_SHARE = 0.5  # seconds for early or late hints, as a share of the submission's time


class Hints:
    """Finds hints for one submission, and adds them to its Grading, which documents them.

    Call explain() before the first hidden search, and explain_late() after the last.
    """

    def __init__(self, kit: Kit, session: Session, grading: Grading):
        self.kit = kit
        self.session = session
        self.grading = grading

    @cached_property
    def reading(self) -> Reading:
        """The result of reading the program text; empty if that failed."""
        from autograder.explaining.reading import Reading

        reading = self.grading.guarded(reading_of, self.session)
        return reading or Reading()

    def explain(self, public: Sequence[Verdict], probes: Sequence[Task] = ()) -> None:
        """Find state leaks, the smallest tree and the line, if any function is wrong.

        A function that is correct on every public tree is run on its probes.
        """
        verdicts = [verdict for verdict in public if verdict.was_run]
        right_so_far = [task for task in probes if is_right(task.function, public)]
        if not (right_so_far or _needs_explanation(verdicts)):
            return
        with self._time_for_hints():
            verdicts += run_and_judge(self.session, right_so_far)
            self._explain_early([verdict for verdict in verdicts if verdict.was_run])
            self.grading.hints_cut_short = self.session.out_of_time()

    def _explain_early(self, verdicts):
        """Find the hints that follow from public trees and probes."""
        if not _needs_explanation(verdicts):
            return
        from autograder.explaining.counterexample import find_state_leaks

        leaks = self.grading.guarded(find_state_leaks, self.session, verdicts)
        self.grading.state_leaks = tuple(leaks or ())
        self._find_smallest_tree(verdicts)
        self._find_lines(verdicts)

    def explain_late(self, verdicts: Sequence[Verdict]) -> None:
        """Find the diagnosis, and the smallest tree if only hidden trees are wrong."""
        verdicts = [verdict for verdict in verdicts if verdict.was_run]
        is_explained = self.grading.counterexample is not None
        if not _needs_explanation(verdicts):
            self.grading.hints_cut_short &= is_explained
            return
        public = [verdict for verdict in verdicts if not verdict.task.is_hidden]
        if not is_explained and all(verdict.is_right for verdict in public):
            with self._time_for_hints():
                self._find_smallest_tree(verdicts)
                self.grading.hints_cut_short |= self.session.out_of_time()
        if self.kit.rubric.allows(MISTAKE):
            self._diagnose(verdicts)

    def _find_smallest_tree(self, verdicts):
        functions = self._functions_to_explain(verdicts)
        self.grading.counterexample = self._find_counterexample(verdicts, functions)

    def _find_counterexample(self, verdicts, functions):
        """Return the smallest tree of the first function that has one, or None."""
        from autograder.explaining.counterexample import find_counterexample

        result = self.grading.guarded(
            find_counterexample,
            self.session,
            self.kit.ladder,
            verdicts,
            self.grading.state_leaks,
            functions,
        )
        if result is None:
            return None
        if result.state_leak is not None:
            self.grading.state_leaks += (result.state_leak,)
        return result.counterexample

    def _functions_to_explain(self, verdicts):
        """Return the wrong functions, largest loss of points first.

        The points are calculated as if there were no other trees.
        """
        rubric = self.kit.rubric
        tasks = [verdict.task for verdict in verdicts]
        planned = plan_rows(tasks, rubric, self.kit.public_names)
        rows = score_rows(planned, verdicts, rubric)
        return functions_by_loss(rows, self.reading.calls)

    def _find_lines(self, verdicts):
        """Find the line of the drawn function, and of a second wrong function.

        The second function does not call a wrong function.
        """
        drawn_tree = self.grading.counterexample
        if drawn_tree is None or not self.kit.rubric.allows(LINE):
            return
        self.grading.localisation = self._find_line(verdicts, drawn_tree)
        wrong = self._functions_to_explain(verdicts)
        drawn = drawn_tree.verdict.task.function
        for function in wrong:
            called = self.reading.text_of(function).calls
            if function == drawn or not set(called).isdisjoint(wrong):
                continue
            smallest = self._find_counterexample(verdicts, [function])
            if smallest is not None:
                self.grading.other_line = self._find_line(verdicts, smallest)
            return

    def _find_line(self, verdicts, counterexample):
        from autograder.explaining.line import find_line

        function = counterexample.verdict.task.function
        convention = self.kit.rubric.cutoff
        nothing_at = self.reading.text_of(function).returns_nothing
        return self.grading.guarded(
            find_line,
            self.session,
            self.kit.ladder,
            convention,
            verdicts,
            counterexample,
            nothing_at,
        )

    def _diagnose(self, verdicts):
        from autograder.explaining.diagnosis import Clues, diagnose

        grading = self.grading
        grading.reading = self.reading
        lines = filter(None, (grading.localisation, grading.other_line))
        fixed = {line.function: line.fixed for line in lines}
        clues = Clues(
            grading.state_leaks,
            self.reading,
            grading.counterexample,
            self.kit.ladder,
            fixed,
        )
        diagnoses = self.grading.guarded(diagnose, self.kit.library, verdicts, clues)
        grading.diagnoses = tuple(diagnoses or ())
        grading.localisation = self._unless_of_caller(grading.localisation)
        grading.other_line = self._unless_of_caller(grading.other_line)

    def _unless_of_caller(self, line):
        """Return a line, or None if its function may only depend on a wrong function."""
        for diagnosis in self.grading.diagnoses:
            if line and diagnosis.others and line.function in diagnosis.functions:
                return None
        return line

    @contextlib.contextmanager
    def _time_for_hints(self):
        """Limit the seconds within the context, and add them to the submission's time."""
        start = time.monotonic()
        try:
            with self.session.limited(MAX_SHARE * self.kit.rubric.limits.total_seconds):
                yield
        finally:
            self.session.deadline += time.monotonic() - start


def reading_of(session: Session) -> Reading:
    """Read a submission's text in a worker that runs none of the submission's code."""
    from autograder.explaining import reading, syntax

    arguments = {name: function.arguments for name, function in FUNCTIONS.items()}
    data = session.use_tool(reading.read_program, arguments, helpers=[syntax.__name__])
    return reading.reading_from(data)


def run_and_judge(session: Session, tasks: Sequence[Task]) -> list[Verdict]:
    """Run the submission on each task, and return the Verdicts."""
    return [judge(task, trace) for task, trace in zip(tasks, session.run(tasks))]


def _needs_explanation(verdicts):
    """Tell whether a search is wrong, in a program that could be loaded."""
    if any(verdict.trace.ending.loading for verdict in verdicts):
        return False
    return not all(verdict.is_right for verdict in verdicts)
