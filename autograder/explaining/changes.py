"""The kinds of small changes that may fix a program, or break a correct one.

Each kind is a function that yields its changes of one part of a program. A decorator
registers it with its cost, under the name of the function, as in texts.yaml. Cheap changes
are tried first, and changes of one cost in the order of this module.

The module is sent to a worker as text, so it imports only the standard library, and not
dataclasses, which would take a tenth of the worker's time.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property, partial
from itertools import chain, pairwise, product
from typing import NamedTuple

from autograder.explaining.syntax import (
    ASSIGNMENTS,
    BOUND_NAMES,
    LOOPS,
    assignment_of,
    assignments_in,
    attributes_in,
    id_of,
    is_infinite,
    is_stored,
    names_in,
    names_stored,
    parameters_of,
    parts_of,
    variable_of,
)

QUERIES = ("children", "evaluate", "is_terminal")  # attributes of a node
NODE_NAME = "node"  # as in the assignment
FLAG_NAME = "maximizing"  # as in the assignment
DEPTH_NAMES = ("depth", "d")
DEPTH_FIELDS = (".depth", ".d", "['depth']")
JUMPS = (ast.Break, ast.Continue, ast.Return)
LEAVING = (ast.Break, ast.Return, ast.Raise)
BLOCKS = (*LOOPS, ast.If)
BEFORE_UPDATE = (*ASSIGNMENTS, ast.AugAssign, ast.If, ast.Expr)

BETTER = ("max", "min")
LOW, HIGH = BOUND_NAMES
METHODS = ("evaluate", "is_terminal")  # of a node
WRAPPINGS = (
    "abs",
    "int",
    "iter",
    "list",
    "reversed",
    "round",
    "set",
    "sorted",
    "str",
    "sum",
)
ITERATORS = ("enumerate", "filter", "map", "reversed", "zip")
SIGNS = ("<", "<=", ">", ">=", "==")
OPERATORS = ("lt", "le", "gt", "ge")  # functions of the module operator
INFINITIES = ('float("inf")', '-float("inf")')
FULL_WINDOW = ('-float("inf")', 'float("inf")')

# What a change costs.
WORD = 1  # another word or sign
NAME = 2  # another name or condition
STATEMENT = 3  # a statement is removed or moved
ADDITION = 4  # a statement is missing
COSTS = (WORD, NAME, STATEMENT, ADDITION)

Part = ast.expr | ast.stmt


def object_of(variable: str) -> str:
    """Return the object of an attribute or of an entry, or "" for a name."""
    whole, *parts = re.split(r"[.\[]", variable)
    return whole if parts else ""


class Names:
    """The roles of the names in an outermost function, inferred from its text.

    Each role is a list of variables: names, attributes such as "self.alpha", and entries
    such as "best[0]".

    function: the function, or another statement.
    functions: the names of all functions of the program.
    fields: the names of the attributes that the program defines.
    constants: the names of numbers that top-level statements assign.
    parameters: the parameters of the function and of its inner functions.
    """

    def __init__(
        self,
        function: ast.AST,
        functions: Collection[str],
        fields: Collection[str],
        constants: Collection[str],
    ):
        self.function = function
        self.functions = functions
        self.fields = fields
        self.constants = constants
        self.parameters = [part.arg for part in parts_of(function, ast.arg)]

    @cached_property
    def fields_used(self) -> list[str]:
        """The fields of objects, and the entries, that the function reads or assigns."""
        attributes = parts_of(self.function, ast.Attribute)
        used = [variable_of(part) for part in attributes if part.attr in self.fields]
        for part in parts_of(self.function, ast.Subscript):
            if id_of(part.value) not in self.nodes:
                used.append(variable_of(part))
        return list(dict.fromkeys(filter(None, used)))

    @cached_property
    def nodes(self) -> list[str]:
        """Variables for nodes of the game tree, and for lists of nodes."""
        attributes = parts_of(self.function, ast.Attribute)
        queried = [part for part in attributes if part.attr in QUERIES]
        nodes = {variable_of(part.value) for part in queried} - {""}
        nodes.update({NODE_NAME} & {*self.parameters})
        for loop in parts_of(self.function, ast.For, ast.comprehension):
            if not _is_range(loop.iter):
                nodes |= names_stored(loop.target)
        for target, value in assignments_in(self.function):
            if _holds_children(value):
                nodes |= names_stored(target)
        return sorted(nodes)

    @cached_property
    def flags(self) -> list[str]:
        """Parameters, fields and names unpacked from a tuple that are true or false."""
        tested = {FLAG_NAME}
        for part in parts_of(self.function, ast.If, ast.IfExp):
            tested.add(variable_of(part.test))
        for part in parts_of(self.function, ast.UnaryOp):
            if isinstance(part.op, ast.Not):
                tested.add(variable_of(part.operand))
        tested.difference_update(self.nodes)
        candidates = self.parameters + self.fields_used
        compared = names_in(parts_of(self.function, ast.Compare))
        for part in parts_of(self.function, ast.Tuple):
            candidates += sorted(names_stored(part) - compared)
        return [name for name in dict.fromkeys(candidates) if name in tested]

    @property
    def tests(self) -> list[str]:
        """The conditions that a flag is true, or false."""
        return [f"{word}{flag}" for word, flag in product(("", "not "), self.flags)]

    @cached_property
    def depths(self) -> list[str]:
        """Parameters that are compared with a number, or counted, and such fields."""
        counted = set(DEPTH_NAMES)
        for part in parts_of(self.function, ast.Compare, ast.BinOp):
            sides = list(ast.iter_child_nodes(part))
            if any(map(is_number, sides)):
                counted.update(map(id_of, sides))
        counted.difference_update(self.flags)
        parameters = [name for name in self.parameters if name in counted]
        fields = [name for name in self.fields_used if name.endswith(DEPTH_FIELDS)]
        return parameters + fields

    @cached_property
    def values(self) -> list[str]:
        """Variables that may contain a value or a bound."""
        stored = [part.id for part in parts_of(self.function, ast.Name) if is_stored(part)]
        called = [id_of(call.func) for call in parts_of(self.function, ast.Call)]
        others = {"self", *self.nodes, *self.flags, *self.depths, *called}
        names = dict.fromkeys(self.parameters + stored + self.fields_used)
        return [name for name in names if name not in others]

    @cached_property
    def windows(self) -> list[tuple[str, str]]:
        """Each lower bound with its upper bound.

        They have names such as alpha and beta, are the third and the fourth argument of a
        call, or are the first two parameters of a function that may contain a value.
        """
        windows = []
        for value in self.values:
            low = value.replace(HIGH, LOW)
            high = value.replace(LOW, HIGH)
            are_known = object_of(value) or {low, high} <= {*self.values}
            if low != high and are_known:  # a function may use one field of a window only
                windows.append((low, high))
        for call in parts_of(self.function, ast.Call):
            match [variable_of(argument) for argument in call.args[2:4]]:
                case [low, high] if {low, high} <= {*self.values}:
                    windows.append((low, high))
        for part in parts_of(self.function, ast.FunctionDef):
            own = [name for name in parameters_of(part) if name in self.values]
            if len(own) >= 2 and not {*BOUND_NAMES} <= {*own}:
                windows.append((own[0], own[1]))
        return list(dict.fromkeys(windows))

    @property
    def bounds(self) -> list[str]:
        """All bounds of windows."""
        return [*chain.from_iterable(self.windows)]

    @cached_property
    def bests(self) -> list[str]:
        """The values that the function computes itself."""
        return [name for name in self.values if name not in self.parameters]

    @cached_property
    def cutoffs(self) -> list[str]:
        """The possible conditions of a cutoff, on equality and strict."""
        conditions = []
        for (low, high), equal in product(self.windows, ("=", "")):
            conditions.append(f"{low} >{equal} {high}")
            for best in self.bests:
                if object_of(best) == object_of(low):
                    conditions += [f"{best} >{equal} {high}", f"{best} <{equal} {low}"]
        return conditions


class Replacement(NamedTuple):
    """A replacement of an expression or a statement in a field of its parent."""

    parent: ast.AST
    field: str
    old: Part
    new: Sequence[ast.AST]

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


class Site(NamedTuple):
    """An expression or a statement that may change, and its position.

    old: the expression or the statement.
    top: the top-level statement around it.
    parent: its parent in the syntax tree.
    field: the field of the parent that contains it.
    names: the names of the enclosing function.
    loop: the innermost loop of the function around it, or None.
    context: the first line of its statement, and the fields that lead from there to it.
    """

    old: Part
    top: ast.stmt
    parent: ast.AST
    field: str
    names: Names
    loop: ast.AST | None
    context: str

    def replaced_by(self, *new: ast.AST) -> Replacement:
        """Return the Replacement of the part by other parts."""
        return Replacement(self.parent, self.field, self.old, new)

    def becomes(self, text: str) -> Replacement:
        """Return the Replacement by an expression, or a statement, with this text.

        Raises SyntaxError if this is not possible.
        """
        if isinstance(self.old, ast.expr):
            return self.replaced_by(ast.parse(text, mode="eval").body)
        return self.replaced_by(*ast.parse(text).body)

    def followed_by(self, text: str) -> Replacement:
        """Return the Replacement that adds statements after this statement."""
        return self.replaced_by(self.old, *ast.parse(text).body)

    @property
    def name(self) -> str:
        """The variable that the part consists of, or ""."""
        return variable_of(self.old)

    @property
    def called(self) -> str:
        """The function that the part calls, or ""."""
        return called_in(self.old)

    def is_in(self, field: str, *types: type) -> bool:
        """Tell whether the part is in this field of a part of these types."""
        return self.field == field and isinstance(self.parent, types)

    @property
    def is_own_call(self) -> bool:
        """Whether the part calls a function of the program."""
        return self.called in self.names.functions

    @property
    def is_own_argument(self) -> bool:
        """Whether the part is an argument of a function of the program."""
        return (
            self.is_in("args", ast.Call) and called_in(self.parent) in self.names.functions
        )

    @property
    def is_start(self) -> bool:
        """Whether the part may be a starting value.

        It is a number outside of a calculation, also by the name of a constant, or a static
        value that is assigned.
        """
        if is_number(self.old) or self.name in self.names.constants:
            return not isinstance(self.parent, ast.BinOp)
        return self.may_be_assigned and self.called == "evaluate"

    @property
    def may_be_assigned(self) -> bool:
        """Whether the part may be the value of an assignment, or one of its values.

        It may also be a part of another choice or tuple.
        """
        return isinstance(self.parent, (ast.IfExp, ast.Tuple, *ASSIGNMENTS))

    @property
    def is_tested(self) -> bool:
        """Whether the part is a condition."""
        return self.is_in("test", ast.If, ast.While, ast.IfExp)

    @property
    def following(self) -> list[ast.stmt]:
        """The statements after a statement in its block."""
        block = getattr(self.parent, self.field)
        place = block.index(self.old)
        return block[place + 1 :]


# The text that a part becomes, or Replacements that are made at once.
Change = str | Sequence[Replacement]
Changes = Iterable[Change]
ChangesAt = Callable[[Site], Changes]


class Kind(NamedTuple):
    """A kind of changes.

    name: its name in texts.yaml.
    cost: one of COSTS.
    changes_at: yields its changes of one part.
    """

    name: str
    cost: int
    changes_at: ChangesAt


KINDS: list[Kind] = []


def kind_of_change(cost: int) -> Callable[[ChangesAt], ChangesAt]:
    """Return a decorator that registers a function, under its name, as a Kind."""

    def register(changes_at: ChangesAt) -> ChangesAt:
        name = changes_at.__name__.strip("_").replace("_", " ")
        KINDS.append(Kind(name, cost, changes_at))
        return changes_at

    return register


another_word = kind_of_change(WORD)
another_name = kind_of_change(NAME)
moved_statement = kind_of_change(STATEMENT)
missing_statement = kind_of_change(ADDITION)


def called_in(part: ast.AST) -> str:
    """Return the name of the function or the method that a call calls, or ""."""
    match part:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name
    return ""


def text_of(part: ast.AST) -> str:
    """Return the text of an expression, in parentheses."""
    return f"({ast.unparse(part)})"


def is_number(part: ast.AST) -> bool:
    """Tell whether a part is a literal number, such as 10 ** 9, or an infinity."""
    if isinstance(part, ast.UnaryOp):
        return is_number(part.operand)
    if isinstance(part, ast.BinOp):
        return is_number(part.left) and is_number(part.right)
    if isinstance(part, ast.Constant):
        return type(part.value) in (int, float)
    return isinstance(part, (ast.Name, ast.Attribute, ast.Call)) and is_infinite(part)


def _is_range(part):
    return isinstance(part, ast.Call) and id_of(part.func) == "range"


def _holds_children(value):
    """Tell whether a value is a node's children, and not the result of a call."""
    if isinstance(value, ast.Call) and value.args:
        return False
    return "children" in attributes_in(value)


