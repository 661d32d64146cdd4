"""Small changes to a search's text that may fix a wrong program, or break a correct one.

changes.yaml is the table of the kinds of changes. make_patches() makes and compiles changes
of some kinds. It is a tool: it runs in a worker that runs none of the submission's code.

The module is sent to a worker as text, so it imports only the standard library.
"""

from __future__ import annotations

import ast
import base64
import json
import keyword
import marshal
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, islice, product
from types import CodeType
from typing import Any

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
BOUND_NAMES = ("alpha", "beta")
NODE_NAME = "node"  # as in the assignment
FLAG_NAME = "maximizing"  # as in the assignment
DEPTH_NAMES = ("depth", "d", "plies", "ply")
JUMPS = (ast.Break, ast.Continue)
LEAVING = (ast.Break, ast.Return, ast.Raise)
LOOPS = (ast.For, ast.While)
FUNCTIONS = (ast.FunctionDef, ast.Lambda)
ASSIGNMENTS = (ast.Assign, ast.AugAssign)
NAMING = (ast.FunctionDef, ast.ClassDef)  # statements that only give a name
SCOPES = (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)
PARTS = (ast.expr, ast.stmt)
UNCHANGED_FIELDS = ("decorator_list", "returns", "annotation", "defaults")
ORDERINGS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
WRAPPINGS = ("abs", "int", "round", "sorted", "reversed", "list", "tuple", "sum", "str")
OTHER_CHOICE = {"min": "max", "max": "min"}
PLAIN_WORDS = {*keyword.kwlist, *QUERIES} - {"True", "False"}
SIGNS_AND_WORDS = re.compile(r"\w+|[<>]")
MAX_NODES = 12_000  # nodes in the syntax tree of a program
MAX_PATCHES = 1_400  # of one call
MAX_CODE_BYTES = 7 * 2**20  # total size of the patches of one call
MAX_DESCRIPTION = 300  # characters in the description of a patch
MAX_TWINS = 12  # places with the same change, of which each two are changed at once


class Names:
    """The roles of the names in an outermost function, inferred from its text.

    Each role is a property with a list of names. changes.yaml uses their names.

    function: the function.
    functions: the names of all functions of the program -> their parameters.
    strict: whether the course uses strict cutoffs.
    parameters: the parameters of the function and of its inner functions.
    """

    betters = ("max", "min")

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
        chosen = [part for part in operations if isinstance(part.op, operator)]
        return {id_of(part.operand) for part in chosen}

    @cached_property
    def nodes(self) -> list[str]:
        """Names of nodes of the game tree, and of lists of nodes."""
        attributes = self._parts(ast.Attribute)
        queried = [part for part in attributes if part.attr in QUERIES]
        nodes = {id_of(part.value) for part in queried} - {None}
        nodes.update({NODE_NAME} & {*self.parameters})
        for loop in self._parts(ast.For, ast.comprehension):
            if not _is_range(loop.iter):
                nodes |= names_stored(loop.target)
        for assignment in self._parts(ast.Assign):
            if _holds_children(assignment.value):
                nodes |= names_stored(assignment)
        return sorted(nodes)

    @cached_property
    def positions(self) -> list[str]:
        """Parameters that are nodes."""
        return [name for name in self.parameters if name in self.nodes]

    @cached_property
    def flags(self) -> list[str]:
        """Parameters, and names unpacked from a tuple, that are true or false."""
        conditionals = self._parts(ast.If, ast.IfExp)
        tested = {id_of(part.test) for part in conditionals}
        tested |= self._operands(ast.Not)
        tested.add(FLAG_NAME)
        tested.difference_update(self.nodes)
        candidates = list(self.parameters)
        for part in self._parts(ast.Tuple):
            if is_stored(part):
                candidates += sorted(names_stored(part))
        return [name for name in dict.fromkeys(candidates) if name in tested]

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
        given = [name for name in self.values if name in self.parameters]
        return given[:2]

    @cached_property
    def bests(self) -> list[str]:
        """The values that the function computes itself."""
        return [name for name in self.values if name not in self.parameters]

    @cached_property
    def results(self) -> list[str]:
        """The values that the function computes itself, and the children of its loops."""
        loops = self._parts(ast.For)
        targets = [id_of(loop.target) for loop in loops]
        return self.bests + [name for name in targets if name]

    @cached_property
    def signs(self) -> list[str]:
        """Parameters that are passed on negated, such as a colour."""
        negated = self._operands(ast.USub)
        if len(self.bounds) == 2:
            negated.difference_update(self.bounds)
        return [name for name in self.parameters if name in negated]

    @cached_property
    def tables(self) -> set[str]:
        """Names of lists and tables other than lists of nodes."""
        subscripts = self._parts(ast.Subscript)
        indexed = {id_of(part.value) for part in subscripts}
        return indexed - {None, *self.nodes}

    @cached_property
    def cutoffs(self) -> list[str]:
        """The possible conditions of a cutoff."""
        if len(self.bounds) != 2:
            return []
        low, high = self.bounds
        more, less = (">", "<") if self.strict else (">=", "<=")
        conditions = [f"{low} {more} {high}"]
        for best in self.bests:
            conditions += [f"{best} {more} {high}", f"{best} {less} {low}"]
        return conditions

    def is_own_call(self, part: ast.AST) -> bool:
        """Tell whether a part calls a function of the program itself."""
        function = getattr(part, "func", None)
        name = id_of(function) or getattr(function, "attr", None)
        return name in self.functions


@dataclass(frozen=True)
class Replacement:
    """A replacement of an expression or a statement in a field of its parent."""

    parent: ast.AST
    field: str
    old: ast.AST
    new: list[ast.AST]

    def make(self) -> Callable[[], None]:
        """Replace the part, and return a function that undoes it.

        Raises ValueError if another change has removed the part.
        """
        present = getattr(self.parent, self.field)
        changed: object = self.new
        if isinstance(present, list):
            place = present.index(self.old)
            changed = [*present[:place], *self.new, *present[place + 1 :]]
        else:
            (changed,) = self.new
        setattr(self.parent, self.field, changed)
        return partial(setattr, self.parent, self.field, present)


@dataclass(frozen=True)
class Spot:
    """An expression or a statement that may change, and its position.

    changes.yaml uses the names of the properties that begin with `is_`.

    old: the expression or the statement.
    parent: its parent in the syntax tree.
    field: the field of the parent that contains it.
    names: the names of the enclosing function.
    loop: the innermost loop of the function around it, or None.
    context: the first line of its statement, and the fields that lead from there to it.
    """

    old: Any  # of a type that changes.yaml names
    parent: Any
    field: str
    names: Names
    loop: ast.AST | None
    context: str

    def within(self, *types: type) -> bool:
        """Tell whether the parent has one of these types."""
        return isinstance(self.parent, types)

    def replaced_by(self, *new: ast.AST) -> Replacement:
        """Return the Replacement of the part by other parts."""
        return Replacement(self.parent, self.field, self.old, list(new))

    @cached_property
    def types(self) -> set[str]:
        """The types of the part and of its operator; see `part` in changes.yaml."""
        if _is_number(self.old):
            return {"number", "expr"}
        operator = getattr(self.old, "op", None)
        classes = [*type(self.old).__mro__, type(operator)]
        return {cls.__name__ for cls in classes}

    def has_role(self, role: str) -> bool:
        """Tell whether the name in the part has this role."""
        named = getattr(self.old, "operand", self.old)
        if isinstance(named, ast.Assign):
            named = named.targets[0]
        return id_of(named) in getattr(self.names, role)

    @property
    def siblings(self) -> list[ast.stmt]:
        """The statements of the block in which a statement is."""
        return getattr(self.parent, self.field)

    @property
    def following(self) -> list[ast.stmt]:
        """The statements after a statement in its block."""
        place = self.siblings.index(self.old)
        return self.siblings[place + 1 :]

    @property
    def method(self) -> str | None:
        """The name of the method that is called, or None for a plain function."""
        return getattr(self.old.func, "attr", None)

    @property
    def is_argument(self) -> bool:
        """Whether it is an argument of a function of the program itself."""
        return self.field == "args" and self.names.is_own_call(self.parent)

    @property
    def is_passed_on(self) -> bool:
        """Whether it is an argument, or an entry of a tuple, as on a stack."""
        return self.is_argument or self.within(ast.Tuple)

    @property
    def is_negated(self) -> bool:
        """Whether it has a minus or a `not`."""
        return self.within(ast.UnaryOp)

    @property
    def is_test(self) -> bool:
        """Whether it is the condition of a statement or of an expression."""
        return self.field == "test" and self.within(ast.If, ast.While, ast.IfExp)

    @property
    def is_condition(self) -> bool:
        """Whether it is a condition or a part of one."""
        return self.is_test or self.within(ast.BoolOp)

    @property
    def is_test_of_leaving(self) -> bool:
        """Whether a loop or a function is left under this condition."""
        if not self.is_test or not self.within(ast.If):
            return False
        return any(isinstance(part, LEAVING) for part in self.parent.body)

    @property
    def is_test_of_children(self) -> bool:
        """Whether it is a condition that asks for the children of a node."""
        asked = attributes_in(self.old) & {"children", "is_terminal"}
        return self.is_test and bool(asked)

    @property
    def is_test_of_depth(self) -> bool:
        """Whether it is a condition that reads a depth."""
        depths = names_in(self.old).intersection(self.names.depths)
        return self.is_test and bool(depths)

    @property
    def is_assigned(self) -> bool:
        """Whether it is the value of an assignment, or of a conditional expression."""
        return self.within(ast.Assign, ast.IfExp) and self.field != "test"

    @property
    def is_returned(self) -> bool:
        """Whether it is the result of a function."""
        return self.within(ast.Return)

    @property
    def is_calculated_result(self) -> bool:
        """Whether it is a result that is neither a name nor a number."""
        is_plain = isinstance(self.old, ast.Name) or _is_number(self.old)
        return self.is_returned and not is_plain

    @property
    def is_in_range(self) -> bool:
        """Whether it is an argument of range()."""
        return _is_range(self.parent)

    @property
    def is_amount(self) -> bool:
        """Whether a number is neither an index nor added to another number."""
        counts = (ast.Subscript, ast.Slice, ast.BinOp, ast.AugAssign)
        return not self.is_in_range and not self.within(*counts)

    @property
    def is_used_amount(self) -> bool:
        """Whether a number is such an amount in a call, a comparison or a result."""
        return self.is_amount and self.within(ast.Call, ast.Compare, ast.Return)

    @property
    def is_counted(self) -> bool:
        """Whether it is an integer that counts, or is compared or assigned."""
        is_used = not self.is_amount or self.within(ast.Compare, ast.Assign)
        value = getattr(self.old, "value", None)
        return is_used and isinstance(value, int)

    @property
    def is_function_or_value(self) -> bool:
        """Whether it is called or assigned."""
        return self.field in ("func", "value")

    @property
    def is_ordering(self) -> bool:
        """Whether it is one comparison of two values."""
        (first, *others) = self.old.ops
        return isinstance(first, ORDERINGS) and not others

    @property
    def is_truth(self) -> bool:
        """Whether it is True or False, but not the condition of an endless loop."""
        return isinstance(self.old.value, bool) and not self.within(ast.While)

    @property
    def is_two_conditions(self) -> bool:
        """Whether it combines two conditions."""
        return len(self.old.values) == 2

    @property
    def is_default(self) -> bool:
        """Whether it is a value with a default, such as `alpha or -INF`."""
        is_or = isinstance(self.old.op, ast.Or) and self.is_two_conditions
        name = id_of(self.old.values[0])
        return is_or and name in self.names.values

    @property
    def is_own_call(self) -> bool:
        """Whether it calls a function of the program itself."""
        return self.names.is_own_call(self.old)

    @property
    def is_evaluation(self) -> bool:
        """Whether it evaluates a node."""
        return self.method == "evaluate"

    @property
    def is_pop(self) -> bool:
        """Whether it takes the last entry from a list."""
        return self.method == "pop" and not self.old.args

    @property
    def is_wrapping(self) -> bool:
        """Whether it calls abs, sorted, reversed or the like."""
        is_named = id_of(self.old.func) in WRAPPINGS
        return is_named and len(self.old.args) == 1

    @property
    def is_choice_in_list(self) -> bool:
        """Whether it is max() or min() of one list."""
        is_choice = id_of(self.old.func) in OTHER_CHOICE
        return is_choice and len(self.old.args) == 1 and not self.old.keywords

    @property
    def is_slice(self) -> bool:
        """Whether it is a part of a list."""
        return isinstance(self.old.slice, ast.Slice)

    @property
    def is_method(self) -> bool:
        """Whether it is a method of a node that is not called."""
        is_called = self.within(ast.Call) and self.field == "func"
        return self.old.attr in ("evaluate", "is_terminal") and not is_called

    @property
    def is_not_chosen(self) -> bool:
        """Whether it assigns something other than max() or min()."""
        function = getattr(self.old.value, "func", None)
        return id_of(function) not in OTHER_CHOICE

    @property
    def is_stored_in_table(self) -> bool:
        """Whether it assigns an entry of a table under a key."""
        target = self.old.targets[0]
        return isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Name)

    @property
    def is_effect(self) -> bool:
        """Whether it is a call of another function whose result is not used."""
        value = self.old.value
        return isinstance(value, ast.Call) and not self.names.is_own_call(value)

    @property
    def is_elif(self) -> bool:
        """Whether it is an elif."""
        return self.field == "orelse" and _has_elif(self.parent)

    @property
    def is_in_loop(self) -> bool:
        """Whether it is in a loop."""
        return self.loop is not None

    @property
    def is_outside_loops(self) -> bool:
        """Whether it is not in a loop."""
        return self.loop is None

    @property
    def is_in_loop_without_cutoff(self) -> bool:
        """Whether it is in a loop that never tests the window."""
        if self.loop is None:
            return False
        return not _tests_window(self.loop, self.names.bounds)

    @property
    def is_end_of_block(self) -> bool:
        """Whether it is the last statement of a block, but does not leave it."""
        is_jump = isinstance(self.old, (ast.Return, *JUMPS))
        return self.old is self.siblings[-1] and not is_jump


