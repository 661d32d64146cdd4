"""Define the Grading, the result of grading one submission."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from autograder.scoring.rubric import LINE, VISIBLE
from autograder.scoring.scores import Row
from gametree.support.trace import Trace

if TYPE_CHECKING:  # importing them takes 20 ms, and a correct submission does not need them
    from autograder.explaining.diagnosis import Diagnosis
    from autograder.explaining.evidence import Counterexample, StateLeak
    from autograder.explaining.line import Localisation
    from autograder.explaining.reading import Reading


@dataclass
class Grading:
    """The result of grading one submission.

    rows: all rows, in order.
    refusal: the reason why nothing was run, such as a missing search.py, or "".
    load_failure: the trace of a search that never began because search.py could not be
        loaded, or None.
    missing_layers: each missing layer of the sandbox -> the reason.
    diagnoses: the diagnoses of a wrong submission; may be empty.
    counterexample: the smallest failing tree, or None.
    localisation: the line of the error in the counterexample's function, or None.
    other_line: the line of the error in another wrong function, or None.
    state_leaks: evidence that functions keep state or are nondeterministic.
    reading: the result of reading the program text, or None.
    note: a remark on the submitted file for staff, in one line.
    faults: tracebacks of internal errors in the explanation.
    hints: the level of detail of the hints, from the rubric.
    hints_cut_short: whether the explanation ended early, because the program is slow.
    unseen_rows: the number of rows that student_view() has dropped.
    """

    rows: tuple[Row, ...] = ()
    refusal: str = ""
    load_failure: Trace | None = None
    missing_layers: dict[str, str] = field(default_factory=dict)
    diagnoses: tuple[Diagnosis, ...] = ()
    counterexample: Counterexample | None = None
    localisation: Localisation | None = None
    other_line: Localisation | None = None
    state_leaks: tuple[StateLeak, ...] = ()
    reading: Reading | None = None
    note: str = ""
    faults: list[str] = field(default_factory=list)
    hints: str = LINE
    hints_cut_short: bool = False
    unseen_rows: int = 0

    def guarded(self, make: Callable, *arguments: object):
        """Return make(*arguments); if it fails, record the traceback and return None."""
        try:
            return make(*arguments)
        except Exception:
            self.faults.append(traceback.format_exc())
            return None

    @property
    def flawless(self) -> bool:
        """Whether all rows are correct, without any remarks."""
        if self.refusal or self.load_failure or self.counterexample:
            return False
        if self.note:
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
