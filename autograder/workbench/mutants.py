"""Mutants: right submissions, each changed in one place, compiled and ready to be run.

A mutation library changes files and runs a test command for each. Here thousands of
mutants run in this process, and their operators know a game tree search: bounds,
infinities, rows of children, statements that move in and out of a loop. What mends
programs as well as it breaks them stands in mistakes/changes.py.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import CodeType, ModuleType

from autograder.mistakes.changes import (
    LEAPS,
    ORDERINGS,
    arguments_exchanged,
    arithmetic,
    boolean,
    compare,
    conditional,
    essence,
    is_docstring,
    moved,
    of_condition,
    of_leap,
    opposite_choice,
    places,
    unary,
)
from autograder.mistakes.variants import Variant, run_code
from gametree.asked import ASKED
from gametree.functions import FUNCTIONS

NUMBERS = ("alpha", "beta", "best", "score", "value", "v", "lower", "upper")
INFINITE = ("inf", "-inf")
ROWS = ("row[1:]", "row[:-1]", "row[::2]", "row[:1]", "row[::-1]", "[]")
DROPPABLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.Return, ast.Break,
             ast.Continue, ast.Raise, ast.Nonlocal)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Mutant:
    """One changed submission. Its unique `name` says the file, the line, and the change."""

    name: str
    code: CodeType

    def module(self) -> ModuleType:
        """Execute the mutant in a fresh module and return the module."""
        return run_code(self.code)


def mutants_of_all(variants: Iterable[Variant]) -> list[Mutant]:
    """Return the mutants of all the variants; a function they share is changed once."""
    mutants, known = [], set()
    for variant in variants:
        mutants += mutants_of(variant, known)
        known |= set(map(ast.dump, ast.parse(variant.source).body))
    return mutants


def mutants_of(variant: Variant, known: Iterable[str] = ()) -> list[Mutant]:
    """Return the variant's mutants, each with other compiled code than the others.

    Top-level statements in `known`, a set of their dumps, are left as they are.
    """
    tree = ast.parse(variant.source)
    seen = {essence(variant.code)}
    mutants = []
    for number, (line, what) in enumerate(changes(tree, known)):
        try:
            code = compile(tree, str(variant.path), "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            continue
        if essence(code) not in seen:
            seen.add(essence(code))
            mutants.append(Mutant(f"{variant.name}:{line} {what} #{number}", code))
    return mutants


def changes(tree: ast.Module, known: Iterable[str] = ()) -> Iterator[tuple[int, str]]:
    """Change the tree in one place after the other; yield (line, what) while it is.

    The tree is as it was before each next change, and at the end.
    """
    for edit in edits(tree, known):
        with edit.made():
            yield edit.line, edit.what


@dataclass(frozen=True, eq=False)
class Edit:
    """One change of a tree: a field of a node, what it holds, and what it could hold."""

    parent: ast.AST
    field: str
    old: object
    new: object
    line: int
    what: str

    @contextlib.contextmanager
    def made(self) -> Iterator[None]:
        """Return a context in which the tree is changed."""
        setattr(self.parent, self.field, self.new)
        ast.fix_missing_locations(self.parent)
        try:
            yield
        finally:
            setattr(self.parent, self.field, self.old)


def edits(
    tree: ast.Module, known: Iterable[str] = (), of_field: Callable | None = None
) -> Iterator[Edit]:
    """Yield the edits of a tree, which is to be as it was when the next is asked for.

    Top-level statements in `known`, a set of their dumps, have none. `of_field` takes
    the place of the function of that name.
    """
    of_field = of_field or field_changes
    for top in tree.body:
        if is_docstring(top) or ast.dump(top) in known or _is_optional(top):
            continue
        for parent, scope, in_loop in list(places(top)):
            names = names_in(scope)
            for field, old in list(ast.iter_fields(parent)):
                for line, what, new in of_field(parent, field, old, names, in_loop):
                    yield Edit(parent, field, old, new, line, what)


def _is_optional(top):
    """Tell whether a statement defines a function that the kit's own rubric leaves out."""
    name = getattr(top, "name", "")
    return name in FUNCTIONS and name not in ASKED


def names_in(scope):
    """Return the variables of a function; none without one."""
    parts = ast.walk(scope) if scope else ()
    inside = (part for part in parts if isinstance(part, (ast.arg, ast.Name)))
    return frozenset(getattr(part, "arg", None) or part.id for part in inside)


def field_changes(parent, field, old, names, in_loop):
    """Yield (line, what changed, the field's new content) of one field of a node."""
    if isinstance(old, ast.expr):
        for what, new in of_expression(old, names):
            yield old.lineno, what, new
        if field == "iter" and isinstance(parent, (ast.For, ast.comprehension)):
            for row in ROWS:
                text = row.replace("row", f"list({ast.unparse(old)})")
                yield old.lineno, f"loop over {row}", ast.parse(text, mode="eval").body
    elif isinstance(old, list):
        for index, part in enumerate(old):
            before, after = old[:index], old[index + 1 :]
            if isinstance(part, ast.stmt):
                for what, rest in of_statement(part, after, names, in_loop):
                    yield part.lineno, what, before + rest
            elif isinstance(part, ast.expr):
                for what, new in of_expression(part, names):
                    yield part.lineno, what, [*before, new, *after]


