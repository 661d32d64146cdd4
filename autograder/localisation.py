"""Find the line in a wrong submission where one small change makes all small trees right.

The changes are made and tried in the sandbox, before the first hidden tree, on small and
public trees alone. What is found is data: lines, and how they hang together. Budgets are
counts, so that the same is found on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.util import find_spec
from itertools import combinations, groupby, islice, product
from types import CodeType
from typing import Protocol

from autograder.counterexample import Counterexample
from autograder.judging.verdict import Verdict, verdict_on
from autograder.mistakes import changes, repairs
from autograder.mistakes.diagnosis import is_right
from autograder.plaintext import program_lines
from autograder.sandbox import Session
from autograder.smalltrees.enumeration import Ladder
from autograder.tasks import STRICT, RunPair, Task
from gametree.functions import FUNCTIONS
from gametree.trace import TIMED_OUT, Trace

MOST_FAILING = 8  # searches on which a change must help
LOOKED_AT = 300  # small trees from the first wrong one on, where the failing ones are found
EACH = 40  # of so many small trees, one is in the sample that a change must pass first
MOST_HELPERS = 10  # changes that only help, each of which is tried with a second one
MOST_PAIRS = 400
MOST_PROVEN = 2  # changes at a line that are tried on every small tree
MOST_LINES = 3
AROUND = 2  # lines above and below the one to look at

MOST_RUNS = 14_000  # searches in all
MOST_DEATHS = 250  # of workers, each of which costs as much as twenty searches
MOST_TIMEOUTS = 6
# Of one search; a right one of a small tree takes a thousandth of these seconds.
SEARCH_CPU_SECONDS = 0.1
LOAD_CPU_SECONDS = 0.3  # of a changed program, which may run searches while it loads
QUERIES_BASE, QUERIES_FACTOR = 60, 12
MOST_SECONDS = 30.0  # a safeguard for code that sleeps: then there is no line


@dataclass(frozen=True)
class Variant:
    """A changed submission. `places` holds (lines, whether after them) of each change.

    Any of such lines may be looked at. `key` is equal for the same change elsewhere,
    `what` says the change, `cost` how much it changes.
    """

    number: int
    code: bytes = field(repr=False)
    places: tuple[tuple[tuple[int, ...], bool], ...]
    cost: int
    key: int
    what: str


@dataclass(frozen=True)
class Place:
    """A line of the submission; `after` says that something is missing after it."""

    line: int
    after: bool = False


@dataclass(frozen=True)
class Localisation:
    """Where one small change makes a function right on every small tree.

    At each of the `places` there is such a change, the one of `proofs` that stands in the
    same place; where they are `together`, the only one is made at all of them. `text` maps
    the numbers of the lines around to what the submission has there.
    """

    function: str
    places: tuple[Place, ...]
    proofs: tuple[Variant, ...]
    together: bool = False
    text: dict[int, str] = field(default_factory=dict, repr=False)


class Workshop(Protocol):
    """Makes variants of one submission and runs them."""

    def variants(self, pairs: Sequence[tuple[int, int]] = ()) -> list[Variant]:
        """Return the variants, cheapest first; of `pairs`, if given, those alone."""

    def run(self, variant: Variant | None, tasks: Iterable[Task]) -> Iterator[Trace]:
        """Yield the trace of each task by a variant, None for the submission itself."""


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

    `verdicts` are those of the public trees. No hidden tree was run in the session.
    """
    function = counterexample.verdict.task.function
    public = [v.task for v in verdicts if v.task.function == function]
    asked = {v.task.function for v in verdicts}
    right = [n for n in FUNCTIONS if n in asked and is_right(n, verdicts)]
    others = [v.task for v in verdicts if v.task.function in right]
    limits = {
        **{"queries_base": QUERIES_BASE, "queries_factor": QUERIES_FACTOR},
        "load_cpu_seconds": min(LOAD_CPU_SECONDS, session.load_cpu_seconds),
    }
    seconds = min(MOST_SECONDS, session.seconds_left() / 2)
    with session.limited(seconds, SEARCH_CPU_SECONDS, **limits):
        workshop = SessionWorkshop(session, function, right, convention == STRICT)
        small = list(ladder.tasks(function))
        found = localise(workshop, small, public, counterexample.tried, others)
    return found and replace(found, text=_lines_around(session.source, found.places))


