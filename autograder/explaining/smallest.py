"""Find the smallest tree on which a submission fails, and detect state leaks.

A function has a state leak if it keeps state between searches. To detect a leak, the first
wrong search of a public tree is run again, alone. The wrong search of the smallest tree is
run again too.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.explaining.explanation import SmallestTree, StateLeak
from autograder.sandbox import Budget, Session
from autograder.scoring.scores import wrong_and_written
from autograder.smalltrees.enumeration import Ladder
from gametree.functions import FUNCTIONS
from gametree.support.judging import Verdict, judge
from gametree.support.trace import TIMED_OUT

SEARCH_CPU_SECONDS = 0.5


def find_state_leaks(
    session: Session, verdicts: Sequence[Verdict], budget: Budget
) -> list[StateLeak]:
    """Return a StateLeak for each function that keeps state.

    `verdicts` are the verdicts of the public trees, in the order of the searches. The first
    wrong search of each function is run alone, in a fresh worker. If it is correct there,
    the function keeps state.
    """
    leaks = []
    for function in FUNCTIONS:
        wrong = [n for n, verdict in enumerate(verdicts) if _is_wrong(verdict, function)]
        if not wrong or not wrong_and_written(function, verdicts):
            continue
        task = verdicts[wrong[0]].task
        alone = next(session.run([task], budget))
        if budget.is_used_up():
            break
        if judge(task, alone).is_right:
            leaks.append(StateLeak(task, _task_before(wrong[0], verdicts)))
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


def find_smallest(
    session: Session,
    ladder: Ladder,
    verdicts: Sequence[Verdict],
    state_leaks: Sequence[StateLeak],
    order: Sequence[str],
    budget: Budget,
) -> tuple[SmallestTree | None, StateLeak | None]:
    """Return the smallest tree of the first wrong function that fails on a small tree.

    If the failing search is correct when it is run alone, return the StateLeak instead.

    verdicts: the verdicts of the grading so far.
    state_leaks: the known leaks; their functions are skipped, because the result of such a
        function depends on earlier searches.
    order: the functions, in the order in which they are tried.
    """
    leaking = {leak.function for leak in state_leaks}
    budget = budget.tighter(search_cpu_seconds=SEARCH_CPU_SECONDS)
    for function in order:
        if function in leaking or not wrong_and_written(function, verdicts):
            continue
        tree, leak = _first_wrong(session, ladder, function, budget)
        if tree or leak or budget.is_used_up():
            return tree, leak
    return None, None


def _first_wrong(session, ladder, function, budget):
    """Return the SmallestTree or the StateLeak of a function's first wrong search."""
    late = session.has_run_hidden
    task_before = None
    traces = session.run(ladder.tasks(function), budget)
    for place, (task, trace) in enumerate(zip(ladder.tasks(function), traces), start=1):
        if budget.is_used_up():
            return None, None
        verdict = judge(task, trace)
        if not verdict.is_right:
            run_alone = next(session.run([task], budget))
            if judge(task, run_alone).is_right:
                return None, StateLeak(task, task_before)
            if late:
                verdict = verdict._replace(trace=task.expected, findings=())
            return SmallestTree(verdict, place, late), None
        task_before = task
    return None, None