# ---- another word or sign


@another_word
def _comparison(site: Site) -> Changes:
    match site.old:
        case ast.Compare(left=left, comparators=[right]):
            for sign in SIGNS:
                yield f"{text_of(left)} {sign} {text_of(right)}"
        case ast.Name(id=name) | ast.Attribute(attr=name) if name in OPERATORS:
            whole = getattr(site.old, "value", ast.Name("__import__('operator')"))
            for other in OPERATORS:
                yield f"{text_of(whole)}.{other}"


@another_word
def _arithmetic(site: Site) -> Changes:
    match site.old:
        case ast.BinOp(left=left, right=right):
            for sign in "+-*":
                yield f"{text_of(left)} {sign} {text_of(right)}"
            yield text_of(left)


@another_word
def _starting_value(site: Site) -> Changes:
    if site.is_start and site.may_be_assigned:
        yield from INFINITIES


@another_word
def _number(site: Site) -> Changes:
    if site.is_start and not site.may_be_assigned:
        yield from INFINITIES
    if is_number(site.old) and isinstance(site.old, ast.Constant):
        yield from ("0", "1")
        if not site.may_be_assigned or site.old.value:  # -1 would be an index by accident
            yield "-1"


@another_word
def _other_bound(site: Site) -> Changes:
    for low, high in site.names.windows:
        others = {low: (high, "min"), high: (low, "max")}
        for target, value in assignment_of(site.old):
            if variable_of(target) in others:
                bound, choose = others[variable_of(target)]
                for argument in getattr(value, "args", ())[:2]:
                    yield f"{bound} = {choose}({bound}, {text_of(argument)})"
                yield f"{bound} = {text_of(value)}"


