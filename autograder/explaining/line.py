"""Find the line where one small change makes a submission pass every tree tried.

If there is none, because of a second mistake, it finds the line of a change that repairs
most of the failing trees and spoils no other tree.

The sandbox makes and runs the changes, before the first hidden tree runs, on small, random
and public trees only. The result is data: lines and their relation. Budgets are counts, so
that every machine finds the same line.
"""

from __future__ import annotations

import base64
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice, product
from typing import Any

from autograder.explaining import changes, patches, syntax
from autograder.explaining.changes import COSTS
from autograder.explaining.explanation import (
    Evidence,
    Localisation,
    Patch,
    Place,
    Reading,
)
from autograder.ground.plaintext import program_lines
from autograder.sandbox import Budget, Session
from autograder.scoring.scores import is_right
from autograder.scoring.tasks import Task
from autograder.smalltrees.enumeration import Ladder
from gametree.functions import FUNCTIONS
from gametree.support.judging import Verdict, judge
from gametree.support.trace import NOT_RUN, TIMED_OUT, Trace

MAX_FAILING = 32  # searches on which a change must help
MAX_NEAR = 60  # small trees, from the first wrong one, that are searched for failures
SAMPLE_STEP = 10  # the sample that a change must pass first has every tenth task
MAX_SMALL = 140  # small trees from the beginning of the ladder, which a change must pass
MAX_LINES = 3
MIN_REPAIRED = 0.5  # a repair makes more than this share of the failing searches correct
CONTEXT_LINES = 1  # shown above and below a line

# The budget of one function for a proof, and then for a repair: searches, deaths of workers
# and searches that time out. A death costs as much as twenty searches.
MAX_COSTS = {"searches": 8_000, "deaths": 150, "timeouts": 6}
MAX_DEATHS_UNCHANGED = 18  # that the unchanged submission causes
# Limits of one search. A correct search of a small tree takes a thousandth of this time.
PATCH_LIMITS: dict[str, Any] = {
    "search_cpu_seconds": 0.1,
    "max_timeouts": MAX_COSTS["deaths"],
    "queries_base": 60,
    "queries_factor": 12,
}


class OutOfBudget(Exception):
    """Raised if a submission has used up its budget of searches."""


def find_line(
    evidence: Evidence, failure: Verdict, tried: int, reading: Reading
) -> Localisation | None:
    """Return the Localisation of a function that fails on a small tree, or None.

    If no change is found, the place is the line that raises an exception. No hidden tree
    may have run in the session.

    failure: the verdict on the smallest tree on which the function fails.
    tried: the position of this tree on the ladder, from 1; of a public tree, after it.
    reading: what the text of the program shows.
    """
    session, ladder, verdicts, budget = evidence
    function = failure.task.function
    right = [name for name in FUNCTIONS if is_right(name, verdicts)]
    public = public_tasks_to_pass(function, verdicts, reading)
    tighter = budget.tighter(**PATCH_LIMITS)
    workshop = Workshop(session, function, right, tighter)
    found = None
    if failure.trace.ending.error != "NameError":  # its line is its cause
        tasks = tasks_to_pass(ladder, failure.task, tried)
        found = localise(workshop, tasks, public)
    raised_at = failure.trace.text.line
    if found is None and raised_at:
        found = Localisation((Place(raised_at),))
    if found is None:
        return None
    lines = _lines_around(session.source, found.places)
    return found._replace(text=lines) if lines else None


def public_tasks_to_pass(
    function: str, verdicts: Sequence[Verdict], reading: Reading
) -> list[Task]:
    """Return the public tasks that a change of a function must pass.

    They are its own tasks, those of the correct functions, and the correct searches of
    another function that prunes. So to remove a cutoff that alphabeta needs does not fix
    minimax. A function that calls the changed one is fixed later, so it does not count.
    """
    kept = set()
    for name, record in FUNCTIONS.items():
        calls = reading.text_of(name).calls
        prunes_alone = record.has_window and function not in calls
        if prunes_alone or is_right(name, verdicts):
            kept.add(name)
    tasks = []
    for verdict in verdicts:
        name = verdict.task.function
        if name == function or (verdict.is_right and name in kept):
            tasks.append(verdict.task)
    return tasks


