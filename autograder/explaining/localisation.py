"""Find the line where one small change makes a submission pass all small trees.

The sandbox makes and runs the changes, before the first hidden tree runs, on small and
public trees only. The result is data: lines and their relation. Budgets are counts, so that
every machine finds the same line.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, combinations, groupby, islice, product
from operator import attrgetter
from typing import NamedTuple

from autograder.explaining import edits, syntax
from autograder.explaining.evidence import Counterexample, is_right
from autograder.ground.plaintext import CONTEXT_LINES, program_lines
from autograder.sandbox import Session
from autograder.scoring.tasks import STRICT, Task
from autograder.smalltrees.enumeration import Ladder
from gametree.functions import FUNCTIONS
from gametree.support.judging import Verdict, judge
from gametree.support.trace import TIMED_OUT, Trace

NOTHING = "NoneType"
MAX_FAILING = 8  # searches on which a change must help
MAX_NEAR = 300  # small trees, from the first wrong one, that are searched for failures
SAMPLE_STEP = 20  # the sample that a change must pass first has every 20th small tree
MAX_SMALL = 1600  # trees that a change must pass, if the first wrong tree is among them
MAX_HELPERS = 10  # partial fixes that are combined with a second change
MAX_PAIRS = 200
MAX_PROVEN = 2  # changes at a line that are run on every small tree
MAX_LINES = 3

MAX_RUNS = 8_000  # searches in all
MAX_DEATHS = 150  # of workers; each costs as much as twenty searches
MAX_DEATHS_UNCHANGED = MAX_DEATHS // 8  # deaths that the unchanged submission causes
MAX_TIMEOUTS = 6
# Limits of one search. A correct search of a small tree takes a thousandth of this time.
PATCH_LIMITS = {
    "search_cpu_seconds": 0.1,
    "queries_base": 60,
    "queries_factor": 12,
}

COST = attrgetter("cost")


class Place(NamedTuple):
    """A place in the submission.

    line: the number of the line, from 1.
    after: whether a statement is missing after the line.
    column: the column of the change, from 0.
    """

    line: int
    after: bool = False
    column: int = 0


@dataclass(frozen=True)
class Patch:
    """A changed submission.

    number: the number that identifies it in a pair.
    code: the compiled program.
    places: the Place of each change.
    cost: the size of the changes; see edits.WORD.
    key: a number that is equal for the same change at another place.
    what: the changes in words.
    kinds: the kinds of the changes.
    """

    number: int
    code: bytes = field(repr=False)
    places: tuple[Place, ...]
    cost: int
    key: int
    what: str
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Localisation:
    """The places where one small change makes a function correct on every small tree.

    function: the name of the function.
    places: the places of such changes. Without proofs, an exception is raised there, or
        the function may end there without a value.
    proofs: the changes, one for each place.
    together: whether one change must be made at all places at once.
    text: number -> text of the lines at the places and around them.
    gives_nothing: whether the function may end at the places without a value.
    """

    function: str
    places: tuple[Place, ...]
    proofs: tuple[Patch, ...]
    together: bool = False
    text: dict[int, str] = field(default_factory=dict, repr=False)
    gives_nothing: bool = False

    @property
    def kind(self) -> str:
        """The kind of all changes; "" if there are several kinds."""
        kinds = set()
        for patch in self.proofs:
            kinds.update(patch.kinds)
        return kinds.pop() if len(kinds) == 1 else ""

    @property
    def fixed(self) -> list[str]:
        """The statements that the proofs change or add."""
        statements = []
        for patch in self.proofs:
            for place in patch.places:
                line = self.text.get(place.line, "")
                if place.after:  # the words of a change end with the new statement
                    line = patch.what.rpartition("; ")[2]
                statements.append(line)
        return [statement for statement in statements if statement.strip()]


class OutOfBudget(Exception):
    """Raised if a submission has used up its budget of searches."""


def find_line(
    session: Session,
    ladder: Ladder,
    convention: str,
    verdicts: Sequence[Verdict],
    counterexample: Counterexample,
    nothing_at: Sequence[int] = (),
) -> Localisation | None:
    """Return the Localisation of the function that a counterexample is about, or None.

    If no change is found, the place is the line where the function ends without a value or
    raises an exception. No hidden tree may have run in the session.

    verdicts: the verdicts on public trees.
    nothing_at: the lines where the function may end without a value.
    """
    verdict = counterexample.verdict
    function = verdict.task.function
    public = [v.task for v in verdicts if v.task.function == function]
    assigned = {verdict.task.function for verdict in verdicts}
    right = [name for name in FUNCTIONS if name in assigned and is_right(name, verdicts)]
    others = [v.task for v in verdicts if v.task.function in right]
    found = None
    if not _is_at_its_line(verdict.trace):
        with session.limited(**PATCH_LIMITS):
            workshop = Workshop(session, function, right, convention == STRICT)
            small = ladder.tasks(function)
            found = localise(workshop, small, public, counterexample.tried, others)
    if found is None:
        found = _place_without_proof(verdict.trace, function, nothing_at)
    if found is None:
        return None
    lines = _lines_around(session.source, found.places)
    return replace(found, text=lines) if lines else None


def _is_at_its_line(trace):
    """Tell whether the line that raised an exception is known, and is also its cause."""
    if trace.text.line is None:
        return False
    if trace.ending.error in ("NameError", "UnboundLocalError", "AttributeError"):
        return True
    return trace.ending.error == "TypeError" and "argument" in trace.text.message


def _place_without_proof(trace, function, nothing_at):
    """Return the Localisation of a missing value, or of an exception, or None."""
    text = trace.text
    is_nothing = NOTHING in text.message or trace.answer.kind == NOTHING
    if is_nothing and trace.ending.by_itself and 0 < len(nothing_at) <= MAX_LINES:
        places = tuple(map(Place, nothing_at))
        return Localisation(function, places, (), gives_nothing=True)
    if text.line:
        return Localisation(function, (Place(text.line),), ())
    return None


def _lines_around(source, places):
    """Return number -> text of the lines at the places and around them."""
    lines = program_lines(source)
    near = set()
    for place in places:
        near.update(range(place.line - CONTEXT_LINES, place.line + CONTEXT_LINES + 1))
    present = near.intersection(range(1, len(lines) + 1))
    return {number: lines[number - 1] for number in sorted(present)}


class Workshop:
    """Makes and runs patches of one submission in the workers of a Session.

    right, strict: see edits.fixing_edits().
    """

    def __init__(self, session: Session, function: str, right: list[str], strict: bool):
        self._session = session
        self._arguments = function, right, strict

    def patches(self, pairs: Sequence[tuple[int, int]] = ()) -> list[Patch]:
        """Return the patches, cheapest first; if `pairs` are given, only these pairs.

        The list is empty if the text could not be read in time.
        """
        data = self._session.use_tool(
            edits.make_patches, *self._arguments, list(pairs), helpers=[syntax.__name__]
        )
        return patches_from(data)

    def run(self, patch: Patch | None, tasks: Iterable[Task]) -> Iterator[Trace]:
        """Yield the traces of the tasks, with a patch or, for None, without changes.

        Raises OutOfBudget if no time is left.
        """
        code = patch.code if patch else b""
        for trace in self._session.run_changed(code, tasks):
            if self._session.out_of_time():
                raise OutOfBudget
            yield trace


def patches_from(data: bytes) -> list[Patch]:
    """Return the Patches that edits.make_patches() wrote, or [] for no data."""
    patches = []
    for fields in json.loads(data or b"[]"):
        fields["code"] = base64.b64decode(fields["code"])
        fields["kinds"] = tuple(fields["kinds"])
        fields["places"] = tuple(Place(*place) for place in fields["places"])
        patches.append(Patch(**fields))
    return patches


def localise(
    workshop: Workshop,
    small: Sequence[Task],
    public: Sequence[Task],
    first: int,
    others: Sequence[Task] = (),
) -> Localisation | None:
    """Return the Localisation of the function that the tasks call, or None.

    small: the tasks of small trees.
    public: the tasks of public trees.
    first: the number, from 1, of the first small task with a wrong search.
    others: public tasks of correct functions, which a change must not break.
    """
    try:
        return _LineSearch(workshop, small, public, first, others).find()
    except OutOfBudget:
        return None


@dataclass
class _Budget:
    """Counts searches, and raises OutOfBudget if they cost too much."""

    runs: int = 0
    deaths: int = 0
    timeouts: int = 0

    def count(self, trace):
        self.runs += 1
        if not trace.ending.by_itself:
            self.deaths += 1
        if trace.ending.kind == TIMED_OUT:
            self.timeouts += 1
        is_used_up = (
            self.runs > MAX_RUNS or self.deaths > MAX_DEATHS or self.timeouts > MAX_TIMEOUTS
        )
        if is_used_up:
            raise OutOfBudget


class _LineSearch:
    """Tries changes on failing searches, then on a sample, then on all small trees.

    failing: some tasks on which the submission fails.
    passing: the tasks of the sample that the submission passes.
    sample: the tasks that a change must pass first.
    all_tasks: the tasks that a change must pass to be shown.
    fixed: number of a patch -> number of failing tasks that it fixes.
    survivors: the patches of one cost that pass the sample.
    helpers: the patches that fix some failing task and break no passing task.
    """

    def __init__(self, workshop, small, public, first, others):
        self.workshop = workshop
        self.small = small[: max(MAX_SMALL, first + MAX_NEAR)]
        self.all_tasks = [*others, *self.small]
        self.budget = _Budget()
        self.passing = []
        wrong = []
        near = self.small[first - 1 : first - 1 + MAX_NEAR]
        for task, passes in self._run_unchanged(near):
            if not passes:
                wrong.append(task)
        for task, passes in self._run_unchanged([*self.small[::SAMPLE_STEP], *public]):
            if passes:
                self.passing.append(task)
            else:
                wrong.append(task)
        self.failing = _spread(wrong, MAX_FAILING)
        self.sample = [*_spread(wrong, 4 * MAX_FAILING), *self.passing]
        self.fixed = {}
        self.survivors = []
        self.helpers = []

    def _run_unchanged(self, tasks):
        """Return (task, whether it passes), until too many workers have ended."""
        results = []
        with suppress(OutOfBudget):
            for result in zip(tasks, self._results(None, tasks)):
                results.append(result)
                if self.budget.deaths >= MAX_DEATHS_UNCHANGED:
                    break
        self.budget = _Budget()
        return results

    def find(self):
        """Return the Localisation, or None. Raises OutOfBudget."""
        if not self.failing:
            return None
        patches = self.workshop.patches()
        try:
            proofs = self._find_proofs(patches)
        except OutOfBudget:
            self.budget = _Budget()
            return self._localisation(self._prove_survivors())
        if proofs:
            return self._localisation(proofs)
        return self._find_pair(patches)

    def _find_proofs(self, patches):
        """Return Place -> patch for the cheapest patches that pass all tasks."""
        for _, patches_of_cost in groupby(patches, key=COST):
            self.survivors = []
            for patch in patches_of_cost:
                self._try(patch)
            proofs = self._prove_survivors()
            if proofs:
                return proofs
        return {}

    def _find_pair(self, patches):
        """Return the Localisation of two changes that pass all tasks together, or None."""
        self.helpers.sort(key=lambda patch: -self.fixed[patch.number])
        helpers = self.helpers[:MAX_HELPERS]
        twins = _twins(patches, self.fixed)
        with_helper = chain(combinations(helpers, 2), product(helpers, patches))
        for pairs in (twins, with_helper):
            patch = self._first_right_pair(islice(pairs, MAX_PAIRS))
            if patch:
                proofs = dict.fromkeys(patch.places, patch)
                return self._localisation(proofs, together=True)
        return None

    def _localisation(self, proofs, together=False):
        """Return the Localisation for Place -> proof, or None for too many places."""
        if not 0 < len(proofs) <= MAX_LINES:
            return None
        return Localisation(
            function=self.small[0].function,
            places=tuple(proofs),
            proofs=tuple(dict.fromkeys(proofs.values())),
            together=together,
        )

    def _try(self, patch):
        """Run a patch; add it to the survivors or to the helpers if it passes."""
        fixed = self._count_fixed(patch)
        self.fixed[patch.number] = fixed
        if fixed == len(self.failing) and self._passes(patch, self.sample):
            self.survivors.append(patch)
        elif fixed and self._passes(patch, self.passing):
            self.helpers.append(patch)

    def _count_fixed(self, patch):
        """Return the number of failing tasks that a patch fixes before it ends a worker."""
        deaths_before = self.budget.deaths
        count = 0
        for passes in self._results(patch, self.failing):
            if passes:
                count += 1
            if self.budget.deaths > deaths_before:
                break
        return count

    def _first_right_pair(self, pairs):
        """Return the cheapest pair that passes all tasks, or None."""
        numbers = [(first.number, second.number) for first, second in pairs]
        if not numbers:
            return None
        patches = sorted(self.workshop.patches(numbers), key=COST)
        tasks = [*self.failing, *self.sample, *self.all_tasks]
        return self._first_passing(patches, tasks)

    def _prove_survivors(self):
        """Map a Place to a survivor that passes every small tree, one for each line.

        It stops as soon as there are too many lines to show.
        """
        by_line = {}
        for patch in self.survivors:
            by_line.setdefault(patch.places[0].line, []).append(patch)
        proofs = {}
        for line, patches in by_line.items():
            proof = self._first_passing(patches[:MAX_PROVEN], self.all_tasks)
            if proof:
                after = all(patch.places[0].after for patch in patches)
                proofs[Place(line, after, proof.places[0].column)] = proof
            if len(proofs) > MAX_LINES:
                break
        return proofs

    def _first_passing(self, patches, tasks):
        for patch in patches:
            if self._passes(patch, tasks):
                return patch
        return None

    def _passes(self, patch, tasks):
        return all(self._results(patch, tasks))

    def _results(self, patch, tasks):
        """Yield for each task whether its search is correct; raise OutOfBudget."""
        for task, trace in zip(tasks, self.workshop.run(patch, tasks)):
            self.budget.count(trace)
            yield judge(task, trace).is_right


def _spread(tasks, most):
    """Return at most `most` tasks: the first, then further tasks at equal distances."""
    step = max(1, math.ceil(len(tasks) / most))
    return tasks[::step]


def _twins(patches, fixed):
    """Return pairs of the same change at two places, most effective pairs first."""
    by_key = {}
    for patch in patches:
        by_key.setdefault(patch.key, []).append(patch)
    pairs = []
    for alike in by_key.values():
        for first, second in combinations(alike, 2):
            if first.places != second.places or first.cost < edits.STATEMENT:
                pairs.append((first, second))
    return sorted(
        pairs, key=lambda pair: -sum(fixed.get(patch.number, 0) for patch in pair)
    )
