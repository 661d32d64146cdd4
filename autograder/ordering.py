"""Extra credit: does a search that looks at good children first stay right, and save?

`ordered_alphabeta` is alpha-beta that orders children by their static values before
it searches them. It runs on trees whose static values are good guesses; its values
must be those of minimax, proven by its leaves, and the inner nodes that it expands
are counted beside those of the same search from left to right. Static values that
it asks for to find an order cost nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import ModuleType

from autograder.judging.verdict import judge
from autograder.smalltrees.build import tree_from_lists
from autograder.tasks import RunPair, Task
from gametree.trace import EXPAND, observe

FUNCTION = "ordered_alphabeta"
FULL_SAVING = 0.3  # the share of expanded nodes whose saving earns full points
# So many that good children first save more than that whatever trees are drawn: of 500
# draws, the reference of the extra credit saved 36 % in the worst.
TREES, HEIGHT, BRANCHING, NOISE = 12, 6, 3, 12


@dataclass(frozen=True)
class Ordering:
    """What the extra function did: on how many of the trees it is right, what it saved.

    `saved` is a share of the expanded nodes, 0 unless it is right on every tree.
    """

    right: int
    trees: int
    saved: float
    most_cents: int

    @property
    def cents(self) -> int:
        """The points that it earns, in hundredths."""
        return round(self.most_cents * min(1.0, max(0.0, self.saved) / FULL_SAVING))


def ordering_tasks(reference: ModuleType, hidden: Iterable[Task]) -> list[Task]:
    """Return the Tasks: half for MAX, half for MIN, the same for all of a course.

    Who does not have the `hidden` trees cannot make these. What is expected of each is
    the reference's alphabeta, from left to right.
    """
    import random  # a grading without extra credit needs none

    tasks, seed = [], _hash(hidden)
    for number in range(TREES):
        rng, maximizing = random.Random(f"{seed} {number}"), number % 2 == 0
        spec, _ = _random_tree(rng, HEIGHT, maximizing)
        tree = tree_from_lists(spec, maximizing)
        tree = replace(tree, name=f"ordering-{number + 1}")
        search = tree.searches[0]
        unordered = observe(reference.alphabeta, "alphabeta", tree, search)
        tasks.append(Task(tree, FUNCTION, search, unordered))
    return tasks


def _hash(tasks):
    """Return a hash of the trees that tasks are asked of, as far as they are searched."""
    digest = hashlib.sha256()
    for task in tasks:
        root, visited = task.tree.root, sorted(task.expected.visited)
        leaves = [(path, root.at(path).static_value()) for path in visited]
        digest.update(repr((task.function, task.search.maximizing, leaves)).encode())
    return digest.hexdigest()


def judge_ordering(
    tasks: Sequence[Task], runs: Sequence[RunPair], most_cents: int
) -> Ordering:
    """Return the Ordering of a submission's runs on ordering_tasks()."""
    right = sum(judge(task, pair).right for task, pair in zip(tasks, runs))
    saved = 0.0
    if right == len(tasks):
        before = sum(_expanded(task.expected) for task in tasks)
        saved = 1 - sum(_expanded(pair.first) for pair in runs) / before
    return Ordering(right, len(tasks), saved, most_cents)


def _expanded(trace):
    return len({path for kind, path in trace.events if kind == EXPAND})


def _random_tree(rng, height, maximizing):
    """Return (spec, minimax value); a static value is that value, with some noise."""
    if height == 0:
        value = rng.randint(0, 99)
        return value, value
    parts = [_random_tree(rng, height - 1, not maximizing) for _ in range(BRANCHING)]
    value = (max if maximizing else min)(value for _, value in parts)
    static = value + rng.randint(-NOISE, NOISE)
    return {"value": static, "children": [spec for spec, _ in parts]}, value
