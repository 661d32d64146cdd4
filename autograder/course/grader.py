"""Grade submissions in one process of the pool: one kit, one sandbox, kept."""

from __future__ import annotations

import time
from pathlib import Path

from autograder.course.outcome import outcome_of, source_and_hash
from autograder.grade import results_of
from autograder.grading import grade, refuse
from autograder.results import write_results
from autograder.running.limits import pin_to_one_cpu
from autograder.running.sandbox import Sandbox
from gametree.trace import NOT_RUN, RAISED, RETURNED

HARMLESS = (RETURNED, RAISED, NOT_RUN)


class Grader:
    """Grades submissions into `out`/<id>/. A context manager; call it to grade one.

    The sandbox's first process never runs a student's code, so it serves the next
    submission too. After a search that was ended by force it is started afresh.
    """

    def __init__(self, kit, kit_hash, out, write_report=None, turn=None):
        self.kit = kit
        self.kit_hash = kit_hash
        self.out = Path(out)
        self.write_report = write_report
        self.turn = turn
        self._sandbox = None

    def __enter__(self):
        self._unpin = pin_to_one_cpu(self.turn)
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
