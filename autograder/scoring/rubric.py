"""Load and check rubric.yaml."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from autograder.scoring.features import CONCEPTS, PUBLIC
from autograder.scoring.tasks import CONVENTIONS, EQUALITY, Task
from gametree.functions import FUNCTIONS, NODE_COUNT
from gametree.support.errors import InputError, TreeError
from gametree.support.markup import Markup, read_markup

NEEDED = ("points", "rows", "shares")  # keys of rubric.yaml
NO_MAPPING = "file.no mapping"  # the sentence for a value that must be a mapping
# What a hint may reveal, from the least to the most.
HINTS = NONE, MISTAKE, LINE = "none", "mistake", "line"
# When students see a row, in Gradescope's terms; HIDDEN means never.
VISIBLE, HIDDEN = "visible", "hidden"
VISIBILITIES = VISIBLE, "after_due_date", "after_published", HIDDEN
TITLE = "Minimax and alpha-beta"  # of the assignment, if the rubric has no title

MAX_TITLE = 100  # characters
TERM = re.compile(r"([^\W_]([^\W_]|[ .-]){0,29})?")  # letters of all languages
ALWAYS_ASSIGNED = "alphabeta"  # the handout and most trees are about it
HALF_POINT = 50  # the unit of the points of a row, in cents
# A limit -> its minimum, because correct programs need almost as much on a slow machine.
MIN_LIMITS = {"search_cpu_seconds": 1, "total_seconds": 20}


class Limits(NamedTuple):
    """Limits on one submission.

    The query budget is the same on every machine. CPU seconds count only the worker's own
    CPU time, so a busy machine does not fail a correct program.

    search_cpu_seconds: CPU time of one search.
    search_wall_seconds: how long a search or load may sleep.
    load_cpu_seconds: CPU time of loading search.py, or of a tool that reads it.
    total_seconds: CPU time of the grader and the workers for the whole submission, in equal
        parts for the functions of the kit. Hints may take half as long again.
    max_timeouts: after a function was stopped in this many searches, by time or queries,
        its other searches are not run.
    queries_base: queries that every search may make.
    queries_factor: additional queries for each query of the reference in the same search.
    """

    search_cpu_seconds: float = 2.0
    search_wall_seconds: float = 10.0
    load_cpu_seconds: float = 3.0
    total_seconds: float = 60.0
    max_timeouts: int = 3
    queries_base: int = 1000
    queries_factor: int = 100

    def query_budget(self, task: Task) -> int:
        """Return the number of queries that a search of the task may make."""
        return self.queries_base + self.queries_factor * len(task.expected.events)


def _amount(markup, what):
    """Return a number of at least 0 as a Fraction, as it is written: 33.3 is 333/10."""
    markup.number(what, least=0)
    return Fraction(markup.text)


def _term(markup, key):
    """Return the term, "" if there is none. It becomes a part of file names."""
    if markup.text is None or not TERM.fullmatch(markup.text):
        problem = (
            f"{key} must be up to 30 letters, digits, spaces, dots and hyphens, such as "
            "2027 spring"
        )
        raise TreeError(problem, markup.line)
    return markup.text


def _shares(markup, function):
    """Return aspect -> percent, in the order of judging; the sum must be 100."""
    aspects = FUNCTIONS[function].aspects
    needed = [aspect for aspect in aspects if aspect != NODE_COUNT]
    what = f"the shares of {function}"
    markup.check_keys(aspects, what, NO_MAPPING, needed)
    shares = {}
    for aspect in aspects:
        if markup.get(aspect):
            shares[aspect] = _amount(markup.get(aspect), aspect)
    total = sum(shares.values())
    if total != 100:
        raise TreeError(f"{what} must add up to 100, not {float(total):g}", markup.line)
    return shares


def _rows(markup, function, cents):
    """Return concept -> share of a function's points, without the shares of 0."""
    what = f"the rows of {function}"
    markup.check_keys(CONCEPTS, what, NO_MAPPING, needed=[PUBLIC])
    given = {concept: _amount(share, concept) for concept, share in markup.pairs.items()}
    total = sum(given.values())
    for concept, share in given.items():
        is_row = share or concept == PUBLIC
        if is_row and share * cents < HALF_POINT * total:
            problem = f"{concept} gets less than half a point; write a larger share"
            raise TreeError(problem, markup.get(concept).line)
    return {concept: share for concept, share in given.items() if share}


