"""Small changes that may make a wrong search right: what a worker makes of a text.

`repairs` lists them: the operators of the mutants turned round, and statements that may be
missing, made of the function's own names. `made` compiles them; it runs in a worker that
runs nothing of the submission. The standard library and changes.py only.
"""

from __future__ import annotations

import ast
import itertools
import json
import marshal
import re
import zlib
from functools import cached_property

from autograder.mistakes.changes import (
    COMPOUND,
    LEAPS,
    Edit,
    arithmetic,
    boolean,
    compare,
    conditional,
    essence,
    is_docstring,
    opposite_choice,
    places,
    unary,
)

LOOKS = ("children", "evaluate", "is_terminal")  # of a node
METHODS = ("evaluate", "is_terminal")
INFINITY = 'float("inf")'
# What a change costs: another word, another name, a statement, one that is missing, one
# that is missing where a loop begins.
SMALL, NAME, LARGE, MISSING, FIRST = range(1, 6)
SHARED = 10  # what it costs more to change what a right function rests on
BY_NAME = ("name", "target", "node", "function", "cutoff", "end", "condition", "unbounded",
           "player")  # fmt: skip
MOST_NODES = 12_000  # of the syntax tree
MOST_VARIANTS = 1_400
MOST_BYTES, HEAD_BYTES = 12 * 2**20, 1000  # of code in all; for the rest of a variant
MOST_WHAT = 300  # characters that say a change
MOST_WORK = 4_000_000  # nodes of the syntax tree times variants: what compiling costs
FREE = {"abs", "int", "round", "sorted", "reversed", "list", "tuple", "set", "sum", "str"}


class Names:
    """What the names of an outermost function stand for, as far as its text tells."""

    def __init__(self, function, functions):
        self.function = function
        self.functions = functions
        parts = list(ast.walk(function))
        self._parts = parts
        self.parameters = [part.arg for part in parts if isinstance(part, ast.arg)]
        stored = [
            part.id
            for part in parts
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        ]
        self.all = list(dict.fromkeys(self.parameters + stored))

    @cached_property
    def called(self):
        """Names that are called."""
        calls = (part.func for part in self._parts if isinstance(part, ast.Call))
        return {func.id for func in calls if isinstance(func, ast.Name)}

    @cached_property
    def nodes(self):
        """Names of nodes of the game tree, and of rows of them."""
        found = {
            part.value.id
            for part in self._parts
            if isinstance(part, ast.Attribute)
            and part.attr in LOOKS
            and isinstance(part.value, ast.Name)
        }
        for part in self._parts:
            if isinstance(part, (ast.For, ast.comprehension)) and not _counts(part.iter):
                found |= _stored(part.target)
            if isinstance(part, ast.Assign) and "children" in _attributes(part.value):
                counted = isinstance(part.value, ast.Call) and part.value.args
                found |= set() if counted else _stored(part)
        return found

    @cached_property
    def flags(self):
        """Parameters that are true or false."""
        tests = [part.test for part in self._parts if isinstance(part, (ast.If, ast.IfExp))]
        tests += [
            p.operand
            for p in self._parts
            if isinstance(p, ast.UnaryOp) and isinstance(p.op, ast.Not)
        ]
        names = {test.id for test in tests if isinstance(test, ast.Name)}
        return [
            name for name in self.parameters if name in names and name not in self.nodes
        ]

    @cached_property
    def depths(self):
        """Parameters that are compared with a number, or counted."""
        found = set()
        for part in self._parts:
            if isinstance(part, ast.Compare):
                sides = [part.left, *part.comparators]
                if any(isinstance(side, ast.Constant) for side in sides):
                    found |= {side.id for side in sides if isinstance(side, ast.Name)}
            if isinstance(part, ast.BinOp) and isinstance(part.left, ast.Name):
                right = getattr(part.right, "value", None)
                found |= {part.left.id} if isinstance(right, int) else set()
        known = {"depth", "d", "plies", "ply"} & set(self.parameters)
        return [
            name
            for name in self.parameters
            if (name in found or name in known) and name not in self.flags
        ]

    @cached_property
    def values(self):
        """Names that may hold a value or a bound."""
        others = {*self.nodes, *self.flags, *self.depths, *self.called, "self"}
        return [name for name in self.all if name not in others]

    @cached_property
    def bounds(self):
        """Those of the values that are parameters: alpha and beta, by whatever name."""
        return [name for name in self.values if name in self.parameters][:2]

    @cached_property
    def bests(self):
        """Those of the values that the function sets by itself."""
        return [name for name in self.values if name not in self.parameters]

    @cached_property
    def children(self):
        """Names that stand for one child after the other."""
        loops = (part.target for part in self._parts if isinstance(part, ast.For))
        return [part.id for part in loops if isinstance(part, ast.Name)][:2]

    @cached_property
    def globals(self):
        """Names that live on beyond a call."""
        kept = [p.names for p in self._parts if isinstance(p, (ast.Global, ast.Nonlocal))]
        return list(dict.fromkeys(itertools.chain(*kept)))

    @cached_property
    def unset(self):
        """Those of the values that are read above the line where they are first set."""
        first = {}
        for part in self._parts:
            if isinstance(part, ast.Name) and part.id in self.bests:
                order = part.lineno, isinstance(part.ctx, ast.Store)
                first[part.id] = min(first.get(part.id, order), order)
        return [name for name, (_, stored) in first.items() if not stored]

    def is_recursive(self, part):
        """Tell whether a part calls one of the submission's own functions."""
        if not isinstance(part, ast.Call):
            return False
        name = getattr(part.func, "id", None) or getattr(part.func, "attr", None)
        return name in self.functions


