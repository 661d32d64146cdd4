"""The kit's own submissions in `solution/`: their headers, their source, their run.

A variant is a whole submission that the kit trusts: a correct style or a known
mistake. The first two lines of its docstring are for people; lines of the form
`Word: text` below them are for the kit:

    Convention: equality      right (or wrong) under this cutoff convention only
    Shows: alphabeta extra    the function concerned, and what goes wrong with it
    Strict course: ...        twice: headline and next step when cutoffs are strict
"""

from __future__ import annotations

import ast
import contextlib
import io
import types
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder.running import convention as conventions


@dataclass(frozen=True, eq=False)
class Variant:
    """One file of `solution/`, as one cutoff convention reads it.

    `headline` says what the file does, or does wrong; `next_step` what to do
    about it ("" in a correct style). `shows` maps the name of each function that
    goes wrong to the aspects that do. `source` is ready to be run.
    """

    name: str
    path: Path
    headline: str
    next_step: str
    conventions: tuple
    shows: dict
    source: str

    @cached_property
    def code(self):
        """The compiled source."""
        return compile(self.source, str(self.path), "exec", dont_inherit=True)

    def module(self):
        """Execute the source in a fresh module and return the module."""
        return run_code(self.code)


def run_source(source, filename="search.py"):
    """Execute trusted source text in a fresh module and return the module."""
    return run_code(compile(source, filename, "exec", dont_inherit=True))


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


def load_variant(path, convention=conventions.EQUALITY):
    """Return the Variant that the file at `path` holds under the convention."""
    path = Path(path)
    text = path.read_text(encoding="utf-8")
    prose, fields = read_header(ast.get_docstring(ast.parse(text)) or "")
    if convention == conventions.STRICT:
        prose = fields.get("Strict course", prose)
    headline, next_step = (prose + ["", ""])[:2]
    return Variant(
        name=path.stem,
        path=path,
        headline=headline,
        next_step=next_step,
        conventions=tuple(fields.get("Convention", conventions.CONVENTIONS)),
        shows={
            function: tuple(aspects)
            for function, *aspects in map(str.split, fields.get("Shows", ()))
        },
        source=conventions.apply(text, convention),
    )


def load_variants(folder, convention=conventions.EQUALITY):
    """Return the folder's variants that hold under the convention, by name."""
    variants = (
        load_variant(path, convention) for path in sorted(Path(folder).glob("*.py"))
    )
    return tuple(variant for variant in variants if convention in variant.conventions)


def read_header(docstring):
    """Split a docstring into its lines of prose and its `Word: text` fields."""
    prose, fields = [], {}
    for line in filter(None, map(str.strip, docstring.splitlines())):
        word, colon, text = line.partition(": ")
        if colon and word in ("Convention", "Shows", "Strict course"):
            fields.setdefault(word, []).append(text)
        else:
            prose.append(line)
    return prose, fields
