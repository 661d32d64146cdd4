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
    observe,
)
from gametree.support.tree import search_leaf

LIMITS = Limits()
RIGHT = "right"  # stands among the names of mistakes for the reference
STATE_SHOWS = "later"  # the word of a header for a search that goes wrong after others
MAX_LEAVES = 300
HONEST_INFINITY = 10**9  # trees hold no value as large as this
STOPPED = (OUT_OF_QUERIES, TIMED_OUT)


def run_variant(variant: Variant, tasks: Iterable[Task]) -> Iterator[Trace]:
    """Yield the Trace of a trusted variant on each task, in order, in one fresh module.

    Each search has the sandbox's budget of queries. What the variant prints is dropped.
    """
    kept_alive = []
    with quietly():
        module = variant.module()
    for task in tasks:

        def function(node, *arguments, name=task.function):
            kept_alive.append(node)
            return getattr(module, name)(node, *arguments)

        budget = LIMITS.query_budget(task)
        with quietly():
            trace = observe(function, task.function, task.tree, task.search, budget)
        yield trace


def run_in_order(variant: Variant, tasks: Iterable[Task]) -> Iterator[tuple[Task, Trace]]:
    """Yield each task and its Trace, public ones in one module and hidden ones in another.

    That is how a submission is run, so what is kept from search to search shows alike.
    """
    tasks = list(tasks)
    for hidden in (False, True):
        own = [task for task in tasks if task.hidden == hidden]
        yield from zip(own, run_variant(variant, own))


def keeps_state(variant: Variant) -> bool:
    """Tell whether a variant may keep something from one search to the next."""
    shows = variant.shows.values()
    return not shows or any(STATE_SHOWS in aspects for aspects in shows)


def concerned(variant: Variant, tasks: Iterable[Task]) -> list[Task]:
    """Return the tasks that a variant may get wrong, and those that may lead to it."""
    every = keeps_state(variant)
    return [task for task in tasks if every or task.function in variant.shows]


def first_wrong(variant: Variant, tasks: Iterable[Task]) -> tuple[int, Verdict | None]:
    """Return the place, from 1, of the first task that a variant gets wrong, its verdict.

    (0, None) where it is right on all of them.
    """
    tasks = list(tasks)
    verdicts = map(judge, tasks, run_variant(variant, tasks))
    wrong = (pair for pair in enumerate(verdicts, start=1) if not pair[1].right)
    return next(wrong, (0, None))


def signature(task: Task, trace: Trace) -> str | None:
    """Return how a task was searched: equal for the same behaviour in another style.

    For alphabeta: answer, visited leaves in order, node count; for minimax the same
    without the order, which is free; for best_move, which may search as it likes, the
    answer. In an answer's place stands the name of an exception that was raised. None
    where nothing is known.
    """
    kind, function = trace.ending.kind, FUNCTIONS[task.function]
    if kind == NOT_RUN:
        return None
    leaves = trace.in_order
    if function.answer == NODE:
        within = all(
            search_leaf(task.tree.root.at(path), task.search.depth)
            for path in leaves[:MAX_LEAVES]
        )
        if kind == RETURNED:
            return f"{trace.answer.kind} {trace.answer.path} {within}"
        return "endless" if kind in STOPPED else f"{kind} {trace.ending.error}"
    if len(leaves) > MAX_LEAVES:
        return f"more leaves than are compared {_digest(leaves[:MAX_LEAVES])}"
    if kind in STOPPED:
        return "endless"
    leaves = _digest(leaves if function.has_window else sorted(leaves))
    if kind != RETURNED:
        return f"{kind} {trace.ending.error} {leaves}"
    return f"{_answer(task.search, trace.answer)} {leaves} {trace.node_count}"


def _digest(leaves):
    return zlib.crc32(repr(leaves).encode())


def _answer(search, answer):
    """Return an answer in terms of the window: what lies outside counts as its bound."""
    if answer.kind != NUMBER:
        return answer.kind
    number = float(answer.number)
    if abs(number) >= HONEST_INFINITY:
        number = math.copysign(math.inf, number)
    return max(search.alpha, min(search.beta, number)) + 0.0  # there is no -0.0


class Library:
    """The signature of each known mistake on each task; all are run when first asked for.

    The variants are in order of how many lines they do not share with `plain`, the usual
    code. `known` is what was found of the same variants, in order, and tasks before.
    """

    def __init__(
        self,
        variants: Iterable[Variant],
        tasks: Iterable[Task],
        plain: str = "",
        known: Mapping[str, Mapping[str, list]] | None = None,
    ):
        usual = set(plain.splitlines())
        self.variants = tuple(variants)
        self.tasks = tuple(tasks)
        if known is not None:
            self.known = known
        else:
            own = {v: len(set(v.source.splitlines()) - usual) for v in self.variants}
            self.variants = tuple(sorted(own, key=own.get))

    @cached_property
    def known(self) -> dict[str, dict[str, list]]:
        """Name of a variant -> function -> its signatures, in the order of tasks_of().

        RIGHT stands for the reference.
        """
        names = [variant.name for variant in self.variants]
        known = dict(zip(names, in_parallel(self._run, self.variants)))
        known[RIGHT] = {
            function: [signature(task, task.expected) for task in self.tasks_of(function)]
            for function in FUNCTIONS
        }
        return known

    def _run(self, variant):
        """Return function -> signatures of a variant."""
        own = {name: [] for name in FUNCTIONS if variant in self.candidates(name)}
        for task, trace in run_in_order(variant, concerned(variant, self.tasks)):
            if task.function in own:
                own[task.function].append(signature(task, trace))
        return own

    def tasks_of(self, function: str) -> list[Task]:
        """Return the tasks of a function, public ones first."""
        own = [task for task in self.tasks if task.function == function]
        return sorted(own, key=lambda task: task.hidden)

    def candidates(self, function: str) -> list[Variant]:
        """Return the variants in which the named function goes wrong, or may."""
        return [v for v in self.variants if not v.shows or function in v.shows]
