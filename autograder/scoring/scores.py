"""Rubric, rows and points: a row for each function and concept, scored in whole cents."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from autograder.scoring.rubric import (
    AT_THE_LIMITS,
    HALF_POINT,
    PUBLIC,
    VISIBLE,
    Rubric,
    concept_of,
    limit_of,
)
from autograder.scoring.tasks import Task
from gametree.support.judging import DID_NOT_RETURN, Finding, Verdict
from gametree.support.trace import NOT_RUN, RAISED, RETURNED, Ending

NOT_WRITTEN = ("NotImplementedError", "function missing")  # errors of missing functions
SEVERAL_WAYS = "several ways"  # the ending of hidden searches that ended in different ways


class Row(NamedTuple):
    """One function and concept: the results on its trees, and the points for them.

    function: the function's name.
    concept: the concept that its trees test.
    number: the position of the row: "2.07" is the seventh row of alphabeta.
    max_cents: the maximum score of the row, in hundredths of a point.
    tasks: the searches, tree by tree.
    parts: the part that each search counts toward, search by search. Parts have equal
        points. A part is a tree. In the row of limits, a part is a kind of limit: otherwise
        kinds with few trees would earn almost nothing.
    verdicts: the verdict on each search; empty before the run.
    cents: the score of the row, in hundredths of a point.
    visibility: when students see the row, in Gradescope's terms.
    """

    function: str
    concept: str
    number: str
    max_cents: int
    tasks: tuple[Task, ...]
    parts: tuple[str | None, ...]
    verdicts: tuple[Verdict, ...] = ()
    cents: int = 0
    visibility: str = VISIBLE

    @property
    def name(self) -> str:
        """The title of the row for students: the function and the concept."""
        return f"{self.function}: {self.concept}"

    @property
    def is_public(self) -> bool:
        """Whether the trees of the row are public, so that it shows details."""
        return self.concept == PUBLIC

    @property
    def verdicts_by_part(self) -> dict[str | None, list[Verdict]]:
        """Part -> the verdicts on its searches."""
        parts: dict[str | None, list[Verdict]] = {}
        for part, verdict in zip(self.parts, self.verdicts):
            parts.setdefault(part, []).append(verdict)
        return parts

    @property
    def is_right(self) -> bool:
        """Whether the function is correct on every tree."""
        return all_right(self.verdicts)


def all_right(verdicts: Iterable[Verdict]) -> bool:
    """Tell whether every aspect of every search holds."""
    return all(verdict.is_right for verdict in verdicts)


def plan_rows(tasks: Iterable[Task], rubric: Rubric) -> tuple[Row, ...]:
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
            number = f"{function_number}.{row_number:02d}"
            own = tuple(tasks_by_row[function, concept])
            part_of = limit_of if concept == AT_THE_LIMITS else attrgetter("tree.name")
            parts = tuple(map(part_of, own))
            row = Row(function, concept, number, max_cents[concept], own, parts)
            if not row.is_public:
                row = row._replace(visibility=rubric.visibility)
            rows.append(row)
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


def score_rows(
    planned: Iterable[Row], verdicts: Iterable[Verdict], rubric: Rubric
) -> tuple[Row, ...]:
    """Return the planned rows with verdicts and points, in the same order.

    The points of a row are split evenly over its parts, and the worst search of a part
    counts. The points of a search are split over its aspects by the rubric's shares. An
    aspect earns points only if all earlier aspects hold. The score of a row is rounded
    once, to a cent.
    """
    concealed = conceal_hidden_endings(verdicts)
    verdict_of = {verdict.task.key: verdict for verdict in concealed}
    rows = []
    for row in planned:
        row = row._replace(verdicts=tuple(verdict_of[task.key] for task in row.tasks))
        cents = row.max_cents
        if not row.is_right:  # exact shares are slow
            cents = _cents_of(row, rubric)
        rows.append(row._replace(cents=cents))
    return tuple(rows)


def _cents_of(row, rubric):
    """Return the score of a row that was run, in hundredths of a point."""
    shares = []  # of each part, the smallest share that one of its searches earns
    for verdicts_on_part in row.verdicts_by_part.values():
        shares.append(min(earned(rubric, verdict) for verdict in verdicts_on_part))
    return round(row.max_cents * sum(shares) / len(shares))


def conceal_hidden_endings(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return the verdicts, with all hidden details removed except the aspects.

    The way in which a search ends could reveal its hidden tree. So all searches of a
    function that do not return get one common ending, without the name of the exception.
    """
    verdicts = list(verdicts)
    if verdicts and verdicts[0].trace.ending.loading:  # before the program saw any tree
        return verdicts
    common = {}  # function -> the ending of its failed searches of hidden trees
    for verdict in filter(_failed_on_hidden, verdicts):
        function = verdict.task.function
        kind, error, *_ = verdict.trace.ending
        ending = Ending(kind, error if error in NOT_WRITTEN else "")
        if common.setdefault(function, ending) != ending:
            common[function] = Ending(SEVERAL_WAYS)
    concealed = []
    for verdict in verdicts:
        if _failed_on_hidden(verdict):
            finding = Finding(DID_NOT_RETURN, got=common[verdict.task.function])
            verdict = verdict._replace(findings=(finding,))
        concealed.append(verdict)
    return concealed


