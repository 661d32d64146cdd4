"""Small changes of a program's syntax tree: those that break it, and those that mend it.

The workbench breaks right programs with them, to see whether the trees notice; the search
for the line of a mistake tries whether one of them makes a wrong program right. They know
a game tree search: bounds, infinities, rows of children, cutoffs, what moves in and out of
a loop. This file imports the standard library only: a worker that mends runs it too.
"""

from __future__ import annotations

import ast
from functools import cached_property

ORDERINGS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "=="}
OPPOSITES = {ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is}
LEAPS = (ast.Break, ast.Continue)
LOOPS = (ast.For, ast.While)
SCOPES = (ast.FunctionDef, ast.Lambda)
COMPOUND = (*LOOPS, ast.If)


class Edit:
    """One field of one node with other content, which is there between apply and undo.

    `lines` are the numbers of the lines concerned, the best to look at first; `after`
    says that something stands after such a line that was not there. `kind` is the name of
    the operator, `old` and `new` are the field's content.
    """

    def __init__(self, parent, field, old, new, lines, kind, after=False):
        self.parent, self.field, self.old, self.new = parent, field, old, new
        self.lines, self.kind, self.after = lines, kind, after

    def apply(self):
        """Make the change. Beside another one of the same list, both are made."""
        now = getattr(self.parent, self.field)
        self._before = now
        if isinstance(self.old, list) and now is not self.old:
            now, first = list(now), self.removed[0]
            place = next((n for n, part in enumerate(now) if part is first), len(now))
            now[place : place + len(self.removed)] = self.added
            setattr(self.parent, self.field, now)
        else:
            setattr(self.parent, self.field, self.new)

    def undo(self):
        """Put back what was there before apply()."""
        setattr(self.parent, self.field, self._before)

    @property
    def removed(self):
        """What goes of a list, at least the part that the change is beside."""
        return self._trimmed[0]

    @property
    def added(self):
        """What comes in the place of `removed`."""
        return self._trimmed[1]

    @cached_property
    def _trimmed(self):
        if not isinstance(self.old, list):
            return [self.old], [self.new]
        old, new, first = self.old, self.new, 0
        while first < min(len(old), len(new)) and old[first] is new[first]:
            first += 1
        last = 0
        while last < min(len(old), len(new)) - first and old[~last] is new[~last]:
            last += 1
        if first + last == len(old):  # something is only inserted
            first -= bool(first)
            last -= not first and bool(last)
        return old[first : len(old) - last], new[first : len(new) - last]


def places(node, scope=None, in_loop=False):
    """Yield (node, its innermost function or None, whether in a loop) for all below."""
    if isinstance(node, SCOPES):
        scope, in_loop = node, False
    in_loop = in_loop or isinstance(node, LOOPS)
    yield node, scope, in_loop
    for child in ast.iter_child_nodes(node):
        yield from places(child, scope, in_loop)


def is_docstring(statement):
    """Tell whether the statement is a text alone."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def essence(code):
    """Return what a code object does, without line numbers."""
    constants = tuple(
        essence(part) if hasattr(part, "co_code") else (type(part), repr(part))
        for part in code.co_consts
    )
    names = code.co_names, code.co_varnames, code.co_freevars
    return code.co_code, constants, names, getattr(code, "co_exceptiontable", b"")


# Operators that are their own opposites: they break as well as they mend. Each yields
# (what changed, what stands there instead).


def compare(node):
    """Exchange a comparison for each other one, and negate it."""
    if len(node.ops) > 1:
        return
    old = type(node.ops[0])
    if old in ORDERINGS:
        for new in ORDERINGS:
            if new is not old:
                what = f"{ORDERINGS[old]} becomes {ORDERINGS[new]}"
                yield what, ast.Compare(node.left, [new()], node.comparators)
    if old in OPPOSITES:
        opposite = OPPOSITES[old]()
        yield "comparison negated", ast.Compare(node.left, [opposite], node.comparators)


def arithmetic(node):
    """Exchange an arithmetic operator, and drop either operand."""
    for new in (ast.Add, ast.Sub, ast.Mult):
        if not isinstance(node.op, new):
            changed = ast.BinOp(node.left, new(), node.right)
            yield f"operator becomes {new.__name__}", changed
    yield "right operand dropped", node.left
    yield "left operand dropped", node.right


def unary(node):
    """Drop a minus or a not."""
    if isinstance(node.op, (ast.Not, ast.USub)):
        yield f"{type(node.op).__name__} dropped", node.operand


def boolean(node):
    """Exchange and for or, and drop each operand."""
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield "and exchanged for or", ast.BoolOp(other, node.values)
    for index in range(len(node.values)):
        rest = node.values[:index] + node.values[index + 1 :]
        new = ast.BoolOp(node.op, rest) if len(rest) > 1 else rest[0]
        yield f"operand {index + 1} dropped", new


def conditional(node):
    """Exchange the two sides of a conditional expression, and take either always."""
    yield "sides exchanged", ast.IfExp(node.test, node.orelse, node.body)
    yield "first side always", node.body
    yield "second side always", node.orelse


def arguments_exchanged(node):
    """Exchange two arguments of a call that stand side by side."""
    args = node.args
    for index in range(len(args) - 1):
        swapped = args[:index] + [args[index + 1], args[index]] + args[index + 2 :]
        changed = ast.Call(node.func, swapped, node.keywords)
        yield f"arguments {index + 1}, {index + 2} exchanged", changed


def opposite_choice(node):
    """Take min for max, and max for min."""
    if node.id in ("min", "max"):
        other = "max" if node.id == "min" else "min"
        yield f"{node.id} becomes {other}", ast.Name(other, node.ctx)


def of_condition(statement):
    """Negate an if, take one of its ways always, drop its else; statements each."""
    test, body, orelse = statement.test, statement.body, statement.orelse
    yield "condition negated", [ast.If(ast.UnaryOp(ast.Not(), test), body, orelse)]
    yield "condition always true", body
    yield "condition always false", orelse or [ast.Pass()]
    if orelse and not isinstance(orelse[0], ast.If):
        yield "else dropped", [ast.If(test, body, [])]


def of_leap(statement):
    """Exchange break for continue, and return instead of either."""
    other = ast.Continue() if isinstance(statement, ast.Break) else ast.Break()
    yield f"{type(other).__name__.lower()} instead", [other]
    yield "return instead", [ast.Return(None)]


def moved(statement, after):
    """Move statements: (what, what stands for this one and those after it)."""
    if after:
        yield "statements exchanged", [after[0], statement, *after[1:]]
    if isinstance(statement, COMPOUND):
        *body, last = statement.body
        if after and isinstance(after[0], ast.Return):
            yield "return moved in", [with_body(statement, [*body, last, after[0]]), *after]
        if body and not any(isinstance(part, LEAPS) for part in ast.walk(last)):
            yield "last statement moved out", [with_body(statement, body), last, *after]


def with_body(statement, body):
    """Return a loop or condition with another body."""
    fields = {name: getattr(statement, name) for name in statement._fields}
    return type(statement)(**{**fields, "body": body})
