"""Is a function wrong by itself, or only through another that it calls?

It is run once more on public and small trees, and its calls of functions that are wrong
are answered by the grader. If it is right then, it rests on them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from types import ModuleType

from autograder.counterexample import Counterexample
from autograder.judging.verdict import Verdict, judge
from autograder.mistakes.diagnosis import (
    Answered,
    Clues,
    draws_at_random,
    is_a_stub,
    is_right,
)
from autograder.sandbox import Session
from autograder.smalltrees.enumeration import Ladder
from autograder.tasks import RunPair
from gametree.functions import FUNCTIONS, KNOWN
from gametree.trace import Recorder
from gametree.tree import Position, Search

MOST_SMALL = 300  # small trees
MOST_SECONDS, SEARCH_CPU_SECONDS = 15.0, 0.5


def clues_of(
    session: Session,
    source: bytes,
    reference: ModuleType,
    ladder: Ladder,
    verdicts: Sequence[Verdict],
    counterexample: Counterexample | None,
) -> Clues:
    """Return what a diagnosis needs to know beside the runs on the trees."""
    smallest, tried = None, 0
    if counterexample is not None:
        smallest, tried = counterexample.verdict, counterexample.tried
    answered = run_answered(session, reference, ladder, verdicts)
    return Clues(answered, smallest, tried, ladder, draws_at_random(source))


class RightAnswers:
    """Answers calls of the named functions as the reference would."""

    def __init__(self, reference: ModuleType, names: Sequence[str]):
        self.functions = tuple((name, len(KNOWN[name].arguments)) for name in names)
        self.called: set[str] = set()
        self._reference = reference

    def ask(
        self, place: int, position: Position, arguments: list, budget: int
    ) -> tuple[list, float]:
        """Return (events, number) of the search; raises ValueError for odd arguments."""
        name, _ = self.functions[place]
        self.called.add(name)
        given = dict(zip(KNOWN[name].arguments, arguments, strict=True))
        for bound, open_end in (("alpha", -math.inf), ("beta", math.inf)):
            if bound in given and given[bound] is None:
                given[bound] = open_end
        if None in given.values():
            raise ValueError(name)
        recorder = Recorder(budget)
        search = Search(**given).arguments(name)
        number = getattr(self._reference, name)(recorder.root(position), *search)
        return recorder.events, number


def run_answered(
    session: Session, reference: ModuleType, ladder: Ladder, verdicts: Sequence[Verdict]
) -> dict[str, Answered]:
    """Return what came of each wrong function that calls another wrong one, by name.

    Left out is what calls none of them, and what there was no time for.
    """
    found, wrong = {}, [name for name in FUNCTIONS if not is_right(name, verdicts)]
    for function in wrong:
        own = [verdict for verdict in verdicts if verdict.task.function == function]
        others = [name for name in wrong if name != function]
        if FUNCTIONS[function].answer == "number":  # may build on a stub, not on a rival
            others = [name for name in others if is_a_stub(name, verdicts)]
        if not others:
            continue
        answers = RightAnswers(reference, others)
        tasks = [verdict.task for verdict in own if not verdict.task.hidden]
        public = len(tasks)
        tasks += islice(ladder.tasks(function), MOST_SMALL)
        judged = []
        with session.limited(MOST_SECONDS, SEARCH_CPU_SECONDS):
            for task, trace in zip(tasks, session.run_together(tasks, answers)):
                judged.append(judge(task, RunPair(trace)))
                if not answers.called and len(judged) >= public:
                    break
            late = session.out_of_time()
        if answers.called and not late:
            right = all(verdict.right for verdict in judged)
            runs = {id(v.task): RunPair(v.trace) for v in judged[:public]}
            found[function] = Answered(frozenset(answers.called), right, runs)
    return found
