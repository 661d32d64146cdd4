"""Run the reference, which is trusted, in this process: what a right search does."""

from __future__ import annotations

from dataclasses import dataclass

from gametree.functions import FUNCTIONS
from gametree.trace import observe


class ReferenceFailed(Exception):
    """The reference itself failed on a tree: a fault of the kit, in one line."""


@dataclass(frozen=True)
class Task:
    """One search that a submission is asked for, and the reference's trace of it."""

    tree: object
    function: str
    search: object
    expected: object

    def is_met_by(self, trace):
        """Tell whether a run is the reference's, event for event: no need to judge it."""
        return (trace.events, trace.answer) == (self.expected.events, self.expected.answer)


def tasks_for(trees, reference, functions=FUNCTIONS):
    """Return every Task of the trees, in order: tree by tree, function by function.

    `reference` is a module with the three functions. A search that the reference
    does not return from is the kit's fault: ReferenceFailed.
    """
    tasks = []
    for tree in trees:
        for function in functions:
            for search in tree.searches_for(function):
                expected = observe(getattr(reference, function), function, tree, search)
                if expected.answer.kind == "NoneType":
                    raise ReferenceFailed(
                        f"{tree.name}: the reference's {function} {expected.ending.kind} "
                        f"{expected.ending.message}; mend solution/search.py or the tree"
                    )
                tasks.append(Task(tree, function, search, expected))
    return tasks