def tasks_to_pass(ladder: Ladder, failing: Task, tried: int) -> list[Task]:
    """Return the tasks that a change must pass, beginning with a failing task.

    The first MAX_NEAR tasks search this tree and the trees after it. The others search
    small trees from the beginning, and random trees.

    tried: see find_line().
    """
    function = failing.function
    end = tried + MAX_NEAR - 1
    small = list(islice(ladder.tasks(function), max(MAX_SMALL, end)))
    near = [failing, *small[tried:end]]
    others = small[: tried - 1] + small[end:]
    return [*near, *others[:MAX_SMALL], *ladder.random_tasks(function)]


def _lines_around(source, places):
    """Return number -> text of the lines at the places and around them."""
    text = {}
    for number, line in enumerate(program_lines(source), start=1):
        if any(abs(place.line - number) <= CONTEXT_LINES for place in places):
            text[number] = line
    return text


class Workshop:
    """Makes and runs patches of one submission in the workers of a Session.

    right: see patches.sites_of().
    """

    def __init__(
        self,
        session: Session,
        function: str,
        right: list[str],
        budget: Budget,
    ):
        self._session = session
        self._budget = budget
        self._arguments = function, right

    def patches(self, cost: int, places: int) -> list[Patch]:
        """Return the patches of one of COSTS that change one place, or two.

        The list is empty if the text could not be read in time.
        """
        data = self._session.use_tool(
            patches.make_patches,
            *self._arguments,
            cost,
            places,
            helpers=[syntax.__name__, changes.__name__],
            budget=self._budget,
        )
        return patches_from(data, self._session.source)

    def run(self, searches: Iterable[tuple[bytes, Task]]) -> Iterator[Trace]:
        """Yield the traces of searches: the code of a patch, or b"", and a task.

        Raises OutOfBudget if a search was not run.
        """
        for trace in self._session.run_changed(searches, self._budget):
            if trace.ending.kind == NOT_RUN:
                raise OutOfBudget
            yield trace


def patches_from(data: bytes, source: bytes) -> list[Patch]:
    """Return the Patches that patches.make_patches() wrote, or [] for no data.

    source: the program.
    """
    patches = []
    lines = program_lines(source)
    for fields in json.loads(data or b"[]"):
        fields["code"] = base64.b64decode(fields["code"])
        fields["places"] = tuple(_place(lines, *place) for place in fields["places"])
        fields["names_added"] = tuple(fields["names_added"])
        patches.append(Patch(**fields))
    return patches


def _place(lines, line, after, block, start, end):
    """Return a Place. Python counts the bytes of a part's columns in UTF-8."""
    if start is None:
        return Place(line, after, block)
    content = "".join(lines[line - 1 : line]).encode()
    first = len(content[:start].decode(errors="replace"))
    width = len(content[start:end].decode(errors="replace"))
    return Place(line, after, block, (first, first + width))


def localise(
    workshop: Workshop,
    tasks: Sequence[Task],
    public: Sequence[Task],
) -> Localisation | None:
    """Return the Localisation of the function that the tasks call, or None.

    tasks: the result of tasks_to_pass().
    public: its tasks of public trees, and those of correct functions.
    """
    try:
        return _LineSearch(workshop, tasks, public).find()
    except OutOfBudget:
        return None


