"""What a submission is asked, and what came of it: the records that judging reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import ModuleType

from gametree.functions import FUNCTIONS
from gametree.trace import Trace, observe
from gametree.tree import Search, Tree


class ReferenceFailed(Exception):
    """The reference itself failed on a tree: a fault of the kit, in one line."""


@dataclass(frozen=True)
class Task:
    """One search that a submission is asked for, and the reference's trace of it."""

    tree: Tree
    function: str
    search: Search
    expected: Trace

    def is_met_by(self, trace: Trace) -> bool:
        """Tell whether a run is the reference's, event for event: no need to judge it."""
        return (trace.events, trace.answer) == (self.expected.events, self.expected.answer)


@dataclass(frozen=True)
class RunPair:
    """A submission's two runs of one task.

    `second` is None where the first did not return, or used up the submission's time.
    """

    first: Trace
    second: Trace | None = None


def tasks_for(
    trees: Iterable[Tree], reference: ModuleType, functions: Iterable[str] = FUNCTIONS
) -> list[Task]:
    """Return every Task of the trees, in order: tree by tree, function by function.

    `reference` is a trusted module with these functions, and is run in this process.
    A search that it does not return from is the kit's fault: ReferenceFailed.
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
