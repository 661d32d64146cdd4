"""Evidence about a wrong function: its smallest failing tree and its state.

The module also tells whether a function is correct, wrong, or not written yet.
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
    """Evidence that a function keeps state between searches, or is nondeterministic.

    task: a search that is correct alone but wrong after other searches. If `at_random`, it
        is a search with a different result each time.
    before: a search that ran before it, or None.
    at_random: whether the search has a different result each time and is not correct alone.
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

    verdict: the verdict on the search of this tree.
    tried: the position of the tree on the ladder, from 1. The function is correct on all
        earlier trees.
    late: whether hidden trees were run before it. In that case the verdict has the trace of
        the correct search, and only its aspects come from the submission.
    """

    verdict: Verdict
    tried: int
    late: bool = False


def is_right(function: str, verdicts: Iterable[Verdict]) -> bool:
    """Tell whether a function is correct on every tree."""
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
    """Tell whether a function lost points and is neither a stub nor missing."""
    return not (is_right(function, verdicts) or is_stub(function, verdicts))
