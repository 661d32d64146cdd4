"""Choose the probes: small trees that reveal the known mistakes which public trees miss.

A submission that is right so far is run on them before its first hidden tree, so that
what goes wrong there can be shown in full. They hold no secret and earn no points.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from autograder.mistakes.library import (
    Library,
    find_first_wrong,
    may_keep_state,
    run_variant,
)
from autograder.mistakes.variants import Variant
from autograder.processes import in_parallel
from autograder.smalltrees.enumeration import Ladder
from autograder.tasks import Task
from gametree.support.judging import judge

MAX_PROBES = 40
MAX_SHARE = 0.1  # of the queries that a right submission makes
# A mistake that more public searches reveal needs no probe.
MAX_PUBLIC = 5
SAMPLE_STEP = 11  # of so many small trees, one may be a probe: odd, since roots alternate
WORTH_AGAIN = 0.5  # of one tree more that reveals a mistake, to the one before


class Mistake(NamedTuple):
    """A known mistake in one function, and which trees reveal it.

    name: the variant's name.
    function: the function.
    public: how many public searches reveal it.
    small: the places of small trees that reveal it, among those of the function.
    """

    name: str
    function: str
    public: int
    small: list[int]


def choose_probes(library: Library, ladder: Ladder) -> tuple[Task, ...]:
    """Return the searches of small trees that reveal most of what public trees miss.

    Mistakes that keep state are not looked for: they show in any order of searches.
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

    A sample of the small trees is tried. If neither it nor a public tree reveals the
    mistake, all small trees are tried, up to the first one that does.
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
    """Return the places of the tasks that a variant gets wrong, from 0."""
    places = []
    for place, (task, trace) in enumerate(zip(tasks, run_variant(variant, tasks))):
        if not judge(task, trace).is_right:
            places.append(place)
    return places


def _choose(revealed, times_shown, max_queries):
    """Yield the tasks that reveal most, best first, as far as the budgets go.

    To reveal what nothing else has revealed comes first. To reveal it again is worth less
    each time.
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
