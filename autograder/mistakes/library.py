"""The known mistakes, run in this process on the kit's own searches and remembered."""

from __future__ import annotations

from autograder.mistakes.variants import quietly
from autograder.sandbox.runs import RunPair
from gametree.trace import RETURNED, observe

MOST_QUERIES = 1600
STATE_SHOWS = "second"  # the word of a header for a second run that differs


def run_variant(variant, tasks, twice=False, most_queries=MOST_QUERIES):
    """Return the RunPair of a trusted variant on one tree's tasks, in order.

    The tasks share a fresh module, as they share a worker in the sandbox. A search
    ends after `most_queries` queries. Unless `twice`, the second run counts as equal.
    What the variant prints is dropped.
    """
    kept_alive = []

    def run(task):
        def function(node, *arguments):
            kept_alive.append(node)
            return getattr(module, task.function)(node, *arguments)

        return observe(function, task.function, task.tree, task.search, most_queries)

    found = []
    with quietly():
        module = variant.module()
        for task in tasks:
            first = run(task)
            if first.ending.kind != RETURNED:
                found.append(RunPair(first))
            else:
                found.append(RunPair(first, run(task) if twice else first))
    return found


class Library:
    """What each known mistake does on each tree, found out when it is first asked.

    `remember(task, runs)` turns a task's RunPair into what is kept of them. The variants
    are in order of how many lines they do not share with `plain`, the usual code.
    """

    def __init__(self, variants, tasks, remember, plain=""):
        usual = set(plain.splitlines())
        self.variants = tuple(
            sorted(variants, key=lambda v: len(set(v.source.splitlines()) - usual))
        )
        self.tasks = tuple(tasks)
        self._remember = remember
        self._kept = {}
        self._trees = {}
        for number, task in enumerate(self.tasks):
            self._trees.setdefault(task.tree.name, []).append(number)

    def candidates(self, function):
        """Return the variants in which the named function goes wrong, or may."""
        return [v for v in self.variants if not v.shows or function in v.shows]

    def blocks(self, function):
        """Return lists of task numbers, one a tree, quickest tree first."""
        blocks = []
        for numbers in self._trees.values():
            wanted = [n for n in numbers if self.tasks[n].function == function]
            if wanted:
                blocks.append(wanted)
        return sorted(blocks, key=self.queries)

    def queries(self, block):
        """Return how many queries the reference needs for a block's tasks."""
        return sum(len(self.tasks[number].expected.events) for number in block)

    def kept(self, variant, block):
        """Return what is remembered of a variant on each task of a block."""
        key = variant.name, block[0]
        if key not in self._kept:
            self._kept[key] = self._run(variant, block)
        return self._kept[key]

    def _run(self, variant, block):
        words = variant.shows.values()
        stateful = not words or any(STATE_SHOWS in aspects for aspects in words)
        tree = self.tasks[block[0]].tree.name
        numbers = self._trees[tree] if stateful else block
        tasks = [self.tasks[number] for number in numbers]
        runs = dict(zip(numbers, run_variant(variant, tasks, stateful)))
        return tuple(self._remember(self.tasks[n], runs[n]) for n in block)
