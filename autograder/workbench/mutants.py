"""First-order changes of expressions: each operator yields (what changed, new node)."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from autograder.mistakes.variants import run_code

ORDERINGS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "=="}
OPPOSITES = {ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is}
NUMBERS = ("alpha", "beta", "best", "score", "value", "v", "lower", "upper")
INFINITE = ("inf", "-inf")
CHILD_ROWS = ("{}[1:]", "{}[:-1]", "{}[::2]", "{}[:1]", "{}[::-1]", "[]")


def expression(text):
    """Return the expression that the text is."""
    return ast.parse(text, mode="eval").body


def of_expression(node, names):
    """Yield the changes of one expression; `names` are its function's variables."""
    operator = OPERATORS.get(type(node))
    if operator:
        yield from operator(node, names)


def compare(node, names):
    """Exchange a comparison for each other one, and negate it."""
    (old, *more) = node.ops
    if more:
        return
    if type(old) in ORDERINGS:
        for new in ORDERINGS:
            if new is not type(old):
                yield (
                    f"{ORDERINGS[type(old)]} becomes {ORDERINGS[new]}",
                    ast.Compare(node.left, [new()], node.comparators),
                )
    if type(old) in OPPOSITES:
        opposite = OPPOSITES[type(old)]()
        yield "comparison negated", ast.Compare(node.left, [opposite], node.comparators)
    for shift in (1, -1):
        if type(old) in ORDERINGS:
            moved = ast.BinOp(node.comparators[0], ast.Add(), ast.Constant(shift))
            yield f"compared with {shift:+}", ast.Compare(node.left, node.ops, [moved])


def arithmetic(node, names):
    """Exchange an arithmetic operator, and drop either operand."""
    for new in (ast.Add, ast.Sub, ast.Mult):
        if not isinstance(node.op, new):
            yield (
                f"operator becomes {new.__name__}",
                ast.BinOp(node.left, new(), node.right),
            )
    yield "right operand dropped", node.left
    yield "left operand dropped", node.right


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
    if node.id in ("min", "max") and isinstance(node.ctx, ast.Load):
        other = "max" if node.id == "min" else "min"
        yield f"{node.id} becomes {other}", ast.Name(other, node.ctx)
    if node.id in NUMBERS and node.id in names:
        for other in NUMBERS:
            if other in names and other != node.id:
                yield f"{node.id} becomes {other}", ast.Name(other, node.ctx)
    if isinstance(node.ctx, ast.Load):
        yield from infinity(node, node.id)
        if node.id == "maximizing":
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


def unary(node, names):
    """Drop a minus or a not."""
    if isinstance(node.op, (ast.Not, ast.USub)):
        yield f"{type(node.op).__name__} dropped", node.operand


def boolean(node, names):
    """Exchange and for or, and drop each operand."""
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield "and exchanged for or", ast.BoolOp(other, node.values)
    for index in range(len(node.values)):
        rest = node.values[:index] + node.values[index + 1 :]
        yield (
            f"operand {index + 1} dropped",
            ast.BoolOp(node.op, rest) if len(rest) > 1 else rest[0],
        )


def conditional(node, names):
    """Exchange the two sides of a conditional expression, and take either always."""
    yield "sides exchanged", ast.IfExp(node.test, node.orelse, node.body)
    yield "first side always", node.body
    yield "second side always", node.orelse


def call(node, names):
    """Exchange, drop or return arguments; drop parentheses; change a leaf's value."""
    args = node.args
    for index in range(len(args) - 1):
        swapped = args[:index] + [args[index + 1], args[index]] + args[index + 2 :]
        yield f"arguments {index + 1}, {index + 2} exchanged", with_args(node, swapped)
    if isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
        for index, argument in enumerate(args):
            if len(args) > 1 and not isinstance(argument, ast.Starred):
                yield f"only argument {index + 1} taken", argument
    elif len(args) > 1:
        for index in range(len(args)):
            yield (
                f"argument {index + 1} dropped",
                with_args(node, args[:index] + args[index + 1 :]),
            )
    if isinstance(node.func, ast.Attribute) and not args and not node.keywords:
        yield "parentheses dropped", node.func
        if node.func.attr == "evaluate":
            yield "value negated", ast.UnaryOp(ast.USub(), node)
            for text in ("int", "abs"):
                wrapped = ast.Call(ast.Name(text, ast.Load()), [node], [])
                yield f"value put through {text}()", wrapped


def with_args(node, args):
    """Return the call with other positional arguments."""
    return ast.Call(node.func, args, node.keywords)


def rows(iterated):
    """Yield other rows of things in the place of what a loop goes through."""
    text = f"list({ast.unparse(iterated)})"
    for pattern in CHILD_ROWS:
        yield f"loop over {pattern.format('row')}", expression(pattern.format(text))


