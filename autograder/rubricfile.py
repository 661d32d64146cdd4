"""Load and check rubric.yaml: points, shares, the cutoff convention, limits."""

from __future__ import annotations

import difflib
import math
from pathlib import Path

from autograder.judging.scores import (
    CHANGE,
    LINE,
    MISTAKE,
    NONE,
    TITLE,
    VISIBILITIES,
    Rubric,
    as_written,
)
from autograder.sandbox.conversation import Limits
from autograder.tasks import CONVENTIONS
from gametree.functions import FUNCTIONS, NODE_COUNT
from gametree.support.tree import TreeError

# Keys with one word -> the allowed words. The first is the default.
WORDS = {
    "cutoff": CONVENTIONS,
    "hints": (LINE, NONE, MISTAKE, CHANGE),
    "visibility": VISIBILITIES,
}
ALWAYS_ASSIGNED = "alphabeta"  # the handout and most trees are about it
KEYS = ("points", "shares", "by_hand", "title", "limits", *WORDS)
LIMIT_KEYS = (
    "search_cpu_seconds",
    "search_wall_seconds",
    "load_cpu_seconds",
    "total_seconds",
    "memory_megabytes",
)


class RubricError(Exception):
    """The rubric cannot be used. The text is one line with the place and the fix."""


def load_rubric(path: Path) -> Rubric:
    """Load and check a rubric file. Raises RubricError with a one-line reason."""
    data = load_yaml(path)
    try:
        return parse_rubric(data)
    except RubricError as error:
        raise RubricError(f"{Path(path).name}: {error}") from None


def load_yaml(path: Path) -> object:
    """Return the data of a YAML file. Raises RubricError with a one-line reason.

    The rules for tree files apply here too. For example, a duplicate key is rejected.
    """
    import yaml

    from gametree.support.markup import read_markup

    name = Path(path).name
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        read_markup(text)
        return yaml.safe_load(text)
    except TreeError as error:
        error.file = name
        raise RubricError(str(error)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise RubricError(f"{name}: cannot be read: {reason}; fix it") from None


def parse_rubric(data):
    """Return the Rubric in the data of a file. Raises RubricError."""
    check_keys("the file", data, KEYS, needed=("points", "shares"))
    points = data["points"]
    check_keys("points", points, FUNCTIONS, needed=[ALWAYS_ASSIGNED])
    assigned = [name for name in FUNCTIONS if name in points]
    check_keys("shares", data["shares"], FUNCTIONS, needed=assigned)
    shares = {name: parse_shares(name, given) for name, given in data["shares"].items()}
    return Rubric(
        cents={name: parse_cents(f"points: {name}", points[name]) for name in assigned},
        shares={name: shares[name] for name in assigned},
        limits=parse_limits(data.get("limits") or {}),
        by_hand_cents=parse_cents("by_hand", data.get("by_hand", 0)),
        title=parse_title(data.get("title", TITLE)),
        cutoff=parse_word("cutoff", data),
        hints=parse_word("hints", data),
        visibility=parse_word("visibility", data),
    )


def check_keys(where, mapping, allowed, needed=()):
    """Raise RubricError if a mapping has an unknown key or lacks a needed key."""
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


def parse_word(key, data):
    """Return the checked word for a key of WORDS."""
    words = WORDS[key]
    word = data.get(key, words[0])
    if word not in words:
        *others, last = words
        choices = f"{', '.join(others)} or {last}"
        raise RubricError(f"{key}: {word!r} is unknown; write {choices}")
    return word


def parse_title(title):
    """Return the assignment's title, one line of text."""
    if not isinstance(title, str) or not title.strip() or not title.isprintable():
        raise RubricError(f"title must be one line of text, not {title!r}")
    return title.strip()


def parse_shares(function, given):
    """Return aspect -> percent, in the order of judging; the sum must be 100."""
    where = f"shares: {function}"
    aspects = FUNCTIONS[function].aspects
    needed = [aspect for aspect in aspects if aspect != NODE_COUNT]
    check_keys(where, given, aspects, needed)
    shares = {aspect: given[aspect] for aspect in aspects if aspect in given}
    total = 0
    for aspect, share in shares.items():
        total += parse_number(f"{where}: {aspect}", share)
    if total != 100:
        raise RubricError(f"{where} must add up to 100, not {float(total):g}")
    return shares


def parse_cents(where, points):
    """Return a number of points in hundredths of a point."""
    cents = parse_number(where, points) * 100
    if cents.denominator != 1:
        raise RubricError(f"{where}: {points} has more than two decimals; round it")
    return int(cents)


def parse_limits(given):
    """Return the Limits with these seconds and megabytes."""
    check_keys("limits", given, LIMIT_KEYS)
    for key, value in given.items():
        if parse_number(f"limits: {key}", value) == 0:
            raise RubricError(f"limits: {key}: 0 would end every search; write more")
    limits = dict(given)
    if "memory_megabytes" in limits:
        limits["memory_bytes"] = int(limits.pop("memory_megabytes") * 2**20)
    return Limits()._replace(**limits)


def parse_number(where, value):
    """Return a number of at least 0 as a Fraction, exactly as it is written."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not 0 <= value < math.inf:
        raise RubricError(f"{where} must be a number of at least 0, not {value!r}")
    return as_written(value)
