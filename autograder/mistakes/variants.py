"""The kit's own submissions in `solution/`: their headers, their source, their run.

A variant is a submission that the kit trusts: a right program in some style, a known
mistake, or one of little work. Its file holds only what differs from its base
(whole()). The first two lines of its docstring are for people; lines of the form
`Word: text` below them are for the kit:

    Changes: negamax          its base is correct/negamax.py, and not search.py
    Convention: equality      right (or wrong) under this cutoff convention only
    Shows: alphabeta extra    the function concerned, and what goes wrong with it
    Also: 99 999              the file holds once more for each of these numbers, in the
                              place of the one that ends its name
    Strict course: ...        twice: headline and next step when cutoffs are strict
    Points: 62 to 74          what it may earn of 100, which `make check` proves

A file marks each comparison that decides a cutoff by the comment `# cutoff` at the end
of its line. A course with `cutoff: strict` reads those lines with `>` for `>=`, `<` for
`<=`, and the other way round.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import types
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path

from autograder.mistakes.overlay import overlay
from autograder.tasks import CONVENTIONS, EQUALITY, STRICT
from gametree.functions import NODE_COUNT

MARK = "# cutoff"
COUNT_SHOWS = "nodes"  # in a header: nodes are visited again
FIELDS = ("Also", "Changes", "Convention", "Points", "Shows", "Strict course")
MARKED = re.compile(rf"([<>])(=?)(?=.*{MARK}$)", re.MULTILINE)


def apply(source, convention):
    """Return `source` as the convention reads it, line for line.

    "equality" returns it unchanged; "strict" exchanges the comparisons on the
    lines marked `# cutoff`. Raises ValueError for any other convention.
    """
    if convention not in CONVENTIONS:
        raise ValueError(
            f"cutoff: {convention!r} is no convention; write 'equality' or 'strict'"
        )
    return source if convention == EQUALITY else MARKED.sub(_other, source)


def _other(comparison):
    sign, equal = comparison.groups()
    return sign if equal else f"{sign}="


def whole(text, solution):
    """Return a variant's text with all that it takes over from its base.

    `solution` is the path of solution/. The base is the file of correct/ that the header
    names, itself made whole, or else search.py. The result's header names none. Raises
    SyntaxError where a text is not Python, OSError where the base cannot be read.
    """
    _, fields = read_header(ast.get_docstring(ast.parse(text)) or "")
    if "Changes" not in fields:
        return overlay(text, (solution / "search.py").read_text(encoding="utf-8"))
    (name,) = fields["Changes"]
    base = (solution / "correct" / f"{name}.py").read_text(encoding="utf-8")
    return overlay(text.replace(f"Changes: {name}\n", "", 1), whole(base, solution))


@dataclass(frozen=True, eq=False)
class Variant:
    """One file of `solution/`, as one cutoff convention reads it.

    `headline` says what the file does, or does wrong; `next_step` what to do
    about it ("" in a correct style). `shows` maps the name of each function that
    goes wrong to the aspects that do. `points` are the fewest and the most that it
    may earn of 100, None where it does not say. `source` is whole and ready to be run.
    """

    name: str
    path: Path
    headline: str
    next_step: str
    conventions: tuple
    shows: dict
    source: str
    points: tuple | None = None

    def module(self):
        """Execute the source in a fresh module and return the module."""
        return run_source(self.source, str(self.path))

    def concerns(self, asked: Mapping[str, Collection[str]]) -> bool:
        """Tell whether it goes wrong in what is judged, function -> aspects."""
        return not self.shows or any(
            NODE_COUNT in asked[function] or {*aspects} != {COUNT_SHOWS}
            for function, aspects in self.shows.items()
            if function in asked
        )


def run_source(source, filename="search.py"):
    """Execute trusted source text in a fresh module and return the module."""
    return run_code(_compiled(source, filename))


@lru_cache(maxsize=512)
def _compiled(source, filename):
    return compile(source, filename, "exec", dont_inherit=True)


def run_code(code):
    """Execute trusted compiled code in a fresh module and return the module."""
    module = types.ModuleType("search")
    module.__file__ = code.co_filename
    exec(code, module.__dict__)
    return module


def quietly():
    """Return a context that drops what trusted code prints."""
    return contextlib.redirect_stdout(_Nowhere())


class _Nowhere(io.TextIOBase):
    def write(self, text):
        return len(text)


def load_variant(path, convention=EQUALITY):
    """Return the Variant that the file at `path` holds under the convention."""
    return next(family(Path(path), convention))


def load_variants(folder, convention=EQUALITY):
    """Return the folder's variants that hold under the convention, by name."""
    paths = sorted(Path(folder).glob("*.py"))
    variants = chain.from_iterable(family(path, convention) for path in paths)
    return tuple(variant for variant in variants if convention in variant.conventions)


def family(path, convention=EQUALITY):
    """Yield the file's Variant, then one for each number that its header adds."""
    text = path.read_text(encoding="utf-8")
    yield _variant(path, path.stem, text, convention)
    stem, _, number = path.stem.rpartition("_")
    _, fields = read_header(ast.get_docstring(ast.parse(text)) or "")
    for other in chain.from_iterable(map(str.split, fields.get("Also", ()))):
        renamed = re.sub(rf"\b{number}\b", other, text)
        yield _variant(path, f"{stem}_{other}", renamed, convention)


def _variant(path, name, text, convention):
    beside = (path.parent / "search.py").exists()
    solution = path.parent if beside else path.parent.parent
    prose, fields = read_header(ast.get_docstring(ast.parse(text)) or "")
    if convention == STRICT and "Strict course" in fields:
        prose = fields["Strict course"]
    headline, next_step = (prose + ["", ""])[:2]
    return Variant(
        name=name,
        path=path,
        headline=headline,
        next_step=next_step,
        conventions=tuple(fields.get("Convention", CONVENTIONS)),
        shows={
            function: tuple(aspects)
            for function, *aspects in map(str.split, fields.get("Shows", ()))
        },
        source=apply(whole(text, solution), convention),
        points=_range(*fields["Points"]) if "Points" in fields else None,
    )


def _range(text):
    least, _, most = text.partition(" to ")
    return float(least), float(most)


def read_header(docstring):
    """Split a docstring into its lines of prose and its `Word: text` fields."""
    prose, fields = [], {}
    for line in filter(None, map(str.strip, docstring.splitlines())):
        word, colon, text = line.partition(": ")
        if colon and word in FIELDS:
            fields.setdefault(word, []).append(text)
        else:
            prose.append(line)
    return prose, fields