OPERATORS = {
    ast.Compare: compare,
    ast.BinOp: arithmetic,
    ast.Constant: constant,
    ast.Name: name,
    ast.Attribute: attribute,
    ast.UnaryOp: unary,
    ast.BoolOp: boolean,
    ast.IfExp: conditional,
    ast.Call: call,
}


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


FUNCTIONS = (ast.FunctionDef, ast.Lambda)


@dataclass(frozen=True, eq=False)
class Mutant:
    """One changed submission. `module()` executes it, `source` writes it out.

    `name` is unique: the file's name, the line, what changed, and a number.
    """

    name: str
    origin: object
    change: int
    code: object
    known: frozenset

    def module(self):
        """Execute the mutant in a fresh module and return the module."""
        return run_code(self.code)

    @property
    def source(self):
        """The mutant's text, as ast writes it."""
        tree = ast.parse(self.origin.source)
        for number, _ in enumerate(changes(tree, self.known)):
            if number == self.change:
                return ast.unparse(tree)
        raise LookupError(self.name)


def mutants_of(variant, known=()):
    """Return the variant's mutants, each with other compiled code than the others.

    Top-level statements in `known`, a set of their dumps, are left as they are.
    """
    tree = ast.parse(variant.source)
    seen = {essence(variant.code)}
    found = []
    for number, (line, what) in enumerate(changes(tree, known)):
        code = compiled(tree, str(variant.path))
        if code is not None and essence(code) not in seen:
            seen.add(essence(code))
            name = f"{variant.name}:{line} {what} #{number}"
            found.append(Mutant(name, variant, number, code, frozenset(known)))
    return found


def mutants_of_all(variants):
    """Return the mutants of all the variants; a function they share is changed once."""
    found, known = [], set()
    for variant in variants:
        found += mutants_of(variant, known)
        known |= set(map(ast.dump, ast.parse(variant.source).body))
    return found


def compiled(tree, filename):
    """Return the tree's code, or None where Python refuses it."""
    try:
        return compile(tree, filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return None


def essence(code):
    """Return what a code object does, without line numbers."""
    constants = tuple(
        essence(part) if hasattr(part, "co_code") else (type(part), repr(part))
        for part in code.co_consts
    )
    return (
        code.co_code,
        constants,
        code.co_names,
        code.co_varnames,
        code.co_freevars,
        getattr(code, "co_exceptiontable", b""),
    )


def changes(tree, known=()):
    """Change the tree in one place after the other; yield (line, what) while it is.

    The tree is as it was before each next change, and at the end.
    """
    for top in tree.body:
        if not is_docstring(top) and ast.dump(top) not in known:
            yield from changes_below(top)


def changes_below(top):
    """Change a top-level statement in one place after the other, as `changes` does."""
    for parent, names, in_loop in list(places(top)):
        for field, old in list(ast.iter_fields(parent)):
            if is_block(old):
                for what, line, new in of_block(old, names, in_loop):
                    yield from put(parent, field, new, line, what)
            elif isinstance(old, ast.expr):
                for what, new in replacements(parent, field, old, names):
                    yield from put(parent, field, new, old.lineno, what)
            elif isinstance(old, list):
                for index, part in enumerate(old):
                    if isinstance(part, ast.expr):
                        for what, new in of_expression(part, names):
                            row = [*old[:index], new, *old[index + 1 :]]
                            yield from put(parent, field, row, part.lineno, what)


def put(parent, field, new, line, what):
    """Set the field, yield once, and set it back."""
    old = getattr(parent, field)
    setattr(parent, field, new)
    ast.fix_missing_locations(parent)
    try:
        yield line, what
    finally:
        setattr(parent, field, old)


def replacements(parent, field, old, names):
    """Yield what may stand in the place of one expression."""
    yield from of_expression(old, names)
    if field == "iter" and isinstance(parent, (ast.For, ast.comprehension)):
        yield from rows(old)


def is_block(field):
    """Tell whether a field holds statements."""
    return isinstance(field, list) and bool(field) and isinstance(field[0], ast.stmt)


def places(node, names=frozenset(), in_loop=False):
    """Yield (node, its function's variables, whether in a loop) for all below."""
    if isinstance(node, FUNCTIONS):
        inside = [part for part in ast.walk(node) if isinstance(part, (ast.arg, ast.Name))]
        names = frozenset(getattr(part, "arg", None) or part.id for part in inside)
        in_loop = False
    yield node, names, in_loop or isinstance(node, LOOPS)
    for child in ast.iter_child_nodes(node):
        yield from places(child, names, in_loop or isinstance(node, LOOPS))
