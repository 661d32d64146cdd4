"""The known mistakes, run in this process, and how each behaves on each search."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from autograder.mistakes.variants import Variant, quietly
from autograder.processes import in_parallel
from autograder.sandbox import Limits
from autograder.tasks import Task
from gametree.functions import FUNCTIONS, NODE, NUMBER
from gametree.support.judging import Verdict, judge
from gametree.support.trace import (
    NOT_RUN,
    OUT_OF_QUERIES,
    RETURNED,
    TIMED_OUT,
    Trace,
    new_root,
    observe,
)
from gametree.support.tree import search_leaf

DEFAULT_LIMITS = Limits()
REFERENCE = "reference"  # stands among the names of mistakes for the reference
STATE_SHOWS = "later"  # the word of a header for a search that goes wrong after others
MAX_LEAVES = 300  # leaves that a signature tells apart
HONEST_INFINITY = 10**9  # trees hold no value as large as this
STOPPED = (OUT_OF_QUERIES, TIMED_OUT)

# Name of a variant -> function -> signatures of the variant on the function's tasks.
Signatures = Mapping[str, Mapping[str, list]]


def run_variant(variant: Variant, tasks: Iterable[Task]) -> Iterator[Trace]:
    """Yield the Trace of a trusted variant on each task, in order, in one fresh module.

    Each search has the sandbox's budget of queries. What the variant prints is dropped.
    """
    roots = []  # all live on, as in a worker, so that no two have the same id()
    task_before = None
    with quietly():
        module = variant.module()
    for task in tasks:
        if not task.has_nodes_of(task_before):
            roots.append(new_root(task.tree))
        yield _run_task(module, task, roots[-1])
        task_before = task


def _run_task(module, task, root):
    def search(node, *arguments):
        return getattr(module, task.function)(node, *arguments)

    budget = DEFAULT_LIMITS.query_budget(task)
    with quietly():
        return observe(search, task.function, task.tree, task.search, budget, root=root)


def run_in_order(variant: Variant, tasks: Iterable[Task]) -> Iterator[tuple[Task, Trace]]:
    """Yield each task and its Trace, public ones in one module and hidden ones in another.

    A submission is run like this too, so state that it keeps shows in the same searches.
    """
    tasks = list(tasks)
    for is_hidden in (False, True):
        own = [task for task in tasks if task.is_hidden == is_hidden]
        yield from zip(own, run_variant(variant, own))


def may_keep_state(variant: Variant) -> bool:
    """Tell whether a variant may keep state from one search to the next."""
    shows = variant.shows.values()
    return not shows or any(STATE_SHOWS in aspects for aspects in shows)


def tasks_concerning(variant: Variant, tasks: Iterable[Task]) -> list[Task]:
    """Return the tasks that a variant may get wrong, and those that may lead to it."""
    if may_keep_state(variant):
        return list(tasks)
    return [task for task in tasks if task.function in variant.shows]


def find_first_wrong(variant: Variant, tasks: Iterable[Task]) -> tuple[int, Verdict | None]:
    """Return the place, from 1, of the first task that a variant gets wrong, its verdict.

    (0, None) where it is right on all of them.
    """
    tasks = list(tasks)
    traces = run_variant(variant, tasks)
    for place, (task, trace) in enumerate(zip(tasks, traces), start=1):
        verdict = judge(task, trace)
        if not verdict.is_right:
            return place, verdict
    return 0, None


def signature(task: Task, trace: Trace) -> str | None:
    """Return how a task was searched: equal for the same behavior in another style.

    For alphabeta: answer, visited leaves in order, node count; for minimax the same
    without the order, which is free; for best_move, which may search as it likes, the
    answer. Where an exception was raised, its name takes the answer's place. None where
    the task was not run.
    """
    if trace.ending.kind == NOT_RUN:
        return None
    if FUNCTIONS[task.function].answer == NODE:
        return _signature_of_move(task, trace)
    return _signature_of_number(task, trace)


def _signature_of_move(task, trace):
    kind = trace.ending.kind
    if kind in STOPPED:
        return "endless"
    if kind != RETURNED:
        return f"{kind} {trace.ending.error}"
    root = task.tree.root
    leaves = trace.in_order[:MAX_LEAVES]
    within = all(search_leaf(root.at(path), task.search.depth) for path in leaves)
    return f"{trace.answer.kind} {trace.answer.path} {within}"


def _signature_of_number(task, trace):
    kind = trace.ending.kind
    leaves = trace.in_order
    if len(leaves) > MAX_LEAVES:
        return f"more leaves than are compared {_digest(leaves[:MAX_LEAVES])}"
    if kind in STOPPED:
        return "endless"
    if not FUNCTIONS[task.function].has_window:
        leaves = sorted(leaves)
    visited = _digest(leaves)
    if kind != RETURNED:
        return f"{kind} {trace.ending.error} {visited}"
    answer = _answer_in_window(task.search, trace.answer)
    return f"{answer} {visited} {trace.node_count}"


def _digest(leaves):
    return zlib.crc32(repr(leaves).encode())


def _answer_in_window(search, answer):
    """Return an answer in terms of the window: what lies outside counts as its bound."""
    if answer.kind != NUMBER:
        return answer.kind
    number = float(answer.number)
    if abs(number) >= HONEST_INFINITY:
        number = math.copysign(math.inf, number)
    return max(search.alpha, min(search.beta, number)) + 0.0  # there is no -0.0


def by_difference(variants: Iterable[Variant], plain: str) -> list[Variant]:
    """Return variants in order of how many lines they do not share with the usual code.

    `plain` is the text of the usual code.
    """
    usual = set(plain.splitlines())
    return sorted(variants, key=lambda v: len(set(v.source.splitlines()) - usual))


class Library:
    """The signature of each known mistake on each task; all are run when first asked for.

    variants: the known mistakes, those first that are named first.
    tasks: the tasks.
    signatures: those of the same variants and tasks, if they are known.
    """

    def __init__(
        self,
        variants: Iterable[Variant],
        tasks: Iterable[Task],
        signatures: Signatures | None = None,
    ):
        self.variants = tuple(variants)
        self.tasks = tuple(tasks)
        if signatures is not None:
            self.signatures = signatures

    @cached_property
    def signatures(self) -> Signatures:
        """Name of a variant -> function -> its signatures, in the order of tasks_of().

        REFERENCE stands for the reference.
        """
        results = in_parallel(self._signatures_of, self.variants)
        signatures = {}
        for variant, result in zip(self.variants, results):
            signatures[variant.name] = result
        expected = {}
        for function in FUNCTIONS:
            tasks = self.tasks_of(function)
            expected[function] = [signature(task, task.expected) for task in tasks]
        signatures[REFERENCE] = expected
        return signatures

    def _signatures_of(self, variant):
        """Return function -> signatures of a variant."""
        signatures = {}
        for function in FUNCTIONS:
            if variant in self.candidates(function):
                signatures[function] = []
        tasks = tasks_concerning(variant, self.tasks)
        for task, trace in run_in_order(variant, tasks):
            if task.function in signatures:
                signatures[task.function].append(signature(task, trace))
        return signatures

    def tasks_of(self, function: str) -> list[Task]:
        """Return the tasks of a function, public ones first."""
        tasks = [task for task in self.tasks if task.function == function]
        return sorted(tasks, key=lambda task: task.is_hidden)

    def candidates(self, function: str) -> list[Variant]:
        """Return the variants in which the named function goes wrong, or may."""
        return [v for v in self.variants if not v.shows or function in v.shows]