def _tests_window(loop, bounds):
    """Tell whether a loop compares both bounds, or leaves if a comparison has one."""
    for part in parts_of(loop, ast.Compare):
        if names_in(part).issuperset(bounds):
            return True
    for part in parts_of(loop, ast.If):
        leaves = isinstance(part.body[-1], LEAVING)
        if leaves and names_in(part.test).intersection(bounds):
            return True
    return False


def other_numbers(spot):
    """Yield other numbers for counting."""
    number = spot.old.value
    yield from map(str, (0, 1, number + 1, number - 1))


def arguments_exchanged(spot):
    """Yield the call with two arguments exchanged."""
    call = spot.old
    for first, second in combinations(range(len(call.args)), 2):
        args = list(call.args)
        args[first] = call.args[second]
        args[second] = call.args[first]
        exchanged = ast.Call(call.func, args, call.keywords)
        yield ast.unparse(exchanged)


def other_window(spot):
    """Yield the call with the window, or with the other player's, always or for MIN."""
    if len(spot.names.bounds) < 2:
        return
    low, high = spot.names.bounds
    windows = [[low, high], [f"-{high}", f"-{low}"]]
    for flag in spot.names.flags:
        windows.append([f"{low} if {flag} else -{high}", f"{high} if {flag} else -{low}"])
    arguments = list(map(ast.unparse, spot.old.args))
    for place, window in product(range(1, len(arguments) - 1), windows):
        passed = [*arguments[:place], *window, *arguments[place + 2 :]]
        yield f"{ast.unparse(spot.old.func)}({', '.join(passed)})"


def call_of_itself(spot):
    """Yield the call of another function as a call of the function itself, with its window.

    The window precedes the last argument, as in the assignment.
    """
    if len(spot.names.bounds) == 2 and spot.old.args:
        *before, last = map(ast.unparse, spot.old.args)
        arguments = [*before, *spot.names.bounds, last]
        yield f"{spot.names.function.name}({', '.join(arguments)})"


def names_unpacked(spot):
    """Yield the tuples of names to which a variable is unpacked."""
    for part in parts_of(spot.names.function, ast.Assign):
        target = part.targets[0]
        if id_of(part.value) == spot.old.id and isinstance(target, ast.Tuple):
            yield ast.unparse(target)


def first_entry_kept(spot):
    """Yield an assignment to a table that keeps the first entry of each key."""
    target = spot.old.targets[0]
    table = ast.unparse(target.value)
    yield f"{table}.setdefault({target.slice.id}, {ast.unparse(spot.old.value)})"


def to_other_bound(spot):
    """Yield the assignment to the other bound: alpha is raised, and beta is lowered."""
    text = ast.unparse(spot.old)
    bounds = spot.names.bounds
    stored = names_stored(spot.old).intersection(bounds)
    for bound, choice in zip(bounds, ("max", "min")):
        for other in stored - {bound}:
            moved = re.sub(rf"\b{other}\b", bound, text)
            yield re.sub(r"\b(min|max)\b", choice, moved)


def _last_block(statement):
    """Return (a statement, its field): the last block of a loop, an if or an elif."""
    while _has_elif(statement):
        (statement,) = statement.orelse
    return statement, "orelse" if statement.orelse else "body"


def _has_elif(statement):
    """Tell whether an elif follows the first block of a statement."""
    is_if = isinstance(statement, ast.If) and len(statement.orelse) == 1
    if not is_if or not isinstance(statement.orelse[0], ast.If):
        return False
    return statement.orelse[0].col_offset == statement.col_offset


def out_of_block(spot):
    """Move the last statement of a loop or a condition out of it."""
    owner, field = _last_block(spot.old)
    *others, last = getattr(owner, field)
    if not spot.is_elif and (others or field == "orelse"):
        removed = Replacement(owner, field, last, [])
        yield [removed, spot.replaced_by(spot.old, last)]


def into_block(spot):
    """Move the statement after a loop or a condition into it."""
    owner, field = _last_block(spot.old)
    last = getattr(owner, field)[-1]
    if spot.following and not isinstance(last, (*LEAVING, *JUMPS)):
        moved = spot.following[0]
        removed = Replacement(spot.parent, spot.field, moved, [])
        yield [removed, Replacement(owner, field, last, [last, moved])]


def before_loop(spot):
    """Move the first assignment in a loop before the loop."""
    first, *others = spot.old.body
    if others and isinstance(first, ASSIGNMENTS):
        removed = Replacement(spot.old, "body", first, [])
        yield [removed, spot.replaced_by(first, spot.old)]


def to_end_of_block(spot):
    """Leave a loop only after the assignments to what the test reads."""
    later = spot.following
    leaves = spot.is_in_loop and isinstance(spot.old.body[-1], LEAVING)
    if leaves and names_stored(later) & names_in(spot.old.test):
        (*_, last) = later
        moved = Replacement(spot.parent, spot.field, last, [last, spot.old])
        yield [spot.replaced_by(), moved]


class _WithParts(ast.NodeTransformer):
    """Replaces names in capitals by parts of the program: name -> part."""

    def __init__(self, parts):
        self._parts = parts

    def visit_Expr(self, node):  # noqa: N802
        part = self._parts.get(id_of(node.value))
        return part if isinstance(part, ast.stmt) else self.generic_visit(node)

    def visit_Name(self, node):  # noqa: N802
        part = self._parts.get(node.id, node)
        if isinstance(part, ast.Name):
            return ast.Name(part.id, node.ctx)
        return part


def _parts_in_capitals(old):
    """Return OLD and the names of a part's fields in capitals -> the parts."""
    parts = {"OLD": old}
    for field, held in ast.iter_fields(old):
        if isinstance(held, list):
            for number, part in enumerate(held):
                parts[f"{field.upper()}_{number}"] = part
        elif isinstance(held, ast.AST):
            parts[field.upper()] = held
    return parts


def _parse(text, old):
    """Return the expression or the statements of a text, with parts of the old part."""
    filler = _WithParts(_parts_in_capitals(old))
    statements = filler.visit(ast.parse(text)).body
    if isinstance(old, ast.expr):
        return [statements[0].value]
    return statements


@dataclass(frozen=True)
class Edit:
    """One change of a program.

    kind: the name of the Kind or the Move.
    what: the change in words, such as "a > b becomes a >= b".
    replacements: the Replacements that make it.
    place: the line of the change, whether a statement is missing after it, the column.
    spot: the Spot that it changes.
    added: the text of the statement that is missing, or "".
    """

    kind: str
    what: str
    replacements: list[Replacement]
    place: tuple[int, bool, int]
    spot: Spot
    added: str = ""

    @cached_property
    def twin_key(self) -> str:
        """A text that is equal for the same change at MAX and at MIN.

        Both bounds are one word. Each other name in the change gets a number when it first
        occurs, and so do True, False, < and >. Names and comparisons in the context may be
        others, and so may all signs and each `not`.
        """
        bounds = self.spot.names.bounds
        numbers = {}

        def number(match):
            word = match.group()
            if word in bounds:
                return "bound"
            if word.isdigit() or word in PLAIN_WORDS:
                return word
            return numbers.setdefault(word, f"n{len(numbers)}")

        what = INFINITE.sub("0", self.what)
        what = SIGNS_AND_WORDS.sub(number, what)
        context = INFINITE.sub("n", self.spot.context)
        context = re.sub(r"\bnot\b|[<>]", "", context)
        context = re.sub(r"\w+", "n", context)
        return re.sub("[-+ ]", "", f"{self.kind} {what} | {context}")


def edits_of(
    tree: ast.Module,
    function: str,
    right: Collection[str],
    strict: bool,
    kinds: Collection[Mapping],
    in_shared_code: bool,
) -> Iterator[Edit]:
    """Yield the Edits of some kinds that may fix a function.

    tree: the program.
    right: functions that are correct. What they use is shared code, unless it uses the
        function too. Methods are not told apart.
    strict: whether cutoffs are strict.
    kinds: kinds of changes, as in changes.yaml.
    in_shared_code: whether shared code is changed, or all other code.
    """
    shared = []
    for name in right:
        used = _reachable(tree, [name])
        if not any(function in names_bound(top) for top in used):
            shared += used
    functions = {}
    for definition in parts_of(tree, ast.FunctionDef):
        functions[definition.name] = parameters_of(definition)
    spots = []
    for top in _reachable(tree, [function]):
        is_shared = top in shared and not isinstance(top, ast.ClassDef)
        if is_shared == in_shared_code:
            for changed in _changeable_parts(top):
                spots += _spots_below(changed, Names(changed, functions, strict))
    for kind in kinds:
        for spot in spots:
            yield from _edits_at(spot, **kind)


def _reachable(tree, functions):
    """Return the top-level statements that some functions may use."""
    definitions = definitions_in(tree)
    names = set()
    for function in functions:
        names |= names_reached(function, definitions)
    return [top for top in tree.body if _names_changed(top) & names]


def _names_changed(statement):
    """Return the names that a top-level statement binds, or whose parts it assigns."""
    targets = getattr(statement, "targets", [])
    return names_bound(statement) | names_in(targets)


def _changeable_parts(top):
    """Yield the outermost functions of a statement, or a number that it stores."""
    if isinstance(top, ast.FunctionDef):
        yield top
    elif isinstance(top, (ast.ClassDef, ast.If, ast.Try)):
        for child in ast.iter_child_nodes(top):
            if not isinstance(child, ast.Assign):
                yield from _changeable_parts(child)
    elif isinstance(top, ast.Assign):
        if isinstance(top.value, ast.Lambda):
            yield top.value
        elif _is_number(top.value):
            yield top


def _spots_below(part, names, loop=None, context=""):
    """Yield the Spot of each expression and statement below a part that may change."""
    if isinstance(part, LOOPS):
        loop = part
    elif isinstance(part, FUNCTIONS):
        loop = None
    for field, held in ast.iter_fields(part):
        for old in held if isinstance(held, list) else [held]:
            if not isinstance(old, ast.AST):
                continue
            if isinstance(old, ast.stmt):
                place = ast.unparse(old).partition("\n")[0]
            else:
                place = f"{context}.{field}"
            if field not in UNCHANGED_FIELDS and _may_change(old):
                yield Spot(old, part, field, names, loop, place)
            yield from _spots_below(old, names, loop, place)


def _may_change(part):
    """Tell whether a part is an expression or statement that may be replaced."""
    if isinstance(part, (*NAMING, *SCOPES)):
        return False
    return isinstance(part, PARTS) and not is_stored(part) and not _is_docstring(part)


def _edits_at(
    spot, kind, part, where=(), role=None, becomes=(), by=None, moves=None, to=None
):
    """Yield the Edits of a part; for the arguments after `spot` see changes.yaml."""
    types = [part] if isinstance(part, str) else part
    if spot.types.isdisjoint(types):
        return
    if role and not spot.has_role(role):
        return
    if where and not any(getattr(spot, condition) for condition in where):
        return
    if moves:
        for replacements in globals()[moves](spot):
            moved = replacements[0].old
            what = f"{_text_of([moved])} moves {to}"
            place = (moved.lineno, False, moved.col_offset)
            yield Edit(kind, what, replacements, place, spot)
        return
    texts = globals()[by](spot) if by else _texts(becomes, spot.names)
    for text in texts:
        yield _replacing(kind, spot, text)


def _texts(patterns, names):
    """Yield the texts of patterns, in which each role is replaced by each of its names."""
    for pattern in patterns:
        roles = dict.fromkeys(re.findall(r"{(\w+)}", pattern))
        choices = [getattr(names, role) for role in roles]
        for chosen in product(*choices):
            yield pattern.format(**dict(zip(roles, chosen)))


def _replacing(kind, spot, text):
    """Return the Edit that replaces a part by a text."""
    old = spot.old
    new = _parse(text, old)
    for part in new:
        ast.fix_missing_locations(part)
    what = f"{_text_of([old])} becomes {_text_of(new)}"
    replacements = [spot.replaced_by(*new)]
    if new[0] is old:
        place = (old.end_lineno, True, 0)
        return Edit(kind, what, replacements, place, spot, _text_of(new[1:]))
    place = (old.lineno, False, old.col_offset)
    return Edit(kind, what, replacements, place, spot)


def _text_of(parts):
    texts = [ast.unparse(part).split() for part in parts]
    return "; ".join(map(" ".join, texts))


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


def make_patches(
    source: str,
    function: str,
    right: Collection[str],
    strict: bool,
    kinds: Collection[Mapping],
    in_shared_code: bool,
) -> bytes:
    """Return the patches of some kinds that may fix a function, as JSON: a list.

    Patches with one change come first, then those that make the same change at two places.
    Each patch has these entries: its `code`, which defines again what the function and the
    `right` functions use; the `places` of its changes, each as (line, whether after it,
    column); its `kind`; `what` it changes; the missing statements that are `added`.

    For the arguments see edits_of().
    """
    tree = ast.parse(source)
    size = sum(1 for _ in ast.walk(tree))
    if size > MAX_NODES:
        return b"[]"
    compiler = _Compiler(tree, [function, *right])
    possible = edits_of(tree, function, right, strict, kinds, in_shared_code)
    edits = list(islice(possible, compiler.most))
    patches = []
    for edit in edits:
        code = compiler.compile_with([edit])
        if code:
            patches.append(_patch([edit], code))
    for twins in islice(_twins(edits), compiler.most):
        code = compiler.compile_with(twins)
        if code:
            patches.append(_patch(twins, code))
    return json.dumps(patches).encode()


def _patch(edits, code):
    """Return the entries of a patch."""
    data = base64.b64encode(marshal.dumps(code))
    what = "; ".join(edit.what for edit in edits)
    return {
        "code": data.decode(),
        "places": [edit.place for edit in edits],
        "kind": edits[0].kind,
        "what": what[:MAX_DESCRIPTION],
        "added": [edit.added for edit in edits if edit.added],
    }


def _twins(edits):
    """Yield each two Edits that make the same change at different places."""
    by_key = {}
    for edit in edits:
        by_key.setdefault(edit.twin_key, []).append(edit)
    for alike in by_key.values():
        if len(alike) <= MAX_TWINS:
            yield from combinations(alike, 2)


class _Compiler:
    """Compiles the definitions that some functions use, with changes.

    most: the number of patches that may be made.
    """

    def __init__(self, tree, functions):
        future = [top for top in tree.body if getattr(top, "module", None) == "__future__"]
        definitions = future + _reachable(tree, functions)
        self._module = ast.Module(definitions, type_ignores=[])
        unchanged = self._compiled()
        self._seen = {essence(unchanged)}
        size = len(marshal.dumps(unchanged))
        self.most = min(MAX_PATCHES, MAX_CODE_BYTES // size)

    def _compiled(self):
        return compile(self._module, "search.py", "exec", dont_inherit=True)

    def compile_with(self, edits):
        """Return the code with these changes, or None if it is not new or not possible."""
        undo = []
        try:
            for edit in edits:
                for replacement in edit.replacements:
                    undo.append(replacement.make())
            code = self._compiled()
        except (SyntaxError, ValueError, TypeError, RecursionError):
            return None
        finally:
            for restore in reversed(undo):
                restore()
        meaning = essence(code)
        if meaning in self._seen:
            return None
        self._seen.add(meaning)
        return code


def essence(code: CodeType) -> CodeType:
    """Return a code object without its positions in the text, to compare it."""
    constants = []
    for constant in code.co_consts:
        is_code = isinstance(constant, CodeType)
        constants.append(essence(constant) if is_code else constant)
    return code.replace(co_consts=tuple(constants), co_firstlineno=1, co_linetable=b"")
