"""Define tasks: the searches that a submission must perform, with correct traces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import NamedTuple

from gametree.support.errors import InputError
from gametree.support.judging import Task
from gametree.support.trace import NO_TEXT, Answer, Ending, Text, Trace, observe
from gametree.support.tree import Search, Tree

# The action of a search when alpha equals beta: cut off, or continue.
EQUALITY, STRICT = "equality", "strict"
CONVENTIONS = (EQUALITY, STRICT)


class Reference(NamedTuple):
    """The program whose results are the expected ones, and what is judged of them.

    program: the trusted module of solution/search.py, which runs in this process.
    convention: its action when alpha equals beta, one of CONVENTIONS.
    aspects: assigned function -> the judged aspects, in order.
    """

    program: ModuleType
    convention: str
    aspects: Mapping[str, tuple[str, ...]]

    def function(self, name: str) -> Callable:
        """Return a function of the program."""
        return getattr(self.program, name)

    def trace(self, function: str, tree: Tree, search: Search) -> Trace:
        """Return the correct Trace of a search. Raises InputError if it does not return."""
        trace = observe(self.function(function), function, tree, search)
        if trace.answer.kind == "NoneType":
            how = "returned None"
            if trace.ending.error:
                how = f"raised {trace.ending.error}: {trace.text.message}"
            raise InputError(
                f"{tree.name}: the reference's {function} {how}; "
                "fix solution/search.py or the tree"
            )
        return trace


def tasks_for(
    trees: Iterable[Tree],
    reference: Reference,
    functions: Sequence[str] = (),
    hidden: bool = False,
    small: bool = False,
) -> list[Task]:
    """Return every Task of the trees, ordered by tree and then by function.

    functions: the assigned functions that get tasks; all if it is empty.
    hidden, small: what kind of trees they are.

    Raises InputError if a search of the reference does not return.
    """
    strict = reference.convention == STRICT
    tasks = []
    for tree in trees:
        for function in functions or reference.aspects:
            aspects = reference.aspects[function]
            for search in tree.searches_for(function):
                expected = reference.trace(function, tree, search)
                tasks.append(
                    Task(tree, function, search, expected, aspects, strict, hidden, small)
                )
    return tasks


def not_begun(task: Task, ending: Ending, text: Text = NO_TEXT) -> Trace:
    """Return the Trace of a search that did not begin."""
    return Trace(task.function, task.search, [], Answer(), ending, text)


def shares_nodes(task: Task, before: Task | None) -> bool:
    """Return whether a search shares the node objects of the previous search.

    Consecutive searches of one tree by one function share them, as in a program that loads
    a tree once.
    """
    if before is None:
        return False
    return task.tree is before.tree and task.function == before.function