def _counts(row):
    return isinstance(row, ast.Call) and getattr(row.func, "id", "") == "range"


def _attributes(part):
    return {one.attr for one in ast.walk(part) if isinstance(one, ast.Attribute)}


def expression(text):
    """Return the syntax tree of an expression."""
    return ast.parse(text, mode="eval").body


def statement(text):
    """Return the syntax tree of a statement, or of several on one line."""
    return ast.parse(text).body


def reachable(tree, function):
    """Return those top-level statements that a function's work may rest on."""
    bound = {}
    for top in tree.body:
        names = {getattr(top, "name", None)} if hasattr(top, "name") else _stored(top)
        for name in names:
            bound.setdefault(name, []).append(top)
    waiting, found = [function], {}
    while waiting:
        for top in bound.pop(waiting.pop(), ()):
            if id(top) not in found:
                found[id(top)] = top
                waiting += _mentioned(top)
    return [top for top in tree.body if id(top) in found]


def _stored(part):
    return {
        one.id
        for one in ast.walk(part)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }


def _mentioned(part):
    return sorted(
        {one.id for one in ast.walk(part) if isinstance(one, ast.Name)}
        | {one.attr for one in ast.walk(part) if isinstance(one, ast.Attribute)}
    )


def functions_of(tree):
    """Return name -> parameters of all functions that are defined anywhere in a tree."""
    return {
        part.name: [argument.arg for argument in part.args.args if argument.arg != "self"]
        for part in ast.walk(tree)
        if isinstance(part, ast.FunctionDef)
    }


def repairs(tree, function, right=(), strict=False):
    """Return the Edits that may mend a function, each with its `cost`, cheapest first.

    What functions rest on that are `right`, and do not call it, is changed last.
    """
    functions, edits = functions_of(tree), []
    shared = []
    for others in (reachable(tree, name) for name in right):
        if not any(getattr(top, "name", "") == function for top in others):
            shared += others
    for top in reachable(tree, function):
        begin = len(edits)
        for outer in _outermost(top):
            names = Names(outer, functions)
            for edit in _of_function(outer, names, strict):
                edit.bounds = names.bounds
                edits.append(edit)
        if not isinstance(top, (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)):
            edits += _of_constants(top)
        for edit in edits[begin:]:
            edit.cost += SHARED * (top in shared)
    return sorted(edits, key=lambda edit: edit.cost)


def _outermost(part):
    """Yield the functions that are in no other function, methods among them."""
    if isinstance(part, ast.FunctionDef):
        yield part
    elif isinstance(part, (ast.ClassDef, ast.If, ast.Try)):
        for child in ast.iter_child_nodes(part):
            yield from _outermost(child)
    elif isinstance(part, ast.Assign) and isinstance(part.value, ast.Lambda):
        yield part.value


