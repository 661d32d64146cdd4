"""Small changes of a search's text: they mend a wrong program, and break a right one.

Each function under @change is one kind: what may stand in the place of an expression or a
statement, made of the program's own names. `mends` lists those that may mend a function
and `make_patches` compiles them; it runs in a worker that runs nothing of the submission.
`mutants` makes all of them of a right program. The standard library only.
"""

from __future__ import annotations

import ast
import base64
import copy
import json
import marshal
import re
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from types import CodeType

LOOKS = ("children", "evaluate", "is_terminal")  # of a node
LEAPS = (ast.Break, ast.Continue)
LOOPS = (ast.For, ast.While)
ORDERINGS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq)
OPPOSITES = {ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,)}
WRAPPINGS = ("abs", "int", "round", "sorted", "reversed", "list", "tuple", "sum", "str")
INFINITIES = 'float("inf")', '-float("inf")'
IS_INFINITE = re.compile(
    r"float\('[-+]?inf(inity)?'\)|(\w+\.)?_*(neg_|pos_)?(inf|infty|infinity|maxsize)", re.I
)
# What a change costs: another word, another name, a statement, one that is missing. The
# cheapest that mend are told. One that only breaks is for mutants.
WORD, NAME, STATEMENT, MISSING = range(1, 5)
SHARED = 10  # what it costs more to change what a right function rests on
BREAKS = 100
MAX_NODES = 12_000  # of the syntax tree
MAX_MADE = 1_400
MAX_BYTES = 10 * 2**20  # of code in all
MAX_WHAT = 300  # characters that say a change
MAX_WORK = 4_000_000  # nodes of the syntax tree times changes: what compiling costs


@dataclass(eq=False)
class Edit:
    """Parts of one field of a node exchanged for others, between apply() and undo().

    `line` is the one to look at, `column` where in it; `after` says that something is
    missing after it. `kind` names the change, `bounds` are the names of alpha and beta.
    """

    parent: ast.AST
    field: str
    removed: list[ast.AST]
    added: list[ast.AST]
    line: int
    after: bool
    kind: str
    cost: int
    bounds: Collection[str] = ()
    column: int = 0

    def apply(self) -> None:
        """Make the change; ValueError where another one has taken its place."""
        held = self._before = getattr(self.parent, self.field)
        new = self.added[0]
        if isinstance(held, list):
            begin = held.index(self.removed[0])
            end = begin + len(self.removed)
            if held[begin:end] != self.removed:
                raise ValueError("another change is in between")
            new = [*held[:begin], *self.added, *held[end:]]
        for part in self.added:
            ast.fix_missing_locations(part)
        setattr(self.parent, self.field, new)

    def undo(self) -> None:
        """Put back what was there before apply()."""
        setattr(self.parent, self.field, self._before)

    @property
    def what(self) -> str:
        """The change in words: "a > b becomes a >= b"."""
        return f"{_written(self.removed)} becomes {_written(self.added)}"


def _written(parts):
    return "; ".join(" ".join(ast.unparse(part).split()) for part in parts)


