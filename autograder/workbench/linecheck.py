"""Measure on the known mistakes how often the line is found, and whether it is right.

The changes run in this process, since the mistakes are trusted. The lines where a mistake
really is are those that it does not share with what it was made from.
"""

from __future__ import annotations

import ast
import marshal
import signal
from collections import Counter
from difflib import SequenceMatcher
from types import ModuleType

from autograder.judging.verdict import verdict_on
from autograder.localisation import (
    QUERIES_BASE,
    QUERIES_FACTOR,
    Localisation,
    Variant,
    localise,
    variants_from,
)
from autograder.mistakes import repairs
from autograder.mistakes.library import first_wrong
from autograder.mistakes.variants import (
    load_variant,
    quietly,
    read_header,
    run_code,
    run_source,
)
from autograder.sandbox import Limits
from autograder.tasks import STRICT, RunPair
from autograder.utilities import Progress, in_parallel
from gametree.trace import observe

BAR_SHOWN, BAR_RIGHT = 0.6, 0.95
CPU_SECONDS = 0.3  # of a search that asks for nothing; a right one takes a thousandth
LIMITS = Limits(queries_base=QUERIES_BASE, queries_factor=QUERIES_FACTOR)


class TrustedWorkshop:
    """A Workshop that makes variants of a trusted source and runs them in this process."""

    def __init__(self, source: str, function: str, right=(), strict: bool = False):
        self._source = source
        self._given = function, list(right), strict

    def variants(self, pairs=()) -> list[Variant]:
        """Return the variants, as a worker makes them."""
        return variants_from(repairs.made(self._source, *self._given, pairs))

    def run(self, variant, tasks):
        """Yield the trace of each task by a variant, None for the source itself."""
        try:
            with quietly():
                module = self._module(variant)
        except Exception:  # a change of what runs when the file is loaded
            module = ModuleType("search")
        for task in tasks:
            yield _observed(module, task)

    def _module(self, variant):
        if variant is None:
            return run_source(self._source)
        return run_code(marshal.loads(variant.code))


def _observed(module, task):
    """Return the trace of one search, which ends where it computes on without looking."""

    def search(*arguments):
        function = getattr(module, task.function)
        signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
        try:
            return function(*arguments)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def end(*_):
        raise TimeoutError

    previous = signal.signal(signal.SIGVTALRM, end)
    try:
        with quietly():
            budget = LIMITS.query_budget(task)
            return observe(search, task.function, task.tree, task.search, budget)
    finally:
        signal.signal(signal.SIGVTALRM, previous)


def locate(kit, variant) -> tuple[str, Localisation | None]:
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


def repairs_all(kit, variant, found: Localisation) -> bool:
    """Tell whether the change at each line is right on the hidden trees too."""
    tasks = _of(kit, found.function, hidden=True)
    workshop = TrustedWorkshop(variant.source, found.function)
    return all(
        verdict_on(task, RunPair(trace)).right
        for proof in found.proofs
        for task, trace in zip(tasks, workshop.run(proof, tasks))
    )


def true_lines(wrong: str, right: str) -> set[int]:
    """Return the lines of a wrong text that differ from the right one it was made from.

    Where a line is missing these are the two around. Comments and docstrings do not count.
    """
    ours, theirs = _code_lines(wrong), _code_lines(right)
    matcher = SequenceMatcher(None, list(theirs.values()), list(ours.values()), False)
    numbers, lines = list(ours), set()
    for what, _, _, begin, end in matcher.get_opcodes():
        if what == "delete":
            lines |= set(numbers[max(0, begin - 1) : begin + 1])
        elif what != "equal":
            lines |= set(numbers[begin:end])
    return lines


def _code_lines(text):
    """Return number -> text of the lines that hold code, without comments."""
    prose = {
        number
        for part in ast.walk(ast.parse(text))
        if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
        for number in range(part.lineno, part.end_lineno + 1)
    }
    lines = enumerate((line.split("#")[0].rstrip() for line in text.splitlines()), start=1)
    return {number: line for number, line in lines if line and number not in prose}


def check_lines(kit, report, every=3):
    """Prove that the line is found often enough, and right where it is told.

    One in `every` known mistakes is tried.
    """
    functions, one_a_file = tuple(kit.rubric.cents), {}
    for mistake in kit.mistakes:
        one_a_file.setdefault(mistake.path, mistake)
    mistakes = list(one_a_file.values())[::every]
    for function in functions:
        list(kit.ladder.tasks(function))  # once, before the processes part
    with Progress(len(mistakes), done="lines sought") as progress:
        outcomes = in_parallel(lambda one: outcome(kit, one), mistakes, progress.step)
    counts, false = Counter(), []
    for mistake, (function, told) in zip(mistakes, outcomes):
        counts[function, ""] += 1
        counts[function, told] += 1
        if told == FALSE:
            false.append(mistake.name)
    total = sum(counts[f, ""] for f in functions)
    shown = total - sum(counts[f, SILENT] for f in functions)
    problems = []
    if shown < BAR_SHOWN * total:
        problems.append(f"{BAR_SHOWN:.0%} are to be found; see mistakes/repairs.py")
    if len(false) > (1 - BAR_RIGHT) * shown:
        problems.append(f"told a line that repairs nothing: {', '.join(false)}")
    report(
        "the line of a known mistake is found, and is right",
        problems,
        f"{shown} of {total} ({shown / max(total, 1):.0%}); "
        f"{shown - len(false)} of these right",
    )
    print(f"        {'function':<11}" + "".join(f"{told:>18}" for told in TOLD))
    for function in functions:
        row = "".join(f"{counts[function, told]:>18}" for told in TOLD)
        print(f"        {function:<11}{row}")
    print(f"        not shown on public trees: {counts['', '']}")


TOLD = TRUE_LINE, REPAIRS, FALSE, SILENT = (
    *("the true line", "one that repairs", "a false one", "nothing"),
)


def outcome(kit, mistake) -> tuple[str, str]:
    """Return (function, one of TOLD) of a known mistake."""
    function, found = locate(kit, mistake)
    if found is None:
        return function, SILENT if function else ""
    told = {place.line for place in found.places}
    told |= {place.line + 1 for place in found.places if place.after}
    if told & true_lines(mistake.source, base_of(kit, mistake)):
        return function, TRUE_LINE
    return function, REPAIRS if repairs_all(kit, mistake, found) else FALSE


def base_of(kit, mistake) -> str:
    """Return the text of what a known mistake was made from."""
    text = mistake.path.read_text(encoding="utf-8")
    _, fields = read_header(ast.get_docstring(ast.parse(text)) or "")
    solution = kit.root / "solution"
    name = fields.get("Changes", [""])[0]
    path = solution / "correct" / f"{name}.py" if name else solution / "search.py"
    return load_variant(path, kit.rubric.cutoff).source
