"""What proves the kit to its developers: `python -m bench.proofs`, part of `make bench`.

Mutants: right programs with one small change each. Of those that any tree tells from
right, the hidden trees are to catch nearly all. Lines: the small change that mends a
known mistake is to be found often, and is to be right on the hidden trees as well.
"""

from __future__ import annotations

import ast
import marshal
import signal
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from types import CodeType, ModuleType

from autograder.judging.verdict import verdict_on
from autograder.kit import Kit, load_kit
from autograder.localisation import (
    QUERIES_BASE,
    QUERIES_FACTOR,
    Localisation,
    Patch,
    localise,
    patches_from,
)
from autograder.mistakes.edits import made, mutants
from autograder.mistakes.library import first_wrong
from autograder.mistakes.variants import (
    Variant,
    load_variants,
    quietly,
    run_code,
    run_source,
)
from autograder.sandbox import Limits
from autograder.smalltrees.enumeration import trees_up_to
from autograder.smalltrees.families import random_trees
from autograder.tasks import STRICT, Task, tasks_for
from autograder.utilities import Progress, in_parallel
from gametree.trace import TIMED_OUT, Ending, Trace, observe

CAUGHT = 0.995  # of the mutants that any tree tells from right
FOUND, RIGHT = 0.7, 0.95  # of the known mistakes that show on public trees; of these
CPU_SECONDS = 1.0  # of a search; a right one takes a thousandth
LIMITS = Limits(queries_base=QUERIES_BASE, queries_factor=QUERIES_FACTOR)
MEMORY = 2 * 2**30  # bytes, of a process that runs mutants
SMALL_LEAVES, RANDOM_TREES = 2, 400  # of the pool where an equivalent mutant is right


class TrustedWorkshop:
    """A Workshop that makes patches of a trusted source and runs them in this process."""

    def __init__(
        self, source: str, function: str, right: Sequence[str] = (), strict: bool = False
    ):
        self._source = source
        self._given = function, list(right), strict

    def patches(self, pairs: Sequence[tuple[int, int]] = ()) -> list[Patch]:
        """Return the patches, as a worker makes them."""
        return patches_from(made(self._source, *self._given, pairs))

    def run(self, patch: Patch | None, tasks: Iterable[Task]) -> Iterator[Trace]:
        """Yield the trace of each task by a patch, None for the source itself."""
        return traces(marshal.loads(patch.code) if patch else self._source, tasks)


def traces(program: CodeType | str, tasks: Iterable[Task]) -> Iterator[Trace]:
    """Yield the trace of each task by a trusted program, run once, in one module.

    A search ends where it computes on without looking. Where the program raises while
    it is loaded, it has no functions.
    """

    def search(*arguments):
        function = getattr(module, task.function)
        signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
        try:
            return function(*arguments)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def end(*_):
        raise TimeoutError

    try:
        with quietly():
            module = run_source(program) if isinstance(program, str) else run_code(program)
    except Exception:  # a change of what runs when the file is loaded
        module = ModuleType("search")
    signal.signal(signal.SIGVTALRM, end)
    for task in tasks:
        with quietly():
            budget = LIMITS.query_budget(task)
            trace = observe(search, task.function, task.tree, task.search, budget)
        endless = trace.ending.error == TimeoutError.__name__
        yield replace(trace, ending=Ending(TIMED_OUT)) if endless else trace


def is_right(program: CodeType | str, tasks: Sequence[Task]) -> bool:
    """Tell whether a trusted program is right on all tasks."""
    return all(
        verdict_on(task, trace).right for task, trace in zip(tasks, traces(program, tasks))
    )


def mutants_of(variants: Iterable[Variant]) -> Iterator[tuple[str, CodeType]]:
    """Yield (name, code) of the variants' mutants; what they share is changed once."""
    known = set()
    for variant in variants:
        for what, code in mutants(variant.source, known):
            yield f"{variant.name}:{what}", code
        known |= set(map(ast.dump, ast.parse(variant.source).body))


def survivors(
    programs: Sequence[tuple[str, CodeType]], tasks: Sequence[Task], done: str
) -> list[tuple[str, CodeType]]:
    """Return those of the (name, code) that are right on all tasks."""
    with Progress(len(programs), done=done) as progress:
        right = in_parallel(
            lambda program: is_right(program[1], tasks), programs, progress.step, MEMORY
        )
    return [program for program, alive in zip(programs, right) if alive]


