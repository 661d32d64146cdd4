"""Read rubric.yaml: points, shares, the cutoff convention, limits."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from autograder.judging.concepts import DEPTH, WEIGHTS
from autograder.judging.scores import VISIBILITIES, VISIBLE
from autograder.judging.verdict import Verdict
from autograder.sandbox.conversation import Limits
from autograder.tasks import CONVENTIONS, EQUALITY, STRICT
from gametree.functions import FUNCTIONS, NODE_COUNT, OPTIONAL

KEYS = (
    "points", "concepts", "shares", "cutoff", "by_hand", "extra_credit", "course_reports",
    "title", "accept_names", "hints", "visibility", "depth_limited", "limits",
)  # fmt: skip
LIMITS = (
    "search_cpu_seconds", "search_wall_seconds", "load_cpu_seconds", "total_seconds",
    "memory_megabytes",
)  # fmt: skip
ALL_OTHERS = "all others"  # rows that `visibility` does not name
SOME, HALF = "some", "half"  # of the searches have a limited depth
STAFF, STUDENTS = "staff", "students"
TITLE = "Minimax and alpha-beta"  # of the assignment, where the rubric has none
NAMES = ("exact", "near")  # that a submission's file may have
# How much is said of what is wrong: each says more than the one before.
HINTS = NONE, MISTAKE, LINE, CHANGE = "none", "mistake", "line", "change"


class RubricError(Exception):
    """A rubric that cannot be used; str says in one line where and what to write."""


@dataclass(frozen=True)
class Rubric:
    """The rubric, checked. `cents` maps function -> points in hundredths.

    It, `weights` and `shares` have just the functions that are asked, in the table's
    order, and `shares` just the aspects that are judged.
    `weights` maps function -> concept -> its part of the function's points, `shares`
    function -> aspect -> per cent of a tree's points. `extra_cents` maps optional
    function -> hundredths of a point, 0 where it is off; `by_hand_cents` are those of
    byhand.yaml, 0 where the part is off. `handed_out` says that students get the reports
    of a course, `hints` is one of HINTS. `title` is the assignment's. `near_names`
    accepts a file that is called nearly search.py. `visibility` maps rows, concepts,
    functions or all others to when students see them. `half_limited` says that half of
    the searches have a limited depth, for half of the points.
    """

    cents: dict[str, int]
    weights: dict[str, dict[str, Fraction]]
    shares: dict[str, dict[str, float]]
    cutoff: str
    limits: Limits
    extra_cents: dict[str, int]
    handed_out: bool = False
    by_hand_cents: int = 0
    title: str = TITLE
    near_names: bool = False
    hints: str = LINE
    visibility: dict[str, str] = field(default_factory=dict)
    half_limited: bool = False

    @property
    def asked(self) -> dict[str, tuple[str, ...]]:
        """Function -> the aspects that are judged, of the functions that are asked."""
        return {function: tuple(shares) for function, shares in self.shares.items()}

    def allows(self, hint: str) -> bool:
        """Tell whether a wrong submission is told that much."""
        return HINTS.index(hint) <= HINTS.index(self.hints)

    def visibility_of(self, function: str, concept: str) -> str:
        """Return when students see a row; what names it most closely decides."""
        keys = (f"{function}: {concept}", concept, function, ALL_OTHERS)
        return next((self.visibility[k] for k in keys if k in self.visibility), VISIBLE)

    def row_cents(self, function: str, concepts: Iterable[str]) -> dict[str, int]:
        """Split a function's points over these concepts: cents that add up exactly."""
        weights = {name: self.weights[function][name] for name in concepts}
        if not weights:
            return {}
        if not any(weights.values()):
            weights = dict.fromkeys(weights, Fraction(1))
        part = Fraction(self.cents[function]) / sum(weights.values())
        exact = {name: weight * part for name, weight in weights.items()}
        cents = {name: math.floor(each) for name, each in exact.items()}
        left = self.cents[function] - sum(cents.values())
        for name in sorted(cents, key=lambda name: cents[name] - exact[name])[:left]:
            cents[name] += 1
        return cents

    def earned(self, verdict: Verdict) -> Fraction:
        """Return the part of a search's points that it earns, aspect after aspect.

        An aspect earns where it holds, and all those before it.
        """
        if verdict.right:
            return Fraction(1)
        held = itertools.takewhile(lambda pair: pair[1], verdict.aspects.items())
        function = verdict.task.function
        return sum((self.share(function, aspect) for aspect, _ in held), Fraction(0))

    def share(self, function: str, aspect: str) -> Fraction:
        """Return the part of a tree's points that an aspect earns, as a Fraction."""
        return as_written(self.shares[function][aspect]) / 100


