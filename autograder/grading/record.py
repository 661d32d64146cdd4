"""The result of grading one submission."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from autograder.judging.scores import LINE, VISIBLE, Row
from gametree.support.trace import Trace

if TYPE_CHECKING:  # a right submission needs none of them, and they take 20 ms to import
    from autograder.byhand import ByHand
    from autograder.judging.evidence import Counterexample, StateLeak
    from autograder.localisation import Localisation
    from autograder.mistakes.diagnosis import Diagnosis
    from autograder.mistakes.reading import Reading

Layers = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]


@dataclass(frozen=True)
class Grading:
    """What grading one submission found.

    rows: all rows, in order.
    refusal: the one line why nothing could be run (no search.py), else "".
    load_failure: the trace of a search that never began since search.py could not be
        loaded, else None.
    slow_to_load: whether loading took long.
    layers: (held, missing) layers of the sandbox; a missing one comes with the reason.
    diagnoses: of a wrong submission; may be empty.
    counterexample: the smallest failing tree, if one was found.
    localisation: the line, for the function of the counterexample, if it was found.
    other_line: the line of another wrong function, if it was found.
    state_leaks: what functions keep from one search to the next, or draw at random.
    reading: what the text shows by itself, None where it was not read.
    note: one line on the file that staff should know.
    faults: tracebacks of the kit itself, where a part of the explanation failed.
    hints: how much of the localisation is shown, from the rubric.
    hints_cut_short: whether the explanation ended early, because the program is slow.
    by_hand: the outcome of byhand.yaml, None where the rubric does not ask for it.
    unseen_rows: how many rows student_view() has dropped.
    """

    rows: tuple[Row, ...]
    refusal: str = ""
    load_failure: Trace | None = None
    slow_to_load: bool = False
    layers: Layers = ((), ())
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
    by_hand: ByHand | None = None
    unseen_rows: int = 0

    @property
    def flawless(self) -> bool:
        """Whether all is right, and there is nothing else to tell."""
        if self.refusal or self.load_failure or self.note:
            return False
        if self.slow_to_load or self.by_hand or self.counterexample:
            return False
        return all(row.is_right for row in self.rows)

    @property
    def traces(self) -> list[Trace]:
        """The run of every search, row by row."""
        return [verdict.trace for row in self.rows for verdict in row.verdicts]

    @property
    def undecided(self) -> int:
        """How many searches were not run since the time was used up."""
        return sum(trace.ending.undecided for trace in self.traces)

    @property
    def student_view(self) -> Grading:
        """The part that students see at once, without the rows and points of the others."""
        rows = tuple(row for row in self.rows if row.visibility == VISIBLE)
        unseen = len(self.rows) - len(rows)
        return replace(self, rows=rows, unseen_rows=unseen)

    @property
    def cents(self) -> int:
        """The total score in hundredths of a point."""
        by_hand = self.by_hand.cents if self.by_hand else 0
        return by_hand + sum(row.cents for row in self.rows)

    @property
    def max_cents(self) -> int:
        """The most that could be had, in hundredths of a point."""
        by_hand = self.by_hand.max_cents if self.by_hand else 0
        return by_hand + sum(row.max_cents for row in self.rows)
