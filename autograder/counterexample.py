"""Find the smallest tree on which a submission fails, by running it on small trees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, tee

from autograder.judging.verdict import STATE_KEPT, Verdict, verdict_on
from autograder.mistakes.diagnosis import wrong_and_written
from autograder.sandbox import Session
from autograder.smalltrees.enumeration import Ladder
from autograder.tasks import RunPair
from gametree.functions import FUNCTIONS

MOST_AFRESH = 250  # trees tried where each needs a worker of its own
SEARCH_CPU_SECONDS = 0.5
MOST_SECONDS = 25.0  # a safeguard for code that sleeps: then there is no counterexample


@dataclass(frozen=True)
class Counterexample:
    """The first small tree on which a function fails, and how it fails.

    `verdict` is the one that a grading would give. `tried` is the tree's place on
    the ladder, counted from 1: the function is right on all trees before it.
    """

    verdict: Verdict
    tried: int


def find_counterexample(
    session: Session, ladder: Ladder, verdicts: Sequence[Verdict]
) -> Counterexample | None:
    """Return the Counterexample of the first wrong function that has one, or None.

    `verdicts` are what the grading has found so far. Functions come in the order
    minimax, alphabeta, best_move, since each builds on what the one before teaches.
    """
    with session.limited(MOST_SECONDS, SEARCH_CPU_SECONDS):
        for function in FUNCTIONS:
            if wrong_and_written(function, verdicts):
                keeps_state = _keeps_state(function, verdicts)
                counterexample = _climb(session, ladder, function, keeps_state)
                if counterexample is not None or session.out_of_time():
                    return counterexample
    return None


def _keeps_state(function, verdicts):
    return any(
        finding.kind == STATE_KEPT
        for verdict in verdicts
        if verdict.task.function == function
        for finding in verdict.findings
    )


def _climb(session, ladder, function, keeps_state):
    """Return the function's Counterexample or None.

    What fails in a worker that has searched other trees is tried once more
    afresh. If it is right there, state is kept from tree to tree, and the ladder
    is climbed again with a worker for each tree.
    """
    if not keeps_state:
        first = _first_wrong(session, _together(session, ladder.tasks(function)))
        if first is None:
            return None
        again = _first_wrong(session, _afresh(session, [first.verdict.task]))
        if again is not None:
            return replace(again, tried=first.tried)
    return _first_wrong(session, _afresh(session, ladder.tasks(function), MOST_AFRESH))


def _first_wrong(session, runs):
    """Return the Counterexample that the first wrong run makes, None where time is up."""
    for place, (task, pair) in enumerate(runs, start=1):
        if session.out_of_time():
            return None
        verdict = verdict_on(task, pair)
        if not verdict.right:
            return Counterexample(verdict, place)
    return None


def _together(session, tasks):
    """Yield (task, RunPair) of each task, run once, in one worker."""
    tasks, ahead = tee(tasks)
    for task, trace in zip(tasks, session.run_together(ahead)):
        yield task, RunPair(trace)


def _afresh(session, tasks, most=None):
    """Yield (task, RunPair) of at most so many tasks, each in a worker of its own."""
    for task in islice(tasks, most):
        yield task, *session.run_afresh([task])