def _lines_around(source, places):
    """Return number -> text of the lines at the places and around them."""
    lines = program_lines(source)
    near = {place.line + away for place in places for away in range(-AROUND, AROUND + 1)}
    return {
        number: lines[number - 1] for number in sorted(near) if 0 < number <= len(lines)
    }


class SessionWorkshop:
    """A Workshop whose variants are made and run by the workers of a Session."""

    def __init__(self, session: Session, function: str, right: list[str], strict: bool):
        self._session = session
        self._given = function, right, strict

    def variants(self, pairs: Sequence[tuple[int, int]] = ()) -> list[Variant]:
        """Return the variants; none where the text could not be read in time."""
        return variants_from(self._session.use_tool(tool(), *self._given, list(pairs)))

    def run(self, variant: Variant | None, tasks: Iterable[Task]) -> Iterator[Trace]:
        """Yield traces; raises OutOfBudget where there is no time for another one."""
        for trace in self._session.run_changed(variant.code if variant else b"", tasks):
            if self._session.out_of_time():
                raise OutOfBudget
            yield trace


def variants_from(data: bytes) -> list[Variant]:
    """Return the Variants that repairs.made() packed, none where the data is no such."""
    begin, variants = 4 + int.from_bytes(data[:4], "little"), []
    try:
        for one in json.loads(data[4:begin] or b"[]"):
            end = begin + int(one["size"])
            places = tuple(
                (tuple(map(int, lines)), bool(after)) for lines, after in one["places"]
            )
            number, cost, key = (int(one[name]) for name in ("number", "cost", "key"))
            code, what = data[begin:end], str(one["what"])
            if not (all(lines for lines, _ in places) and places and begin < end):
                return []
            variants.append(Variant(number, code, places, cost, key, what))
            begin = end
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        return []
    return variants