def _of_constants(top):
    """Yield the Edits of a constant that is set outside of functions."""
    if isinstance(top, ast.Assign):
        for parent, _, _ in places(top):
            for field, old in list(ast.iter_fields(parent)):
                if isinstance(old, ast.expr) and _is_number(old):
                    for new in map(expression, (INFINITY, f"-{INFINITY}")):
                        yield _edit(parent, field, old, new, old, "infinity", SMALL)


def _edit(parent, field, old, new, at, kind, cost, after=False, lines=None):
    line = at.end_lineno if after else at.lineno
    edit = Edit(parent, field, old, new, lines or [line], kind, after)
    edit.cost = NAME if cost == SMALL and kind in BY_NAME else cost
    for part in edit.added:
        for one in ast.walk(part):
            if "lineno" in one._attributes and not hasattr(one, "lineno"):
                ast.copy_location(one, at)
    return edit


def _of_function(function, names, strict):
    """Yield the Edits of one function."""
    for parent, _, in_loop in places(function):
        if isinstance(parent, ast.arguments):
            continue
        for field, old in ast.iter_fields(parent):
            if field in ("decorator_list", "returns", "annotation"):
                continue
            if isinstance(old, ast.expr):
                for kind, new in of_expression(parent, field, old, names, strict):
                    yield _edit(parent, field, old, new, old, kind, SMALL)
            elif isinstance(old, list) and old and isinstance(old[0], ast.stmt):
                inside = in_loop and not isinstance(parent, ast.FunctionDef)
                yield from of_body(parent, field, old, names, inside, strict)
            elif isinstance(old, list):
                for index, part in enumerate(old):
                    if isinstance(part, ast.expr):
                        for kind, new in of_expression(parent, field, part, names, strict):
                            row = [*old[:index], new, *old[index + 1 :]]
                            yield _edit(parent, field, old, row, part, kind, SMALL)


def _is_infinity(part):
    if isinstance(part, ast.Attribute):
        return part.attr in ("inf", "maxsize", "infty", "Infinity")
    if isinstance(part, ast.Name):
        return part.id.upper().lstrip("_") in (
            "INF",
            "INFINITY",
            "NEG_INF",
            "POS_INF",
            "INFTY",
        )
    return (
        isinstance(part, ast.Call)
        and getattr(part.func, "id", "") == "float"
        and len(part.args) == 1
        and isinstance(part.args[0], ast.Constant)
    )


def _is_number(part):
    """Tell whether a part is a number as it is written, or an infinity."""
    if isinstance(part, ast.UnaryOp) and isinstance(part.op, (ast.USub, ast.UAdd)):
        return _is_number(part.operand)
    if isinstance(part, ast.Constant):
        return isinstance(part.value, (int, float)) and not isinstance(part.value, bool)
    return _is_infinity(part) or (
        isinstance(part, ast.BinOp) and _is_number(part.left) and _is_number(part.right)
    )


def _name(text):
    return ast.Name(text, ast.Load())


def _without(names, part):
    own = getattr(part, "id", None)
    return [name for name in names if name != own]


