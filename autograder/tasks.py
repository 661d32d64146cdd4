"""Tasks: the searches that a submission is asked for, each with the right trace."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

from gametree.course import ASKED
from gametree.support import judging
from gametree.support.trace import observe
from gametree.support.tree import Tree

# What a search does where alpha equals beta: cut off, or go on.
EQUALITY, STRICT = "equality", "strict"
CONVENTIONS = (EQUALITY, STRICT)


class ReferenceFailed(Exception):
    """The reference itself failed on a tree: a fault of the kit, in one line."""


@dataclass(frozen=True, eq=False)
class Task(judging.Task):
    """One search that a submission is asked for, and the reference's trace of it.

    A search of a `hidden` tree is never shown, and seals the session that runs it.
    """

    hidden: bool = False

    @cached_property
    def values(self) -> frozenset[float]:
        """The values of the leaves that the right search visits."""
        at = self.tree.root.at
        return frozenset(at(path).static_value() for path in self.expected.visited)

    @property
    def key(self) -> tuple:
        """What tells it from all other tasks of a kit."""
        return self.hidden, self.tree.name, self.function, self.search


def tasks_for(
    trees: Iterable[Tree],
    reference: ModuleType,
    functions: Iterable[str] | None = None,
    hidden: bool = False,
) -> list[Task]:
    """Return every Task of the trees, in order: tree by tree, function by function.

    `reference` is a trusted module with these functions, and is run in this process. Its
    attribute `asked`, function -> aspects, says what is judged, and which functions are
    asked where none are named. A search that it does not return from is the kit's fault:
    ReferenceFailed.
    """
    asked, tasks = getattr(reference, "asked", ASKED), []
    functions = tuple(asked if functions is None else functions)
    for tree in trees:
        for function in functions:
            aspects = tuple(asked.get(function, ()))
            for search in tree.searches_for(function):
                expected = observe(getattr(reference, function), function, tree, search)
                if expected.answer.kind == "NoneType":
                    raise ReferenceFailed(
                        f"{tree.name}: the reference's {function} {expected.ending.kind} "
                        f"{expected.text.message}; mend solution/search.py or the tree"
                    )
                tasks.append(Task(tree, function, search, expected, aspects, hidden=hidden))
    return tasks
