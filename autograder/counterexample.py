"""Find the smallest tree on which a submission fails, by running it on small trees.

And find out which functions keep something from one search to the next: their first wrong
search of a public tree is run once more, alone. So is that of the smallest tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import tee
from typing import NamedTuple

from autograder.mistakes.diagnosis import Counterexample, StateLeak, wrong_and_written
from autograder.sandbox import Session
from autograder.smalltrees.enumeration import Ladder
from gametree.functions import FUNCTIONS
from gametree.support.judging import Verdict, judge
from gametree.support.trace import TIMED_OUT

SEARCH_CPU_SECONDS = 0.5


def find_state_leaks(session: Session, verdicts: Sequence[Verdict]) -> list[StateLeak]:
    """Return what functions keep, or draw at random, by their first wrong search.

    `verdicts` are those of the public trees, in the order in which they were run. Each
    such search is run alone, in a fresh worker: right there, something is kept. Where it
    goes another way, and another way yet in a third worker, it is drawn at random.
    """
    kept = []
    for function in FUNCTIONS:
        wrong = [n for n, v in enumerate(verdicts) if _is_wrong(v, function)]
        if not wrong or not wrong_and_written(function, verdicts):
            continue
        verdict = verdicts[wrong[0]]
        earlier = [verdict.task for verdict in verdicts[: wrong[0]]]
        own = [task for task in earlier if task.function == function]
        before = next(reversed(own or earlier), None)
        alone = next(session.run([verdict.task]))
        if session.out_of_time():
            break
        if judge(verdict.task, alone).right:
            kept.append(StateLeak(verdict.task, before))
        elif not _alike(alone, verdict.trace):
            again = next(session.run([verdict.task]))
            if not (_alike(alone, again) or session.out_of_time()):
                kept.append(StateLeak(verdict.task, before, at_random=True))
    return kept


def _is_wrong(verdict, function):
    mine = verdict.task.function == function
    return mine and not verdict.right and verdict.trace.ending.kind != TIMED_OUT


def _alike(one, other):
    ends = one.answer, one.ending.kind
    return ends == (other.answer, other.ending.kind) and one.events == other.events


class LadderResult(NamedTuple):
    """What the small trees show of a wrong function. Both are None where they show nothing.

    counterexample: the first small tree on which the function fails.
    state_leak: the first search that is wrong only after other searches.
    """

    counterexample: Counterexample | None = None
    state_leak: StateLeak | None = None


def find_counterexample(
    session: Session,
    ladder: Ladder,
    verdicts: Sequence[Verdict],
    state_leaks: Sequence[StateLeak] = (),
    order: Sequence[str] = tuple(FUNCTIONS),
) -> LadderResult:
    """Return what the small trees show of the first wrong function that fails on one.

    verdicts: what the grading has found so far.
    state_leaks: those that are known. Their functions are skipped: what such a function
        does on a tree depends on the searches before.
    order: the functions, the one to try first in front.
    """
    late = session.hidden_seen
    leaking = {leak.function for leak in state_leaks}
    with session.limited(session.seconds_left(), search_cpu_seconds=SEARCH_CPU_SECONDS):
        for function in order:
            if function in leaking or not wrong_and_written(function, verdicts):
                continue
            result = _first_wrong(session, ladder.tasks(function), late)
            if any(result) or session.out_of_time():
                return result
    return LadderResult()


def _first_wrong(session, tasks, late):
    """Return the LadderResult of the first wrong run, an empty one where time is up.

    A run that is right alone, as it would be at home, shows a state leak.
    """
    tasks, tasks_to_run = tee(tasks)
    task_before = None
    for place, (task, trace) in enumerate(zip(tasks, session.run(tasks_to_run)), start=1):
        if session.out_of_time():
            return LadderResult()
        verdict = judge(task, trace)
        if not verdict.right:
            run_alone = next(session.run([task]))
            if judge(task, run_alone).right:
                return LadderResult(state_leak=StateLeak(task, task_before))
            if late:
                verdict = verdict._replace(trace=task.expected, findings=())
            return LadderResult(Counterexample(verdict, place, late))
        task_before = task
    return LadderResult()