def of_expression(parent, field, old, names, strict):
    """Yield (kind, new expression) of one expression that stands in a field of a node."""
    if isinstance(getattr(old, "ctx", None), (ast.Store, ast.Del)):
        if isinstance(old, ast.Name) and old.id in names.values:
            for name in _without(names.values, old):
                yield "target", ast.Name(name, ast.Store())
        return
    if isinstance(parent, (ast.Attribute, ast.keyword)) and isinstance(old, ast.Constant):
        return
    argument = isinstance(parent, ast.Call) and field == "args"
    recursive = argument and names.is_recursive(parent)
    if _is_number(old):
        yield from _of_number(parent, field, old, names, recursive)
    elif isinstance(old, ast.Name):
        yield from _of_name(old, names, argument, recursive, field, parent)
    elif isinstance(old, ast.Constant):
        if isinstance(old.value, bool):
            yield "flag", ast.Constant(not old.value)
            for name in names.flags:
                yield "flag", ast.UnaryOp(ast.Not(), _name(name))
    elif isinstance(old, ast.Compare):
        yield from (("comparison", new) for _, new in compare(old))
        if len(old.ops) == 1 and not isinstance(old.ops[0], (ast.Eq, ast.NotEq)):
            turned = ast.Compare(old.comparators[0], old.ops, [old.left])
            yield "comparison", turned
    elif isinstance(old, ast.BinOp):
        yield from (("arithmetic", new) for _, new in arithmetic(old))
        if isinstance(old.left, ast.Name) and _is_number(old.right):
            yield "arithmetic", ast.BinOp(old.left, ast.Sub(), ast.Constant(1))
    elif isinstance(old, ast.UnaryOp):
        yield from (("sign", new) for _, new in unary(old))
    elif isinstance(old, ast.BoolOp):
        yield from (("condition", new) for _, new in boolean(old))
    elif isinstance(old, ast.IfExp):
        yield from (("condition", new) for _, new in conditional(old))
    elif isinstance(old, ast.Call):
        yield from _of_call(parent, field, old, names)
    elif isinstance(old, ast.Subscript) and isinstance(old.slice, ast.Slice):
        yield "row", old.value
    elif isinstance(old, ast.Attribute):
        called = isinstance(parent, ast.Call) and field == "func"
        if old.attr in METHODS and not called:
            yield "call", ast.Call(old, [], [])
    if field == "test" and isinstance(parent, (ast.If, ast.While, ast.IfExp)):
        yield from _of_test(parent, old, names, strict)
    if isinstance(old, (ast.Call, ast.Name)) and _returns_value(parent, field, old, names):
        yield "name", ast.UnaryOp(ast.USub(), old)
        if isinstance(old, ast.Call) and getattr(old.func, "attr", "") == "evaluate":
            for flag in names.flags:
                turned = ast.UnaryOp(ast.USub(), old)
                yield "player", ast.IfExp(_name(flag), old, turned)
                yield "player", ast.IfExp(_name(flag), turned, old)
            for name in names.values:
                if name in names.parameters:
                    yield "player", ast.BinOp(_name(name), ast.Mult(), old)
    if field == "value" and isinstance(parent, ast.Assign):
        yield from _of_assigned(parent, old, names)
    if field == "value" and isinstance(parent, ast.Return):
        for name in _without(names.values, old) if not _is_number(old) else ():
            if not isinstance(old, ast.Name):
                yield "returned", _name(name)


def _returns_value(parent, field, old, names):
    """Tell whether a sign before an expression may matter: it is a value."""
    if isinstance(parent, (ast.UnaryOp, ast.Attribute, ast.Subscript)) or field == "func":
        return False
    if isinstance(old, ast.Call):
        called = getattr(old.func, "attr", "")
        return names.is_recursive(old) or called == "evaluate"
    places = ast.Call, ast.Return, ast.BinOp
    return old.id in names.values and isinstance(parent, places)


def _of_number(parent, field, old, names, recursive):
    index = isinstance(parent, (ast.Subscript, ast.Slice)) or _is_range(parent)
    counted = isinstance(parent, (ast.BinOp, ast.AugAssign))
    plain = isinstance(old, ast.Constant) and isinstance(old.value, int)
    if plain and (index or counted or isinstance(parent, (ast.Compare, ast.Assign))):
        for number in sorted({0, 1, old.value + 1, old.value - 1} - {old.value}):
            yield "number", ast.Constant(number)
    if isinstance(parent, ast.Subscript):
        for name in names.values:
            yield "name", _name(name)
    if recursive:
        for depth in names.depths[:1]:
            yield "arithmetic", expression(f"{depth} - 1")
    if index or counted:
        return
    for text in (INFINITY, f"-{INFINITY}"):
        yield "infinity", expression(text)
    if isinstance(parent, (ast.Call, ast.Compare, ast.Assign, ast.Return)):
        for name in names.values:
            if not isinstance(parent, ast.Assign) or name in names.parameters:
                yield "name", _name(name)


def _is_range(parent):
    return isinstance(parent, ast.Call) and getattr(parent.func, "id", "") == "range"


