"""Find the line in a wrong submission where one small change makes all small trees right.

The changes are made and tried in the sandbox, before the first hidden tree, on small and
public trees alone. What is found is data: lines, and how they hang together. Budgets are
counts, so that the same is found on every machine.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import combinations, groupby, islice, product
from operator import attrgetter
from typing import NamedTuple

from autograder.counterexample import Counterexample
from autograder.mistakes import edits
from autograder.mistakes.diagnosis import is_right
from autograder.plaintext import CONTEXT_LINES, program_lines
from autograder.sandbox import Session
from autograder.smalltrees.enumeration import Ladder
from autograder.tasks import STRICT, Task
from gametree.functions import FUNCTIONS
from gametree.support.judging import Verdict, judge
from gametree.support.trace import TIMED_OUT, Trace

MAX_FAILING = 8  # searches on which a change must help
LOOKED_AT = 300  # small trees from the first wrong one on, where the failing ones are found
EACH = 20  # of so many small trees, one is in the sample that a change must pass first
MAX_SMALL = 1600  # trees on which a change must be right, if the first wrong one is there
MAX_HELPERS = 10  # changes that only help, each of which is tried with a second one
MAX_PAIRS = 200
MAX_PROVEN = 2  # changes at a line that are tried on every small tree
MAX_LINES = 3

MAX_RUNS = 8_000  # searches in all
MAX_DEATHS = 150  # of workers, each of which costs as much as twenty searches
MAX_TIMEOUTS = 6
# Of one search; a right one of a small tree takes a thousandth of the first seconds. A
# changed program may run searches while it loads.
LIMITS = {
    "search_cpu_seconds": 0.1,
    "load_cpu_seconds": 0.3,
    "queries_base": 60,
    "queries_factor": 12,
}
MAX_SECONDS = 30.0  # a safeguard for code that sleeps: then there is no line


COST = attrgetter("cost")


class Place(NamedTuple):
    """A line of the submission, and the column of the change in it.

    `after` says that something is missing after it.
    """

    line: int
    after: bool = False
    column: int = 0


@dataclass(frozen=True)
class Patch:
    """A changed submission: `code` is compiled, `what` says the change.

    `places` has a Place for each change, `cost` says how much they change, and `key` is
    equal for the same change elsewhere.
    """

    number: int
    code: bytes = field(repr=False)
    places: tuple[Place, ...]
    cost: int
    key: int
    what: str


@dataclass(frozen=True)
class Localisation:
    """Where one small change makes a function right on every small tree.

    At each of the `places` there is such a change, the one of `proofs` that stands in the
    same place; where they are `together`, the only one is made at all of them. Without
    proofs an exception is raised there. `text` maps the numbers of the lines around to what
    the submission has there.
    """

    function: str
    places: tuple[Place, ...]
    proofs: tuple[Patch, ...]
    together: bool = False
    text: dict[int, str] = field(default_factory=dict, repr=False)


class OutOfBudget(Exception):
    """Says that as much was tried as one submission may cost."""


def find_line(
    session: Session,
    ladder: Ladder,
    convention: str,
    verdicts: Sequence[Verdict],
    counterexample: Counterexample,
) -> Localisation | None:
    """Return the Localisation of the function that a counterexample is about, or None.

    Where an exception names a line, that is the place, and no change is sought. `verdicts`
    are those of the public trees. No hidden tree was run in the session.
    """
    function, text = counterexample.verdict.task.function, counterexample.verdict.trace.text
    raised = (Place(text.line),) if text and text.line else ()
    if lines := _lines_around(session.source, raised):
        return Localisation(function, raised, (), text=lines)
    public = [v.task for v in verdicts if v.task.function == function]
    asked = {v.task.function for v in verdicts}
    right = [n for n in FUNCTIONS if n in asked and is_right(n, verdicts)]
    others = [v.task for v in verdicts if v.task.function in right]
    with session.limited(min(MAX_SECONDS, session.seconds_left()), **LIMITS):
        workshop = Workshop(session, function, right, convention == STRICT)
        small = list(ladder.tasks(function))
        found = localise(workshop, small, public, counterexample.tried, others)
    return found and replace(found, text=_lines_around(session.source, found.places))


def _lines_around(source, places):
    """Return number -> text of the lines at the places and around them."""
    lines = program_lines(source)
    near = {
        place.line + away
        for place in places
        for away in range(-CONTEXT_LINES, CONTEXT_LINES + 1)
    }
    return {
        number: lines[number - 1] for number in sorted(near) if 0 < number <= len(lines)
    }


class Workshop:
    """Makes patches of one submission and runs them, by the workers of a Session."""

    def __init__(self, session: Session, function: str, right: list[str], strict: bool):
        self._session = session
        self._given = function, right, strict

    def patches(self, pairs: Sequence[tuple[int, int]] = ()) -> list[Patch]:
        """Return the patches, cheapest first; of `pairs`, if given, those alone.

        None where the text could not be read in time.
        """
        return patches_from(
            self._session.use_tool(edits.make_patches, *self._given, list(pairs))
        )

    def run(self, patch: Patch | None, tasks: Iterable[Task]) -> Iterator[Trace]:
        """Yield the trace of each task by a patch, None for the submission itself.

        Raises OutOfBudget where there is no time for another one.
        """
        for trace in self._session.run_changed(patch.code if patch else b"", tasks):
            if self._session.out_of_time():
                raise OutOfBudget
            yield trace


def patches_from(data: bytes) -> list[Patch]:
    """Return the Patches that make_patches() wrote, none where the data is no such."""
    patches = []
    try:
        for one in json.loads(data):
            places = tuple(Place(int(n), bool(a), int(at)) for n, a, at in one["places"])
            number, cost, key = (int(one[name]) for name in ("number", "cost", "key"))
            code = base64.b64decode(one["code"])
            patches.append(Patch(number, code, places, cost, key, str(one["what"])))
            if not (places and code):
                return []
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
        return []
    return patches


def localise(
    workshop: Workshop,
    small: Sequence[Task],
    public: Sequence[Task],
    first: int,
    others: Sequence[Task] = (),
) -> Localisation | None:
    """Return the Localisation of the one function that the tasks ask for, or None.

    `first` is the place, from 1, of the first of the `small` tasks that it gets wrong,
    `others` are public tasks of right functions, which are to stay right.
    """
    try:
        return _Search(workshop, small, public, first, others).found()
    except OutOfBudget:
        return None


class _Search:
    """Tries changes on failing searches, then on a sample, then on all small trees."""

    def __init__(self, workshop, small, public, first, others):
        self.workshop = workshop
        self.small = small = small[: max(MAX_SMALL, first + LOOKED_AT)]
        self.whole = [*others, *small]  # what a change must pass to be told
        self._runs = self._deaths = self._timeouts = 0
        near = self._looked_at(small[first - 1 : first - 1 + LOOKED_AT])
        far = self._looked_at([*small[::EACH], *public])
        wrong = [task for task, right in near + far if not right]
        self.failing = _spread(wrong, MAX_FAILING)
        self.passing = [task for task, right in far if right]
        self.sample = [*_spread(wrong, 4 * MAX_FAILING), *self.passing]

    def _looked_at(self, tasks):
        """Return (task, whether right) of each by the submission itself, while it lives."""
        judged = []
        with suppress(OutOfBudget):
            for pair in zip(tasks, self._judged(None, tasks)):
                judged.append(pair)
                if self._deaths >= MAX_DEATHS // 8:
                    break
        self._deaths = self._timeouts = 0
        return judged

    def found(self):
        if not self.failing:
            return None
        patches, survivors, fixed, helpers = self.workshop.patches(), [], {}, []
        try:
            for _, alike in groupby(patches, key=COST):
                survivors.clear()
                self._try(alike, survivors, fixed, helpers)
                proofs = self._proofs(survivors)
                if proofs:
                    return self._told(proofs)
        except OutOfBudget:
            self._runs = self._deaths = self._timeouts = 0
            return self._told(self._proofs(survivors))
        helpers.sort(key=lambda patch: -fixed[patch.number])
        tried = set()
        for pairs in (_twins(patches, fixed), _others(patches, helpers[:MAX_HELPERS])):
            patch = self._first_right(list(islice(_new(pairs, tried), MAX_PAIRS)))
            if patch:
                return self._told(dict.fromkeys(patch.places, patch), together=True)
        return None

    def _told(self, proofs, together=False):
        """Return the Localisation of the places of proofs, None where they are too many."""
        if not 0 < len(proofs) <= MAX_LINES:
            return None
        function = self.small[0].function
        proven = tuple(dict.fromkeys(proofs.values()))
        return Localisation(function, tuple(proofs), proven, together and len(proofs) > 1)

    def _try(self, patches, survivors, fixed, helpers):
        """Try patches; add those that are right on the whole sample to the survivors.

        `fixed` gets how many searches each puts right, `helpers` those that only help: they
        break none of the searches that are right without them.
        """
        for patch in patches:
            right = fixed[patch.number] = self._put_right(patch)
            if right == len(self.failing) and self._passes(patch, self.sample):
                survivors.append(patch)
            elif right and self._passes(patch, self.passing):
                helpers.append(patch)

    def _put_right(self, patch):
        """Return how many failing searches a change puts right, until it ends a worker."""
        deaths, count = self._deaths, 0
        for right in self._judged(patch, self.failing):
            count += right
            if self._deaths > deaths:
                break
        return count

    def _first_right(self, pairs):
        """Return the first of the cheapest pairs that is right on every small tree."""
        made = self.workshop.patches(pairs) if pairs else []
        tasks = [*self.failing, *self.sample, *self.whole]
        right = (one for one in sorted(made, key=COST) if self._passes(one, tasks))
        return next(right, None)

    def _proofs(self, survivors):
        """Return Place -> a survivor that is right on every small tree, line by line.

        One more than may be told is enough.
        """
        by_line, proofs = {}, {}
        for patch in survivors:
            by_line.setdefault(patch.places[0].line, []).append(patch)
        for line, there in by_line.items():
            proven = (one for one in there[:MAX_PROVEN] if self._passes(one, self.whole))
            proof = next(proven, None)
            if proof:
                after = all(patch.places[0].after for patch in there)
                proofs[Place(line, after, proof.places[0].column)] = proof
            if len(proofs) > MAX_LINES:
                break
        return proofs

    def _passes(self, patch, tasks):
        return all(self._judged(patch, tasks))

    def _judged(self, patch, tasks):
        """Yield for each task whether it is searched rightly; raises OutOfBudget."""
        for task, trace in zip(tasks, self.workshop.run(patch, tasks)):
            self._runs += 1
            self._deaths += not trace.ending.by_itself
            self._timeouts += trace.ending.kind == TIMED_OUT
            if (
                self._runs > MAX_RUNS
                or self._deaths > MAX_DEATHS
                or self._timeouts > MAX_TIMEOUTS
            ):
                raise OutOfBudget
            yield judge(task, trace).right


def _spread(tasks, most):
    """Return at most so many of the tasks: the first, then others at equal distances."""
    return tasks[:: max(1, -(-len(tasks) // most))]


def _twins(patches, fixed):
    """Return pairs of the same change in two places, those first that mend most alone."""
    by_key = {}
    for patch in patches:
        by_key.setdefault(patch.key, []).append(patch)
    pairs = [
        (one, other)
        for alike in by_key.values()
        for one, other in combinations(alike, 2)
        if one.places != other.places or one.cost < edits.STATEMENT
    ]
    return sorted(pairs, key=lambda pair: -sum(fixed.get(one.number, 0) for one in pair))


def _others(patches, helpers):
    """Yield pairs of changes that help, then of one that helps and any other."""
    yield from combinations(helpers, 2)
    yield from product(helpers, patches)


def _new(pairs, tried):
    """Yield the numbers of each pair of changes that was not tried before."""
    for one, other in pairs:
        pair = tuple(sorted((one.number, other.number)))
        if one is not other and pair not in tried:
            tried.add(pair)
            yield pair
