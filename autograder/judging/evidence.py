"""What is known of a wrong function beside its rows: its smallest failing tree, its state.

And whether it is right, wrong, or not written yet.
"""

from __future__ import annotations

from dataclasses import dataclass

from autograder.judging.scores import NOT_WRITTEN
from autograder.tasks import Task
from gametree.support.judging import Verdict
from gametree.support.trace import RAISED


@dataclass(frozen=True)
class StateLeak:
    """Says that a function's search of `task` went another way when it was run alone.

    It is right alone, so something is kept from a search before it: one of them is
    `before` (None where there was none). Or it is drawn `at_random`, and not right.
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

    `verdict` is the one that a grading would give. `tried` is the tree's place on
    the ladder, counted from 1: the function is right on all trees before it. Where it is
    `late`, hidden trees were run before it: the verdict's trace is that of the right
    search, and only its aspects are the submission's.
    """

    verdict: Verdict
    tried: int
    late: bool = False


def is_right(function: str, verdicts: list[Verdict]) -> bool:
    """Tell whether a function is right on every tree."""
    return all(verdict.right for verdict in verdicts if verdict.task.function == function)


def is_stub(function: str, verdicts: list[Verdict]) -> bool:
    """Tell whether a function is wrong since it is missing or not written yet."""
    endings = [w.trace.ending for w in verdicts if w.task.function == function]
    return bool(endings) and all(
        ending.kind == RAISED and ending.error in NOT_WRITTEN and not ending.loading
        for ending in endings
    )


def wrong_and_written(function: str, verdicts: list[Verdict]) -> bool:
    """Tell whether a function lost points and is more than a stub or a missing name."""
    return not (is_right(function, verdicts) or is_stub(function, verdicts))