def _of_name(old, names, argument, recursive, field, parent):
    if field == "func":
        for _, new in opposite_choice(old):
            yield "choice", new
        if old.id in names.functions:
            for name in sorted(names.functions.keys() - {old.id}):
                yield "function", _name(name)
        return
    for _, new in opposite_choice(old):
        yield "choice", new
    if old.id in names.flags:
        yield "flag", ast.UnaryOp(ast.Not(), old)
        if recursive:
            yield "flag", ast.Constant(True)
            yield "flag", ast.Constant(False)
    if old.id in names.depths and recursive:
        yield "arithmetic", ast.BinOp(old, ast.Sub(), ast.Constant(1))
    if old.id in names.values:
        for name in _without(names.values, old):
            yield "name", _name(name)
        if argument or isinstance(parent, ast.Assign):
            for text in (INFINITY, f"-{INFINITY}"):
                yield "unbounded", expression(text)
    if old.id in names.nodes:
        for name in _without(sorted(names.nodes), old):
            yield "node", _name(name)


def _of_call(parent, field, old, names):
    func = getattr(old.func, "id", "")
    if func in FREE and len(old.args) == 1:
        yield "wrapping", old.args[0]
    if names.is_recursive(old):
        yield from _of_arguments(old, func, names)
        for first, second in itertools.combinations(range(len(old.args)), 2):
            args = list(old.args)
            args[first], args[second] = args[second], args[first]
            yield "arguments", ast.Call(old.func, args, old.keywords)
    if func in ("min", "max") and len(old.args) == 2 and not old.keywords:
        yield "choice", old.args[0]
        yield "choice", old.args[1]
    if func in ("min", "max"):
        other = ast.Call(_name("min" if func == "max" else "max"), old.args, old.keywords)
        for flag in names.flags:
            yield "player", ast.IfExp(_name(flag), old, other)
            yield "player", ast.IfExp(_name(flag), other, old)
    if old.keywords and func in ("min", "max", "sorted"):
        rest = [key for key in old.keywords if key.arg != "reverse"]
        if len(rest) < len(old.keywords):
            yield "order", ast.Call(old.func, old.args, rest)


def _of_arguments(old, func, names):
    """Yield the call with an argument more, and with those of another function."""
    own = func or getattr(old.func, "attr", "")
    if len(old.args) + len(old.keywords) < len(names.functions[own]):
        for place in range(len(old.args) + 1):
            for text in _arguments(names.functions[own][place], names):
                args = [*old.args[:place], expression(text), *old.args[place:]]
                yield "arguments", ast.Call(old.func, args, old.keywords)
    given = dict(zip(names.functions[own], old.args))
    for other, parameters in names.functions.items() if func and not old.keywords else ():
        if set(given) < set(parameters) and set(parameters) - set(given) <= set(names.all):
            args = [given.get(name) or _name(name) for name in parameters]
            yield "function", ast.Call(_name(other), args, [])


def _arguments(parameter, names):
    """Return the texts of what may be given for a parameter."""
    if parameter in names.depths:
        return [parameter, f"{parameter} - 1"]
    known = [parameter] if parameter in names.all else names.values
    if parameter in names.flags or parameter not in names.all:
        known = [*known, "True", "False", *(f"not {flag}" for flag in names.flags)]
    return known


def _of_test(parent, old, names, strict):
    yield "condition", ast.UnaryOp(ast.Not(), old)
    if isinstance(parent, ast.If) and any(
        isinstance(p, (ast.Break, ast.Return)) for p in parent.body
    ):
        for text in _cutoffs(names, strict):
            yield "cutoff", expression(text)
    for depth in names.depths[:1]:
        for node in _parameters_in(names, names.nodes)[:1]:
            ends = f"{depth} == 0", f"{node}.is_terminal()"
            if "is_terminal" in _attributes(old) or "children" in _attributes(old):
                yield "end", ast.BoolOp(ast.Or(), [expression(ends[0]), old])
            elif any(isinstance(p, ast.Name) and p.id == depth for p in ast.walk(old)):
                yield "end", ast.BoolOp(ast.Or(), [old, expression(ends[1])])
    yield "end", expression("False")
    alone = isinstance(old, ast.Compare) and len(old.ops) == 1
    for flag in names.flags if alone else ():
        yield "player", ast.BoolOp(ast.And(), [_name(flag), old])
        yield "player", ast.BoolOp(ast.And(), [expression(f"not {flag}"), old])
        turned = ast.Compare(old.comparators[0], old.ops, [old.left])
        yield "player", ast.IfExp(_name(flag), old, turned)
        yield "player", ast.IfExp(_name(flag), turned, old)


