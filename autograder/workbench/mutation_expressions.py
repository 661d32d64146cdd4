"""First-order changes of expressions: each operator yields (what changed, new node)."""

from __future__ import annotations

import ast

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
