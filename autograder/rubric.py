"""Read rubric.yaml: points, shares, the cutoff convention, limits."""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import yaml

from autograder.judging.verdict import ASPECTS
from autograder.mistakes.variants import CONVENTIONS, EQUALITY
from autograder.sandbox.limits import Limits

KEYS = ("points", "shares", "cutoff", "extra_credit", "limits")
EXTRA = ("move_ordering",)
LIMITS = (
    "search_cpu_seconds",
    "search_wall_seconds",
    "total_seconds",
    "memory_megabytes",
)


class RubricError(Exception):
    """A rubric that cannot be used; str says in one line where and what to write."""


@dataclass(frozen=True)
class Rubric:
    """The rubric, checked. `cents` maps function -> points in hundredths.

    `extra_cents` are those of the extra credit, 0 where it is off.
    """

    cents: dict
    shares: dict
    cutoff: str
    limits: Limits
    extra_cents: int = 0

    def row_cents(self, function, rows):
        """Split a function's points over its rows: cents that add up exactly."""
        each, left = divmod(self.cents[function], rows)
        return [each + 1] * left + [each] * (rows - left)

    def share(self, function, aspect):
        """Return the part of a row's points that an aspect earns, as a Fraction."""
        return Fraction(self.shares[function][aspect]) / 100


def load_rubric(path):
    """Read and check a rubric file. Raises RubricError with a one-line reason."""
    name = Path(path).name
    try:
        data = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{name}:{mark.line + 1}" if mark else name
        reason = getattr(error, "problem", None) or getattr(error, "strerror", None)
        reason = reason or str(error).splitlines()[0]
        raise RubricError(f"{where}: cannot be read: {reason}; mend it") from None
    try:
        return _checked(data)
    except RubricError as error:
        raise RubricError(f"{name}: {error}") from None


def _checked(data):
    _keys("the file", data, KEYS, needed=("points", "shares"))
    _keys("points", data["points"], ASPECTS, needed=ASPECTS)
    _keys("shares", data["shares"], ASPECTS, needed=ASPECTS)
    for function, shares in data["shares"].items():
        where = f"shares: {function}"
        _keys(where, shares, ASPECTS[function], needed=ASPECTS[function])
        for aspect, share in shares.items():
            _number(f"{where}: {aspect}", share)
        if sum(map(Fraction, shares.values())) != 100:
            raise RubricError(f"{where}: add up to {sum(shares.values())}, write 100")
    cutoff = data.get("cutoff", EQUALITY)
    if cutoff not in CONVENTIONS:
        raise RubricError(f"cutoff: {cutoff!r} is unknown; write equality or strict")
    cents = {name: _cents("points", name, most) for name, most in data["points"].items()}
    extra = data.get("extra_credit") or {}
    _keys("extra_credit", extra, EXTRA, needed=())
    limits = _limits(data.get("limits") or {})
    extra_cents = _cents("extra_credit", EXTRA[0], extra.get(EXTRA[0], 0))
    return Rubric(cents, data["shares"], cutoff, limits, extra_cents)


def _keys(where, mapping, allowed, needed):
    if not isinstance(mapping, dict):
        raise RubricError(f"{where}: write a mapping with {', '.join(allowed)}")
    for key in mapping:
        if key not in allowed:
            close = difflib.get_close_matches(str(key), allowed, 1)
            hint = f"did you mean {close[0]}?" if close else f"one of {', '.join(allowed)}"
            raise RubricError(f"{where}: unknown key {key!r}; {hint}")
    for key in needed:
        if key not in mapping:
            raise RubricError(f"{where}: {key} is missing; add it")


def _number(where, value):
    known = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not known or not 0 <= value < math.inf:
        raise RubricError(f"{where}: {value!r} is no number; write one of 0 or more")


def _cents(key, name, points):
    where = f"{key}: {name}"
    _number(where, points)
    cents = Fraction(str(points)) * 100
    if cents.denominator != 1:
        raise RubricError(f"{where}: {points} has more than two decimals; round it")
    return int(cents)


def _limits(data):
    _keys("limits", data, LIMITS, needed=())
    for key, value in data.items():
        _number(f"limits: {key}", value)
        if value == 0:
            raise RubricError(f"limits: {key}: 0 would end every search; write more")
    given = dict(data)
    if "memory_megabytes" in given:
        given["memory_bytes"] = int(given.pop("memory_megabytes") * 2**20)
    return replace(Limits(), **given)