@cache
def tool() -> list[tuple[str, CodeType]]:
    """Return (name, code) of the modules that make variants."""
    names = changes.__name__, repairs.__name__
    return [(name, find_spec(name).loader.get_code(name)) for name in names]


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
        self.small = small
        self.whole = [*others, *small]  # what a change must pass to be told
        self._runs = self._deaths = self._timeouts = 0
        near, far = small[first - 1 : first - 1 + LOOKED_AT], [*small[::EACH], *public]
        near, far = self._looked_at(near), self._looked_at(far)
        wrong = [task for task, right in near + far if not right]
        self.failing = _spread(wrong, MOST_FAILING)
        self.passing = [task for task, right in far if right]
        self.sample = [*_spread(wrong, 4 * MOST_FAILING), *self.passing]

    def _looked_at(self, tasks):
        """Return (task, whether right) of each by the submission itself, while it lives."""
        judged = []
        with suppress(OutOfBudget):
            for pair in zip(tasks, self._judged(None, tasks)):
                judged.append(pair)
                if self._deaths >= MOST_DEATHS // 8:
                    break
        self._deaths = self._timeouts = 0
        return judged

    def found(self):
        if not self.failing:
            return None
        variants, survivors, fixed, helpers = self.workshop.variants(), [], {}, []
        try:
            for _, alike in groupby(variants, key=_cost):
                survivors.clear()
                self._try(alike, survivors, fixed, helpers)
                if survivors and (places := self._places(survivors)) != {}:
                    return self._told_of(places)
        except OutOfBudget:
            self._runs = self._deaths = self._timeouts = 0
            return self._told_of(self._places(survivors))
        helpers.sort(key=lambda variant: -fixed[variant.number])
        tried = set()
        for pairs in (_twins(variants, fixed), _others(variants, helpers[:MOST_HELPERS])):
            variant = self._first_right(list(islice(_new(pairs, tried), MOST_PAIRS)))
            if variant:
                places = (Place(lines[0], after) for lines, after in variant.places)
                return self._told(places, [variant], together=True)
        return None

    def _told_of(self, places):
        return self._told(places, places.values()) if places else None

    def _told(self, places, proofs, together=False):
        places = tuple(dict.fromkeys(places))
        together = together and len(places) > 1
        function = self.small[0].function
        return Localisation(function, places, tuple(proofs), together)

    def _try(self, variants, survivors, fixed, helpers):
        """Try variants; add those that are right on the whole sample to the survivors.

        `fixed` gets how many searches each puts right, `helpers` those that only help: they
        break none of the searches that are right without them.
        """
        for variant in variants:
            right = fixed[variant.number] = self._put_right(variant)
            if right == len(self.failing) and self._passes(variant, self.sample):
                survivors.append(variant)
            elif right and self._passes(variant, self.passing):
                helpers.append(variant)

    def _put_right(self, variant):
        """Return how many failing searches a change puts right, until it ends a worker."""
        deaths, count = self._deaths, 0
        for right in self._judged(variant, self.failing):
            count += right
            if self._deaths > deaths:
                break
        return count

    def _first_right(self, pairs):
        """Return the first of the cheapest pairs that is right on every small tree."""
        made = self.workshop.variants(pairs) if pairs else []
        tasks = [*self.failing, *self.sample, *self.whole]
        right = (one for one in sorted(made, key=_cost) if self._passes(one, tasks))
        return next(right, None)

    def _places(self, survivors):
        """Return the fewest Places that hold all survivors, with a proven one of each.

        None where they are too many, empty where nothing is proven.
        """
        while survivors:
            proven = {}
            for place, there in _fewest(survivors).items():
                right = (v for v in there[:MOST_PROVEN] if self._passes(v, self.whole))
                proven[place] = next(right, None)
                if proven[place] is None:
                    survivors = [one for one in survivors if one not in there]
                if len(proven) > MOST_LINES:
                    return None
            if None not in proven.values():
                return proven
        return {}

    def _passes(self, variant, tasks):
        return all(self._judged(variant, tasks))

    def _judged(self, variant, tasks):
        """Yield for each task whether it is searched rightly; raises OutOfBudget."""
        for task, trace in zip(tasks, self.workshop.run(variant, tasks)):
            self._runs += 1
            self._deaths += not trace.ending.by_itself
            self._timeouts += trace.ending.kind == TIMED_OUT
            if (
                self._runs > MOST_RUNS
                or self._deaths > MOST_DEATHS
                or self._timeouts > MOST_TIMEOUTS
            ):
                raise OutOfBudget
            yield verdict_on(task, RunPair(trace)).right


def _cost(variant):
    return variant.cost


def _spread(tasks, most):
    """Return at most so many of the tasks: the first, then others at equal distances."""
    return tasks[:: max(1, -(-len(tasks) // most))]


def _twins(variants, fixed):
    """Return pairs of the same change in two places, those first that mend most alone."""
    by_key = {}
    for variant in variants:
        by_key.setdefault(variant.key, []).append(variant)
    pairs = [
        (one, other)
        for alike in by_key.values()
        for one, other in combinations(alike, 2)
        if one.places != other.places or one.cost < repairs.LARGE
    ]
    return sorted(pairs, key=lambda pair: -sum(fixed.get(one.number, 0) for one in pair))


def _others(variants, helpers):
    """Yield pairs of changes that help, then of one that helps and any other."""
    yield from combinations(helpers, 2)
    yield from product(helpers, variants)


def _new(pairs, tried):
    """Yield the numbers of each pair of changes that was not tried before."""
    for one, other in pairs:
        pair = tuple(sorted((one.number, other.number)))
        if one is not other and pair not in tried:
            tried.add(pair)
            yield pair


def _fewest(variants):
    """Return the fewest Places, in order, that hold one line of each variant.

    Each Place has the variants that it holds, the first of all first.
    """
    left, places = list(variants), {}
    while left:
        options = {}
        for order, variant in enumerate(left):
            lines, after = variant.places[0]
            for line in lines:
                options.setdefault(line, []).append((order, after, variant))
        line = max(options, key=lambda n: (len(options[n]), -options[n][0][0]))
        there = [variant for _, _, variant in options[line]]
        places[Place(line, all(after for _, after, _ in options[line]))] = there
        left = [variant for variant in left if variant not in there]
    return places
