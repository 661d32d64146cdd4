"""Rubric, rows and points: a row for each function and concept, scored in whole cents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from autograder.scoring.features import AT_THE_LIMITS, PUBLIC, concept_of, limit_of
from autograder.scoring.rubric import HALF_POINT, VISIBLE, Rubric
from autograder.scoring.tasks import Task
from gametree.support.judging import Verdict
from gametree.support.trace import NOT_RUN, RAISED, RETURNED, Ending

FUNCTION_MISSING = "function missing"
NOT_WRITTEN = ("NotImplementedError", FUNCTION_MISSING)  # errors of missing functions
SEVERAL_WAYS = "several ways"  # the ending of hidden searches that ended in different ways


class Result(NamedTuple):
    """What a row knows of one search: neither its tree, nor its events, nor its answer.

    aspects: aspect -> whether it is correct.
    ending: how the search ended. All searches of hidden trees by one function that were
        run and did not return have one common ending.
    """

    aspects: dict[str, bool]
    ending: Ending

    @property
    def is_right(self) -> bool:
        """Whether every aspect holds."""
        return all(self.aspects.values())

    @property
    def was_run(self) -> bool:
        """Whether the search was run at all: else it is neither right nor wrong."""
        return self.ending.kind != NOT_RUN

    @property
    def has_returned(self) -> bool:
        """Whether the search returned an answer."""
        return self.ending.kind == RETURNED


class Part(NamedTuple):
    """A part of a row: a tree, or a kind of limit. Its worst search counts.

    title: the lesson of the tree, or the kind of limit.
    results: the Results of its searches.
    """

    title: str
    results: tuple[Result, ...]

    @property
    def is_right(self) -> bool:
        """Whether all its searches are correct."""
        return all_right(self.results)

    @property
    def stopped(self) -> Result | None:
        """The Result of its first search that did not return, or None."""
        return next((result for result in self.results if not result.has_returned), None)

    @property
    def wrong_aspect(self) -> str:
        """The first aspect that is wrong in one of its searches, or ""."""
        for aspect in self.results[0].aspects:
            if not all(result.aspects[aspect] for result in self.results):
                return aspect
        return ""


class Row(NamedTuple):
    """One function and concept: the results on its trees, and the points for them.

    function: the function's name.
    concept: the concept that its trees test.
    number: the position of the row: "2.07" is the seventh row of alphabeta.
    max_cents: the maximum score of the row, in hundredths of a point.
    visibility: when students see the row, in Gradescope's terms.
    parts: its parts, with the Results of their searches; none before the run.
    cents: the score of the row, in hundredths of a point.
    """

    function: str
    concept: str
    number: str
    max_cents: int
    visibility: str
    parts: tuple[Part, ...] = ()
    cents: int = 0

    @property
    def name(self) -> str:
        """The title of the row for students: the function and the concept."""
        return f"{self.function}: {self.concept}"

    @property
    def is_public(self) -> bool:
        """Whether the trees of the row are public, so that it shows details."""
        return self.concept == PUBLIC

    @property
    def results(self) -> list[Result]:
        """The Results of the row, part by part."""
        return [result for part in self.parts for result in part.results]

    @property
    def is_right(self) -> bool:
        """Whether the function is correct on every tree."""
        return all_right(self.parts)


class PlannedRow(NamedTuple):
    """A row before the run, with its searches.

    row: the Row, without results.
    parts: the title and the searches of each part; the parts have equal points. A part is
        a tree. In the row of limits, a part is a kind of limit: otherwise kinds with few
        trees would earn almost nothing.
    """

    row: Row
    parts: tuple[tuple[str, tuple[Task, ...]], ...]

    @property
    def tasks(self) -> list[Task]:
        """The searches of the row, part by part."""
        return [task for _, tasks in self.parts for task in tasks]

    def scored(self, results: Mapping[Task, Result], rubric: Rubric) -> Row:
        """Return the row with these results and its score."""
        parts = []
        for title, tasks in self.parts:
            parts.append(Part(title, tuple(results[task] for task in tasks)))
        row = self.row._replace(parts=tuple(parts), cents=self.row.max_cents)
        if row.is_right:  # exact shares are slow
            return row
        return row._replace(cents=_cents_of(row, rubric))


def _cents_of(row, rubric):
    """Return the score of a row with results, in hundredths of a point."""
    shares = []  # of each part, the smallest share that one of its searches earns
    for part in row.parts:
        wrong = [result.aspects for result in part.results if not result.is_right]
        of_part = [earned(rubric, row.function, aspects) for aspects in wrong]
        shares.append(min(of_part, default=1))
    return round(row.max_cents * sum(shares) / len(shares))


def all_right(judged: Iterable[Verdict | Result | Part | Row]) -> bool:
    """Tell whether every aspect of every search holds."""
    return all(record.is_right for record in judged)


def plan_rows(tasks: Iterable[Task], rubric: Rubric) -> tuple[PlannedRow, ...]:
    """Return the rows of tasks that have not run yet, function by function.

    The rows of a function are in the order of the rubric. A concept without trees has no
    row, so the other rows share its points.
    """
    tasks_by_row = _group_tasks(tasks, rubric)
    rows = []
    for function_number, function in enumerate(rubric.cents, start=1):
        listed = rubric.rows[function]
        concepts = [name for name in listed if (function, name) in tasks_by_row]
        max_cents = row_cents(rubric, function, concepts)
        for row_number, concept in enumerate(concepts, start=1):
            row = Row(
                function,
                concept,
                number=f"{function_number}.{row_number:02d}",
                max_cents=max_cents[concept],
                visibility=VISIBLE if concept == PUBLIC else rubric.visibility,
            )
            parts = _plan_parts(concept, tasks_by_row[function, concept])
            rows.append(PlannedRow(row, parts))
    return tuple(rows)


def _group_tasks(tasks, rubric):
    """Return (function, concept) -> its tasks."""
    groups = {}
    for task in tasks:
        concept = PUBLIC
        if task.is_hidden:
            concept = concept_of(task, rubric.rows[task.function])
        groups.setdefault((task.function, concept), []).append(task)
    return groups


def _plan_parts(concept, tasks):
    """Return the parts of a row with these tasks."""
    groups = {}
    for task in tasks:
        name = limit_of(task) if concept == AT_THE_LIMITS else task.tree.name
        groups.setdefault(name, []).append(task)
    parts = []
    for name, own in groups.items():
        title = name if concept == AT_THE_LIMITS else own[0].tree.lesson
        parts.append((title, tuple(own)))
    return tuple(parts)


def score_rows(
    planned: Iterable[PlannedRow], verdicts: Iterable[Verdict], rubric: Rubric
) -> tuple[Row, ...]:
    """Return the planned rows with results and points, in the same order.

    The points of a row are split evenly over its parts, and the worst search of a part
    counts. The points of a search are split over its aspects by the rubric's shares. An
    aspect earns points only if all earlier aspects hold. The score of a row is rounded
    once, to a cent.
    """
    results = narrow_results(verdicts)
    return tuple(row.scored(results, rubric) for row in planned)


def narrow_results(verdicts: Iterable[Verdict]) -> dict[Task, Result]:
    """Return the Result of each task, which has no hidden detail except the aspects.

    The way in which a search ends could reveal its hidden tree. So all searches of hidden
    trees by a function that do not return get one common ending, without the name of the
    exception.
    """
    verdicts = list(verdicts)
    common: dict[str, Ending] = {}  # function -> the ending of its failed hidden searches
    for verdict in filter(_failed_on_hidden, verdicts):
        function = verdict.task.function
        ending = _without_name(verdict.trace.ending)
        if common.setdefault(function, ending) != ending:
            common[function] = Ending(SEVERAL_WAYS)
    results = {}
    for verdict in verdicts:
        ending = verdict.trace.ending
        if _failed_on_hidden(verdict):
            ending = common[verdict.task.function]
        results[verdict.task] = Result(verdict.aspects, ending)
    return results


def _failed_on_hidden(verdict):
    """Tell whether a search of a hidden tree was begun and did not return."""
    ending = verdict.trace.ending
    began = not ending.loading and ending.kind != NOT_RUN
    return verdict.task.is_hidden and began and ending.kind != RETURNED


def _without_name(ending):
    """Return an ending without the name of the exception, unless nothing was written."""
    return Ending(ending.kind, ending.error if ending.error in NOT_WRITTEN else "")


def row_cents(rubric: Rubric, function: str, concepts: Iterable[str]) -> dict[str, int]:
    """Split a function's points over these concepts, in half points with an exact total.

    Each concept gets its share of the half points, rounded down. The half points that
    remain go to the concepts that lost most by rounding.
    """
    shares = {name: rubric.rows[function][name] for name in concepts}
    total = rubric.cents[function] // HALF_POINT
    exact = {name: total * share / sum(shares.values()) for name, share in shares.items()}
    halves = {name: int(number) for name, number in exact.items()}
    remaining = total - sum(halves.values())
    by_remainder = sorted(halves, key=lambda name: halves[name] - exact[name])
    for name in by_remainder[:remaining]:
        halves[name] += 1
    return {name: HALF_POINT * number for name, number in halves.items()}


def earned(rubric: Rubric, function: str, aspects: Mapping[str, bool]) -> Fraction:
    """Return the share of a search's points that it earns, from 0 to 1.

    An aspect earns points if it holds and all earlier aspects hold.

    aspects: aspect -> whether it is correct, in the order of judging.
    """
    shares = rubric.shares[function]
    percent = Fraction(0)
    for aspect, holds in aspects.items():
        if not holds:
            break
        percent += shares[aspect]
    return percent / 100


class Score(NamedTuple):
    """Some rows of a grading, with their total.

    rows: the rows.
    function: the function of all these rows, or "".
    """

    rows: tuple[Row, ...]
    function: str = ""

    @property
    def cents(self) -> int:
        """The total score, in hundredths of a point."""
        return sum(row.cents for row in self.rows)

    @property
    def max_cents(self) -> int:
        """The maximum score, in hundredths of a point."""
        return sum(row.max_cents for row in self.rows)

    @property
    def results(self) -> list[Result]:
        """The Results of all searches, row by row."""
        return [result for row in self.rows for result in row.results]

    @property
    def is_right(self) -> bool:
        """Whether all rows are correct."""
        return all_right(self.rows)


def function_scores(rows: Iterable[Row]) -> list[Score]:
    """Return the Score of each function; its rows follow one another."""
    groups = groupby(rows, key=attrgetter("function"))
    return [Score(tuple(own), function) for function, own in groups]


def wrong_functions(rows: Iterable[Row]) -> list[Score]:
    """Return the scores of the wrong functions, sorted by lost points, largest first."""
    wrong = [score for score in function_scores(rows) if not score.is_right]
    return sorted(wrong, key=lambda score: score.cents - score.max_cents)


def is_right(function: str, verdicts: Iterable[Verdict]) -> bool:
    """Tell whether a function is correct on every tree."""
    own = [verdict for verdict in verdicts if verdict.task.function == function]
    return all_right(own)


def is_stub(function: str, verdicts: Iterable[Verdict]) -> bool:
    """Tell whether a function is wrong because it is missing or not written yet."""
    own = [verdict for verdict in verdicts if verdict.task.function == function]
    return is_unwritten(verdict.trace.ending for verdict in own)


def is_unwritten(endings: Iterable[Ending]) -> bool:
    """Tell whether all searches ended because a function is missing or not written yet."""
    endings = list(endings)
    return bool(endings) and all(map(_shows_stub, endings))


def _shows_stub(ending):
    return ending.kind == RAISED and not ending.loading and ending.error in NOT_WRITTEN


def wrong_and_written(function: str, verdicts: Sequence[Verdict]) -> bool:
    """Tell whether a function lost points and is neither a stub nor missing."""
    return not (is_right(function, verdicts) or is_stub(function, verdicts))


def points(cents: float) -> float:
    """Return cents as points, in a float that prints with at most two decimals."""
    return round(cents / 100, 2)


def points_text(cents: float | None) -> str:
    """Return cents as text, such as 100, 73.5 or 0.74, and None as ""."""
    return "" if cents is None else f"{points(cents):g}"


def score_text(scored: Row | Score) -> str:
    """Return the score and the maximum of one or more rows: 73.5/100."""
    return f"{points_text(scored.cents)}/{points_text(scored.max_cents)}"
