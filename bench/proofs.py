"""Check the quality of trees and hints: `python -m bench.proofs`, part of `make bench`.

Mutants are correct programs with one small change each. The hidden trees must catch nearly
all mutants that fail on any tree. For the known mistakes, the small change that fixes the
mistake must often be found. The fixed program must also be correct on the hidden trees.
"""

from __future__ import annotations

import ast
import marshal
import resource
import signal
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, groupby, islice
from operator import itemgetter
from types import ModuleType
from typing import NamedTuple

from autograder.explaining.changes import COSTS
from autograder.explaining.explanation import Localisation, Patch
from autograder.explaining.line import (
    PATCH_LIMITS,
    Workshop,
    localise,
    patches_from,
    tasks_to_pass,
)
from autograder.explaining.patches import make_patches
from autograder.explaining.variants import Variant, load_variants, quietly, run_source
from autograder.ground.command import Progress
from autograder.ground.processes import in_parallel
from autograder.kit import Kit
from autograder.kit.loading import load_kit
from autograder.scoring.rubric import Limits
from autograder.scoring.tasks import Task, tasks_for
from autograder.smalltrees.enumeration import small_trees
from autograder.smalltrees.families import random_trees
from gametree.functions import FUNCTIONS
from gametree.support.judging import judge
from gametree.support.trace import TIMED_OUT, Ending, Trace, observe
from gametree.support.tree import Tree

MIN_CAUGHT = 0.995  # of the mutants that fail on any tree
MIN_FOUND = 0.7  # of the known mistakes that show on public trees
MIN_RIGHT = 0.95  # of the lines that are found
CPU_SECONDS = 1.0  # of a search; a correct search takes a thousandth
EVERY = 16  # one in this many mutants is run
MEMORY = 2 * 2**30  # bytes, of a process that runs mutants
# The pool of trees. A mutant is equivalent if it is correct on all of them.
EVERY_SMALL = 10  # one in this many small trees
RANDOM_TREES = 400


class TrustedWorkshop(Workshop):
    """A Workshop that creates patches of a trusted source and runs them in process."""

    def __init__(self, source: str, function: str, right: Sequence[str] = ()):
        self._source = source
        self._function = function
        self._right = list(right)

    def patches(self, cost: int, places: int) -> list[Patch]:
        """Return the patches of one cost, as a worker creates them."""
        made = make_patches(self._source, self._function, self._right, cost, places)
        return patches_from(made, self._source.encode())

    def run(self, searches: Iterable[tuple[bytes, Task]]) -> Iterator[Trace]:
        """Run each patch, or the source itself for b"", and yield each task's trace."""
        for code, group in groupby(searches, itemgetter(0)):
            yield from traces(Program(self._source, code), (task for _, task in group))


class Program(NamedTuple):
    """A trusted program.

    source: its text.
    change: the code of a Patch, which replaces some of its definitions, or b"".
    """

    source: str
    change: bytes = b""


def load(program: Program) -> ModuleType:
    """Return the module of a program, or an empty module if loading raises."""
    try:
        with quietly():
            module = run_source(program.source)
            if program.change:
                exec(marshal.loads(program.change), module.__dict__)
            return module
    except Exception:  # the change affects code that runs while the file is loaded
        return ModuleType("search")


def traces(program: Program, tasks: Iterable[Task]) -> Iterator[Trace]:
    """Run a program once on each task, in one module, and yield the traces.

    A search times out if it uses up CPU_SECONDS of CPU time.
    """
    module = load(program)

    def search(*arguments):
        function = getattr(module, task.function)
        signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
        try:
            return function(*arguments)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def time_out(*_):
        raise TimeoutError

    signal.signal(signal.SIGVTALRM, time_out)
    for task in tasks:
        budget = Limits()._replace(**PATCH_LIMITS).query_budget(task)
        with quietly():
            trace = observe(search, task.function, task.tree, task.search, budget)
        if trace.ending.error == TimeoutError.__name__:
            trace.ending = Ending(TIMED_OUT)
        yield trace


def first_wrong(program: Program, tasks: Sequence[Task]) -> int:
    """Return the number, from 1, of the first task on which a program fails, or 0."""
    verdicts = map(judge, tasks, traces(program, tasks))
    for place, verdict in enumerate(verdicts, start=1):
        if not verdict.is_right:
            return place
    return 0


def mutants_of(variants: Iterable[Variant]) -> Iterator[tuple[str, Program]]:
    """Yield (name, Program) of the variants' mutants, and change shared code only once.

    The mutants of a correct program are the patches that would fix it if it were wrong.
    """
    done = set()  # dumps of the statements that were changed
    for variant in variants:
        statements = ast.parse(variant.source).body
        codes = set()
        for number, patch in enumerate(_all_patches(variant.source)):
            line = patch.places[0].line
            changed = [top for top in statements if top.lineno <= line][-1]
            if patch.code not in codes and ast.dump(changed) not in done:
                codes.add(patch.code)
                name = f"{variant.name}:{line}.{number} {patch.kind}"
                yield name, Program(variant.source, patch.code)
        done.update(map(ast.dump, statements))


def _all_patches(source):
    """Yield the patches of all functions that make one change."""
    for function in FUNCTIONS:
        for cost in COSTS:
            yield from TrustedWorkshop(source, function).patches(cost, places=1)


