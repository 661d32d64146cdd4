"""Choose the probes: small trees for known mistakes that public trees miss.

A submission that is correct so far runs on them before its first hidden tree, so that its
errors there can be shown in full. Probes are not secret and earn no points.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from autograder.explaining.library import (
    Library,
    find_first_wrong,
    may_keep_state,
    run_variant,
)
from autograder.explaining.variants import Variant
from autograder.ground.processes import in_parallel
from autograder.scoring.tasks import Task
from autograder.smalltrees.enumeration import Ladder
from gametree.support.judging import judge

MAX_PROBES = 40
MAX_SHARE = 0.1  # of the queries that a correct submission makes
# A mistake that more public searches reveal needs no probe.
MAX_PUBLIC = 5
SAMPLE_STEP = 11  # one in 11 small trees may be a probe; odd, because roots alternate
WORTH_AGAIN = 0.5  # worth of another tree for a mistake, relative to the previous tree


class Mistake(NamedTuple):
    """A known mistake in one function, and the trees that reveal it.

    name: the name of the variant.
    function: the name of the function.
    public: the number of public searches that reveal the mistake.
    small: the indices of the function's small trees that reveal the mistake.
    """

    name: str
    function: str
    public: int
    small: list[int]


def choose_probes(library: Library, ladder: Ladder) -> tuple[Task, ...]:
    """Return the searches of small trees that reveal the most mistakes.

    Mistakes that keep state are skipped, because any sequence of searches reveals them.
    """
    public = [task for task in library.tasks if not task.is_hidden]
    small = {}  # function -> the searches of small trees
    for function in dict.fromkeys(task.function for task in public):
        small[function] = ladder.tasks(function)
    stateless = [v for v in library.variants if not may_keep_state(v)]
    find = partial(_find_mistakes, public, small)
    times_shown = Counter()  # of each mistake, on public trees and on probes
    revealed = defaultdict(list)  # task -> the mistakes that it reveals
    for mistakes in in_parallel(find, stateless):
        for mistake in mistakes:
            key = mistake.name, mistake.function
            times_shown[key] = mistake.public
            for place in mistake.small:
                revealed[small[mistake.function][place]].append(key)
    queries = sum(len(task.expected.events) for task in library.tasks)
    return tuple(_choose(revealed, times_shown, MAX_SHARE * queries))


def _find_mistakes(
    public: Sequence[Task], small: Mapping[str, Sequence[Task]], variant: Variant
) -> list[Mistake]:
    """Return the mistakes of a variant that few public searches reveal.

    The variant runs on a sample of the small trees. If neither the sample nor a public tree
    reveals the mistake, it runs on all small trees until one reveals the mistake.
    """
    mistakes = []
    for function in small:
        if function not in variant.shows:
            continue
        own = [task for task in public if task.function == function]
        shown = len(_wrong_places(variant, own))
        if shown > MAX_PUBLIC:
            continue
        tasks = small[function]
        places = [SAMPLE_STEP * n for n in _wrong_places(variant, tasks[::SAMPLE_STEP])]
        if not shown and not places:
            first, _ = find_first_wrong(variant, tasks)
            places = [first - 1] if first else []
        mistakes.append(Mistake(variant.name, function, shown, places))
    return mistakes


def _wrong_places(variant, tasks):
    """Return the indices of the tasks on which a variant is wrong."""
    places = []
    for place, (task, trace) in enumerate(zip(tasks, run_variant(variant, tasks))):
        if not judge(task, trace).is_right:
            places.append(place)
    return places


def _choose(revealed, times_shown, max_queries):
    """Yield the tasks that reveal the most mistakes, best first, within the budgets.

    A task that reveals a new mistake comes first. Each further task that reveals the same
    mistake is worth less.
    """

    def worth(task):
        times = [times_shown[mistake] for mistake in revealed[task]]
        return times.count(0), sum(WORTH_AGAIN**number for number in times)

    queries = 0
    for _ in range(MAX_PROBES):
        if not revealed:
            return
        task = max(revealed, key=worth)
        queries += len(task.expected.events)
        if queries > max_queries:
            return
        times_shown.update(revealed.pop(task))
        yield task
