"""Find the smallest tree on which a submission fails, and detect state leaks.

A function has a state leak if it keeps state between searches. To detect a leak, the first
wrong search of a public tree is run again, alone. The wrong search of the smallest tree is
run again too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from autograder.explaining.evidence import Counterexample, StateLeak, wrong_and_written
from autograder.sandbox import Session
from autograder.smalltrees.enumeration import Ladder
from gametree.functions import FUNCTIONS
from gametree.support.judging import Verdict, judge
from gametree.support.trace import TIMED_OUT

SEARCH_CPU_SECONDS = 0.5


def find_state_leaks(session: Session, verdicts: Sequence[Verdict]) -> list[StateLeak]:
    """Return a StateLeak for each function that keeps state or is nondeterministic.

    `verdicts` are the verdicts of the public trees, in the order of the searches. The first
    wrong search of each function is run alone, in a fresh worker. If it is correct there,
    the function keeps state. If it differs there, and differs again in a third worker, the
    function is nondeterministic.
    """
    leaks = []
    for function in FUNCTIONS:
        wrong = [n for n, verdict in enumerate(verdicts) if _is_wrong(verdict, function)]
        if not wrong or not wrong_and_written(function, verdicts):
            continue
        first = wrong[0]
        task_before = _task_before(first, verdicts)
        leak = _state_leak(session, verdicts[first], task_before)
        if leak is not None:
            leaks.append(leak)
        if session.out_of_time():
            break
    return leaks


def _is_wrong(verdict, function):
    if verdict.task.function != function or verdict.is_right:
        return False
    return verdict.trace.ending.kind != TIMED_OUT


def _task_before(place, verdicts):
    """Return the previous task of the same function, or of any function, or None."""
    function = verdicts[place].task.function
    earlier = [verdict.task for verdict in verdicts[:place]]
    own = [task for task in earlier if task.function == function]
    candidates = own or earlier
    return candidates[-1] if candidates else None


def _state_leak(session, verdict, task_before):
    """Run a wrong search alone; return the StateLeak that it reveals, or None."""
    task = verdict.task
    alone = next(session.run([task]))
    if session.out_of_time():
        return None
    if judge(task, alone).is_right:
        return StateLeak(task, task_before)
    if _is_same(alone, verdict.trace):
        return None
    again = next(session.run([task]))
    if session.out_of_time() or _is_same(alone, again):
        return None
    return StateLeak(task, task_before, at_random=True)


def _is_same(trace, other):
    """Return whether two runs of a task are identical."""
    ends = trace.answer, trace.ending.kind
    other_ends = other.answer, other.ending.kind
    return ends == other_ends and trace.events == other.events


class LadderResult(NamedTuple):
    """The result of a wrong function on the small trees. Both fields may be None.

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
    """Return the LadderResult of the first wrong function that fails on a small tree.

    verdicts: the verdicts of the grading so far.
    state_leaks: the known leaks; their functions are skipped, because the result of such a
        function depends on earlier searches.
    order: the functions, in the order in which they are tried.
    """
    late = session.has_run_hidden
    leaking = {leak.function for leak in state_leaks}
    with session.limited(search_cpu_seconds=SEARCH_CPU_SECONDS):
        for function in order:
            if function in leaking or not wrong_and_written(function, verdicts):
                continue
            result = _first_wrong(session, ladder.tasks(function), late)
            if any(result) or session.out_of_time():
                return result
    return LadderResult()


def _first_wrong(session, tasks, late):
    """Return the LadderResult of the first wrong run, or an empty one if time is up.

    If the wrong search is correct when it is run alone, it reveals a state leak.
    """
    task_before = None
    for place, (task, trace) in enumerate(zip(tasks, session.run(tasks)), start=1):
        if session.out_of_time():
            return LadderResult()
        verdict = judge(task, trace)
        if not verdict.is_right:
            run_alone = next(session.run([task]))
            if judge(task, run_alone).is_right:
                return LadderResult(state_leak=StateLeak(task, task_before))
            if late:
                verdict = verdict._replace(trace=task.expected, findings=())
            return LadderResult(Counterexample(verdict, place, late))
        task_before = task
    return LadderResult()
