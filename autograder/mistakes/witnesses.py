"""The few trees that are run afresh beside one run of everything in one process.

A slip may show in a process's first call only, or in its second, and in a run of all
trees in one process there is one of each. So some trees are run as a wrong submission's
are, in a process of their own and twice: enough of them that each known mistake shows on
one, were it made in the first call of its function only, or in the second only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from autograder.judging.verdict import verdict_on
from autograder.mistakes.library import LIMITS
from autograder.mistakes.variants import Variant, quietly
from autograder.tasks import RunPair, Task
from gametree.functions import FUNCTIONS
from gametree.trace import observe

PROCESS = 250  # what a process of its own costs, in queries of a search
ENOUGH = 30  # trees on which a mistake is looked for, the cheapest ones that show it


def choose_witnesses(tasks: Iterable[Task], mistakes: Iterable[Variant]) -> frozenset[str]:
    """Return the names of the trees: each shows much that the others do not, cheaply.

    They are hidden trees, since what is decided on public ones may be decided before; for
    what no hidden tree shows, there is a public one. Two hold the largest and the smallest
    value of all.
    """
    of_tree = {}
    for task in tasks:
        of_tree.setdefault(task.tree.name, []).append(task)
    costs = {
        name: PROCESS + sum(len(task.expected.events) for task in own)
        for name, own in of_tree.items()
    }
    cheapest = [task for name in sorted(costs, key=costs.get) for task in of_tree[name]]
    hidden = [task for task in cheapest if task.hidden]
    shows = {name: set() for name in costs}
    for mistake in mistakes:
        for function in mistake.shows or FUNCTIONS:
            names = list(islice(first_calls_shown(mistake, function, hidden), ENOUGH))
            names = names or islice(first_calls_shown(mistake, function, cheapest), 1)
            for name in names:
                shows[name].add((mistake.name, function))
    chosen = (
        {_with_extreme(choose, of_tree, costs) for choose in (max, min)} if costs else set()
    )
    while unseen := set().union(*shows.values()).difference(*(shows[n] for n in chosen)):
        chosen.add(max(costs, key=lambda name: len(shows[name] & unseen) / costs[name]))
    return frozenset(chosen)


def first_calls_shown(
    mistake: Variant, function: str, tasks: Iterable[Task]
) -> Iterator[str]:
    """Yield the name of each tree on which a mistake shows in the function's first call.

    Both runs of a tree's first search of the function begin with a first or second call.
    """
    seen = set()
    for task in tasks:
        if task.function != function or task.tree.name in seen:
            continue
        seen.add(task.tree.name)
        budget = LIMITS.query_budget(task)
        with quietly():
            search = getattr(mistake.module(), function)
            trace = observe(search, function, task.tree, task.search, budget)
        if not verdict_on(task, RunPair(trace)).right:
            yield task.tree.name


def _with_extreme(choose, of_tree, costs):
    """Return the cheapest tree whose leaves hold the largest (max) or smallest value."""
    values = {
        name: choose(
            task.tree.root.at(path).static_value()
            for task in own
            for path in task.expected.visited
        )
        for name, own in of_tree.items()
    }
    extreme = choose(values.values())
    return min((n for n in values if values[n] == extreme), key=costs.get)