def _failed_on_hidden(verdict):
    kind = verdict.trace.ending.kind
    return verdict.task.is_hidden and kind not in (RETURNED, NOT_RUN)


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


def earned(rubric: Rubric, verdict: Verdict) -> Fraction:
    """Return the share of a search's points that it earns, from 0 to 1.

    An aspect earns points if it holds and all earlier aspects hold.
    """
    shares = rubric.shares[verdict.task.function]
    percent = Fraction(0)
    for aspect, holds in verdict.aspects.items():
        if not holds:
            break
        percent += shares[aspect]
    return percent / 100


class FunctionScore(NamedTuple):
    """One function's rows and their total, in hundredths of a point."""

    function: str
    rows: tuple[Row, ...]

    @property
    def cents(self) -> int:
        """The total score of the rows."""
        return sum(row.cents for row in self.rows)

    @property
    def max_cents(self) -> int:
        """The maximum score of the rows."""
        return sum(row.max_cents for row in self.rows)

    @property
    def verdicts(self) -> list[Verdict]:
        """The verdicts on all searches of the function, row by row."""
        return [verdict for row in self.rows for verdict in row.verdicts]

    @property
    def is_right(self) -> bool:
        """Whether all rows are correct."""
        return all(row.is_right for row in self.rows)


def function_scores(rows: Iterable[Row]) -> list[FunctionScore]:
    """Return the FunctionScore of each function; its rows follow one another."""
    groups = groupby(rows, key=attrgetter("function"))
    return [FunctionScore(function, tuple(own)) for function, own in groups]


def wrong_functions(rows: Iterable[Row]) -> list[FunctionScore]:
    """Return the scores of the wrong functions, sorted by lost points, largest first."""
    wrong = [score for score in function_scores(rows) if not score.is_right]
    return sorted(wrong, key=lambda score: score.cents - score.max_cents)


def functions_by_loss(
    rows: Iterable[Row], calls: Mapping[str, Collection[str]]
) -> list[str]:
    """Return the names of the wrong functions in the order of their explanations.

    The function with the largest loss is first. A function that calls another wrong
    function comes last, because it may be wrong only because of that call.

    calls: function -> the functions that it calls.
    """
    names = [score.function for score in wrong_functions(rows)]

    def calls_wrong_function(name):
        return any(called in names for called in calls.get(name, ()))

    return sorted(names, key=calls_wrong_function)


def is_right(function: str, verdicts: Iterable[Verdict]) -> bool:
    """Tell whether a function is correct on every tree."""
    own = [verdict for verdict in verdicts if verdict.task.function == function]
    return all_right(own)


def is_stub(function: str, verdicts: Iterable[Verdict]) -> bool:
    """Tell whether a function is wrong because it is missing or not written yet."""
    own = [verdict for verdict in verdicts if verdict.task.function == function]
    return bool(own) and all(_is_unwritten(verdict.trace.ending) for verdict in own)


def _is_unwritten(ending):
    return ending.kind == RAISED and not ending.loading and ending.error in NOT_WRITTEN


def wrong_and_written(function: str, verdicts: Sequence[Verdict]) -> bool:
    """Tell whether a function lost points and is neither a stub nor missing."""
    return not (is_right(function, verdicts) or is_stub(function, verdicts))


def points(cents: float) -> float:
    """Return cents as points, in a float that prints with at most two decimals."""
    return round(cents / 100, 2)


def points_text(cents: float) -> str:
    """Return cents as text, such as 100, 73.5 or 0.74."""
    return f"{points(cents):g}"


def score_text(scored) -> str:
    """Return the score and the maximum of a Row, FunctionScore or Grading: 73.5/100."""
    return f"{points_text(scored.cents)}/{points_text(scored.max_cents)}"
