"""Lay a file over another: what it defines replaces what the other one defines.

Both are source texts, and so is the result: comments and line breaks stay.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from autograder.mistakes.reading import bound


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
    blocks = []
    for names, statement in own:
        if not blocks or names & known and blocks[-1][0] & known:
            blocks.append((set(), []))
        blocks[-1][0].update(names)
        blocks[-1][1].append(statement)
    defined = set().union(*(names for names, _ in blocks))
    body = []
    for names, statement in taken:
        if not names & defined:
            body.append(statement)
        for block in [block for block in blocks if block[0] & names]:
            body += block[1]
            blocks.remove(block)
    body += [statement for _, statements in blocks for statement in statements]
    imports = sorted({*base_imports, *imports}, key=_import_order)
    return "".join([docstring, "\n", *imports, *body])


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
            statements.append((bound(item), part))
    return docstring, imports, statements


def _import_order(line):
    return "__future__" not in line, line.startswith("from"), line
