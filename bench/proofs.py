"""What proves the kit to its developers: `python -m bench.proofs`, part of `make bench`.

Mutants: right programs with one small change each. Of those that any tree tells from
right, the hidden trees are to catch nearly all. Lines: the small change that mends a
known mistake is to be found often, and is to be right on the hidden trees as well.
"""

from __future__ import annotations

import ast
import marshal
import resource
import signal
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from types import CodeType, ModuleType

from autograder.kit import Kit, load_kit
from autograder.localisation import (
    LIMITS,
    Localisation,
    Patch,
    localise,
    patches_from,
)
from autograder.mistakes.edits import make_patches, mutants
from autograder.mistakes.variants import (
    Variant,
    load_variants,
    quietly,
    run_code,
    run_source,
)
from autograder.processes import in_parallel
from autograder.progress import Progress
from autograder.sandbox import Limits
from autograder.smalltrees.enumeration import small_trees
from autograder.smalltrees.randomtrees import random_trees
from autograder.tasks import STRICT, Task, tasks_for
from gametree.support.judging import judge
from gametree.support.trace import TIMED_OUT, Ending, Trace, observe

CAUGHT = 0.995  # of the mutants that any tree tells from right
FOUND, RIGHT = 0.7, 0.95  # of the known mistakes that show on public trees; of these
CPU_SECONDS = 1.0  # of a search; a right one takes a thousandth
EVERY = 8  # one in so many mutants is run, of 23,000
MEMORY = 2 * 2**30  # bytes, of a process that runs mutants
EVERY_SMALL, RANDOM_TREES = 10, 400  # of the pool where an equivalent mutant is right


class TrustedWorkshop:
    """A Workshop that makes patches of a trusted source and runs them in this process."""

    def __init__(
        self, source: str, function: str, right: Sequence[str] = (), strict: bool = False
    ):
        self._source = source
        self._given = function, list(right), strict

    def patches(self, pairs: Sequence[tuple[int, int]] = ()) -> list[Patch]:
        """Return the patches, as a worker makes them."""
        return patches_from(make_patches(self._source, *self._given, pairs))

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
            budget = Limits(**LIMITS).query_budget(task)
            trace = observe(search, task.function, task.tree, task.search, budget)
        endless = trace.ending.error == TimeoutError.__name__
        yield replace(trace, ending=Ending(TIMED_OUT)) if endless else trace


def first_wrong(program: CodeType | str, tasks: Sequence[Task]) -> int:
    """Return the place, from 1, of the first task that a program gets wrong, or 0."""
    for place, (task, trace) in enumerate(zip(tasks, traces(program, tasks)), start=1):
        if not judge(task, trace).right:
            return place
    return 0


def mutants_of(variants: Iterable[Variant]) -> Iterator[tuple[str, CodeType]]:
    """Yield (name, code) of the variants' mutants; what they share is changed once."""
    known = set()
    for variant in variants:
        for what, code in mutants(variant.source, known):
            yield f"{variant.name}:{what}", code
        known |= set(map(ast.dump, ast.parse(variant.source).body))


def survivors(
    programs: Sequence[tuple[str, CodeType]], tasks: Sequence[Task]
) -> list[tuple[str, CodeType]]:
    """Return those of the (name, code) that are right on all tasks."""
    with Progress(len(programs), word=f"mutants run on {len(tasks)} tasks") as progress:
        wrong = in_parallel(lambda p: first_wrong(p[1], tasks), programs, progress.step)
    return [program for program, place in zip(programs, wrong) if not place]


def check_mutants(kit: Kit) -> bool:
    """Print how many mutants the hidden trees catch; tell whether these are enough.

    From here on this process, and those that it forks, have MEMORY and no more.
    """
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))
    solution, convention = kit.root / "solution", kit.rubric.cutoff
    right = load_variants(solution, convention)
    right += load_variants(solution / "correct", convention)
    programs = list(mutants_of(right))[::EVERY]
    hidden = [task for task in kit.tasks if task.hidden]
    alive = survivors(programs, sorted(hidden, key=lambda task: len(task.expected.events)))
    pool = random_trees(RANDOM_TREES, seed=1), islice(small_trees(), 0, None, EVERY_SMALL)
    pool = [replace(tree, name=f"pool-{n}") for n, tree in enumerate(chain(*pool))]
    equivalent = survivors(alive, tasks_for(pool, kit.reference))
    escaped = sorted({name for name, _ in alive} - {name for name, _ in equivalent})
    told_apart = len(programs) - len(equivalent)
    share = 1 - len(escaped) / told_apart
    print(f"{told_apart - len(escaped)} of {told_apart} mutants that any tree tells apart")
    print(f"    are caught: {share:.2%} (bar {CAUGHT:.1%}); one in {EVERY} was run")
    print(f"    {len(equivalent)} of {len(programs)} are as good as right")
    for name in escaped:
        print(f"    escaped: {name}")
    return share >= CAUGHT


def locate(kit: Kit, source: str) -> tuple[str, Localisation | None]:
    """Return (function, its Localisation) of a trusted wrong program.

    The function is the first that is wrong on a small tree, "" where no public tree shows
    that it is wrong: then a submission is told no line.
    """
    public = {name: _of(kit, name, hidden=False) for name in kit.rubric.cents}
    wrong = [name for name in public if first_wrong(source, public[name])]
    right = [name for name in public if name not in wrong]
    for function in wrong:
        small = list(kit.ladder.tasks(function))
        first = first_wrong(source, small)
        if first:
            strict = kit.rubric.cutoff == STRICT
            workshop = TrustedWorkshop(source, function, right, strict)
            others = [task for name in right for task in public[name]]
            return function, localise(workshop, small, public[function], first, others)
    return "", None


def _of(kit, function, hidden):
    return [t for t in kit.tasks if t.function == function and t.hidden == hidden]


def check_lines(kit: Kit) -> bool:
    """Print for how many known mistakes the line is found; tell whether these suffice."""

    def outcome(mistake):
        function, found = locate(kit, mistake.source)
        proofs = [marshal.loads(proof.code) for proof in found.proofs] if found else []
        hidden = _of(kit, function, hidden=True)
        return function, bool(found), any(first_wrong(proof, hidden) for proof in proofs)

    mistakes = list({mistake.path: mistake for mistake in kit.mistakes[::-1]}.values())
    for function in kit.rubric.cents:
        list(kit.ladder.tasks(function))  # once, before the processes part
    with Progress(len(mistakes), word="lines sought") as progress:
        outcomes = in_parallel(outcome, mistakes, progress.step)
    shown = Counter(function for function, _, _ in outcomes)
    told = Counter(function for function, found, _ in outcomes if found)
    unseen = shown.pop("", 0)
    false = [mistake.name for mistake, (*_, wrong) in zip(mistakes, outcomes) if wrong]
    share = told.total() / shown.total()
    print(f"the line of {told.total()} of {shown.total()} known mistakes is found:")
    print(f"    {share:.0%} (bar {FOUND:.0%}); {unseen} more do not show on public trees")
    for function, count in shown.items():
        print(f"    {function:<11}{told[function]:4} of {count:4}")
    print(f"    {len(false)} are wrong on hidden trees: {', '.join(false)}")
    return share >= FOUND and len(false) <= (1 - RIGHT) * told.total()


def main() -> int:
    """Run both proofs; return 0 if they hold, else 1."""
    kit = load_kit()
    return 0 if all([check_lines(kit), check_mutants(kit)]) else 1


if __name__ == "__main__":
    raise SystemExit(main())
