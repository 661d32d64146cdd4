"""Ask about the parts of a program's syntax tree: names, calls, numbers.

The tools in patches.py and reading.py use it. It is sent to a worker as text together
with them, so it imports only the standard library.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from typing import Any

Roots = ast.AST | Iterable[ast.AST]  # one part of a text, or several
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
ASSIGNMENTS = (ast.Assign, ast.AnnAssign)
LOOPS = (ast.For, ast.While)
BOUND_NAMES = ("alpha", "beta")  # as in the assignment
# An infinity in a program's text. The group is the minus in float('-inf').
INFINITE = re.compile(
    r"float\('(-?)\+?inf(?:inity)?'\)"
    r"|(\b)(?:\w+\.)*(?:\w*inf(?:ty|inity)?|\w*maxsize|float_info\.(?:min|max))\b",
    re.I,
)


def parts_of(roots: Roots, *types: type) -> list:
    """Return the parts of these types in a part of a text, or in several parts.

    They have the order of ast.walk(), which takes three times as long.
    """
    if isinstance(roots, ast.AST):
        roots = [roots]
    found = []
    for root in roots:
        parts: list[Any] = [root]
        for part in parts:  # the list grows during the loop
            for field in getattr(part, "_fields", ()):
                value = getattr(part, field, None)
                parts += value if isinstance(value, list) else [value]
        found += [part for part in parts if isinstance(part, types)]
    return found


def id_of(part: ast.AST | None) -> Any:
    """Return the name in a Name node, or None for other parts."""
    return getattr(part, "id", None)


def variable_of(part: ast.AST | None) -> str:
    """Return a name, or its attribute or entry, such as best[0] or best[MOVE]; else ""."""
    match part:
        case ast.Name():
            return part.id
        case ast.Attribute(value=ast.Name()):
            return ast.unparse(part)
        case ast.Subscript(value=ast.Name(), slice=ast.Constant()):
            return ast.unparse(part)
        case ast.Subscript(value=ast.Name(), slice=ast.Name(id=key)) if key.isupper():
            return ast.unparse(part)
    return ""


def assignments_in(roots: Roots) -> list[tuple[ast.expr, ast.expr]]:
    """Return (target, value) of the assignments in parts of a text, also of tuples."""
    found: list[tuple[ast.expr, ast.expr]] = []
    for part in parts_of(roots, *ASSIGNMENTS):
        for target, value in assignment_of(part):
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                found += zip(target.elts, value.elts)
            else:
                found.append((target, value))
    return found


def assignment_of(part: ast.AST) -> list[tuple[ast.expr, ast.expr]]:
    """Return (target, value) of each target if a part is an assignment, or else []."""
    match part:
        case ast.Assign(targets=targets, value=value):
            return [(target, value) for target in targets]
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return [(target, value)]
    return []


def is_stored(part: ast.AST) -> bool:
    """Tell whether a part is assigned or deleted, and not read."""
    context = getattr(part, "ctx", None)
    return isinstance(context, (ast.Store, ast.Del))


def names_in(roots: Roots) -> set[str]:
    """Return the names that parts of a text read or assign."""
    return {name.id for name in parts_of(roots, ast.Name)}


def names_stored(roots: Roots) -> set[str]:
    """Return the names that parts of a text assign."""
    return names_in(filter(is_stored, parts_of(roots, ast.Name)))


def attributes_in(roots: Roots) -> set[str]:
    """Return the attributes in parts of a text."""
    return {part.attr for part in parts_of(roots, ast.Attribute)}


def fields_in(tree: ast.Module) -> set[str]:
    """Return the attributes that a program assigns, or declares in classes."""
    attributes = parts_of(tree, ast.Attribute)
    fields = {part.attr for part in attributes if is_stored(part)}
    for definition in parts_of(tree, ast.ClassDef):
        declared = [part for part in definition.body if isinstance(part, ast.AnnAssign)]
        fields |= names_stored(declared)
    for call in parts_of(tree, ast.Call):
        if "namedtuple" in words_in(call.func):
            for constant in parts_of(call.args[1:], ast.Constant):
                fields.update(str(constant.value).split())
    return fields


def words_in(roots: Roots) -> set[str]:
    """Return the names and the attributes in parts of a text."""
    parts = parts_of(roots, ast.Name, ast.Attribute)
    return {part.id if isinstance(part, ast.Name) else part.attr for part in parts}


def names_bound(statement: ast.stmt) -> set[str]:
    """Return the names that a top-level statement binds."""
    if isinstance(statement, DEFINITIONS):
        return {statement.name}
    definitions = parts_of(statement, *DEFINITIONS)
    return names_stored(statement).union(part.name for part in definitions)


def definitions_in(tree: ast.Module) -> dict[str, ast.stmt]:
    """Return name -> the last top-level statement that binds it."""
    definitions = {}
    for statement in tree.body:
        for name in names_bound(statement):
            definitions[name] = statement
    return definitions


def names_reached(function: str, definitions: dict[str, ast.stmt]) -> set[str]:
    """Return the names in a function's text and in what it uses, and its own name."""
    found = set()
    waiting = {function}
    while waiting:
        found |= waiting
        used = set()
        for name in waiting & definitions.keys():
            used |= _names_from_outside(definitions[name])
        waiting = used - found
    return found


def _names_from_outside(definition):
    """Return the names that a definition reads but does not bind."""
    names = parts_of(definition, ast.Name)
    used = {name.id for name in names if not is_stored(name)}
    if not isinstance(definition, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return used
    used.difference_update(part.arg for part in parts_of(definition, ast.arg))
    return used.difference(*map(names_bound, definition.body))


def parameters_of(function: ast.FunctionDef) -> list[str]:
    """Return the names of a function's positional parameters."""
    parameters = function.args.posonlyargs + function.args.args
    return [parameter.arg for parameter in parameters]


def is_infinite(part: ast.AST) -> bool:
    """Tell whether an expression is an infinity, or a variable with such a name."""
    text = ast.unparse(part).lstrip("-")
    return INFINITE.fullmatch(text) is not None