@another_word
def _choice(site: Site) -> Changes:
    if site.name in BETTER:
        yield from BETTER


@another_word
def _player(site: Site) -> Changes:
    flags = site.names.flags
    if site.name in flags:
        yield from site.names.tests
    match site.old:
        case ast.Constant(value=bool()) if not site.is_tested:
            yield from ("True", "False", *site.names.tests)
        case ast.Constant(value=str()) if site.field not in ("keys", "slice"):
            for other in parts_of(site.names.function, ast.Constant):
                if isinstance(other.value, str):
                    yield repr(other.value)
        case ast.UnaryOp(op=ast.Invert() | ast.USub(), operand=operand):
            if variable_of(operand) in flags:
                yield f"not {text_of(operand)}"


@another_word
def _parity(site: Site) -> Changes:
    """Ask who moves, by a flag or the sign of a color, and not if a depth is even."""
    match site.old:
        case ast.Compare(left=ast.BinOp(op=ast.Mod())):
            yield from site.names.tests
            for color, sign in product(site.names.values, "<>"):
                yield f"{color} {sign} 0"


@another_word
def _deeper(site: Site) -> Changes:
    if site.is_in("args", ast.Call) or isinstance(site.parent, ast.Tuple):
        variables = [variable_of(part) for part in ast.walk(site.old)]
        for depth in site.names.depths:
            if depth in variables:
                yield f"{depth} - 1"