def of_statement(statement, after, names, in_loop):
    """Yield (what changed, what stands in the place of a statement and those after it)."""
    for what, new in replacements(statement, names, in_loop):
        yield what, new + after
    yield from moved(statement, after)


def replacements(statement, names, in_loop):
    """Yield (what changed, the statements that stand in the place of this one)."""
    if isinstance(statement, DROPPABLE) and not is_docstring(statement):
        yield "statement dropped", [ast.Pass()]
    if isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr)) and any(
        isinstance(part, ast.Call) for part in ast.walk(statement)
    ):
        yield "statement doubled", [statement, statement]
    if isinstance(statement, ast.AugAssign):
        other = ast.Sub() if isinstance(statement.op, ast.Add) else ast.Add()
        yield "sign exchanged", [ast.AugAssign(statement.target, other, statement.value)]
    if isinstance(statement, ast.If):
        yield from of_condition(statement)
    if isinstance(statement, LEAPS):
        yield from of_leap(statement)
    if isinstance(statement, ast.Return) and statement.value is not None:
        yield "value not returned", [ast.Expr(statement.value)]
        yield "nothing returned", [ast.Return(None)]
        for other in NUMBERS:
            if other in names:
                yield f"{other} returned", [ast.Return(ast.Name(other, ast.Load()))]
        if in_loop:
            yield "break instead of return", [ast.Break()]


def of_expression(node, names):
    """Yield (what changed, new expression); `names` are its function's variables."""
    operator = OPERATORS.get(type(node))
    return operator(node, names) if operator else ()


def compared(node, names):
    """Exchange a comparison for each other one, negate it, and move one side by one."""
    yield from compare(node)
    if len(node.ops) == 1 and type(node.ops[0]) in ORDERINGS:
        for shift in (1, -1):
            shifted = ast.BinOp(node.comparators[0], ast.Add(), ast.Constant(shift))
            yield f"compared with {shift:+}", ast.Compare(node.left, node.ops, [shifted])


def constant(node, names):
    """Move a number by one, negate it, or turn a truth value round."""
    if isinstance(node.value, bool):
        yield f"{node.value} turned round", ast.Constant(not node.value)
    elif isinstance(node.value, (int, float)):
        for new in {node.value + 1, node.value - 1, -node.value, 0} - {node.value}:
            yield f"{node.value} becomes {new}", ast.Constant(new)
    elif node.value in INFINITE:
        other = INFINITE[1 - INFINITE.index(node.value)]
        yield f"{node.value} becomes {other}", ast.Constant(other)


def name(node, names):
    """Take another variable, the other bound, min for max, or a finite infinity."""
    read = isinstance(node.ctx, ast.Load)
    if read:
        yield from opposite_choice(node)
    if node.id in NUMBERS and node.id in names:
        for other in NUMBERS:
            if other in names and other != node.id:
                yield f"{node.id} becomes {other}", ast.Name(other, node.ctx)
    if read:
        yield from infinity(node, node.id)
    if read and node.id == "maximizing":
        yield "maximizing negated", ast.UnaryOp(ast.Not(), node)


def attribute(node, names):
    """Take the other bound of an object, or a finite infinity."""
    others = {"alpha": "beta", "beta": "alpha"}
    if node.attr in others:
        other = others[node.attr]
        yield f".{node.attr} becomes .{other}", ast.Attribute(node.value, other, node.ctx)
    yield from infinity(node, node.attr)


def infinity(node, written):
    """Put other numbers in the place of an infinity."""
    if written.lower() in ("inf", "infinity"):
        for new in (0, 1, 99, 9999):
            yield f"infinity becomes {new}", ast.Constant(new)
        yield "infinity negated", ast.UnaryOp(ast.USub(), node)


def call(node, names):
    """Exchange, drop or return arguments; drop parentheses; change a leaf's value."""
    args = node.args

    def with_args(changed):
        return ast.Call(node.func, changed, node.keywords)

    yield from arguments_exchanged(node)
    if isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
        for index, argument in enumerate(args):
            if len(args) > 1 and not isinstance(argument, ast.Starred):
                yield f"only argument {index + 1} taken", argument
    elif len(args) > 1:
        for index in range(len(args)):
            rest = args[:index] + args[index + 1 :]
            yield f"argument {index + 1} dropped", with_args(rest)
    if isinstance(node.func, ast.Attribute) and not args and not node.keywords:
        yield "parentheses dropped", node.func
        if node.func.attr == "evaluate":
            yield "value negated", ast.UnaryOp(ast.USub(), node)
            for function in ("int", "abs"):
                wrapped = ast.Call(ast.Name(function, ast.Load()), [node], [])
                yield f"value put through {function}()", wrapped


def alone(operator):
    """Return an operator that looks at the node alone as one that is told names too."""
    return lambda node, names: operator(node)


OPERATORS = {
    ast.Compare: compared,
    ast.BinOp: alone(arithmetic),
    ast.Constant: constant,
    ast.Name: name,
    ast.Attribute: attribute,
    ast.UnaryOp: alone(unary),
    ast.BoolOp: alone(boolean),
    ast.IfExp: alone(conditional),
    ast.Call: call,
}
