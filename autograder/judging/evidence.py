"""Evidence about a wrong function beside its rows: its smallest failing tree, its state.

And whether it is right, wrong, or not written yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autograder.judging.scores import NOT_WRITTEN
from autograder.tasks import Task
from gametree.support.judging import Verdict
from gametree.support.trace import RAISED


@dataclass(frozen=True)
class StateLeak:
    """Shows that a function keeps state between searches, or draws at random.

    task: a search that is right when it is run alone, and was wrong after others. Or one
        that gives another result each time.
    before: a search before it, None where there was none.
    at_random: whether it gives another result each time, and is not right alone.
    """

    task: Task
    before: Task | None
    at_random: bool = False

    @property
    def function(self) -> str:
        """The function's name."""
        return self.task.function


@dataclass(frozen=True)
class Counterexample:
    """The first small tree on which a function fails, and how it fails.

    verdict: what the judge says of the search of this tree.
    tried: the tree's place on the ladder, from 1. The function is right on all before it.
    late: whether hidden trees were run before it. Then the verdict's trace is that of the
        correct search, and only its aspects are the submission's.
    """

    verdict: Verdict
    tried: int
    late: bool = False


def is_right(function: str, verdicts: Iterable[Verdict]) -> bool:
    """Tell whether a function is right on every tree."""
    return all(
        verdict.is_right for verdict in verdicts if verdict.task.function == function
    )


def is_stub(function: str, verdicts: Iterable[Verdict]) -> bool:
    """Tell whether a function is wrong because it is missing or not written yet."""
    own = [verdict for verdict in verdicts if verdict.task.function == function]
    return bool(own) and all(map(_is_unwritten, own))


def _is_unwritten(verdict):
    ending = verdict.trace.ending
    if ending.kind != RAISED or ending.loading:
        return False
    return ending.error in NOT_WRITTEN


def wrong_and_written(function: str, verdicts: Sequence[Verdict]) -> bool:
    """Tell whether a function lost points and is more than a stub or a missing name."""
    return not (is_right(function, verdicts) or is_stub(function, verdicts))