def _cents(markup, function):
    """Return a positive number of points, in steps of 0.5, in hundredths of a point."""
    what = f"the points of {function}"
    cents = _amount(markup, what) * 100
    if cents == 0 or cents % HALF_POINT:
        problem = f"{what} must be a multiple of 0.5, not {markup.text}, or delete the line"
        raise TreeError(problem, markup.line)
    return int(cents)


def _limits(markup, key):
    """Return the Limits with these seconds."""
    markup.check_keys(MIN_LIMITS, key, NO_MAPPING)
    seconds = {}
    for name, limit in markup.pairs.items():
        seconds[name] = limit.number(name, least=MIN_LIMITS[name])
    return Limits()._replace(**seconds)


# The keys of rubric.yaml that may be missing -> the function of the value and its key that
# returns the checked value. It raises TreeError.
OPTIONS: dict[str, Callable[[Markup, str], Any]] = {
    "title": partial(Markup.line_of_text, longest=MAX_TITLE),
    "term": _term,
    "cutoff": partial(Markup.word, known=CONVENTIONS),
    "hints": partial(Markup.word, known=HINTS),
    "visibility": partial(Markup.word, known=VISIBILITIES),
    "limits": _limits,
}


class Rubric(NamedTuple):
    """The validated rubric, with only the assigned functions, in the order of the table.

    A new option is a field with its default here, and its check in OPTIONS.

    cents: function -> its points, in hundredths.
    rows: function -> concept -> its share of the function's points. The rows of a grading
        have this order. The trees decide which of them have a row.
    shares: function -> aspect that is judged -> per cent of a tree's points.
    title: the assignment's title.
    term: the term of the course, such as "2027 spring", or "".
    cutoff: the convention, "equality" or "strict".
    hints: how much a hint may reveal, one of HINTS.
    visibility: when students see the rows of hidden trees, one of VISIBILITIES.
    limits: the resource limits of a submission's processes.
    """

    cents: dict[str, int]
    rows: dict[str, dict[str, Fraction]]
    shares: dict[str, dict[str, Fraction]]
    title: str = TITLE
    term: str = ""
    cutoff: str = EQUALITY
    hints: str = LINE
    visibility: str = VISIBLE
    limits: Limits = Limits()

    @property
    def max_cents(self) -> int:
        """The points of all functions together, in hundredths."""
        return sum(self.cents.values())

    @property
    def assigned(self) -> dict[str, tuple[str, ...]]:
        """Assigned function -> the aspects that are judged."""
        return {function: tuple(shares) for function, shares in self.shares.items()}

    def zip_name(self, name: str) -> str:
        """Return the name of a zip in dist/, with the term: autograder-2027-spring.zip.

        The term loses its accents and all letters that are not ASCII.
        """
        term = unicodedata.normalize("NFKD", self.term).encode("ascii", "ignore").decode()
        return f"{'-'.join([name, *term.split()])}.zip"

    def allows(self, hint: str) -> bool:
        """Tell whether the rubric allows this level of hints."""
        return HINTS.index(hint) <= HINTS.index(self.hints)


def load_rubric(path: Path) -> Rubric:
    """Load and check a rubric file. Raises InputError with a one-line reason.

    The rules for tree files apply here too. For example, a duplicate key is rejected.
    """
    name = Path(path).name
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        return _rubric(read_markup(text))
    except TreeError as error:
        error.file = name
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{name}: cannot be read: {reason}; fix it") from None


def _rubric(markup):
    """Return the Rubric of a file. Raises TreeError."""
    markup.check_keys((*NEEDED, *OPTIONS), "the file", NO_MAPPING, NEEDED)
    points = markup.get("points")
    points.check_keys(FUNCTIONS, "points", NO_MAPPING, needed=[ALWAYS_ASSIGNED])
    assigned = [name for name in FUNCTIONS if points.get(name)]
    for key in ("rows", "shares"):
        markup.get(key).check_keys(FUNCTIONS, key, NO_MAPPING, needed=assigned)
    cents = {}
    rows = {}
    shares = {}
    for name in assigned:
        cents[name] = _cents(points.get(name), name)
        rows[name] = _rows(markup.get("rows").get(name), name, cents[name])
        shares[name] = _shares(markup.get("shares").get(name), name)
    options = {}
    for key, parse in OPTIONS.items():
        if markup.get(key):
            options[key] = parse(markup.get(key), key)
    return Rubric(cents, rows, shares, **options)
