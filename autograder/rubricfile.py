"""Read rubric.yaml: points, shares, the cutoff convention, limits."""

from __future__ import annotations

import difflib
import math
from pathlib import Path

from autograder.judging.concepts import WEIGHTS
from autograder.judging.rubric import (
    CHANGE,
    LINE,
    MISTAKE,
    NONE,
    TITLE,
    VISIBILITIES,
    Rubric,
)
from autograder.judging.scores import as_written
from autograder.sandbox.conversation import Limits
from autograder.tasks import CONVENTIONS
from gametree.functions import FUNCTIONS, NODE_COUNT
from gametree.support.tree import TreeError

# Keys that hold one word -> the words; the first is meant where the key is missing.
WORDS = {"cutoff": CONVENTIONS, "hints": (LINE, NONE, MISTAKE, CHANGE),
         "visibility": VISIBILITIES}  # fmt: skip
KEYS = ("points", "concepts", "shares", "by_hand", "title", "limits", *WORDS)
GONE = (
    "extra_credit", "course_reports", "accept_names", "depth_limited", "language",
)  # fmt: skip
LIMITS = (
    "search_cpu_seconds", "search_wall_seconds", "load_cpu_seconds", "total_seconds",
    "memory_megabytes",
)  # fmt: skip


class RubricError(Exception):
    """A rubric that cannot be used; str says in one line where and what to write."""


def load_rubric(path: Path) -> Rubric:
    """Read and check a rubric file. Raises RubricError with a one-line reason."""
    data = load_yaml(path)
    try:
        return _checked(data)
    except RubricError as error:
        raise RubricError(f"{Path(path).name}: {error}") from None


def load_yaml(path: Path, loader: str = "SafeLoader") -> object:
    """Return what PyYAML's loader of that name reads. Raises RubricError in one line.

    What is refused in a tree file is refused here: a key that is written twice, say.
    """
    import yaml

    from gametree.support.markup import read_markup

    name = Path(path).name
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        read_markup(text)
        return yaml.load(text, getattr(yaml, loader))
    except TreeError as error:
        error.file = name
        raise RubricError(str(error)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RubricError(f"{name}: cannot be read: {reason}; mend it") from None


def _checked(data):
    for key in GONE:
        if isinstance(data, dict) and key in data:
            raise RubricError(f"{key}: this key is gone; leave it out")
    _keys("the file", data, KEYS, needed=("points", "shares"))
    points, concepts = data["points"], data.get("concepts") or {}
    _keys("points", points, FUNCTIONS)
    _keys("concepts", concepts, FUNCTIONS)
    asked = [name for name in FUNCTIONS if name in points]
    if not asked:
        raise RubricError("points: no function is asked; write one of the table's at least")
    _keys("shares", data["shares"], FUNCTIONS, needed=asked)
    shares = {name: _shares(name, given) for name, given in data["shares"].items()}
    title = data.get("title", TITLE)
    if not (isinstance(title, str) and title.strip() and title.isprintable()):
        raise RubricError(f"title: {title!r} is no title; write one line of text")
    return Rubric(
        cents={name: _cents(f"points: {name}", points[name]) for name in asked},
        weights={name: _weights(name, concepts.get(name) or {}) for name in asked},
        shares={name: shares[name] for name in asked},
        limits=_limits(data.get("limits") or {}),
        by_hand_cents=_cents("by_hand", data.get("by_hand", 0)),
        title=title.strip(),
        **{key: _word(key, data.get(key, words[0])) for key, words in WORDS.items()},
    )


def _word(key, given):
    if given not in WORDS[key]:
        *others, last = WORDS[key]
        known = f"{', '.join(others)} or {last}"
        raise RubricError(f"{key}: {given!r} is unknown; write {known}")
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


def _weights(function, given):
    """Return concept -> weight: the given ones, and otherwise those of the kit."""
    where = f"concepts: {function}"
    _keys(where, given, WEIGHTS[function])
    weights = {
        name: _exact(f"{where}: {name}", given.get(name, weight))
        for name, weight in WEIGHTS[function].items()
    }
    if not any(weights.values()):
        raise RubricError(f"{where}: nothing weighs anything; write more than 0")
    return weights


def _keys(where, mapping, allowed, needed=()):
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


def _exact(where, value):
    """Return a number of 0 or more as it is written."""
    known = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not known or not 0 <= value < math.inf:
        raise RubricError(f"{where}: {value!r} is no number of 0 or more; write one")
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
    return Limits()._replace(**limits)