def _parameters_in(names, some):
    return [name for name in names.parameters if name in some]


def _cutoffs(names, strict):
    """Yield the conditions of a cutoff, made of the function's own names."""
    if len(names.bounds) == 2:
        low, high = names.bounds
        more, less = (">", "<") if strict else (">=", "<=")
        yield f"{low} {more} {high}"
        for best in names.bests:
            yield f"{best} {more} {high}"
            yield f"{best} {less} {low}"


def _of_assigned(parent, old, names):
    """Yield what else may be kept in a variable: the better of it and what is there."""
    target = parent.targets[0]
    if not isinstance(target, ast.Name) or target.id not in names.values:
        return
    if isinstance(old, ast.Call) and getattr(old.func, "id", "") in ("min", "max"):
        return
    for choice in ("max", "min"):
        yield "choice", ast.Call(_name(choice), [_name(target.id), old], [])


def of_body(parent, field, body, names, in_loop, strict):
    """Yield the Edits of a row of statements."""

    def edit(kind, rest, at, cost=LARGE, after=False, lines=None, index=0):
        return _edit(parent, field, body, body[:index] + rest, at, kind, cost, after, lines)

    for index, part in enumerate(body):
        after = body[index + 1 :]
        if is_docstring(part) or isinstance(part, (ast.FunctionDef, ast.ClassDef)):
            continue
        for kind, new, cost in of_statement(part, names, in_loop):
            at = part.orelse[0] if kind == "elif" else part
            yield edit(kind, new + after, at, cost, index=index)
        for kind, rest, at in moves(part, after):
            lines = list(dict.fromkeys(one.lineno for one in at))
            yield edit(kind, rest, at[0], lines=lines, index=index)
        for new in missing(part, names, in_loop, strict, last=not after):
            new = [part, *new, *after]
            yield edit("missing", new, part, MISSING, after=True, index=index)
    if isinstance(parent, ast.FunctionDef) and field == "body":
        begin = int(is_docstring(body[0]))
        at = body[begin] if len(body) > begin else body[0]
        for new in missing_first(names):
            rest = body[:begin] + new + body[begin:]
            yield _edit(parent, field, body, rest, at, "missing", FIRST, lines=[at.lineno])
    elif isinstance(parent, (ast.For, ast.While)) and field == "body":
        for new in missing(None, names, True, strict, last=False):
            rest, at = new + body, body[0]
            yield _edit(parent, field, body, rest, at, "missing", FIRST, lines=[at.lineno])


def of_statement(part, names, in_loop):
    """Yield (kind, the statements that stand in the place of one, cost)."""
    if isinstance(part, ast.Pass):
        if in_loop:
            yield "leap", [ast.Break()], SMALL
        for node in _parameters_in(names, names.nodes):
            yield "returned", statement(f"return {node}.evaluate()"), SMALL
    elif not isinstance(part, (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)):
        yield "dropped", [ast.Pass()], LARGE
    if isinstance(part, LEAPS):
        other = ast.Continue() if isinstance(part, ast.Break) else ast.Break()
        yield "leap", [other], SMALL
        for name in names.values:
            yield "leap", [ast.Return(_name(name))], SMALL
    if isinstance(part, ast.Return):
        if part.value is None:
            for name in names.values:
                yield "returned", [ast.Return(_name(name))], SMALL
            for node in _parameters_in(names, names.nodes):
                yield "returned", statement(f"return {node}.evaluate()"), SMALL
        if in_loop:
            yield "leap", [ast.Break()], SMALL
            yield "leap", [ast.Continue()], SMALL
    if isinstance(part, ast.Expr):
        yield "returned", [ast.Return(part.value)], SMALL
        if names.is_recursive(part.value):
            for name in names.bests:
                yield "kept", [ast.Assign([ast.Name(name, ast.Store())], part.value)], SMALL
    if isinstance(part, ast.AugAssign):
        other = ast.Sub() if isinstance(part.op, ast.Add) else ast.Add()
        yield "sign", [ast.AugAssign(part.target, other, part.value)], SMALL
        yield "kept", [ast.Assign([part.target], part.value)], SMALL
        if isinstance(part.target, ast.Name):
            for choice in ("max", "min"):
                better = ast.Call(_name(choice), [_name(part.target.id), part.value], [])
                yield "choice", [ast.Assign([part.target], better)], SMALL
    if isinstance(part, ast.If):
        yield "condition", part.body, LARGE
        if len(part.orelse) == 1 and isinstance(part.orelse[0], ast.If):
            yield "elif", [ast.If(part.test, part.body, []), part.orelse[0]], SMALL
        elif part.orelse:
            yield "else", [ast.If(part.test, part.body, []), *part.orelse], LARGE
        if part.orelse:
            yield "condition", [ast.If(part.test, part.orelse, part.body)], LARGE


