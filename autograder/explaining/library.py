"""Run the known mistakes in this process, and record how each behaves on each search."""

from __future__ import annotations

import math
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from autograder.explaining.variants import Variant, quietly, run_source
from autograder.ground.processes import in_parallel
from autograder.scoring.rubric import Limits
from autograder.scoring.tasks import Task, shares_nodes
from gametree.functions import FUNCTIONS, NODE, NUMBER
from gametree.support.judging import Verdict, judge
from gametree.support.trace import (
    OUT_OF_QUERIES,
    RETURNED,
    TIMED_OUT,
    Recorder,
    Trace,
    observe,
)
from gametree.support.tree import search_leaf

DEFAULT_LIMITS = Limits()
STATE_SHOWS = "later"  # in a header: a search fails only after other searches
HONEST_INFINITY = 10**9  # larger than every value of a tree
STOPPED = (OUT_OF_QUERIES, TIMED_OUT)
ENDLESS = 50  # visits for each correct visit; queries of such a search may run out


class Behavior(NamedTuple):
    """How a variant behaves on the tasks of a library, in their order.

    signatures: the signature of each task, or 0 if it does not concern the variant.
    held: the number of aspects of each task before the first wrong one.
    """

    signatures: array
    held: bytearray


def run_program(source: str, tasks: Iterable[Task]) -> Iterator[Trace]:
    """Yield the Trace of a trusted program on each task, in order, in one new module.

    Each search has the sandbox's budget of queries. Printed text is discarded.
    """
    recorders = []  # never freed, as in a worker, so that each root has a different id()
    task_before = None
    with quietly():
        module = run_source(source)
    for task in tasks:
        if not shares_nodes(task, task_before):
            recorders.append(Recorder(task.tree.root))
        yield _run_task(module, task, recorders[-1])
        task_before = task


def _run_task(module, task, recorder):
    def search(node, *arguments):
        return getattr(module, task.function)(node, *arguments)

    budget = DEFAULT_LIMITS.query_budget(task)
    with quietly():
        return observe(
            search, task.function, task.tree, task.search, budget, recorder=recorder
        )


def run_in_order(source: str, tasks: Iterable[Task]) -> Iterator[tuple[Task, Trace]]:
    """Yield each task and its Trace, with public and hidden tasks in separate modules.

    A submission runs in the same order, so its state affects the same searches.
    """
    tasks = list(tasks)
    for is_hidden in (False, True):
        own = [task for task in tasks if task.is_hidden == is_hidden]
        yield from zip(own, run_program(source, own))


def may_keep_state(variant: Variant) -> bool:
    """Tell whether a variant may keep state between searches."""
    shows = variant.shows.values()
    return not shows or any(STATE_SHOWS in aspects for aspects in shows)


def tasks_concerning(variant: Variant, tasks: Iterable[Task]) -> list[Task]:
    """Return the tasks that a variant may fail, and the tasks that may affect them."""
    if may_keep_state(variant):
        return list(tasks)
    return [task for task in tasks if task.function in variant.shows]


def failures(source: str, tasks: Iterable[Task]) -> Iterator[Verdict]:
    """Yield the Verdict on each task that a trusted program fails, in order of grading."""
    for task, trace in run_in_order(source, tasks):
        verdict = judge(task, trace)
        if not verdict.is_right:
            yield verdict


def signature(task: Task, trace: Trace) -> int:
    """Return a hash of a search that is equal for the same behavior in other styles.

    For alphabeta: answer, visited leaves in order, and node count. For minimax: the same,
    with the leaves in any order. For best_move, which may search in any way: the answer. If
    the search raised an exception, its name replaces the answer.
    """
    if FUNCTIONS[task.function].answer == NODE:
        return _digest(_summary_of_move(task, trace))
    return _digest(_summary_of_number(task, trace))