@another_word
def _tighter_bound(site: Site) -> Changes:
    is_argument = site.is_in("args", ast.Call) and called_in(site.parent) not in BETTER
    is_passed = is_argument or isinstance(site.parent, (ast.UnaryOp, ast.keyword))
    if site.name in site.names.bests and is_passed:
        for better, bound in product(BETTER, site.names.bounds):
            yield f"{better}({bound}, {site.name})"


@another_word
def _sign_of_the_player(site: Site) -> Changes:
    if site.called in METHODS:
        for value in site.names.values:
            yield f"{value} * {text_of(site.old)}"


@another_word
def _none(site: Site) -> Changes:
    match site.old:
        case ast.BoolOp(values=[value, default, *_]):
            yield f"{text_of(default)} if {text_of(value)} is None else {text_of(value)}"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            if variable_of(operand) in site.names.values:
                yield f"{text_of(operand)} is None"
    if site.name in site.names.values and isinstance(site.parent, (ast.BoolOp, ast.If)):
        yield f"{site.name} is not None"


@another_word
def _wrapping(site: Site) -> Changes:
    match site.old:
        case ast.Call(args=[argument, *_]) if site.called in WRAPPINGS:
            yield text_of(argument)
        case ast.Attribute(value=whole) if isinstance(site.parent, ast.Return):
            yield text_of(whole)


@another_word
def _first_entry(site: Site) -> Changes:
    match site.old:
        case ast.Call(func=function) if site.called == "pop":
            yield f"{text_of(function)}(0)"


@another_word
def _by_value(site: Site) -> Changes:
    """Compare values only, or take the first best entry and not the last one sorted."""
    match site.old:
        case ast.Call(func=ast.Name() | ast.IfExp() as function, args=[pairs]):
            yield f"{text_of(function)}({text_of(pairs)}, key=lambda pair: pair[0])"
        case ast.Subscript(value=whole):
            sortings = _sortings_of(whole, site.names.function)
            for (entries, keywords), better in product(sortings, BETTER):
                keys = [word for word in keywords if word.arg == "key"]
                yield ast.unparse(ast.Call(ast.Name(better), entries, keys))


def _sortings_of(whole, function):
    """Yield what is sorted, and the keywords, of the calls that may sort a list."""
    sources = [whole]
    for target, value in assignments_in(function):
        if variable_of(target) == variable_of(whole):
            sources.append(value)
    for call in sources:
        if called_in(call) == "sorted":
            yield call.args, call.keywords
    for call in parts_of(function, ast.Call):
        match call.func:
            case ast.Attribute(value=entries, attr="sort"):
                if variable_of(entries) == variable_of(whole):
                    yield [entries], call.keywords


@another_word
def _arguments(site: Site) -> Changes:
    match site.old:
        case ast.Call(func=function, args=arguments) if site.is_own_call:
            for first, second in pairwise(range(len(arguments))):
                texts = [text_of(argument) for argument in arguments]
                texts[first], texts[second] = texts[second], texts[first]
                yield f"{text_of(function)}({', '.join(texts)})"


@another_word
def _whole_list(site: Site) -> Changes:
    match site.old:
        case ast.Subscript(value=whole) if not site.is_in("func", ast.Call):
            yield text_of(whole)
        case ast.Call(func=ast.Name(id="range"), args=[last, _, _]):
            yield f"range({text_of(last)} + 1)"


@another_word
def _static_value(site: Site) -> Changes:
    is_plain = site.name or is_number(site.old) or isinstance(site.old, ast.Constant)
    if is_plain and isinstance(site.parent, ast.Return):
        for name in site.names.nodes:
            yield f"{name}.evaluate()"
    match site.old:
        case ast.Attribute(attr=attribute) if attribute in METHODS:
            yield f"{text_of(site.old)}()"
        case ast.Attribute(value=node, attr=attribute):
            is_known = attribute in (*QUERIES, *site.names.fields)
            is_method = site.is_in("func", ast.Call)
            if variable_of(node) in site.names.nodes and not (is_known or is_method):
                yield f"{text_of(node)}.evaluate()"


@another_word
def _precedence(site: Site) -> Changes:
    """Put what Python joins first in parentheses: a choice, or a named result."""
    match site.old:
        case ast.IfExp(test=test, body=body, orelse=ast.BinOp(left, sign, right)):
            chosen = ast.IfExp(test, body, left)
            calculation = ast.BinOp(chosen, sign, right)
            yield ast.unparse(calculation)
        case ast.NamedExpr(target=name, value=ast.Compare(left, signs, others)):
            result = ast.NamedExpr(name, left)
            comparison = ast.Compare(result, signs, others)
            yield ast.unparse(comparison)


@another_word
def _one_at_a_time(site: Site) -> Changes:
    """Search a child when its value is needed, and not all children first."""
    match site.old:
        case ast.ListComp(elt=element, generators=generators):
            if called_in(element) in site.names.functions:
                yield ast.unparse(ast.GeneratorExp(element, generators))


@another_word
def _list(site: Site) -> Changes:
    """Make a list of an iterator, because only the first loop finds its entries."""
    is_iterator = isinstance(site.old, ast.GeneratorExp) or site.called in ITERATORS
    if is_iterator and site.may_be_assigned:
        yield f"list({text_of(site.old)})"


def _better_of(best, value):
    """Yield the statements that give a variable the better of itself and a value."""
    for better in BETTER:
        yield f"{best} = {better}({best}, {text_of(value)})"


@another_word
def _better_value(site: Site) -> Changes:
    for target, value in assignment_of(site.old):
        yield from _better_of(variable_of(target), value)
    if isinstance(site.old, ast.Expr):
        for best in site.names.bests:
            yield from _better_of(best, site.old.value)


@another_word
def _assignment(site: Site) -> Changes:
    match site.old:
        case ast.Expr(value=ast.Compare(left=target, comparators=[value])):
            yield f"{ast.unparse(target)} = {text_of(value)}"


@another_word
def _jump(site: Site) -> Changes:
    """Jump elsewhere, or count before a `continue`, as at the end of its loop."""
    if isinstance(site.old, (ast.Pass, *JUMPS)):
        yield from ("break", "continue")
    match site.loop:
        case ast.While(body=[*_, ast.AugAssign() as step]):
            if isinstance(site.old, ast.Continue):
                yield [site.replaced_by(step, site.old)]


@another_word
def _value_at_cutoff(site: Site) -> Changes:
    """Return the value that causes a cutoff, which is not stored yet."""
    if isinstance(site.old, ast.Break):
        for value in site.names.bests:
            yield f"return {value}"


@another_word
def _result_returned(site: Site) -> Changes:
    if isinstance(site.old, ast.Expr):
        yield f"return {text_of(site.old.value)}"
    for _, value in assignment_of(site.old):
        if called_in(value) == "evaluate":
            yield f"return {text_of(value)}"


@another_word
def _order(site: Site) -> Changes:
    """Move a condition to the end of its block, after the assignments that it needs."""
    match site.old:
        case ast.If(test=test) if names_stored(site.following) & names_in(test):
            last = site.following[-1]
            moved = Replacement(site.parent, site.field, last, [last, site.old])
            yield [site.replaced_by(), moved]


@another_word
def _bound_restored(site: Site) -> Changes:
    """Restore a bound of an object after a call, or after a loop.

    The name that keeps its earlier value exists already, or the other bound is restored.
    """
    if isinstance(site.old, LOOPS):
        for target, value in assignments_in(site.names.function):
            bound = variable_of(value)
            if object_of(bound) and bound in site.names.bounds:
                yield [site.followed_by(f"{bound} = {ast.unparse(target)}")]
    following = site.following[:1] if isinstance(site.old, ASSIGNMENTS) else []
    for window in site.names.windows:
        for target, value in assignments_in(following):
            bound = variable_of(target)
            is_restored = bound in window and isinstance(value, ast.Name)
            if is_restored and object_of(bound):
                (other,) = {*window} - {bound}
                stored = ast.parse(f"kept = {other}").body
                before = site.replaced_by(*stored, site.old)
                yield [site.followed_by(f"{other} = kept"), before]


# ---- another name or condition


@another_name
def _infinity_by_player(site: Site) -> Changes:
    if site.is_start:
        for flag in site.names.flags:
            yield f'-float("inf") if {flag} else float("inf")'


@another_name
def _name_for_number(site: Site) -> Changes:
    if site.is_start:
        yield from site.names.values + site.names.depths


@another_name
def _choice_by_player(site: Site) -> Changes:
    for test in site.names.tests:
        if site.name in BETTER:
            yield f"max if {test} else min"
        match site.old:
            case ast.Compare(left=left, ops=[ast.Gt() | ast.Lt()], comparators=[right]):
                larger = f"{text_of(left)} > {text_of(right)}"
                smaller = f"{text_of(left)} < {text_of(right)}"
                yield f"{larger} if {test} else {smaller}"


@another_name
def _name(site: Site) -> Changes:
    names = site.names
    for alike in (names.values, names.nodes):
        if site.name in alike:
            yield from alike
    is_part = isinstance(site.old, (ast.Name, ast.Attribute, ast.Subscript))
    if is_part and isinstance(site.parent, ast.Return):
        yield from names.nodes + names.bests
    for target, value in assignment_of(site.old):
        if variable_of(target):
            for name in names.values:
                yield f"{name} = {text_of(value)}"


@another_name
def _function(site: Site) -> Changes:
    if site.name in site.names.functions:
        yield from site.names.functions


@another_name
def _copy(site: Site) -> Changes:
    if site.name in site.names.values and site.is_own_argument:
        yield f"{site.name}.copy()"


@another_name
def _minus_dropped(site: Site) -> Changes:
    match site.old:
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield text_of(operand)


@another_name
def _sign(site: Site) -> Changes:
    match site.old:
        case ast.Call():
            yield f"-{text_of(site.old)}"
        case ast.Name():
            if site.is_own_argument or isinstance(site.parent, (ast.BinOp, ast.Tuple)):
                yield f"-{site.name}"


@another_name
def _condition(site: Site) -> Changes:
    match site.old:
        case ast.BoolOp(values=[first, second, *_]):
            yield f"{text_of(first)} and {text_of(second)}"
            yield f"{text_of(first)} or {text_of(second)}"
            yield text_of(first)
            yield text_of(second)


@another_name
def _condition_on_the_player(site: Site) -> Changes:
    is_condition = site.is_tested or isinstance(site.parent, ast.BoolOp)
    is_else = site.is_in("orelse", ast.If) and isinstance(site.old, ASSIGNMENTS)
    for test in site.names.tests:
        if isinstance(site.old, ast.Compare) and is_condition:
            yield f"{test} and {text_of(site.old)}"
        if is_else:
            yield f"if {test}: {ast.unparse(site.old)}"


@another_name
def _cutoff(site: Site) -> Changes:
    if site.is_in("test", ast.If):
        yield from site.names.cutoffs


@another_name
def _leaf_test(site: Site) -> Changes:
    if site.is_tested:
        for depth in site.names.depths:
            yield f"{depth} == 0 or {text_of(site.old)}"
        for node in site.names.nodes:
            yield f"{text_of(site.old)} or {node}.is_terminal()"


def _calls_in(site, windows, functions=()):
    """Yield the same call in other windows, or calls of other functions."""
    match site.old:
        case ast.Call(func=own, args=[node, depth, *others]) if site.is_own_call:
            player = others[2:] if len(others) > 1 else others
            for function, window in product(functions or [text_of(own)], windows):
                arguments = [*map(text_of, [node, depth]), *window, *map(text_of, player)]
                yield f"{function}({', '.join(arguments)})"