def moves(part, after):
    """Yield (kind, what stands for a statement and all after it, those concerned)."""
    if after:
        yield "order", [after[0], part, *after[1:]], (part, after[0])
    if len(after) > 1:
        yield "order", [after[0], after[1], part, *after[2:]], (part, after[1])
        yield "order", [after[1], part, after[0], *after[2:]], (after[1], part)
    if not isinstance(part, COMPOUND):
        return
    for name in ("body", "orelse"):
        body = getattr(part, name)
        if not body:
            continue
        *rest, last = body
        if rest or name == "orelse":
            yield "indent", [_with(part, name, rest), last, *after], (last,)
        if after:
            yield "indent", [_with(part, name, [*body, after[0]]), *after[1:]], (after[0],)
        if name == "body" and isinstance(last, ast.If) and rest:
            inner = last.orelse or last.body
            *others, deepest = inner
            if others:
                field = "orelse" if last.orelse else "body"
                kept = [*rest, _with(last, field, others)]
                yield "indent", [_with(part, name, kept), deepest, *after], (deepest,)


def _with(part, name, body):
    fields = {field: getattr(part, field) for field in part._fields}
    made = type(part)(**{**fields, name: body})
    return ast.copy_location(made, part)


def missing(part, names, in_loop, strict, last):
    """Yield what may be missing after a statement; None is the beginning of a loop."""
    simple = part is None or isinstance(part, (ast.Assign, ast.AugAssign, ast.If, ast.Expr))
    if in_loop and simple:
        if part is not None:
            for choice, bound in itertools.product(("max", "min"), names.bounds):
                for best in names.bests:
                    yield statement(f"{bound} = {choice}({bound}, {best})")
            for choice, best in itertools.product(("max", "min"), names.bests):
                for other in _without(names.bests, _name(best)):
                    yield statement(f"{best} = {choice}({best}, {other})")
        for number, test in enumerate(_cutoffs(names, strict)):
            yield statement(f"if {test}: break")
            if number == 0 or part is not None:
                for best in names.bests:
                    yield statement(f"if {test}: return {best}")
        if isinstance(part, ast.Assign):
            for name in sorted(_stored(part) & set(names.bests)):
                yield statement(f"{name} = -{name}")
    if isinstance(part, ast.Assign):
        for kept in names.bests:
            for other in (*_without(names.bests, _name(kept)), *names.children):
                yield statement(f"{kept} = {other}")
    if last and not isinstance(part, (ast.Return, *LEAPS)):
        for name in names.values:
            yield statement(f"return {name}")


def missing_first(names):
    """Yield statements that may be missing where a function begins."""
    node, depth = _parameters_in(names, names.nodes)[:1], names.depths[:1]
    if node and depth:
        ends = f"{depth[0]} == 0 or {node[0]}.is_terminal()"
        yield statement(f"if {ends}: return {node[0]}.evaluate()")
    for name in names.globals + names.unset:
        for value in (INFINITY, f"-{INFINITY}", "None", "0", "[]", "{}"):
            yield statement(f"{name} = {value}")
    for name in names.unset if names.flags else ():
        for one, other in ((INFINITY, f"-{INFINITY}"), (f"-{INFINITY}", INFINITY)):
            yield statement(f"{name} = {one} if {names.flags[0]} else {other}")