def as_written(number: float) -> Fraction:
    """Return the number that its decimals say, as a Fraction: 33.3 is 333/10."""
    return Fraction(str(number))


def load_rubric(path: Path) -> Rubric:
    """Read and check a rubric file. Raises RubricError with a one-line reason."""
    import yaml  # a kit that is known needs none

    name = Path(path).name
    try:
        data = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        line, reason = line_and_reason(error)
        where = f"{name}:{line}" if line else name
        raise RubricError(f"{where}: cannot be read: {reason}; mend it") from None
    try:
        return _checked(data)
    except RubricError as error:
        raise RubricError(f"{name}: {error}") from None


def line_and_reason(error: Exception) -> tuple[int | None, str]:
    """Return at which line, if that is known, and why a YAML file could not be read."""
    mark = getattr(error, "problem_mark", None)
    reason = getattr(error, "problem", None) or getattr(error, "strerror", None)
    return mark and mark.line + 1, reason or str(error).splitlines()[0]


def _checked(data):
    _keys("the file", data, KEYS, needed=("points", "shares"))
    _keys("points", data["points"], FUNCTIONS)
    asked = [name for name in FUNCTIONS if name in data["points"]]
    if not asked:
        raise RubricError("points: no function is asked; write one of the table's at least")
    _keys("shares", data["shares"], FUNCTIONS, needed=asked)
    shares = {name: _shares(name, given) for name, given in data["shares"].items()}
    cutoff = data.get("cutoff", EQUALITY)
    if cutoff not in CONVENTIONS:
        raise RubricError(f"cutoff: {cutoff!r} is unknown; write equality or strict")
    if cutoff == STRICT and any(FUNCTIONS[name].scouts for name in asked):
        raise RubricError("points: negascout needs cutoff: equality; leave one of them out")
    reports = data.get("course_reports", STAFF)
    if reports not in (STAFF, STUDENTS):
        raise RubricError(
            f"course_reports: {reports!r} is unknown; write staff or students"
        )
    names = data.get("accept_names", "exact")
    if names not in NAMES:
        raise RubricError(f"accept_names: {names!r} is unknown; write exact or near")
    title = data.get("title", TITLE)
    if not (isinstance(title, str) and title.strip() and title.isprintable()):
        raise RubricError(f"title: {title!r} is no title; write one line of text")
    hints = data.get("hints", LINE)
    if hints not in HINTS:
        raise RubricError(f"hints: {hints!r} is unknown; write one of {', '.join(HINTS)}")
    half = data.get("depth_limited", SOME) == HALF
    if data.get("depth_limited", SOME) not in (SOME, HALF):
        raise RubricError(f"depth_limited: {data['depth_limited']!r}: write some or half")
    given = data.get("concepts") or {}
    _keys("concepts", given, FUNCTIONS)
    extra = data.get("extra_credit") or {}
    keys = {known.extra_credit: name for name, known in OPTIONAL.items()}
    _keys("extra_credit", extra, keys)
    return Rubric(
        cents={name: _cents(f"points: {name}", data["points"][name]) for name in asked},
        weights={name: _weights(name, given.get(name) or {}, half) for name in asked},
        shares={name: shares[name] for name in asked},
        cutoff=cutoff,
        limits=_limits(data.get("limits") or {}),
        extra_cents={
            name: _cents(f"extra_credit: {key}", extra.get(key, 0))
            for key, name in keys.items()
        },
        handed_out=reports == STUDENTS,
        by_hand_cents=_cents("by_hand", data.get("by_hand", 0)),
        title=title.strip(),
        near_names=names == "near",
        hints=hints,
        visibility=_visibility(data.get("visibility", VISIBLE), asked),
        half_limited=half,
    )