class Names:
    """What the names of an outermost function stand for, as far as its text tells.

    `functions` maps the names of all functions of the program to their parameters.
    """

    def __init__(self, function: ast.AST, functions: dict[str, list[str]]):
        self.functions = functions
        self._parts = list(ast.walk(function))
        self.parameters = [part.arg for part in self._parts if isinstance(part, ast.arg)]

    @cached_property
    def nodes(self) -> set[str]:
        """Names of nodes of the game tree, and of rows of them."""
        found = set()
        for part in self._parts:
            if isinstance(part, ast.Attribute) and part.attr in LOOKS:
                found |= {getattr(part.value, "id", None)}
            if isinstance(part, (ast.For, ast.comprehension)) and not _is_range(part.iter):
                found |= _stored(part.target)
            if isinstance(part, ast.Assign) and "children" in _attributes(part.value):
                counted = isinstance(part.value, ast.Call) and part.value.args
                found |= set() if counted else _stored(part)
        return found

    @cached_property
    def flags(self) -> list[str]:
        """Parameters that are true or false."""
        tests = [p.test for p in self._parts if isinstance(p, (ast.If, ast.IfExp))]
        tests += [
            p.operand
            for p in self._parts
            if isinstance(p, ast.UnaryOp) and isinstance(p.op, ast.Not)
        ]
        names = {getattr(test, "id", None) for test in tests} - self.nodes
        return [name for name in self.parameters if name in names]

    @cached_property
    def depths(self) -> list[str]:
        """Parameters that are compared with a number, or counted."""
        found = {"depth", "d", "plies", "ply"}
        for part in self._parts:
            if isinstance(part, ast.Compare):
                sides = [part.left, *part.comparators]
                if any(isinstance(side, ast.Constant) for side in sides):
                    found |= {getattr(side, "id", None) for side in sides}
            elif isinstance(part, ast.BinOp) and _is_number(part.right):
                found |= {getattr(part.left, "id", None)}
        return [n for n in self.parameters if n in found and n not in self.flags]

    @cached_property
    def values(self) -> list[str]:
        """Names that may hold a value or a bound."""
        stored = [p.id for p in self._parts if isinstance(p, ast.Name) and _is_stored(p)]
        calls = (p.func for p in self._parts if isinstance(p, ast.Call))
        others = {*self.nodes, *self.flags, *self.depths, "self"}
        others |= {getattr(func, "id", None) for func in calls}
        return [n for n in dict.fromkeys(self.parameters + stored) if n not in others]

    @cached_property
    def bounds(self) -> list[str]:
        """Those of the values that are parameters: alpha and beta, by whatever name."""
        return [name for name in self.values if name in self.parameters][:2]

    @cached_property
    def bests(self) -> list[str]:
        """Those of the values that the function sets by itself."""
        return [name for name in self.values if name not in self.parameters]

    @cached_property
    def children(self) -> list[str]:
        """Names that stand for one child after the other."""
        loops = (part.target for part in self._parts if isinstance(part, ast.For))
        return [part.id for part in loops if isinstance(part, ast.Name)][:2]

    def is_recursive(self, part: ast.AST) -> bool:
        """Tell whether a part calls one of the program's own functions."""
        func = getattr(part, "func", None)
        return (getattr(func, "id", None) or getattr(func, "attr", None)) in self.functions

    def cutoffs(self, strict: bool) -> Iterator[str]:
        """Yield the conditions of a cutoff."""
        if len(self.bounds) == 2:
            low, high = self.bounds
            more, less = (">", "<") if strict else (">=", "<=")
            yield f"{low} {more} {high}"
            for best in self.bests:
                yield f"{best} {more} {high}"
                yield f"{best} {less} {low}"


@dataclass(frozen=True)
class Spot:
    """Where an expression or a statement stands: in a field of its parent."""

    parent: ast.AST
    field: str
    names: Names
    strict: bool
    in_loop: bool

    @property
    def is_argument(self) -> bool:
        """Whether it is an argument of one of the program's own functions."""
        return self.field == "args" and self.names.is_recursive(self.parent)


CHANGES = {}  # type of a part -> (function that yields what may stand there, cost)


def change(*types, cost):
    """Return what registers a kind of change for parts of these types.

    `float` stands for any number or infinity as it is written. The function takes the
    part and its Spot; it yields expressions, or rows of statements.
    """

    def register(function):
        for one in types:
            CHANGES.setdefault(one, []).append((function, cost))
        return function

    return register


@change(ast.Compare, cost=WORD)
def comparison(old, spot):
    """Compare in another way."""
    if len(old.ops) == 1:
        kind = type(old.ops[0])
        for new in ORDERINGS if kind in ORDERINGS else OPPOSITES.get(kind, ()):
            yield ast.Compare(old.left, [new()], old.comparators)


@change(ast.BinOp, cost=WORD)
def arithmetic(old, spot):
    """Calculate in another way, or not at all."""
    for operator in (ast.Add, ast.Sub, ast.Mult):
        yield ast.BinOp(old.left, operator(), old.right)
    yield from (old.left, old.right)


@change(float, cost=WORD)
def number(old, spot):
    """Count from or by another number; begin with an infinity."""
    count = getattr(old, "value", None)
    counting = _counts(spot) or isinstance(spot.parent, (ast.Compare, ast.Assign))
    if counting and isinstance(count, int):
        yield from map(ast.Constant, (0, 1, count + 1, count - 1))
    if not _counts(spot):
        yield from map(_expression, INFINITIES)


@change(float, cost=NAME)
def name_for_number(old, spot):
    """Take a variable in the place of a number."""
    if isinstance(spot.parent, ast.Assign):
        yield from map(_name, spot.names.bounds)
    elif _is_range(spot.parent):
        yield from map(_name, spot.names.depths)
    elif isinstance(spot.parent, (ast.Call, ast.Compare, ast.Return)) and not _counts(spot):
        yield from map(_name, spot.names.values)


def _counts(spot):
    """Tell whether a number is a place in a row, or is added to something."""
    counting = ast.Subscript, ast.Slice, ast.BinOp, ast.AugAssign
    return isinstance(spot.parent, counting) or _is_range(spot.parent)


@change(ast.Name, cost=WORD)
def choice(old, spot):
    """Take min for max, and max for min."""
    if old.id in ("min", "max"):
        yield _name("max" if old.id == "min" else "min")


@change(ast.Name, cost=WORD)
def player(old, spot):
    """Take the other player."""
    if old.id in spot.names.flags:
        yield ast.UnaryOp(ast.Not(), old)


@change(ast.Constant, cost=WORD)
def other_player(old, spot):
    """Turn a truth value round, or take the player who does not move here."""
    if isinstance(old.value, bool):
        yield ast.Constant(not old.value)
        for flag in spot.names.flags:
            yield ast.UnaryOp(ast.Not(), _name(flag))


@change(ast.Name, cost=WORD)
def deeper(old, spot):
    """Hand on a depth that is one less."""
    if old.id in spot.names.depths and spot.is_argument:
        yield ast.BinOp(old, ast.Sub(), ast.Constant(1))


@change(ast.Name, cost=NAME)
def name(old, spot):
    """Take another variable that holds a value, or call another function."""
    for names in (spot.names.values, sorted(spot.names.functions)):
        if old.id in names:
            yield from map(_name, names)


@change(ast.Name, cost=WORD)
def bound_kept(old, spot):
    """Hand on a bound where it is better than what was found."""
    negated = isinstance(spot.parent, ast.UnaryOp)
    if old.id in spot.names.bests and (spot.is_argument or negated):
        for better, bound in product(("max", "min"), spot.names.bounds):
            yield ast.Call(_name(better), [_name(bound), old], [])


@change(ast.UnaryOp, cost=WORD)
def sign_dropped(old, spot):
    """Drop a minus or a not."""
    yield old.operand


@change(ast.BoolOp, cost=NAME)
def condition(old, spot):
    """Exchange `and` for `or`, and drop each condition."""
    yield ast.BoolOp(ast.Or() if isinstance(old.op, ast.And) else ast.And(), old.values)
    for index in range(len(old.values)):
        rest = old.values[:index] + old.values[index + 1 :]
        yield ast.BoolOp(old.op, rest) if len(rest) > 1 else rest[0]


@change(ast.Call, cost=WORD)
def wrapping(old, spot):
    """Take what goes into abs, sorted, reversed and the like."""
    if getattr(old.func, "id", "") in WRAPPINGS and len(old.args) == 1:
        yield old.args[0]


@change(ast.Call, cost=WORD)
def arguments(old, spot):
    """Exchange two arguments of a recursive call."""
    if spot.names.is_recursive(old):
        for first, second in combinations(range(len(old.args)), 2):
            args = list(old.args)
            args[first], args[second] = args[second], args[first]
            yield ast.Call(old.func, args, old.keywords)


@change(ast.Call, cost=NAME)
def other_function(old, spot):
    """Call another function that takes more, by the same names."""
    functions, known = spot.names.functions, set(spot.names.parameters)
    given = dict(zip(functions.get(getattr(old.func, "id", None), ()), old.args))
    for other, parameters in functions.items() if given and not old.keywords else ():
        if set(given) < set(parameters) <= known | set(given):
            args = [given.get(name) or _name(name) for name in parameters]
            yield ast.Call(_name(other), args, [])


@change(ast.Subscript, cost=WORD)
def whole_row(old, spot):
    """Take a whole row in the place of a part."""
    if isinstance(old.slice, ast.Slice):
        yield old.value


@change(ast.Attribute, cost=WORD)
def call(old, spot):
    """Put the parentheses after a method of a node."""
    called = isinstance(spot.parent, ast.Call) and spot.field == "func"
    if old.attr in LOOKS[1:] and not called:
        yield ast.Call(old, [], [])


@change(ast.Call, ast.Name, cost=NAME)
def sign(old, spot):
    """Put a minus before a value."""
    if isinstance(spot.parent, (ast.UnaryOp, ast.Attribute, ast.Subscript)):
        return
    if isinstance(old, ast.Call):
        value = spot.names.is_recursive(old) or getattr(old.func, "attr", "") == "evaluate"
    else:
        places = ast.Call, ast.Return, ast.BinOp
        value = old.id in spot.names.values and isinstance(spot.parent, places)
    if value and spot.field != "func":
        yield ast.UnaryOp(ast.USub(), old)


@change(ast.expr, cost=NAME)
def cutoff(old, spot):
    """Leave a loop under the condition of a cutoff."""
    body = spot.parent.body if _is_test(spot) and isinstance(spot.parent, ast.If) else ()
    if any(isinstance(part, (ast.Break, ast.Return)) for part in body):
        yield from map(_expression, spot.names.cutoffs(spot.strict))


@change(ast.expr, cost=NAME)
def end(old, spot):
    """Evaluate at depth 0 and at terminals, or never."""
    if not _is_test(spot):
        return
    nodes = [name for name in spot.names.parameters if name in spot.names.nodes]
    for depth, node in product(spot.names.depths[:1], nodes[:1]):
        looked = _attributes(old) & {"children", "is_terminal"}
        if looked:
            yield ast.BoolOp(ast.Or(), [_expression(f"{depth} == 0"), old])
        elif depth in _read(old):
            yield ast.BoolOp(ast.Or(), [old, _expression(f"{node}.is_terminal()")])
    yield ast.Constant(False)


def _is_test(spot):
    return spot.field == "test" and isinstance(spot.parent, (ast.If, ast.While, ast.IfExp))


@change(ast.expr, cost=WORD)
def best_of_both(old, spot):
    """Keep the better of what is assigned and what is there."""
    if spot.field != "value" or not isinstance(spot.parent, ast.Assign):
        return
    target, func = spot.parent.targets[0], getattr(getattr(old, "func", None), "id", "")
    if getattr(target, "id", None) in spot.names.values and func not in ("min", "max"):
        for better in ("max", "min"):
            yield ast.Call(_name(better), [_name(target.id), old], [])


@change(ast.expr, cost=WORD)
def returned(old, spot):
    """Return a variable in the place of something calculated."""
    plain = isinstance(old, ast.Name) or _is_number(old)
    if isinstance(spot.parent, ast.Return) and not plain:
        yield from map(_name, spot.names.values)


@change(ast.Pass, *LEAPS, ast.Return, cost=WORD)
def leap(old, spot):
    """Leave a loop, or go on with it."""
    if spot.in_loop:
        yield [ast.Break()]
        if not isinstance(old, ast.Pass):
            yield [ast.Continue()]


@change(ast.Expr, cost=WORD)
def result_returned(old, spot):
    """Return what is calculated and left there."""
    yield [ast.Return(old.value)]


@change(ast.stmt, cost=STATEMENT)
def dropped(old, spot):
    """Do nothing."""
    if not isinstance(old, (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)):
        yield [ast.Pass()]


@change(*LOOPS, ast.If, cost=STATEMENT)
def moved_out(old, spot):
    """Move the last statement out of a loop or a condition."""
    if len(old.body) > 1:
        yield [_with_body(old, old.body[:-1]), old.body[-1]]


# Changes that only break.


@change(float, cost=BREAKS)
def finite(old, spot):
    """Begin with a number that values go beyond."""
    if not isinstance(old, ast.Constant):
        yield from (ast.Constant(0), ast.Constant(99), ast.Constant(9999))


@change(ast.expr, cost=BREAKS)
def part_of_row(old, spot):
    """Loop over some of a row, or in another order."""
    if spot.field == "iter":
        row = f"list({ast.unparse(old)})"
        for part in ("[1:]", "[:-1]", "[::2]", "[:1]", "[::-1]"):
            yield _expression(row + part)


@change(ast.Return, cost=BREAKS)
def nothing_returned(old, spot):
    """Calculate a result and forget to return it."""
    if old.value is not None:
        yield [ast.Expr(old.value)]


def mends(
    tree: ast.Module, function: str, right: Collection[str] = (), strict: bool = False
) -> list[Edit]:
    """Return the Edits that may mend a function, cheapest first.

    What functions rest on that are `right`, and do not call it, is changed last.
    """
    functions, edits, shared = functions_of(tree), [], []
    for others in (reachable(tree, name) for name in right):
        if not any(getattr(top, "name", "") == function for top in others):
            shared += others
    for top in reachable(tree, function):
        for edit in edits_of(top, functions, strict):
            edit.cost += SHARED * (top in shared)
            edits.append(edit)
    return sorted((e for e in edits if e.cost < BREAKS), key=lambda edit: edit.cost)


def functions_of(tree: ast.Module) -> dict[str, list[str]]:
    """Return name -> parameters of all functions that are defined anywhere in a tree."""
    return {
        part.name: [argument.arg for argument in part.args.args if argument.arg != "self"]
        for part in ast.walk(tree)
        if isinstance(part, ast.FunctionDef)
    }


def reachable(tree: ast.Module, function: str) -> list[ast.stmt]:
    """Return those top-level statements that a function's work may rest on."""
    bound = {}
    for top in tree.body:
        for name in [top.name] if hasattr(top, "name") else _stored(top):
            bound.setdefault(name, []).append(top)
    waiting, found = [function], []
    while waiting:
        for top in bound.pop(waiting.pop(), ()):
            if top not in found:
                found.append(top)
                waiting += sorted(_read(top) | _attributes(top))
    return [top for top in tree.body if top in found]


def edits_of(
    top: ast.stmt, functions: dict[str, list[str]], strict: bool
) -> Iterator[Edit]:
    """Yield all Edits of a top-level statement: of its functions, or a constant's number.

    `functions` are those of the whole program, `strict` is the convention of cutoffs.
    """
    for outer in _outermost(top):
        names = Names(outer, functions)
        for parent, in_loop in _places(outer):
            for field, held in ast.iter_fields(parent):
                if field in ("decorator_list", "returns", "annotation", "defaults"):
                    continue
                spot = Spot(parent, field, names, strict, in_loop)
                row = held if isinstance(held, list) else [held]
                for index, old in enumerate(row):
                    if isinstance(old, ast.expr):
                        yield from _of_expression(old, spot)
                    elif isinstance(old, ast.stmt) and not _is_prose(old):
                        yield from _of_statement(old, row[index + 1 :], spot)
    if isinstance(top, ast.Assign):
        spot = Spot(top, "value", Names(top, functions), strict, False)
        for new in number(top.value, spot) if _is_number(top.value) else ():
            yield _edit(spot, [top.value], [new], "number", WORD)


def _outermost(part):
    """Yield the functions that are in no other function, methods among them."""
    if isinstance(part, ast.FunctionDef):
        yield part
    elif isinstance(part, (ast.ClassDef, ast.If, ast.Try)):
        for child in ast.iter_child_nodes(part):
            yield from _outermost(child)
    elif isinstance(part, ast.Assign) and isinstance(part.value, ast.Lambda):
        yield part.value


def _places(node, in_loop=False):
    """Yield (node, whether in a loop of its function) for all that is below."""
    in_loop &= not isinstance(node, (ast.FunctionDef, ast.Lambda))
    in_loop |= isinstance(node, LOOPS)
    yield node, in_loop
    for child in ast.iter_child_nodes(node):
        yield from _places(child, in_loop)


def _is_prose(part):
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)


def _edit(spot, removed, added, kind, cost, at=None, after=False):
    at = at or removed[0]
    line, column = (at.end_lineno, 0) if after else (at.lineno, at.col_offset)
    given = removed, added, line, after, kind, cost, spot.names.bounds, column
    return Edit(spot.parent, spot.field, *given)


def _of_expression(old, spot):
    """Yield the Edits of an expression that is read."""
    if _is_stored(old):
        return
    own = CHANGES.get(float if _is_number(old) else type(old), [])
    for kind, cost in own + CHANGES[ast.expr]:
        for new in kind(old, spot):
            yield _edit(spot, [old], [new], kind.__name__, cost)


def _of_statement(old, following, spot):
    """Yield the Edits of a statement, and of what follows or is missing after it."""
    if isinstance(old, (ast.FunctionDef, ast.ClassDef)):
        return
    for kind, cost in CHANGES.get(type(old), []) + CHANGES[ast.stmt]:
        for row in kind(old, spot):
            at = row[-1] if kind is moved_out else old
            yield _edit(spot, [old], row, kind.__name__, cost, at)
    if following and isinstance(old, (*LOOPS, ast.If)):
        there = following[0]
        moved = [_with_body(old, [*old.body, there])]
        yield _edit(spot, [old, there], moved, "moved in", STATEMENT, there)
    for text in _missing(old, not following, spot):
        new = [old, *ast.parse(text).body]
        yield _edit(spot, [old], new, "missing", MISSING, after=True)


def _missing(old, is_last, spot):
    """Yield the statements that may be missing after one."""
    names = spot.names
    if spot.in_loop and isinstance(old, (ast.Assign, ast.AugAssign, ast.If, ast.Expr)):
        for better, bound, best in product(("max", "min"), names.bounds, names.bests):
            yield f"{bound} = {better}({bound}, {best})"
        for test in names.cutoffs(spot.strict):
            yield f"if {test}: break"
    if isinstance(old, ast.Assign):
        for best, other in product(names.bests, names.bests + names.children):
            yield f"{best} = {other}"
    if is_last and not isinstance(old, (ast.Return, *LEAPS)):
        for value in names.values:
            yield f"return {value}"


def _with_body(old, body):
    new = copy.copy(old)
    new.body = body
    return new


def _expression(text):
    return ast.parse(text, mode="eval").body


def _name(text):
    return ast.Name(text, ast.Load())


def _is_stored(part):
    return isinstance(getattr(part, "ctx", None), (ast.Store, ast.Del))


def _stored(part):
    return {p.id for p in ast.walk(part) if isinstance(p, ast.Name) and _is_stored(p)}


def _read(part):
    return {one.id for one in ast.walk(part) if isinstance(one, ast.Name)}


def _attributes(part):
    return {one.attr for one in ast.walk(part) if isinstance(one, ast.Attribute)}


def _is_range(part):
    return isinstance(part, ast.Call) and getattr(part.func, "id", "") == "range"


def _is_number(part):
    """Tell whether a part is a number as it is written, or an infinity."""
    if isinstance(part, ast.UnaryOp):
        return isinstance(part.op, (ast.USub, ast.UAdd)) and _is_number(part.operand)
    if isinstance(part, ast.BinOp):
        return _is_number(part.left) and _is_number(part.right)
    if isinstance(part, ast.Constant):
        return type(part.value) in (int, float)
    written = isinstance(part, (ast.Name, ast.Attribute, ast.Call))
    return written and bool(IS_INFINITE.fullmatch(ast.unparse(part)))


