"""Find the smallest tree on which a submission fails, and detect state leaks.

A state leak is a search that is correct alone and wrong after others, because its function
keeps state. To detect one, the first wrong search of a public tree is run again, alone. The
wrong search of the smallest tree is run again too.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.explaining.explanation import SmallestTree
from autograder.sandbox import Budget, Session
from autograder.scoring.scores import wrong_and_written
from autograder.scoring.tasks import Task
from autograder.smalltrees.enumeration import Ladder
from gametree.functions import FUNCTIONS
from gametree.support.judging import Verdict, judge
from gametree.support.trace import TIMED_OUT

SEARCH_CPU_SECONDS = 0.5


def find_state_leaks(
    session: Session, verdicts: Sequence[Verdict], budget: Budget
) -> list[Task]:
    """Return a state leak of each function that has one.

    The first wrong search of each function is run alone, in a fresh worker. It is a state
    leak if it is correct there. `verdicts` are the verdicts of the public trees.
    """
    leaks = []
    for function in FUNCTIONS:
        wrong = [verdict.task for verdict in verdicts if _is_wrong(verdict, function)]
        if not wrong or not wrong_and_written(function, verdicts):
            continue
        task = wrong[0]
        alone = next(session.run([task], budget, sealed=session.is_sealed))
        if budget.is_used_up():
            break
        if judge(task, alone).is_right:
            leaks.append(task)
    return leaks


def _is_wrong(verdict, function):
    if verdict.task.function != function or verdict.is_right:
        return False
    return verdict.trace.ending.kind != TIMED_OUT


def find_smallest(
    session: Session,
    ladder: Ladder,
    verdicts: Sequence[Verdict],
    state_leaks: Sequence[Task],
    order: Sequence[str],
    budget: Budget,
) -> tuple[SmallestTree | None, Task | None]:
    """Return the smallest tree of the first wrong function that fails on a small tree.

    If the failing search is correct alone, return it as a state leak instead.

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
    """Return the SmallestTree, or the state leak, of a function's first wrong search."""
    late = session.is_sealed
    traces = session.run(ladder.tasks(function), budget, sealed=late)
    for place, (task, trace) in enumerate(zip(ladder.tasks(function), traces), start=1):
        if budget.is_used_up():
            return None, None
        verdict = judge(task, trace)
        if not verdict.is_right:
            run_alone = next(session.run([task], budget, sealed=late))
            if judge(task, run_alone).is_right:
                return None, task
            wrong = tuple(name for name, holds in verdict.aspects.items() if not holds)
            return SmallestTree(task, place, wrong, None if late else verdict), None
    return None, None