def check_mutants(kit: Kit) -> bool:
    """Print how many mutants the hidden trees catch; tell whether these are enough."""
    solution = kit.root / "solution"
    right = load_variants(solution, kit.rubric.cutoff)
    right += load_variants(solution / "correct", kit.rubric.cutoff)
    programs = list(mutants_of(right))
    hidden = [task for task in kit.tasks if task.hidden]
    hidden.sort(key=lambda task: len(task.expected.events))
    alive = survivors(programs, hidden, "mutants run on the hidden trees")
    pool = random_trees(RANDOM_TREES, seed=1), trees_up_to(SMALL_LEAVES, special_leaves=1)
    pool = [replace(tree, name=f"pool-{n}") for n, tree in enumerate(chain(*pool))]
    equivalent = survivors(alive, tasks_for(pool, kit.reference), "of these on others")
    escaped = sorted({name for name, _ in alive} - {name for name, _ in equivalent})
    told_apart = len(programs) - len(equivalent)
    share = 1 - len(escaped) / told_apart
    print(f"{told_apart - len(escaped)} of {told_apart} mutants that any tree tells from "
          f"right are caught: {share:.2%} (bar {CAUGHT:.1%}); {len(equivalent)} of "
          f"{len(programs)} are as good as right")  # fmt: skip
    for name in escaped:
        print(f"    escaped: {name}")
    return share >= CAUGHT


def locate(kit: Kit, variant: Variant) -> tuple[str, Localisation | None]:
    """Return (function, its Localisation) of a trusted wrong program.

    The function is the first that is wrong on a small tree, "" where no public tree shows
    that it is wrong: then a submission is told no line.
    """
    public = {name: _of(kit, name, hidden=False) for name in kit.rubric.cents}
    wrong = [name for name in public if first_wrong(variant, public[name])[0]]
    for function in wrong:
        small = list(kit.ladder.tasks(function))
        first, _ = first_wrong(variant, small)
        if first:
            right = [name for name in public if name not in wrong]
            strict = kit.rubric.cutoff == STRICT
            workshop = TrustedWorkshop(variant.source, function, right, strict)
            others = [task for name in right for task in public[name]]
            return function, localise(workshop, small, public[function], first, others)
    return "", None


def _of(kit, function, hidden):
    return [t for t in kit.tasks if t.function == function and t.hidden == hidden]


def check_lines(kit: Kit) -> bool:
    """Print for how many known mistakes the line is found; tell whether these suffice."""

    def outcome(mistake):
        function, found = locate(kit, mistake)
        tasks = _of(kit, function, hidden=True)
        proofs = [marshal.loads(proof.code) for proof in found.proofs] if found else []
        return function, bool(found), all(is_right(proof, tasks) for proof in proofs)

    mistakes = list({mistake.path: mistake for mistake in kit.mistakes[::-1]}.values())
    for function in kit.rubric.cents:
        list(kit.ladder.tasks(function))  # once, before the processes part
    with Progress(len(mistakes), done="lines sought") as progress:
        outcomes = in_parallel(outcome, mistakes, progress.step)
    shown, told = Counter(), Counter()
    for function, found, _ in outcomes:
        shown[function] += 1
        told[function] += found
    hidden = shown.pop("", 0)
    false = [m.name for m, (_, _, right) in zip(mistakes, outcomes) if not right]
    print(f"the line of {told.total()} of {shown.total()} known mistakes is found: "
          f"{told.total() / shown.total():.0%} (bar {FOUND:.0%}); {len(false)} are false; "
          f"{hidden} do not show on public trees")  # fmt: skip
    for function, count in shown.items():
        print(f"    {function:<11}{told[function]:4} of {count:4}")
    for name in false:
        print(f"    false: {name}")
    enough = told.total() >= FOUND * shown.total()
    return enough and len(false) <= (1 - RIGHT) * told.total()


def main() -> int:
    """Run both proofs; return 0 if they hold, else 1."""
    kit = load_kit()
    return 0 if all([check_lines(kit), check_mutants(kit)]) else 1


if __name__ == "__main__":
    raise SystemExit(main())
