"""First-order changes of statements: each operator yields (what changed, new block).

A block is a list of statements; a change is a whole new block, because a moved
or dropped statement changes its neighbours' order.
"""

from __future__ import annotations

import ast

from autograder.workbench.mutation_expressions import NUMBERS

DROPPABLE = (
    ast.Assign,
    ast.AugAssign,
    ast.Expr,
    ast.If,
    ast.Return,
    ast.Break,
    ast.Continue,
    ast.Raise,
    ast.Nonlocal,
)
LOOPS = (ast.For, ast.While)
LEAPS = (ast.Break, ast.Continue)


def of_block(block, names, in_loop):
    """Yield the changes of one block; `names` are its function's variables."""
    for index, statement in enumerate(block):
        before, after = block[:index], block[index + 1 :]
        line = statement.lineno
        for what, new in of_statement(statement, names, in_loop):
            yield what, line, before + new + after
        if after:
            yield "statements exchanged", line, before + [after[0], statement] + after[1:]
        for what, new in moves(statement, after):
            yield what, line, before + new


def of_statement(statement, names, in_loop):
    """Yield what may stand in the place of one statement."""
    if isinstance(statement, DROPPABLE) and not is_docstring(statement):
        yield "statement dropped", [ast.Pass()]
    if isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr)) and calls(statement):
        yield "statement doubled", [statement, statement]
    if isinstance(statement, ast.AugAssign):
        other = ast.Sub() if isinstance(statement.op, ast.Add) else ast.Add()
        yield "sign exchanged", [ast.AugAssign(statement.target, other, statement.value)]
    if isinstance(statement, ast.If):
        yield from of_condition(statement)
    if isinstance(statement, (ast.Break, ast.Continue)):
        other = ast.Continue() if isinstance(statement, ast.Break) else ast.Break()
        yield f"{type(other).__name__.lower()} instead", [other]
        yield "return instead", [ast.Return(None)]
    if isinstance(statement, ast.Return) and statement.value is not None:
        yield "value not returned", [ast.Expr(statement.value)]
        yield "nothing returned", [ast.Return(None)]
        for other in NUMBERS:
            if other in names:
                yield f"{other} returned", [ast.Return(ast.Name(other, ast.Load()))]
        if in_loop:
            yield "break instead of return", [ast.Break()]


def of_condition(statement):
    """Yield an if statement's other forms."""
    test, body, orelse = statement.test, statement.body, statement.orelse
    yield "condition negated", [ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)]
    yield "condition always true", body
    yield "condition always false", orelse or [ast.Pass()]
    if orelse and not isinstance(orelse[0], ast.If):
        yield "else dropped", [ast.If(test, body, [])]


def moves(statement, after):
    """Yield the statement and its neighbours with one of them in or out of a loop."""
    if not isinstance(statement, (*LOOPS, ast.If)):
        return
    *body, last = statement.body
    if after and isinstance(after[0], ast.Return):
        yield "return moved in", [with_body(statement, [*body, last, after[0]]), *after]
    if body and not any(isinstance(part, LEAPS) for part in ast.walk(last)):
        yield "last statement moved out", [with_body(statement, body), last, *after]


def with_body(statement, body):
    """Return a loop or condition with another body."""
    fields = {name: getattr(statement, name) for name in statement._fields}
    return type(statement)(**{**fields, "body": body})


def calls(statement):
    """Tell whether the statement calls something."""
    return any(isinstance(part, ast.Call) for part in ast.walk(statement))


def is_docstring(statement):
    """Tell whether the statement is a text alone."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )
