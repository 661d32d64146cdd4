"""Small changes to a search's text that may fix a wrong program, or break a correct one.

Each function decorated with @change is a kind of change. It yields replacements for an
expression or a statement, built from the program's own names. fixing_edits() lists the
changes that may fix a function, and make_patches() compiles them. This module is a tool: it
runs in a worker that runs none of the submission's code.

The module is sent to a worker as text, so it imports only the standard library.
"""

from __future__ import annotations

import ast
import base64
import copy
import json
import marshal
import re
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product
from operator import attrgetter
from types import CodeType
from typing import NamedTuple

from autograder.explaining.syntax import (
    INFINITE,
    attributes_in,
    definitions_in,
    id_of,
    is_infinite,
    is_stored,
    names_bound,
    names_in,
    names_reached,
    names_stored,
    parameters_of,
    parts_of,
)

QUERIES = ("children", "evaluate", "is_terminal")  # attributes of a node
METHODS = ("evaluate", "is_terminal")
BOUND_NAMES = ("alpha", "beta")
NODE_NAME = "node"  # as in the assignment
FLAG_NAME = "maximizing"  # as in the assignment
DEPTH_NAMES = ("depth", "d", "plies", "ply")
JUMPS = (ast.Break, ast.Continue)
LEAVING = (ast.Break, ast.Return)
LOOPS = (ast.For, ast.While)
FUNCTIONS = (ast.FunctionDef, ast.Lambda)
NAMING = (ast.FunctionDef, ast.ClassDef)  # statements that only give a name
PARTS = (ast.expr, ast.stmt)
UNCHANGED_FIELDS = ("decorator_list", "returns", "annotation", "defaults")
ORDERINGS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq)
OTHER_COMPARISONS = dict.fromkeys(ORDERINGS, ORDERINGS)
OTHER_COMPARISONS[ast.NotEq] = (ast.Eq,)
OTHER_COMPARISONS[ast.Is] = (ast.IsNot,)
OTHER_COMPARISONS[ast.IsNot] = (ast.Is,)
OTHER_CHOICE = {"min": "max", "max": "min"}
WRAPPINGS = ("abs", "int", "round", "sorted", "reversed", "list", "tuple", "sum", "str")
INFINITIES = ('float("inf")', '-float("inf")')
# The cost of a change: another word, another name, a statement, a missing statement. The
# feedback shows the cheapest changes that fix a program.
WORD, NAME, STATEMENT, MISSING = range(1, 5)
SHARED = 10  # extra cost of a change to code that a correct function also uses
MAX_NODES = 12_000  # nodes in the syntax tree of a program
MAX_PATCHES = 1_400
MAX_CODE_BYTES = 7 * 2**20  # total size of all patches
MAX_DESCRIPTION = 300  # characters in the description of a patch


class Names:
    """The roles of the names in an outermost function, inferred from its text.

    function: the function.
    functions: the names of all functions of the program -> their parameters.
    strict: whether the course uses strict cutoffs.
    parameters: the parameters of the function and of its inner functions.
    """

    def __init__(self, function: ast.AST, functions: Mapping[str, list[str]], strict: bool):
        self.function = function
        self.functions = functions
        self.strict = strict
        self._walked = list(ast.walk(function))
        self.parameters = [part.arg for part in self._parts(ast.arg)]

    def _parts(self, *types):
        return [part for part in self._walked if isinstance(part, types)]

    def _operands(self, operator):
        """Return the names to which an operator such as `not` is applied."""
        operations = self._parts(ast.UnaryOp)
        return {id_of(part.operand) for part in operations if isinstance(part.op, operator)}

    @cached_property
    def nodes(self) -> set[str]:
        """Names of nodes of the game tree, and of lists of nodes."""
        queried = [part for part in self._parts(ast.Attribute) if part.attr in QUERIES]
        nodes = {id_of(part.value) for part in queried}
        nodes.update({NODE_NAME} & {*self.parameters})
        for loop in self._parts(ast.For, ast.comprehension):
            if not _is_range(loop.iter):
                nodes |= names_stored(loop.target)
        for assignment in self._parts(ast.Assign):
            if _holds_children(assignment.value):
                nodes |= names_stored(assignment)
        return nodes

    @cached_property
    def flags(self) -> list[str]:
        """Parameters that are true or false."""
        tested = {id_of(part.test) for part in self._parts(ast.If, ast.IfExp)}
        tested |= self._operands(ast.Not)
        tested.add(FLAG_NAME)
        return [name for name in self.parameters if name in tested - self.nodes]

    @cached_property
    def depths(self) -> list[str]:
        """Parameters that are compared with a number, or counted."""
        counted = set(DEPTH_NAMES)
        for part in self._parts(ast.Compare):
            sides = [part.left, *part.comparators]
            if any(isinstance(side, ast.Constant) for side in sides):
                counted.update(map(id_of, sides))
        for part in self._parts(ast.BinOp):
            if _is_number(part.right):
                counted.add(id_of(part.left))
        counted.difference_update(self.flags)
        return [name for name in self.parameters if name in counted]

    @cached_property
    def values(self) -> list[str]:
        """Names that may contain a value or a bound."""
        stored = [part.id for part in self._parts(ast.Name) if is_stored(part)]
        called = [id_of(call.func) for call in self._parts(ast.Call)]
        others = {"self", *self.nodes, *self.flags, *self.depths, *called}
        names = dict.fromkeys(self.parameters + stored)
        return [name for name in names if name not in others]

    @cached_property
    def bounds(self) -> list[str]:
        """Two parameters with values of a recursive inner function, or alpha and beta.

        Without either, the first two parameters with values.
        """
        for part in self._parts(ast.FunctionDef):
            if part is not self.function and part.name in names_in(part):
                bounds = [name for name in parameters_of(part) if name in self.values]
                if len(bounds) >= 2:
                    return bounds[:2]
        if {*BOUND_NAMES} <= {*self.values}:
            return [*BOUND_NAMES]
        return [name for name in self.values if name in self.parameters][:2]

    @cached_property
    def bests(self) -> list[str]:
        """The values that the function computes itself."""
        return [name for name in self.values if name not in self.parameters]

    @cached_property
    def signs(self) -> list[str]:
        """Parameters that are passed on negated, such as a colour."""
        negated = self._operands(ast.USub)
        if len(self.bounds) == 2:
            negated.difference_update(self.bounds)
        return [name for name in self.parameters if name in negated]

    @cached_property
    def children(self) -> list[str]:
        """Names that loops assign to each child in turn."""
        targets = [id_of(loop.target) for loop in self._parts(ast.For)]
        return [name for name in targets if name][:2]

    @cached_property
    def tables(self) -> set[str]:
        """Names of lists and tables other than lists of nodes."""
        indexed = {id_of(part.value) for part in self._parts(ast.Subscript)}
        return indexed - {None, *self.nodes}

    def unpacked(self, name: str) -> Iterator[str]:
        """Yield the tuples of names to which a variable is unpacked."""
        for part in self._parts(ast.Assign):
            target = part.targets[0]
            if id_of(part.value) == name and isinstance(target, ast.Tuple):
                yield ast.unparse(target)

    def is_own_call(self, part: ast.AST) -> bool:
        """Tell whether a part calls a function of the program itself."""
        function = getattr(part, "func", None)
        name = id_of(function) or getattr(function, "attr", None)
        return name in self.functions

    def cutoffs(self) -> Iterator[str]:
        """Yield the possible conditions of a cutoff."""
        if len(self.bounds) != 2:
            return
        low, high = self.bounds
        more, less = (">", "<") if self.strict else (">=", "<=")
        yield f"{low} {more} {high}"
        for best in self.bests:
            yield f"{best} {more} {high}"
            yield f"{best} {less} {low}"


@dataclass(frozen=True)
class Spot:
    """The position of expressions or statements: a field of their parent.

    parent: a node of the syntax tree.
    field: the name of its field.
    names: the names of the enclosing function.
    in_loop: whether it is inside a loop of the function.
    """

    parent: ast.AST
    field: str
    names: Names
    in_loop: bool

    def within(self, *types: type) -> bool:
        """Tell whether the parent has one of these types."""
        return isinstance(self.parent, types)

    @property
    def is_argument(self) -> bool:
        """Whether it is an argument of a function of the program itself."""
        return self.field == "args" and self.names.is_own_call(self.parent)

    @property
    def is_test(self) -> bool:
        """Whether it is the condition of a statement or of an expression."""
        return self.field == "test" and self.within(ast.If, ast.While, ast.IfExp)

    @property
    def is_count(self) -> bool:
        """Whether a number there is an index, or is added to another number."""
        if _is_range(self.parent):
            return True
        return self.within(ast.Subscript, ast.Slice, ast.BinOp, ast.AugAssign)


@dataclass(eq=False)
class Edit:
    """A replacement of a part of a field, which apply() makes and undo() reverts.

    spot: the field.
    kind: the name of the change.
    cost: the cost of the change; see WORD.
    old: the expression or statement that is replaced.
    added: the expression or the statements that replace it.
    moved: the statement that moves, or None.
    """

    spot: Spot
    kind: str
    cost: int
    old: ast.AST
    added: list[ast.AST]
    moved: ast.AST | None = None

    @property
    def place(self) -> tuple[int, bool, int]:
        """The line of the change, whether a statement is missing after it, the column."""
        if self.added[0] is self.old:
            return self.old.end_lineno, True, 0
        changed = self.moved or self.old
        return changed.lineno, False, changed.col_offset

    def apply(self) -> None:
        """Make the change; raise ValueError if it conflicts with another change."""
        present = getattr(self.spot.parent, self.spot.field)
        changed = self.added[0]
        if isinstance(present, list):
            place = present.index(self.old)
            changed = present[:place] + self.added + present[place + 1 :]
        for part in self.added:
            ast.fix_missing_locations(part)
        self._before = present
        setattr(self.spot.parent, self.spot.field, changed)

    def undo(self) -> None:
        """Restore the part from before apply()."""
        setattr(self.spot.parent, self.spot.field, self._before)

    @property
    def description(self) -> str:
        """The change in words: "a > b becomes a >= b"."""
        return f"{_text_of([self.old])} becomes {_text_of(self.added)}"


class Moved(NamedTuple):
    """A replacement that moves a statement.

    part: the statement that moves.
    added: the statements of the replacement.
    """

    part: ast.stmt
    added: list[ast.stmt]


def _text_of(parts):
    texts = [ast.unparse(part).split() for part in parts]
    return "; ".join(map(" ".join, texts))


CHANGES = {}  # type of a part -> list of (function that yields replacements, cost)


def change(cost, *types):
    """Return a decorator that registers a kind of change for parts of these types.

    The type `float` means any literal number or infinity. The decorated function takes a
    part and its Spot. It yields what replaces the part: texts, in which the name OLD stands
    for the part itself, or expressions. For a statement, it yields texts, lists of
    statements, or Moved.
    """

    def register(function):
        for part_type in types:
            CHANGES.setdefault(part_type, []).append((function, cost))
        return function

    return register


@change(WORD, ast.Compare)
def comparison(old, spot):
    """Use another comparison operator."""
    operator, *more = old.ops
    if not more:
        for other in OTHER_COMPARISONS.get(type(operator), ()):
            yield ast.Compare(old.left, [other()], old.comparators)


@change(WORD, ast.BinOp)
def arithmetic(old, spot):
    """Use another arithmetic operator, or only one operand."""
    for operator in (ast.Add, ast.Sub, ast.Mult):
        yield ast.BinOp(old.left, operator(), old.right)
    yield old.left
    yield old.right


@change(WORD, float)
def number(old, spot):
    """Use another number for counting, or an infinity."""
    value = getattr(old, "value", None)
    is_number = spot.is_count or spot.within(ast.Compare, ast.Assign)
    if is_number and isinstance(value, int):
        yield from map(str, (0, 1, value + 1, value - 1))
    if not spot.is_count:
        yield from INFINITIES


@change(NAME, float)
def name_for_number(old, spot):
    """Use a variable instead of a number."""
    if spot.within(ast.Assign):
        yield from spot.names.bounds
    elif _is_range(spot.parent):
        yield from spot.names.depths
    elif spot.is_count:
        return
    elif spot.within(ast.Call, ast.Compare, ast.Return):
        yield from spot.names.values


@change(NAME, float)
def infinity_by_player(old, spot):
    """Start at minus infinity or at infinity, depending on the player."""
    if spot.within(ast.Assign):
        highest, lowest = INFINITIES
        for flag in spot.names.flags:
            yield f"{lowest} if {flag} else {highest}"


@change(WORD, ast.Name)
def choice(old, spot):
    """Use min instead of max, or max instead of min."""
    if old.id in OTHER_CHOICE:
        yield OTHER_CHOICE[old.id]


@change(NAME, ast.Name)
def choice_by_player(old, spot):
    """Use max or min, depending on the player."""
    if old.id in OTHER_CHOICE and spot.field in ("func", "value"):
        for flag in spot.names.flags:
            yield f"max if {flag} else min"


@change(WORD, ast.Name, ast.Constant)
def player(old, spot):
    """Use the other player: for a truth value, the opponent of the player who moves."""
    flags = spot.names.flags
    if isinstance(old, ast.Constant):
        if isinstance(old.value, bool):
            yield str(not old.value)
            for flag in flags:
                yield f"not {flag}"
    elif old.id in flags:
        yield "not OLD"


@change(WORD, ast.Name, ast.Attribute)
def deeper(old, spot):
    """Pass on a depth that is one less, to a function, an object or a stack."""
    is_passed_on = spot.field in ("args", "elts")
    if isinstance(old, ast.Attribute):
        is_depth = old.attr in DEPTH_NAMES
    else:
        is_depth = old.id in spot.names.depths
        is_passed_on = spot.is_argument or spot.within(ast.Tuple)
    if is_depth and is_passed_on:
        yield "OLD - 1"


@change(NAME, ast.Name)
def name(old, spot):
    """Use another variable with a value, or call another function."""
    for names in (spot.names.values, sorted(spot.names.functions)):
        if old.id in names:
            yield from names


@change(NAME, ast.Name)
def copied(old, spot):
    """Pass on a copy of a list or a table."""
    if spot.is_argument and old.id in spot.names.tables:
        yield "OLD.copy()"


@change(WORD, ast.Name)
def repacked(old, spot):
    """Pass on the present values of the names to which a tuple was unpacked."""
    if spot.is_argument:
        yield from spot.names.unpacked(old.id)


@change(WORD, ast.Name)
def best_within_bound(old, spot):
    """Pass on the better of a bound and the best value so far."""
    is_negated = spot.within(ast.UnaryOp)
    if old.id in spot.names.bests and (spot.is_argument or is_negated):
        for better, bound in product(("max", "min"), spot.names.bounds):
            yield f"{better}({bound}, OLD)"


@change(WORD, ast.UnaryOp)
def sign_dropped(old, spot):
    """Remove a minus or a `not`."""
    yield old.operand


@change(WORD, ast.BoolOp)
def default(old, spot):
    """Replace a value by a default only if it is None, not if it is 0."""
    name = id_of(old.values[0])
    is_default = isinstance(old.op, ast.Or) and len(old.values) == 2
    if is_default and name in spot.names.values:
        default = ast.unparse(old.values[1])
        yield f"{default} if {name} is None else {name}"


@change(WORD, ast.UnaryOp, ast.Name)
def missing_value(old, spot):
    """Ask whether a value is None, not whether it is true: 0 is a value too."""
    name = id_of(old)
    operator = "is not"
    if isinstance(old, ast.UnaryOp):
        name = id_of(old.operand)
        operator = "is"
    is_condition = spot.is_test or spot.within(ast.BoolOp)
    if is_condition and name in spot.names.values:
        yield f"{name} {operator} None"


@change(NAME, ast.BoolOp)
def condition(old, spot):
    """Exchange `and` and `or`, or remove a condition."""
    other = ast.Or() if isinstance(old.op, ast.And) else ast.And()
    yield ast.BoolOp(other, old.values)
    for index in range(len(old.values)):
        remaining = old.values[:index] + old.values[index + 1 :]
        if len(remaining) == 1:
            yield remaining[0]
        else:
            yield ast.BoolOp(old.op, remaining)


@change(NAME, ast.Compare)
def for_one_player(old, spot):
    """Test a condition only when a certain player moves."""
    if spot.is_test:
        for flag in spot.names.flags:
            yield f"{flag} and OLD"
            yield f"not {flag} and OLD"


@change(WORD, ast.Call)
def wrapping(old, spot):
    """Remove a call of abs, sorted, reversed or the like, but not its argument."""
    if id_of(old.func) in WRAPPINGS and len(old.args) == 1:
        yield old.args[0]


@change(WORD, ast.Call)
def first_taken(old, spot):
    """Take the first entry from a list, not the last."""
    if _method(old) == "pop" and not old.args:
        yield f"{ast.unparse(old.func)}(0)"


@change(WORD, ast.Call)
def by_value(old, spot):
    """Choose one of several pairs by their first entries only."""
    chooses_in_list = id_of(old.func) in OTHER_CHOICE and len(old.args) == 1
    if chooses_in_list and not old.keywords:
        key = ast.keyword("key", _expression("lambda pair: pair[0]"))
        yield ast.Call(old.func, old.args, [key])


@change(WORD, ast.Call)
def signed(old, spot):
    """Multiply a static value by the sign of the player to move."""
    is_calculated = spot.within(ast.BinOp)
    if _method(old) == "evaluate" and not is_calculated:
        for sign in spot.names.signs:
            yield f"{sign} * OLD"


@change(WORD, ast.Call)
def arguments(old, spot):
    """Exchange two arguments of a recursive call."""
    if not spot.names.is_own_call(old):
        return
    for first, second in combinations(range(len(old.args)), 2):
        args = list(old.args)
        args[first] = old.args[second]
        args[second] = old.args[first]
        yield ast.Call(old.func, args, old.keywords)


@change(NAME, ast.Call)
def window_turned(old, spot):
    """Pass on the window of the other player, as negamax does, always or only for MIN."""
    names = [id_of(part) for part in old.args]
    bounds = spot.names.bounds
    has_window = len(bounds) == 2 and {*bounds} <= {*names}
    if not has_window or not spot.names.is_own_call(old):
        return
    for player in ("", *spot.names.flags):
        args = list(old.args)
        for bound, other in permutations(bounds):
            turned = f"-{other}"
            if player:
                turned = f"{bound} if {player} else {turned}"
            args[names.index(bound)] = _expression(turned)
        yield ast.Call(old.func, args, old.keywords)


@change(NAME, ast.Call)
def other_function(old, spot):
    """Call another function that takes additional arguments, with the same names."""
    functions = spot.names.functions
    parameters = functions.get(id_of(old.func), ())
    given = dict(zip(parameters, map(ast.unparse, old.args)))
    if not given or old.keywords:
        return
    available = {*given, *spot.names.parameters}
    for other, parameters in functions.items():
        if set(given) < set(parameters) <= available:
            texts = [given.get(name, name) for name in parameters]
            yield f"{other}({', '.join(texts)})"


@change(WORD, ast.Subscript)
def whole_list(old, spot):
    """Use a whole list instead of a slice."""
    if isinstance(old.slice, ast.Slice):
        yield old.value


@change(WORD, ast.Attribute)
def call(old, spot):
    """Add the missing parentheses to a method of a node."""
    is_called = spot.within(ast.Call) and spot.field == "func"
    if old.attr in METHODS and not is_called:
        yield "OLD()"


@change(NAME, ast.Call, ast.Name)
def sign(old, spot):
    """Insert a minus before a value."""
    if spot.within(ast.UnaryOp, ast.Attribute, ast.Subscript):
        return
    if isinstance(old, ast.Call):
        is_evaluation = _method(old) == "evaluate"
        is_value = is_evaluation or spot.names.is_own_call(old)
    else:
        is_used = spot.within(ast.Call, ast.Return, ast.BinOp)
        is_value = is_used and old.id in spot.names.values
    if is_value and spot.field != "func":
        yield "-OLD"


@change(NAME, ast.expr)
def cutoff(old, spot):
    """Leave a loop under the condition of a cutoff."""
    if not spot.is_test or not spot.within(ast.If):
        return
    if any(isinstance(part, LEAVING) for part in spot.parent.body):
        yield from spot.names.cutoffs()


@change(NAME, ast.expr)
def leaf_test(old, spot):
    """Evaluate at depth 0 and at terminals."""
    if not spot.is_test:
        return
    names = spot.names
    nodes = [name for name in names.parameters if name in names.nodes]
    if nodes and names.depths:
        depth = names.depths[0]
        if attributes_in(old) & {"children", "is_terminal"}:
            yield f"{depth} == 0 or OLD"
        elif depth in names_in(old):
            yield f"OLD or {nodes[0]}.is_terminal()"


@change(NAME, ast.expr)
def never(old, spot):
    """Use a condition that is never true."""
    if spot.is_test:
        yield "False"


@change(WORD, ast.expr)
def better_of_both(old, spot):
    """Assign the better of the new value and the present value."""
    if spot.field != "value" or not spot.within(ast.Assign):
        return
    target = id_of(spot.parent.targets[0])
    is_choice = id_of(getattr(old, "func", None)) in OTHER_CHOICE
    if target in spot.names.values and not is_choice:
        for better in ("max", "min"):
            yield f"{better}({target}, OLD)"


@change(WORD, ast.expr)
def returned(old, spot):
    """Return a variable instead of a calculated value."""
    is_plain = isinstance(old, ast.Name) or _is_number(old)
    if spot.within(ast.Return) and not is_plain:
        yield from spot.names.values


@change(NAME, ast.Name)
def node_returned(old, spot):
    """Return another variable, which may contain a node."""
    names = spot.names
    if spot.within(ast.Return):
        others = {*names.nodes, *names.bests} - {old.id, None}
        yield from sorted(others)


@change(NAME, float)
def evaluated(old, spot):
    """Return the static value of a node instead of a number."""
    if spot.within(ast.Return):
        for name in spot.names.parameters:
            if name in spot.names.nodes:
                yield f"{name}.evaluate()"


@change(WORD, ast.Assign)
def other_bound(old, spot):
    """Assign the same value to the other bound, or the better one for the other player."""
    for first, second in permutations(spot.names.bounds, 2):
        if first in names_stored(old):
            yield [_renamed(old, {first: second})]
            yield [_renamed(old, {first: second, **OTHER_CHOICE})]


@change(NAME, ast.Assign)
def first_kept(old, spot):
    """Keep the first entry of a table under each key."""
    target = old.targets[0]
    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Name):
        table = ast.unparse(target.value)
        value = ast.unparse(old.value)
        yield f"{table}.setdefault({target.slice.id}, {value})"


@change(WORD, ast.Pass, *JUMPS, ast.Return)
def jump(old, spot):
    """Leave a loop, or continue it."""
    if not spot.in_loop:
        return
    yield "break"
    if not isinstance(old, ast.Pass):
        yield "continue"


@change(WORD, ast.Expr)
def result_returned(old, spot):
    """Return a result that is calculated but not used."""
    yield [ast.Return(old.value)]


@change(STATEMENT, ast.stmt)
def dropped(old, spot):
    """Remove the statement."""
    if not isinstance(old, (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)):
        yield "pass"


@change(STATEMENT, *LOOPS, ast.If)
def moved_out(old, spot):
    """Move the last statement out of a loop or a condition."""
    if len(old.body) > 1:
        *others, last = old.body
        yield Moved(last, [_with_block(old, "body", others), last])


@change(WORD, *LOOPS, ast.If)
def tested_later(old, spot):
    """Leave a loop only after the assignments to what the test reads."""
    for field in ("body", "orelse"):
        block = getattr(old, field)
        for number, part in enumerate(block[:-1]):
            before = block[:number]
            later = block[number + 1 :]
            if _leaves(part) and names_stored(later) & names_in(part.test):
                block = [*before, *later, part]
                yield Moved(part, [_with_block(old, field, block)])


@change(STATEMENT, *LOOPS)
def before_loop(old, spot):
    """Move the first assignment out of a loop, before it."""
    first, *others = old.body
    if others and isinstance(first, (ast.Assign, ast.AugAssign)):
        yield Moved(first, [first, _with_block(old, "body", others)])


@change(STATEMENT, ast.If)
def elif_apart(old, spot):
    """Turn an elif into an independent if."""
    if len(old.orelse) == 1 and isinstance(old.orelse[0], ast.If):
        alone = _with_block(old, "orelse", [])
        yield Moved(old.orelse[0], [alone, *old.orelse])


@change(MISSING, ast.Assign, ast.AugAssign, ast.If, ast.Expr)
def missing_update(old, spot):
    """Update a bound after this statement."""
    names = spot.names
    if spot.in_loop:
        for better, bound, best in product(("max", "min"), names.bounds, names.bests):
            yield f"OLD\n{bound} = {better}({bound}, {best})"


@change(MISSING, ast.Assign, ast.AugAssign, ast.If, ast.Expr)
def missing_cutoff(old, spot):
    """Test for a cutoff after this statement."""
    names = spot.names
    for test in names.cutoffs():
        if spot.in_loop:
            yield f"OLD\nif {test}: break"
        elif isinstance(old, ast.Assign):
            for best in names.bests:
                yield f"OLD\nif {test}: return {best}"


@change(MISSING, ast.Assign)
def missing_assignment(old, spot):
    """Assign another variable too, after this assignment."""
    names = spot.names
    for best, other in product(names.bests, names.bests + names.children):
        yield f"OLD\n{best} = {other}"


@change(MISSING, ast.stmt)
def missing_return(old, spot):
    """Return a value at the end of these statements."""
    body = getattr(spot.parent, spot.field)
    if old is body[-1] and not isinstance(old, (ast.Return, *JUMPS)):
        for value in spot.names.values:
            yield f"OLD\nreturn {value}"


def fixing_edits(
    tree: ast.Module, function: str, right: Collection[str] = (), strict: bool = False
) -> list[Edit]:
    """Return the Edits that may fix a function, cheapest first.

    tree: the program.
    right: functions that are correct. Functions that they use are changed last, unless they
        use the function too. Methods are not told apart.
    strict: whether cutoffs are strict.
    """
    functions = _functions_of(tree)
    shared = []
    for name in right:
        used = _reachable(tree, name)
        if not any(function in names_bound(top) for top in used):
            shared += used
    edits = []
    for top in _reachable(tree, function):
        for edit in _edits_of(top, functions, strict):
            if top in shared and not isinstance(top, ast.ClassDef):
                edit.cost += SHARED
            edits.append(edit)
    return sorted(edits, key=attrgetter("cost"))


def _functions_of(tree):
    """Return name -> parameters of all functions defined anywhere in a tree."""
    functions = parts_of(tree, ast.FunctionDef)
    return {function.name: parameters_of(function) for function in functions}


def _reachable(tree, function):
    """Return the top-level statements that a function may use."""
    names = names_reached(function, definitions_in(tree))
    return [top for top in tree.body if names_bound(top) & names]


def _edits_of(top, functions, strict):
    """Yield all Edits of a top-level statement: in its functions, or of its number.

    `functions` are the functions of the whole program, and `strict` is the cutoff
    convention.
    """
    for function in _outermost_functions(top):
        names = Names(function, functions, strict)
        for part, in_loop in _parts_below(function):
            for field, held in ast.iter_fields(part):
                spot = Spot(part, field, names, in_loop)
                for old in held if isinstance(held, list) else [held]:
                    if isinstance(old, PARTS) and field not in UNCHANGED_FIELDS:
                        yield from _edits_at(spot, old)
    if isinstance(top, ast.Assign) and _is_number(top.value):
        spot = Spot(top, "value", Names(top, functions, strict), in_loop=False)
        yield from _edits_at(spot, top.value)


def _outermost_functions(part):
    """Yield the functions that are not inside another function, including methods."""
    if isinstance(part, ast.FunctionDef):
        yield part
    elif isinstance(part, (ast.ClassDef, ast.If, ast.Try)):
        for child in ast.iter_child_nodes(part):
            yield from _outermost_functions(child)
    elif isinstance(part, ast.Assign) and isinstance(part.value, ast.Lambda):
        yield part.value


def _parts_below(part, in_loop=False):
    """Yield (part, whether in a loop of its function) for a part and its descendants."""
    if isinstance(part, LOOPS):
        in_loop = True
    elif isinstance(part, FUNCTIONS):
        in_loop = False
    yield part, in_loop
    for child in ast.iter_child_nodes(part):
        yield from _parts_below(child, in_loop)


def _edits_at(spot, old):
    """Yield the Edits of an expression or a statement, unless it only gives a name."""
    if isinstance(old, NAMING) or is_stored(old) or _is_docstring(old):
        return
    part_type = float if _is_number(old) else type(old)
    base = ast.expr if isinstance(old, ast.expr) else ast.stmt
    for kind, cost in CHANGES.get(part_type, []) + CHANGES[base]:
        for new in kind(old, spot):
            edit = Edit(spot, kind.__name__, cost, old, [new])
            if isinstance(new, str):
                edit.added = _parts_from(new, old)
            elif isinstance(new, list):
                edit.added = new
            elif isinstance(new, Moved):
                edit.moved, edit.added = new
            yield edit


def _parts_from(text, old):
    """Return the expression or the statements of a text, in which OLD is a part."""
    statements = _WithPart(old).visit(ast.parse(text)).body
    if isinstance(old, ast.expr):
        return [statements[0].value]
    if text.startswith("OLD"):
        statements[0] = old
    return statements


class _WithPart(ast.NodeTransformer):
    """Replaces the name OLD by a part of the program."""

    def __init__(self, part):
        self.part = part

    def visit_Name(self, node):  # noqa: N802
        return self.part if node.id == "OLD" else node


def _leaves(part):
    """Tell whether a statement leaves a loop under a condition."""
    return isinstance(part, ast.If) and isinstance(part.body[-1], LEAVING)


def _with_block(old, field, block):
    """Return a copy of a loop or a condition with another block of statements."""
    new = copy.copy(old)
    setattr(new, field, block)
    return new


def _renamed(part, names):
    """Return a copy of a part in which names are replaced: old name -> new name."""
    new = copy.deepcopy(part)
    for item in parts_of(new, ast.Name):
        item.id = names.get(item.id, item.id)
    return new


def _expression(text):
    return ast.parse(text, mode="eval").body


def _method(call):
    """Return the name of the method that is called, or None for a plain function."""
    return getattr(call.func, "attr", None)


def _holds_children(value):
    """Tell whether a value is a node's children, and not the result of a call."""
    if isinstance(value, ast.Call) and value.args:
        return False
    return "children" in attributes_in(value)


def _is_docstring(part):
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)


def _is_range(part):
    return isinstance(part, ast.Call) and id_of(part.func) == "range"


def _is_number(part):
    """Tell whether a part is a literal number or an infinity."""
    if isinstance(part, ast.UnaryOp):
        is_sign = isinstance(part.op, (ast.USub, ast.UAdd))
        return is_sign and _is_number(part.operand)
    if isinstance(part, ast.BinOp):
        return _is_number(part.left) and _is_number(part.right)
    if isinstance(part, ast.Constant):
        return type(part.value) in (int, float)
    if isinstance(part, (ast.Name, ast.Attribute, ast.Call)):
        return is_infinite(part)
    return False


# Treats MAX and MIN as mirror images: the same change of either becomes one text.
MIRRORED = {"min": "max", "False": "True", "<": ">", "<=": ">="}
UNMIRRORED = {"max", "True", "INFINITY", *QUERIES}


def _twin_key(edit):
    """Return a number that is equal for the same change at MAX and at MIN."""
    names = edit.spot.names
    common = dict.fromkeys(names.bounds, "B")
    common.update(dict.fromkeys(names.functions, "F"))
    common.update(MIRRORED)
    common.update(zip(UNMIRRORED, UNMIRRORED))

    def canonical(match):
        word = match.group()
        is_name = word.isidentifier()
        return common.setdefault(word, f"n{len(common)}" if is_name else word)

    text = INFINITE.sub("INFINITY", f"{edit.kind}|{edit.description}")
    text = re.sub(r"-(?=\d|INFINITY)", "", text)
    text = re.sub(r"\w+|[<>]=?", canonical, text)
    return zlib.crc32(text.encode())


def make_patches(
    source: str,
    function: str,
    right: Collection[str],
    strict: bool,
    pairs: Sequence[tuple[int, int]] = (),
) -> bytes:
    """Return the patches that may fix a function as JSON: a list, cheapest first.

    Each patch has these entries: its `number`; its `code`; the `places` of its changes,
    each as (line, whether after it, column); its `cost`; its `key`, equal for twins; the
    `kinds` of its changes; and `what` it changes.

    source, function, right, strict: see fixing_edits().
    pairs: pairs of patch numbers. If there are any, each patch makes both changes of a
        pair.
    """
    tree = ast.parse(source)
    size = sum(1 for _ in ast.walk(tree))
    if size > MAX_NODES:
        return b"[]"
    edits = fixing_edits(tree, function, right, strict)
    groups = [(edit,) for edit in edits]
    if pairs:
        groups = [(edits[first], edits[second]) for first, second in pairs]
    code_size = len(marshal.dumps(_compiled(tree)))
    most = min(MAX_PATCHES, MAX_CODE_BYTES // code_size)
    patches = []
    for number, code in _compile_groups(tree, groups[:most]):
        group = groups[number]
        data = marshal.dumps(code)
        description = "; ".join(edit.description for edit in group)
        patch = {
            "number": number,
            "code": base64.b64encode(data).decode(),
            "places": [edit.place for edit in group],
            "cost": sum(edit.cost for edit in group),
            "key": _twin_key(group[0]),
            "kinds": [edit.kind for edit in group],
            "what": description[:MAX_DESCRIPTION],
        }
        patches.append(patch)
    return json.dumps(patches).encode()


def _compile_groups(tree, groups):
    """Yield (number, code) for each group of Edits that yields another program."""
    seen = {essence(_compiled(tree))}
    for number, group in enumerate(groups):
        code = _with_edits(tree, group)
        if code is None:
            continue
        meaning = essence(code)
        if meaning not in seen:
            seen.add(meaning)
            yield number, code


def _compiled(tree):
    return compile(tree, "search.py", "exec", dont_inherit=True)


def _with_edits(tree, edits):
    """Return the code of the tree with these changes, or None if they are impossible."""
    applied = []
    try:
        for edit in edits:
            edit.apply()
            applied.append(edit)
        return _compiled(tree)
    except (SyntaxError, ValueError, TypeError, RecursionError):
        return None
    finally:
        for edit in reversed(applied):
            edit.undo()


def essence(code: CodeType) -> CodeType:
    """Return a code object without its positions in the text, to compare it."""
    constants = []
    for constant in code.co_consts:
        is_code = isinstance(constant, CodeType)
        constants.append(essence(constant) if is_code else constant)
    constants = tuple(constants)
    return code.replace(co_consts=constants, co_firstlineno=1, co_linetable=b"")