class _LineSearch:
    """Tries changes on failing searches and a sample, then on all other tasks.

    failing: some tasks on which the submission fails.
    sample: the tasks that a proven change must pass first, failing tasks first.
    others: the tasks that it must also pass to be shown.
    """

    def __init__(self, workshop, tasks, public):
        self.workshop = workshop
        self.costs = Counter()
        tried = [*tasks[:MAX_NEAR], *tasks[MAX_NEAR::SAMPLE_STEP]]
        passing, wrong = self._run_unchanged(tried)
        step = math.ceil(len(wrong) / MAX_FAILING) or 1
        self.failing = wrong[::step]
        self.sample = [*self.failing, *passing]
        sample = {*self.sample}
        self.others = [task for task in (*public, *tasks) if task not in sample]

    def _run_unchanged(self, tasks):
        """Return (passing tasks, failing tasks), until too many workers have ended.

        The budget begins anew before these searches and after them.
        """
        self.costs.clear()
        results = {True: [], False: []}
        with suppress(OutOfBudget):
            unchanged = [(b"", task) for task in tasks]
            for task, passes in zip(tasks, self._results(unchanged)):
                results[passes].append(task)
                if self.costs["deaths"] >= MAX_DEATHS_UNCHANGED:
                    break
        self.costs.clear()
        return results[True], results[False]

    def find(self):
        """Return the Localisation, or None. Raises OutOfBudget.

        The cheapest patches are tried first: those at one place, then those at two.
        """
        if not self.failing:
            return None
        helpful = []
        for cost, places in product(COSTS, (1, 2)):
            helping = self._helping(self.workshop.patches(cost, places))
            survivors = [patch for patch in helping if self._passes(patch, self.sample)]
            proofs = self._prove(survivors)
            if proofs:
                return self._proven(proofs, survivors)
            helpful += helping
        return self._repaired(helpful)

    def _helping(self, patches):
        """Return the patches that pass the first failing task. Few do."""
        first = self.failing[0]
        results = self._results([(patch.code, first) for patch in patches])
        return [patch for patch, passes in zip(patches, results) if passes]

    def _prove(self, survivors):
        """Return survivors that pass the other tasks too, one for each line.

        It stops as soon as there are too many lines to show, or two lines that must both
        change.
        """
        proofs = {}  # lines -> a survivor
        for patch in survivors:
            lines = tuple(_lines_of(patch))
            if lines in proofs or not self._passes(patch, self.others):
                continue
            proofs[lines] = patch
            if len(lines) > 1 or len(proofs) > MAX_LINES:
                break
        return list(proofs.values())

    def _proven(self, proofs, survivors):
        """Return the Localisation of proven changes, or None if they have many lines."""
        places = [place for patch in proofs for place in _widened(patch, survivors)]
        if len({place.line for place in places}) > MAX_LINES:
            return None
        return Localisation(tuple(places), tuple(proofs))

    def _repaired(self, helpful):
        """Return the Localisation of the best repair at one place, or None.

        A repair spoils no passing task, and it makes most failing tasks correct. So a
        change that only switches cutoffs off is not a repair.
        """
        passing, failing = self._run_unchanged([*self.sample, *self.others])
        best = None
        most = MIN_REPAIRED * len(self.failing)
        for patch in helpful:
            if len(patch.places) > 1:
                continue
            count = self._count(patch, self.failing)
            if count > most and self._is_repair(patch, passing, failing):
                best = patch
                most = count
        if best is None:
            return None
        return Localisation(best.places, repair=best)

    def _is_repair(self, patch, passing, failing):
        """Tell whether a patch passes all passing tasks and most failing ones."""
        if not self._passes(patch, passing):
            return False
        return self._count(patch, failing) > MIN_REPAIRED * len(failing)

    def _count(self, patch, tasks):
        """Return the number of tasks that a patch passes."""
        return sum(self._results([(patch.code, task) for task in tasks]))

    def _passes(self, patch, tasks):
        return all(self._results([(patch.code, task) for task in tasks]))

    def _results(self, searches):
        """Yield for each search whether it is correct; raise OutOfBudget."""
        for (_, task), trace in zip(searches, self.workshop.run(searches)):
            self.costs["searches"] += 1
            self.costs["deaths"] += not trace.ending.by_itself
            self.costs["timeouts"] += trace.ending.kind == TIMED_OUT
            if any(self.costs[name] > limit for name, limit in MAX_COSTS.items()):
                raise OutOfBudget
            yield judge(task, trace).is_right


def _lines_of(patch):
    return [place.line for place in patch.places]


def _widened(patch, others):
    """Return the places of a patch, with the columns of others that change its lines.

    So the part that is marked contains each part that may have to change.
    """
    alike = [other.places for other in others if _lines_of(other) == _lines_of(patch)]
    return [_union(places) for places in zip(*alike)]


def _union(places):
    """Return the first of some places in one line, with the columns of all of them."""
    columns = [place.columns for place in places if place.columns]
    if not columns:
        return places[0]
    starts, ends = zip(*columns)
    return places[0]._replace(columns=(min(starts), max(ends)))
