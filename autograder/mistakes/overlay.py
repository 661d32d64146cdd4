"""Lay a file over another file: its definitions replace those of the other file.

Both are source texts, and so is the result: comments and line breaks are preserved.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import NamedTuple

from autograder.mistakes.reading import bound_names


class Statement(NamedTuple):
    """A top-level statement.

    names: the names that it binds.
    text: its text, including the lines above it.
    """

    names: set[str]
    text: str


class Parts(NamedTuple):
    """The parts of a module's text.

    docstring: the docstring's text, or "".
    imports: the texts of the imports.
    statements: the other statements.
    """

    docstring: str
    imports: list[str]
    statements: list[Statement]


def overlay(text: str, base: str) -> str:
    """Return the base's text with its definitions replaced by those of `text`.

    The docstring is that of `text`, and the imports are those of both. Every other
    top-level statement of the base remains in place, unless `text` binds its names. In that
    case the statement of `text` replaces it, together with the new statements that follow
    it in `text`. New statements at the start of `text` precede the first replacement.
    Raises SyntaxError if a text is not Python.
    """
    own = _split(text)
    below = _split(base)
    base_names = set()
    for statement in below.statements:
        base_names |= statement.names
    placed = []
    begin = ""  # the text above the first replacement
    for names, part in own.statements:
        if names & base_names:
            placed.append(Statement(names, begin + part))
            begin = ""
        elif placed:
            last = placed[-1]
            placed[-1] = Statement(last.names, last.text + part)
        else:
            begin += part
    body = {}  # ordered texts without duplicates: one may replace two
    for names, part in below.statements:
        replacing = [other.text for other in placed if other.names & names]
        body.update(dict.fromkeys(replacing or [part]))
    imports = sorted({*below.imports, *own.imports}, key=_import_order)
    return "".join([own.docstring, "\n", *imports, *body, begin])


def restrict(text: str, function: str, test: str, plain: str) -> str:
    """Return the text with its function called only if a test is true.

    Otherwise the function of `plain` is called. If the function calls itself, the test
    decides at each node, otherwise at the root. `test` is an expression of the function's
    arguments.
    """
    head = f"def {function}("
    wrong = text.replace(head, f"def wrong_{function}(", 1)
    right = _definition(plain, function)
    (parsed,) = ast.parse(right).body
    arguments = ast.unparse(parsed.args)
    calls_itself = _definition(text, function).count(f"{function}(") > 1
    replaced = head if calls_itself else f"{function}("
    right = right.replace(replaced, replaced.replace(function, f"right_{function}"))
    choice = (
        f"{head}{arguments}):\n"
        f"    if {test}:\n"
        f"        return wrong_{function}({arguments})\n"
        f"    return right_{function}({arguments})\n"
    )
    return "\n\n".join([wrong, right, choice])


def _definition(text, function):
    """Return the text of a function's definition."""
    found = [part.text for part in _split(text).statements if function in part.names]
    return "".join(found).strip() + "\n"


@lru_cache
def _split(text):
    """Return the Parts of a module's text."""
    lines = text.splitlines(keepends=True)
    begin = 0
    docstring = ""
    imports = []
    statements = []
    for item in ast.parse(text).body:
        part = "".join(lines[begin : item.end_lineno])
        begin = item.end_lineno
        if isinstance(item, (ast.Import, ast.ImportFrom)):
            imports.append(part.lstrip())
        elif isinstance(item, ast.Expr) and not imports and not statements:
            docstring = part
        else:
            statements.append(Statement(bound_names(item), part))
    return Parts(docstring, imports, statements)


def _import_order(line):
    return "__future__" not in line, line.startswith("from"), line