# The same change at MAX and at MIN becomes one text: what is of one side, as of the other.
SAME = {"min": "max", "False": "True", "<": ">", "<=": ">="}


def twin_key(edit: Edit, functions: Collection[str]) -> int:
    """Return a number that is equal for the same change at MAX and at MIN."""
    known = {}

    def plain(match):
        word = match.group()
        if word in functions:
            return "F"
        if word in edit.bounds:
            return "B"
        if word in SAME or word in SAME.values():
            return SAME.get(word, word)
        if word in LOOKS or word == "INFINITY" or not word.isidentifier():
            return word
        return known.setdefault(word, f"n{len(known)}")

    text = re.sub(IS_INFINITE, "INFINITY", f"{edit.kind}|{edit.what}")
    text = re.sub(r"-(?=\d|INFINITY)", "", text)
    return zlib.crc32(re.sub(r"\w+|[<>]=?", plain, text).encode())


def make_patches(
    source: str,
    function: str,
    right: Collection[str],
    strict: bool,
    pairs: Iterable[tuple[int, int]] = (),
) -> bytes:
    """Return what may mend a function as JSON: a list, in order of what it costs.

    Each has its `number`, its `code`, the `places` of its changes, (line, whether after
    it, column) each, its `cost`, its `key`, equal for twins, and `what` it changes.
    `pairs` names changes by their numbers of which both are to be made, and only these.
    """
    tree = ast.parse(source)
    size = sum(1 for _ in ast.walk(tree))
    if size > MAX_NODES:
        return b"[]"
    edits, functions = mends(tree, function, right, strict), functions_of(tree)
    groups = {number: (edit,) for number, edit in enumerate(edits[: MAX_WORK // size])}
    if pairs:
        groups = {-n: (edits[a], edits[b]) for n, (a, b) in enumerate(pairs, start=1)}
    rest, rows = MAX_BYTES, []
    for number, code in compiled(tree, dict(list(groups.items())[:MAX_MADE])):
        group, packed = groups[number], base64.b64encode(marshal.dumps(code)).decode()
        rest -= len(packed)
        if rest < 0:
            break
        rows.append(
            {
                "number": number,
                "code": packed,
                "places": [(edit.line, edit.after, edit.column) for edit in group],
                "cost": sum(edit.cost for edit in group),
                "key": twin_key(group[0], functions),
                "what": "; ".join(edit.what for edit in group)[:MAX_WHAT],
            }
        )
    return json.dumps(rows).encode()


def mutants(source: str, known: Collection[str] = ()) -> Iterator[tuple[str, CodeType]]:
    """Yield (line, number and change; code) of everything that may be changed in a program.

    Top-level statements whose dumps are `known` are left as they are.
    """
    tree = ast.parse(source)
    functions = functions_of(tree)
    tops = [top for top in tree.body if ast.dump(top) not in known]
    edits = [edit for top in tops for edit in edits_of(top, functions, False)]
    for number, code in compiled(tree, {n: (edit,) for n, edit in enumerate(edits)}):
        yield f"{edits[number].line}.{number} {edits[number].what}", code


def compiled(
    tree: ast.Module, groups: dict[int, Collection[Edit]]
) -> Iterator[tuple[int, CodeType]]:
    """Yield (number, code) of each group of Edits that makes another program."""
    seen = {essence(compile(tree, "search.py", "exec", dont_inherit=True))}
    for number, group in groups.items():
        code = _compiled(tree, group)
        mark = code and essence(code)
        if mark and mark not in seen:
            seen.add(mark)
            yield number, code


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


def essence(code: CodeType) -> tuple:
    """Return what a code object does, without line numbers."""
    constants = tuple(
        essence(part) if hasattr(part, "co_code") else (type(part), repr(part))
        for part in code.co_consts
    )
    names = code.co_names, code.co_varnames, code.co_freevars
    return code.co_code, constants, names, getattr(code, "co_exceptiontable", b"")