@another_name
def _window(site: Site) -> Changes:
    """Pass a window of the function, or the full one."""
    yield from _calls_in(site, [*site.names.windows, FULL_WINDOW])
    match site.old:
        case ast.Call(func=ast.Name(id=name), args=[], keywords=[]):
            for low, high in site.names.windows:
                yield f"{name}({low}, {high})"


@another_name
def _turned_window(site: Site) -> Changes:
    """Turn the window as in negamax, always or at MIN nodes."""
    windows = []
    for low, high in site.names.windows:
        windows.append((f"-{high}", f"-{low}"))
        for flag in site.names.flags:
            lower = f"{low} if {flag} else -{high}"
            windows.append((lower, f"{high} if {flag} else -{low}"))
    yield from _calls_in(site, windows)


@another_name
def _recursive_call(site: Site) -> Changes:
    """Search a child instead of evaluating it, or with another function in a window."""
    names = site.names
    yield from _calls_in(site, names.windows, names.functions)
    match site.old:
        case ast.Call(func=ast.Attribute(value=node, attr="evaluate")):
            if id_of(node) in names.parameters[:1]:
                return
            choices = product(names.functions, names.depths, names.flags)
            for function, depth, flag in choices:
                yield f"{function}({text_of(node)}, {depth} - 1, not {flag})"


@another_name
def _children(site: Site) -> Changes:
    """Take the children of a node, all children but the first, or a child by its index."""
    all_children = [f"{node}.children" for node in site.names.nodes]
    if site.is_in("iter", ast.For, ast.comprehension):
        yield from (*all_children, f"{text_of(site.old)}[1:]")
    if isinstance(site.parent, ast.Return):
        for children in all_children:
            yield f"{children}[{text_of(site.old)}]"


@another_name
def _entry(site: Site) -> Changes:
    """Return an entry of a pair, or store its value with the child that has it."""
    if isinstance(site.parent, (ast.Return, ast.Lambda)):
        yield f"{text_of(site.old)}[0]"
        yield f"{text_of(site.old)}[1]"
    if site.name and site.may_be_assigned:
        for node in site.names.nodes:
            yield f"({site.name}[0], {node})"


@another_name
def _first_kept(site: Site) -> Changes:
    for target, value in assignment_of(site.old):
        match target:
            case ast.Subscript(value=table, slice=key):
                yield f"{text_of(table)}.setdefault({text_of(key)}, {text_of(value)})"


# ---- a statement is removed or moved


@moved_statement
def _dropped(site: Site) -> Changes:
    if isinstance(site.old, ast.stmt):
        yield "pass"


@moved_statement
def _statement_of_a_player(site: Site) -> Changes:
    """Make an assignment only for one player, or the next one for the other player."""
    if not isinstance(site.old, ASSIGNMENTS):
        return
    own = ast.unparse(site.old)
    for test in site.names.tests:
        yield f"if {test}: {own}"
        for other in site.following[:1]:
            if isinstance(other, ASSIGNMENTS):
                both = f"if {test}: {own}\nelse: {ast.unparse(other)}"
                yield [site.becomes(both), Replacement(site.parent, site.field, other, [])]


@moved_statement
def _searched_once(site: Site) -> Changes:
    """Search a child once, and not first for a comparison and again for its value."""
    match site.old:
        case ast.If(body=[ast.Assign(targets=[best], value=value)]):
            if called_in(value) in site.names.functions:
                yield from _better_of(ast.unparse(best), value)
        case ast.Call() if site.is_own_call and site.may_be_assigned:
            yield from site.names.values


@moved_statement
def _indentation(site: Site) -> Changes:
    """Move the end of a loop or a condition out of it, or the next statement into it."""
    if not isinstance(site.old, BLOCKS):
        return
    field = "orelse" if site.old.orelse else "body"
    *others, last = getattr(site.old, field)
    if others:
        removed = Replacement(site.old, field, last, [])
        yield [removed, site.replaced_by(site.old, last)]
    if last.col_offset == site.old.col_offset:  # an elif, which has a block of its own
        return
    for moved in site.following[:1]:
        removed = Replacement(site.parent, site.field, moved, [])
        yield [removed, Replacement(site.old, field, last, [last, moved])]


@moved_statement
def _into_the_block(site: Site) -> Changes:
    """Move a statement to the beginning of the condition after it."""
    match isinstance(site.old, ast.stmt) and site.following[:1]:
        case [ast.If(body=[first, *_]) as block]:
            moved = Replacement(block, "body", first, [site.old, first])
            yield [site.replaced_by(), moved]


@moved_statement
def _else(site: Site) -> Changes:
    """Move the only statement of an else out of it, so that an elif becomes an if."""
    if isinstance(site.old, BLOCKS) and len(site.old.orelse) == 1:
        last = site.old.orelse[0]
        removed = Replacement(site.old, "orelse", last, [])
        yield [removed, site.replaced_by(site.old, last)]