WORD = re.compile(r"\w+|[<>]=?")
ANY_INFINITY = re.compile(r"-?(float\('-?inf'\)|(math\.|np\.)?inf\b)", re.I)
SIGN = re.compile(r"-(?=\d)")
SAME = {"min": "max", "False": "True", "<": ">", "<=": ">="}


def twin_key(edit, functions):
    """Return a text that is equal for the same change at MAX and at MIN."""
    known, bounds = {}, getattr(edit, "bounds", ())

    def plain(match):
        word = match.group()
        if word in SAME or word in SAME.values():
            return SAME.get(word, word)
        if word in functions:
            return "F"
        if word in bounds:
            return "B"
        if word in LOOKS or word == "INFINITY" or not word.isidentifier():
            return word
        return known.setdefault(word, f"n{len(known)}")

    text = f"{edit.kind}|{written(edit.removed)}|{written(edit.added)}"
    return WORD.sub(plain, SIGN.sub("", ANY_INFINITY.sub("INFINITY", text)))


def hashed(text):
    """Return a number that is the same for the same text, in every process."""
    return zlib.crc32(text.encode())


def written(parts):
    """Return parts of a syntax tree as text."""
    return "; ".join(" ".join(ast.unparse(part).split()) for part in parts)


def made(source, function, right, strict, pairs=()):
    """Return what is made of a source as bytes: how many, as JSON, all code in a row.

    `pairs` names changes by their numbers of which both are to be made, and only these.
    """
    variants = made_of(source, function, right, strict, pairs)
    codes, rest = [], MOST_BYTES
    for variant in variants:
        codes.append(variant.pop("code"))
        variant["size"] = len(codes[-1])
        rest -= len(codes[-1]) + HEAD_BYTES
        if rest < 0:
            break
    head = json.dumps(variants[: len(codes) - (rest < 0)]).encode()
    return len(head).to_bytes(4, "little") + head + b"".join(codes)


def made_of(source, function, right, strict, pairs=()):
    """Return what is made of a source: a list of dictionaries, in order of their costs.

    Each variant has its `code` as bytes, its `places`: pairs of lines, and whether what
    is new stands after them; its `cost`, its `key`, equal for twins, `what` it changes,
    and its `number`.
    """
    tree = ast.parse(source)
    size = sum(1 for _ in ast.walk(tree))
    if size > MOST_NODES:
        return []
    edits = repairs(tree, function, right, strict)
    most = min(MOST_VARIANTS, MOST_WORK // max(1, size))
    seen = {essence_of(tree)}
    variants = []
    functions = functions_of(tree)
    chosen = [(n, (edit,)) for n, edit in enumerate(edits)]
    if pairs:
        chosen = [(-1, (edits[one], edits[other])) for one, other in pairs]
    for number, group in chosen[:most]:
        code = _compiled(tree, group)
        if code is None:
            continue
        mark = essence(code)
        if mark in seen:
            continue
        seen.add(mark)
        variants.append(
            {
                "number": number,
                "code": marshal.dumps(code),
                "places": [[edit.lines, edit.after] for edit in group],
                "cost": sum(edit.cost for edit in group),
                "key": 0 if pairs else hashed(twin_key(group[0], functions)),
                "what": "; ".join(map(_what, group))[:MOST_WHAT],
            }
        )
    return variants


def essence_of(tree):
    """Return the essence of what a syntax tree compiles to."""
    return essence(compile(tree, "search.py", "exec", dont_inherit=True))


def _compiled(tree, edits):
    """Return the code of the tree with the changes made, None where there is none."""
    done = []
    try:
        for edit in edits:
            edit.apply()
            done.append(edit)
        return compile(tree, "search.py", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, TypeError, RecursionError):
        return None
    finally:
        for edit in reversed(done):
            edit.undo()


def _what(edit):
    removed, added = written(edit.removed), written(edit.added)
    return f"{removed} becomes {added}"
