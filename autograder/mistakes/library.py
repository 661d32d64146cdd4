"""The known mistakes, run in this process, and how each behaves on each tree."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product

from autograder.judging.verdict import search_leaf_of, verdict_on
from autograder.mistakes.variants import Variant, quietly
from autograder.sandbox import Limits
from autograder.tasks import RunPair, Task
from gametree.divergence import without_repeats
from gametree.functions import FUNCTIONS, KNOWN, NODE, NUMBER
from gametree.trace import NOT_RUN, OUT_OF_QUERIES, RETURNED, TIMED_OUT, observe

LIMITS = Limits()
STATE_SHOWS = "second"  # the word of a header for a second run that differs
MOST_LEAVES = 300
HONEST_INFINITY = 10**9  # trees hold no value as large as this
MORE, ENDLESS = "more leaves than are compared", "endless"
STOPPED = (OUT_OF_QUERIES, TIMED_OUT)


def run_variant(
    variant: Variant, tasks: Iterable[Task], twice: bool = True
) -> Iterator[RunPair]:
    """Yield the RunPair of a trusted variant on each of one tree's tasks, in order.

    The tasks share a fresh module, as they share a worker in the sandbox, and each
    search has the sandbox's budget of queries. Unless `twice`, the second run counts
    as equal to the first. What the variant prints is dropped.
    """
    kept_alive = []

    def run(task):
        def function(node, *arguments):
            kept_alive.append(node)
            return getattr(module, task.function)(node, *arguments)

        budget = LIMITS.query_budget(task)
        with quietly():
            return observe(function, task.function, task.tree, task.search, budget)

    with quietly():
        module = variant.module()
    for task in tasks:
        first = run(task)
        if first.ending.kind != RETURNED:
            yield RunPair(first)
        else:
            yield RunPair(first, run(task) if twice else first)


def keeps_state(variant: Variant) -> bool:
    """Tell whether a variant may keep something from one search to the next."""
    shows = variant.shows.values()
    return not shows or any(STATE_SHOWS in aspects for aspects in shows)


def first_wrong(variant: Variant, tasks: Iterable[Task]) -> tuple[int, tuple | str | None]:
    """Return the place, from 1, of the first task that a variant gets wrong.

    With it comes its signature there. (0, None) where it is right on all of them.
    """
    with quietly():
        module = variant.module()
        for place, task in enumerate(tasks, start=1):
            function, budget = getattr(module, task.function), LIMITS.query_budget(task)
            trace = observe(function, task.function, task.tree, task.search, budget)
            if not verdict_on(task, RunPair(trace)).right:
                return place, signature(task, RunPair(trace))
    return 0, None


def signature(task: Task, runs: RunPair) -> tuple | str | None:
    """Return how a task was searched: equal for the same behaviour in another style.

    For alphabeta: answer, visited leaves in order, node count; for minimax the same
    without the order, which is free; for best_move, which may search as it likes, the
    answer. In an answer's place stands the name of an exception that was raised. None
    where nothing is known.
    """
    first = _behaviour(task, runs.first)
    if runs.second is None or runs.second is runs.first:
        return first
    second = _behaviour(task, runs.second)
    return first if first == second else (first, second)


def _behaviour(task, trace):
    kind, function = trace.ending.kind, KNOWN[task.function]
    if kind == NOT_RUN:
        return None
    leaves = without_repeats(trace.evaluated)
    if function.answer == NODE:
        within = all(search_leaf_of(task, path) for path in leaves[:MOST_LEAVES])
        if kind == RETURNED:
            return (trace.answer.kind, trace.answer.path, within)
        return ENDLESS if kind in STOPPED else (kind, trace.ending.error)
    if len(leaves) > MOST_LEAVES:
        return (MORE, hash(tuple(leaves[:MOST_LEAVES])))
    if not function.has_window:
        leaves.sort()
    if kind in STOPPED:
        return ENDLESS
    if kind != RETURNED:
        return (kind, trace.ending.error, hash(tuple(leaves)))
    return (_answer(task.search, trace.answer), hash(tuple(leaves)), trace.node_count)


def _answer(search, answer):
    """Return an answer in terms of the window: what lies outside counts as its bound."""
    number = answer.number
    if answer.kind != NUMBER:
        return answer.kind
    if math.isnan(number):
        return "nan"
    if abs(number) >= HONEST_INFINITY:
        number = math.copysign(math.inf, number)
    return max(search.alpha, min(search.beta, number))


def asked(tasks: Iterable[Task]) -> list[tuple]:
    """Return what each task asks: its tree's name, the function, the search."""
    return [(task.tree.name, task.function, task.search) for task in tasks]


class Library:
    """The signature of each known mistake on each tree; it is run when first asked for.

    A block is a list of task numbers: those of one function on one tree. The variants
    are in order of how many lines they do not share with `plain`, the usual code.
    """

    def __init__(self, variants: Iterable[Variant], tasks: Iterable[Task], plain: str = ""):
        usual = set(plain.splitlines())
        self.variants = tuple(
            sorted(variants, key=lambda v: len(set(v.source.splitlines()) - usual))
        )
        self.tasks = tuple(tasks)
        self._asked = asked(self.tasks)
        self.is_complete = False  # whether no variant needs to be run any more
        self._known = {}
        self._trees = {}
        for number, task in enumerate(self.tasks):
            self._trees.setdefault(task.tree.name, []).append(number)

    def __getstate__(self):
        """Leave out the tasks, which the kit keeps."""
        return {**vars(self), "tasks": ()}

    def fits(self, tasks: Iterable[Task]) -> bool:
        """Tell whether these are the tasks that the library was made for."""
        return self._asked == asked(tasks)

    def complete(self) -> Library:
        """Run every variant on every block that it may be asked for; return itself."""
        alike = {}  # equal signatures become one object: a smaller file, read faster
        for function in FUNCTIONS:
            for block, variant in product(self.blocks(function), self.candidates(function)):
                known = self.signatures(variant, block)
                key = variant.name, block[0]
                self._known[key] = tuple(alike.setdefault(repr(s), s) for s in known)
        self.is_complete = True
        self.right = [alike.setdefault(repr(s), s) for s in self.right]
        return self

    @cached_property
    def right(self) -> list:
        """The reference's signature on each task."""
        return [signature(task, RunPair(task.expected)) for task in self.tasks]

    def candidates(self, function: str) -> list[Variant]:
        """Return the variants in which the named function goes wrong, or may."""
        return [v for v in self.variants if not v.shows or function in v.shows]

    def blocks(self, function: str) -> list[list[int]]:
        """Return the blocks of a function, quickest tree first."""
        blocks = (
            [number for number in numbers if self.tasks[number].function == function]
            for numbers in self._trees.values()
        )
        return sorted(filter(None, blocks), key=self.queries)

    def queries(self, block: list[int]) -> int:
        """Return how many queries the reference needs for a block's tasks."""
        return sum(len(self.tasks[number].expected.events) for number in block)

    def signatures(self, variant: Variant, block: list[int]) -> tuple:
        """Return the signature of a variant on each task of a block."""
        key = variant.name, block[0]
        if key not in self._known:
            self._known[key] = self._run(variant, block)
        return self._known[key]

    def _run(self, variant, block):
        """Run a block, of a variant that may keep state the whole tree: that shows it."""
        stateful = keeps_state(variant)
        tree = self.tasks[block[0]].tree.name
        numbers = self._trees[tree] if stateful else block
        tasks = [self.tasks[number] for number in numbers]
        runs = dict(zip(numbers, run_variant(variant, tasks, stateful)))
        return tuple(signature(self.tasks[number], runs[number]) for number in block)