@moved_statement
def _before_the_loop(site: Site) -> Changes:
    """Move a statement in a loop before the loop."""
    if isinstance(site.old, LOOPS):
        for moved in site.old.body[: len(site.old.body) - 1]:
            removed = Replacement(site.old, "body", moved, [])
            yield [removed, site.replaced_by(moved, site.old)]


# ---- a statement is missing


@missing_statement
def _bound_by_player(site: Site) -> Changes:
    """Start at a bound, as fail-hard searches do. A missing statement is as likely."""
    is_none = isinstance(site.old, ast.Constant) and site.old.value is None
    if is_none or site.is_start:
        for flag, (low, high) in product(site.names.flags, site.names.windows):
            yield f"{low} if {flag} else {high}"


@missing_statement
def _sign_by_player(site: Site) -> Changes:
    """Negate a value for MIN, if both players take the largest."""
    if site.is_own_call:
        value = text_of(site.old)
        for test in site.names.tests:
            yield f"{value} if {test} else -{value}"


@missing_statement
def _restored(site: Site) -> Changes:
    """Restore a variable of the outer function when the inner function returns."""
    match site.old:
        case ast.Nonlocal(names=[name]):
            text = f"try: kept = {name}\nfinally: {name} = kept"
            (whole,) = parts_of(ast.parse(text), ast.Try)
            whole.body = [site.old, *whole.body, *site.following]
            moved = [
                Replacement(site.parent, site.field, old, []) for old in site.following
            ]
            yield [site.replaced_by(whole), *moved]


@missing_statement
def _missing_return(site: Site) -> Changes:
    if isinstance(site.old, (ast.Expr, *BLOCKS)):
        for value in site.names.values:
            yield [site.followed_by(f"return {value}")]


def _updates(names):
    """Yield the statements that raise a lower bound and that lower its upper bound."""
    for best, (low, high) in product(names.bests, names.windows):
        if object_of(best) in ("", object_of(low)):
            yield f"{low} = max({low}, {best})", f"{high} = min({high}, {best})"


@missing_statement
def _missing_update(site: Site) -> Changes:
    if isinstance(site.old, BEFORE_UPDATE):
        for update in chain.from_iterable(_updates(site.names)):
            yield [site.followed_by(update)]


@missing_statement
def _missing_update_by_player(site: Site) -> Changes:
    """Update a bound for one player, or the bound of each player."""
    if isinstance(site.old, BEFORE_UPDATE):
        for flag, (raising, lowering) in product(site.names.flags, _updates(site.names)):
            yield [site.followed_by(f"if {flag}: {raising}")]
            yield [site.followed_by(f"if not {flag}: {lowering}")]
            yield [site.followed_by(f"if {flag}: {raising}\nelse: {lowering}")]


@missing_statement
def _missing_cutoff(site: Site) -> Changes:
    """Add a cutoff before the loops, or in a block whose end never tests the window."""
    if not isinstance(site.old, BEFORE_UPDATE):
        return
    leaving = ["break"]
    if site.loop is None:
        leaving = [f"return {best}" for best in site.names.bests]
    elif _tests_window([site.old, *site.following], site.names.bounds):
        return
    for condition, leave in product(site.names.cutoffs, leaving):
        yield [site.followed_by(f"if {condition}: {leave}")]


def _tests_window(statements, bounds):
    """Tell whether statements compare both bounds, or leave if a comparison has one."""
    for part in parts_of(statements, ast.Compare):
        if names_in(part).issuperset(bounds):
            return True
    for part in parts_of(statements, ast.If):
        leaves = isinstance(part.body[-1], LEAVING)
        if leaves and names_in(part.test).intersection(bounds):
            return True
    return False


@missing_statement
def _missing_jump(site: Site) -> Changes:
    """Leave the loop at the end of a condition."""
    ends_condition = site.is_in("body", ast.If) and not site.following
    if site.loop and ends_condition and not isinstance(site.old, JUMPS):
        yield [site.followed_by("break")]


@missing_statement
def _missing_assignment(site: Site) -> Changes:
    """Store a value, or change the player of a loop back after the search of a child."""
    if isinstance(site.old, ASSIGNMENTS):
        for best, value in product(site.names.bests, site.names.values + site.names.nodes):
            if object_of(best) == object_of(value):
                yield [site.followed_by(f"{best} = {value}")]
    match site.old:
        case ast.Assign(targets=[target], value=ast.UnaryOp(operand=operand)):
            if site.loop and ast.unparse(target) == ast.unparse(operand):
                for search in site.following[:1]:
                    restored = [search, site.old]
                    yield [Replacement(site.parent, site.field, search, restored)]
