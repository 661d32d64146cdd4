"""Lay a file over another: what it defines replaces what the other one defines.

Both are source texts, and so is the result: comments and line breaks stay.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from autograder.mistakes.reading import bound_names


def overlay(text, base):
    """Return the base's text with the definitions of `text` in the place of its own.

    The docstring is that of `text`, the imports are those of both. Every other top-level
    statement of the base stays where it is, unless `text` binds its names: then the one
    that does stands there, with all that follows it in `text` and binds other names.
    What `text` begins with stands above the first. Raises SyntaxError where a text is
    not Python.
    """
    docstring, imports, own = _split(text)
    _, base_imports, taken = _split(base)
    known = set().union(*(names for names, _ in taken))
    placed, begin = [], ""
    for names, statement in own:
        if names & known:
            placed.append((names, [begin, statement]))
            begin = ""
        elif placed:
            placed[-1][1].append(statement)
        else:
            begin += statement
    body = {}  # once each, also what takes the place of two
    for names, statement in taken:
        others = ["".join(other) for own, other in placed if own & names]
        body.update(dict.fromkeys(others or [statement]))
    imports = sorted({*base_imports, *imports}, key=_import_order)
    return "".join([docstring, "\n", *imports, *body, begin])


@lru_cache
def _split(text):
    """Return a module's docstring, its imports, and (names, text) of each statement.

    Names are those that a statement binds; its text includes the lines above it.
    """
    lines, begin = text.splitlines(keepends=True), 0
    docstring, imports, statements = "", [], []
    for item in ast.parse(text).body:
        part = "".join(lines[begin : item.end_lineno])
        begin = item.end_lineno
        if isinstance(item, (ast.Import, ast.ImportFrom)):
            imports.append(part.lstrip())
        elif isinstance(item, ast.Expr) and not imports and not statements:
            docstring = part
        else:
            statements.append((bound_names(item), part))
    return docstring, imports, statements


def _import_order(line):
    return "__future__" not in line, line.startswith("from"), line
