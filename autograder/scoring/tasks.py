"""Define tasks: the searches that a submission must perform, with correct traces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import ModuleType

from gametree.assignment import ASSIGNED
from gametree.functions import FUNCTIONS
from gametree.support.errors import InputError
from gametree.support.judging import Task
from gametree.support.trace import NO_TEXT, Answer, Ending, Text, Trace, observe
from gametree.support.tree import Search, Tree

# The action of a search when alpha equals beta: cut off, or continue.
EQUALITY, STRICT = "equality", "strict"
CONVENTIONS = (EQUALITY, STRICT)


def tasks_for(
    trees: Iterable[Tree],
    reference: ModuleType,
    functions: Sequence[str] = (),
    hidden: bool = False,
) -> list[Task]:
    """Return every Task of the trees, ordered by tree and then by function.

    `reference` is a trusted module with these functions, and runs in this process. Its
    attribute `assigned` maps each function to the aspects that are judged. These functions
    get tasks if `functions` is empty. Its attribute `convention` is its rule for ties.
    Raises InputError if a search of the reference does not return.
    """
    assigned = getattr(reference, "assigned", ASSIGNED)
    strict = getattr(reference, "convention", EQUALITY) == STRICT
    tasks = []
    for tree in trees:
        for function in functions or assigned:
            aspects = assigned.get(function, FUNCTIONS[function].aspects)
            for search in tree.searches_for(function):
                expected = expected_trace(reference, function, tree, search)
                task = Task(tree, function, search, expected, aspects, strict, hidden)
                tasks.append(task)
    return tasks


def expected_trace(
    reference: ModuleType, function: str, tree: Tree, search: Search
) -> Trace:
    """Return the reference's Trace of a search. Raises InputError."""
    trace = observe(getattr(reference, function), function, tree, search)
    if trace.answer.kind == "NoneType":
        raise InputError(
            f"{tree.name}: the reference's {function} {trace.ending.kind} "
            f"{trace.text.message}; fix solution/search.py or the tree"
        )
    return trace


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