def survivors(
    programs: Sequence[tuple[str, Program]], tasks: Sequence[Task]
) -> list[tuple[str, Program]]:
    """Return the programs that are correct on all tasks, as (name, Program)."""

    def place_of_failure(named):
        _, program = named
        return first_wrong(program, tasks)

    with Progress(len(programs), word=f"mutants run on {len(tasks)} tasks") as progress:
        places = in_parallel(place_of_failure, programs, progress.count_one)
    return [program for program, place in zip(programs, places) if not place]


def pool_of_trees() -> Iterator[Tree]:
    """Yield random trees and small trees, each with a new name."""
    trees = chain(
        random_trees(RANDOM_TREES, seed=1), islice(small_trees(), 0, None, EVERY_SMALL)
    )
    for number, tree in enumerate(trees):
        yield tree._replace(name=f"pool-{number}")


def limit_memory() -> None:
    """Limit the memory of this process, and of its later forks, to MEMORY."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))


def check_mutants(kit: Kit) -> bool:
    """Print how many mutants the hidden trees catch; return whether these suffice."""
    limit_memory()
    solution = kit.root / "solution"
    right = load_variants(solution, kit.rubric.cutoff)
    right += load_variants(solution / "correct", kit.rubric.cutoff)
    programs = list(mutants_of(right))[::EVERY]
    hidden = [task for task in kit.tasks if task.is_hidden]
    hidden.sort(key=lambda task: len(task.expected.events))
    alive = survivors(programs, hidden)
    equivalent = survivors(alive, tasks_for(pool_of_trees(), kit.reference))
    escaped = {name for name, _ in alive} - {name for name, _ in equivalent}
    wrong = len(programs) - len(equivalent)
    caught = wrong - len(escaped)
    print(f"{caught} of {wrong} mutants that fail on any tree")
    share = caught / wrong
    print(f"    are caught: {share:.2%} (bar {MIN_CAUGHT:.1%}); one in {EVERY} was run")
    print(f"    {len(equivalent)} of {len(programs)} are equivalent to a correct program")
    for name in sorted(escaped):
        print(f"    escaped: {name}")
    return share >= MIN_CAUGHT


def locate(kit: Kit, source: str) -> tuple[str, Localisation | None]:
    """Return (function, its Localisation) of a trusted wrong program.

    The function is the first that is wrong on a small tree. It is "" if all public trees
    pass, because a submission then gets no line.
    """
    program = Program(source)
    public = {name: tasks_of(kit, name, hidden=False) for name in kit.rubric.cents}
    wrong = [name for name in public if first_wrong(program, public[name])]
    right = [name for name in public if name not in wrong]
    for function in wrong:
        small = list(kit.ladder.tasks(function))
        first = first_wrong(program, small)
        if first:
            workshop = TrustedWorkshop(source, function, right)
            also = [task for name in [function, *right] for task in public[name]]
            tasks = tasks_to_pass(kit.ladder, small[first - 1], first)
            return function, localise(workshop, tasks, also)
    return "", None


def tasks_of(kit: Kit, function: str, hidden: bool) -> list[Task]:
    """Return the tasks of a function on the hidden trees, or on the public ones."""
    tasks = [task for task in kit.tasks if task.function == function]
    return [task for task in tasks if task.is_hidden == hidden]


class LineOutcome(NamedTuple):
    """The result of the search for the line of one known mistake.

    name: the name of the mistake.
    function: the first function that is wrong on a small tree, or "" if no public tree
        reveals the mistake.
    found: whether a line was found.
    misleads: whether the program with the changed line is wrong on a hidden tree.
    """

    name: str
    function: str
    found: bool
    misleads: bool


def seek_line(kit: Kit, mistake: Variant) -> LineOutcome:
    """Search for the line of a known mistake and return the LineOutcome."""
    function, line = locate(kit, mistake.source)
    misleads = False
    if line:
        hidden = tasks_of(kit, function, hidden=True)
        fixed = [Program(mistake.source, proof.code) for proof in line.proofs]
        misleads = any(first_wrong(program, hidden) for program in fixed)
    return LineOutcome(mistake.name, function, bool(line), misleads)


def check_lines(kit: Kit) -> bool:
    """Print for how many known mistakes a line is found; return whether it suffices."""
    mistakes = {mistake.path: mistake for mistake in reversed(kit.mistakes)}
    for function in kit.rubric.cents:
        list(kit.ladder.tasks(function))  # once, before the processes fork
    with Progress(len(mistakes), word="lines searched") as progress:
        seek = partial(seek_line, kit)
        outcomes = in_parallel(seek, mistakes.values(), progress.count_one)
    shown = [outcome for outcome in outcomes if outcome.function]
    found = [outcome for outcome in shown if outcome.found]
    misleading = [outcome.name for outcome in found if outcome.misleads]
    share = len(found) / len(shown)
    unseen = len(outcomes) - len(shown)
    print(f"the line of {len(found)} of {len(shown)} known mistakes is found:")
    print(
        f"    {share:.0%} (bar {MIN_FOUND:.0%}); {unseen} more do not show on public trees"
    )
    print(f"    {len(misleading)} are wrong on hidden trees: {', '.join(misleading)}")
    return share >= MIN_FOUND and len(misleading) <= (1 - MIN_RIGHT) * len(found)


def main() -> int:
    """Run both proofs; return 0 if they succeed, or else 1."""
    kit = load_kit()
    lines_suffice = check_lines(kit)
    mutants_are_caught = check_mutants(kit)
    return 0 if lines_suffice and mutants_are_caught else 1


if __name__ == "__main__":
    raise SystemExit(main())
