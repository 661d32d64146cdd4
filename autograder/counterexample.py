"""Find the smallest tree on which a submission fails, by running it on small trees.

And find out which functions keep something from one search to the next: their first wrong
search of a public tree is run once more, alone. So is that of the smallest tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import tee

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


def find_counterexample(
    session: Session,
    ladder: Ladder,
    verdicts: Sequence[Verdict],
    kept: Sequence[StateLeak] = (),
    order: Sequence[str] = tuple(FUNCTIONS),
) -> Counterexample | StateLeak | None:
    """Return the Counterexample of the first wrong function that has one, or None.

    Or what it keeps, where it is right on that tree if nothing was searched before.

    `verdicts` are what the grading has found so far, and `order` says which function
    comes first. One that keeps something is left out: what it does on a tree depends on
    those before.
    """
    late, keeping = session.hidden_seen, {each.function for each in kept}
    with session.limited(session.seconds_left(), search_cpu_seconds=SEARCH_CPU_SECONDS):
        for function in order:
            if function in keeping or not wrong_and_written(function, verdicts):
                continue
            found = _first_wrong(session, ladder.tasks(function), late)
            if found is not None or session.out_of_time():
                return found
    return None


def _first_wrong(session, tasks, late):
    """Return the Counterexample that the first wrong run makes, None where time is up.

    Where the run is right alone, as it would be at home, something is kept.
    """
    tasks, ahead, before = *tee(tasks), None
    for place, (task, trace) in enumerate(zip(tasks, session.run(ahead)), start=1):
        if session.out_of_time():
            return None
        verdict = judge(task, trace)
        if not verdict.right:
            if judge(task, next(session.run([task]))).right:
                return StateLeak(task, before)
            if late:
                verdict = verdict._replace(trace=task.expected, findings=())
            return Counterexample(verdict, place, late)
        before = task
    return None