def _summary_of_move(task, trace):
    kind = trace.ending.kind
    if kind in STOPPED:
        return "endless"
    if kind != RETURNED:
        return f"{kind} {trace.ending.error}"
    root = task.tree.root
    depth = task.search.depth
    evaluated = map(root.at, trace.in_order)
    within = all(search_leaf(node, depth) for node in evaluated)
    answer = trace.answer
    number = answer.number and float(answer.number)
    return f"{answer.kind} {answer.path} {number} {within}"


def _summary_of_number(task, trace):
    kind = trace.ending.kind
    if kind in STOPPED or trace.node_count > ENDLESS * task.expected.node_count:
        return "endless"
    visited = _digest(trace.in_order)
    if kind != RETURNED:
        return f"{kind} {trace.ending.error} {visited}"
    answer = _answer_in_window(task.search, trace.answer)
    return f"{answer} {visited} {trace.node_count}"


def behaves_alike(variant: Variant, signatures: Mapping[Task, int]) -> bool:
    """Tell whether the searches of a variant have these signatures."""
    traces = run_in_order(variant.source, signatures)
    return all(signature(task, trace) == signatures[task] for task, trace in traces)


def _digest(content):
    return zlib.crc32(repr(content).encode())


def _answer_in_window(search, answer):
    """Return the answer clamped to the window: values outside count as the bound."""
    if answer.kind != NUMBER:
        return answer.kind
    number = float(answer.number)
    if abs(number) >= HONEST_INFINITY:
        number = math.copysign(math.inf, number)
    return max(search.alpha, min(search.beta, number)) + 0.0  # turns -0.0 into 0.0


class Library(NamedTuple):
    """Some programs of solution/, such as the known mistakes, and how they behave.

    variants: the programs.
    tasks: the tasks on which they were run.
    behaviors: name of a variant -> its Behavior.
    """

    variants: Sequence[Variant]
    tasks: Sequence[Task]
    behaviors: Mapping[str, Behavior]

    def failures_of(self, variant: Variant) -> dict[Task, dict[str, bool]]:
        """Return each task that a variant fails -> aspect -> whether it is correct.

        Only the first wrong aspect is known, so the aspects after it are wrong, too.
        """
        failed = {}
        for task, held in zip(self.tasks, self.behaviors[variant.name].held):
            if held < len(task.aspects):
                failed[task] = {name: n < held for n, name in enumerate(task.aspects)}
        return failed

    def variants_alike(self, signatures: Mapping[Task, int]) -> list[Variant]:
        """Return the variants with these signatures, one from each file.

        signatures: some tasks of the library -> the signature of a search.
        """
        first_of_file: dict[Path, Variant] = {}
        numbers = [n for n, task in enumerate(self.tasks) if task in signatures]
        own = [signatures[self.tasks[number]] for number in numbers]
        for variant in self.variants:
            expected = self.behaviors[variant.name].signatures
            if all(expected[number] == mine for number, mine in zip(numbers, own)):
                first_of_file.setdefault(variant.path, variant)
        return list(first_of_file.values())


def run_variants(
    variants: Sequence[Variant],
    tasks: Sequence[Task],
    after_each: Callable[[], None] | None = None,
) -> Library:
    """Run programs of solution/ on the tasks that they concern; return their Library.

    after_each: called after each program has run.
    """
    results = in_parallel(partial(_behavior_of, tasks), variants, after_each)
    names = [variant.name for variant in variants]
    return Library(variants, tasks, dict(zip(names, results)))


def _behavior_of(tasks, variant):
    """Run a variant on all tasks that it concerns, and return its Behavior."""
    numbers = {task: number for number, task in enumerate(tasks)}
    signatures = array("I", [0] * len(numbers))
    held = bytearray(len(task.aspects) for task in tasks)
    for task, trace in run_in_order(variant.source, tasks_concerning(variant, tasks)):
        number = numbers[task]
        signatures[number] = signature(task, trace)
        aspects = judge(task, trace).aspects.values()
        held[number] = len(list(takewhile(bool, aspects)))
    return Behavior(signatures, held)