def _visibility(given, asked):
    """Return row, concept, function or ALL_OTHERS -> when it is seen."""
    if isinstance(given, str):
        given = {ALL_OTHERS: given}
    rows = [f"{name}: {concept}" for name in asked for concept in WEIGHTS[name]]
    concepts = dict.fromkeys(concept for name in asked for concept in WEIGHTS[name])
    _keys("visibility", given, (ALL_OTHERS, *asked, *concepts, *rows))
    for key, seen in given.items():
        if seen not in VISIBILITIES:
            known = ", ".join(VISIBILITIES)
            raise RubricError(f"visibility: {key}: {seen!r} is unknown; write {known}")
    return given


def _shares(function, given):
    """Return aspect -> per cent in the order of judging; all add up to 100."""
    where, aspects = f"shares: {function}", FUNCTIONS[function].aspects
    needed = [aspect for aspect in aspects if aspect != NODE_COUNT]
    _keys(where, given, aspects, needed)
    shares = {aspect: given[aspect] for aspect in aspects if aspect in given}
    total = sum(_exact(f"{where}: {aspect}", share) for aspect, share in shares.items())
    if total != 100:
        raise RubricError(f"{where}: add up to {float(total):g}, write 100")
    return shares


def _weights(function, given, half):
    """Return concept -> weight: the given ones, and otherwise those of the kit.

    Where `half` of the searches are limited, DEPTH weighs as much as all others.
    """
    where = f"concepts: {function}"
    _keys(where, given, WEIGHTS[function])
    weights = {
        name: _exact(f"{where}: {name}", given.get(name, weight))
        for name, weight in WEIGHTS[function].items()
    }
    if half and DEPTH not in given:
        weights[DEPTH] = sum(weights.values()) - weights[DEPTH]
    if not any(weights.values()):
        raise RubricError(f"{where}: nothing weighs anything; write more than 0")
    return weights


def _keys(where, mapping, allowed, needed=()):
    if not isinstance(mapping, dict):
        raise RubricError(f"{where}: write a mapping with {', '.join(allowed)}")
    for key in mapping:
        if key not in allowed:
            import difflib

            close = difflib.get_close_matches(str(key), allowed, 1)
            hint = f"did you mean {close[0]}?" if close else f"one of {', '.join(allowed)}"
            raise RubricError(f"{where}: unknown key {key!r}; {hint}")
    for key in needed:
        if key not in mapping:
            raise RubricError(f"{where}: {key} is missing; add it")


def _exact(where, value):
    """Return a number of 0 or more as it is written."""
    known = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not known or not 0 <= value < math.inf:
        raise RubricError(f"{where}: {value!r} is not a number; write one of 0 or more")
    return as_written(value)


def _cents(where, points):
    cents = _exact(where, points) * 100
    if cents.denominator != 1:
        raise RubricError(f"{where}: {points} has more than two decimals; round it")
    return int(cents)


def _limits(given):
    _keys("limits", given, LIMITS)
    for key, value in given.items():
        if _exact(f"limits: {key}", value) == 0:
            raise RubricError(f"limits: {key}: 0 would end every search; write more")
    limits = dict(given)
    if "memory_megabytes" in limits:
        limits["memory_bytes"] = int(limits.pop("memory_megabytes") * 2**20)
    return replace(Limits(), **limits)
