"""Small changes to a search's text that may fix a wrong program, or break a correct one.

changes.yaml is the table of the kinds of changes. make_patches() makes and compiles changes
of some kinds. It is a tool: it runs in a worker that runs none of the submission's code.

The module is sent to a worker as text, so it imports only the standard library, and not
dataclasses, which would take a tenth of the worker's time.
"""

from __future__ import annotations

import ast
import base64
import json
import keyword
import marshal
import re
import string
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property, partial
from itertools import combinations, islice, pairwise, product
from types import CodeType
from typing import Any, NamedTuple

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
BOUND_NAMES = ("alpha", "beta")  # as in the assignment
NODE_NAME = "node"  # as in the assignment
FLAG_NAME = "maximizing"  # as in the assignment
DEPTH_NAMES = ("depth", "d")
LEAVING = (ast.Break, ast.Return, ast.Raise)
LOOPS = (ast.For, ast.While)
UNCHANGED = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Global)
PARTS = (ast.expr, ast.stmt)
UNCHANGED_FIELDS = ("decorator_list", "returns", "annotation", "defaults")
PLAIN_WORDS = {*keyword.kwlist, *QUERIES} - {"True", "False"}
SIGNS_AND_WORDS = re.compile(r"\w+|[<>]")
MAX_NODES = 12_000  # nodes in the syntax tree of a program
MAX_PATCHES = 1_400  # of one call
MAX_CODE_BYTES = 7 * 2**20  # total size of the patches of one call
MAX_DESCRIPTION = 300  # characters in the description of a patch
MAX_TWINS = 12  # places with the same change, of which each two are changed at once


class Names:
    """The roles of the names in an outermost function, inferred from its text.

    Each role is a list of names. changes.yaml uses their names.

    function: the function, or another statement.
    functions: the names of all functions of the program.
    parameters: the parameters of the function and of its inner functions.
    """

    betters = ("max", "min")
    methods = ("evaluate", "is_terminal")
    pops = ("pop",)
    wrappings = ("abs", "int", "round", "sorted", "reversed", "list", "sum", "str")

    def __init__(self, function: ast.AST, functions: Collection[str]):
        self.function = function
        self.functions = functions
        self.parameters = [part.arg for part in parts_of(function, ast.arg)]

    @cached_property
    def nodes(self) -> list[str]:
        """Names of nodes of the game tree, and of lists of nodes."""
        attributes = parts_of(self.function, ast.Attribute)
        queried = [part for part in attributes if part.attr in QUERIES]
        nodes = {id_of(part.value) for part in queried} - {None}
        nodes.update({NODE_NAME} & {*self.parameters})
        for loop in parts_of(self.function, ast.For, ast.comprehension):
            if not _is_range(loop.iter):
                nodes |= names_stored(loop.target)
        for assignment in parts_of(self.function, ast.Assign):
            if _holds_children(assignment.value):
                nodes |= names_stored(assignment)
        return sorted(nodes)

    @cached_property
    def flags(self) -> list[str]:
        """Parameters, and names unpacked from a tuple, that are true or false."""
        tested = {FLAG_NAME}
        for part in parts_of(self.function, ast.If, ast.IfExp):
            tested.add(id_of(part.test))
        for part in parts_of(self.function, ast.UnaryOp):
            if isinstance(part.op, ast.Not):
                tested.add(id_of(part.operand))
        tested.difference_update(self.nodes)
        candidates = list(self.parameters)
        for part in parts_of(self.function, ast.Tuple):
            candidates += sorted(names_stored(part))
        return [name for name in dict.fromkeys(candidates) if name in tested]

    @cached_property
    def depths(self) -> list[str]:
        """Parameters that are compared with a number, or counted."""
        counted = set(DEPTH_NAMES)
        for part in parts_of(self.function, ast.Compare, ast.BinOp):
            sides = list(ast.iter_child_nodes(part))
            if any(map(_is_number, sides)):
                counted.update(map(id_of, sides))
        counted.difference_update(self.flags)
        return [name for name in self.parameters if name in counted]

    @cached_property
    def values(self) -> list[str]:
        """Names that may contain a value or a bound."""
        stored = [part.id for part in parts_of(self.function, ast.Name) if is_stored(part)]
        called = [id_of(call.func) for call in parts_of(self.function, ast.Call)]
        others = {"self", *self.nodes, *self.flags, *self.depths, *called}
        names = dict.fromkeys(self.parameters + stored)
        return [name for name in names if name not in others]

    @cached_property
    def bounds(self) -> list[str]:
        """Two parameters with values of a recursive inner function, or alpha and beta.

        Without either, the first two parameters with values.
        """
        for part in parts_of(self.function, ast.FunctionDef):
            if part is not self.function and part.name in names_in(part):
                bounds = [name for name in parameters_of(part) if name in self.values]
                if len(bounds) >= 2:
                    return bounds[:2]
        if {*BOUND_NAMES} <= {*self.values}:
            return [*BOUND_NAMES]
        return [name for name in self.values if name in self.parameters][:2]

    @property
    def lows(self) -> list[str]:
        """The lower bound."""
        return self.bounds[:1]

    @property
    def highs(self) -> list[str]:
        """The upper bound."""
        return self.bounds[1:]

    @cached_property
    def bests(self) -> list[str]:
        """The values that the function computes itself."""
        return [name for name in self.values if name not in self.parameters]

    @cached_property
    def cutoffs(self) -> list[str]:
        """The possible conditions of a cutoff, on equality and strict."""
        if len(self.bounds) != 2:
            return []
        low, high = self.bounds
        conditions = []
        for equal in ("=", ""):
            conditions.append(f"{low} >{equal} {high}")
            for best in self.bests:
                conditions += [f"{best} >{equal} {high}", f"{best} <{equal} {low}"]
        return conditions


class Replacement(NamedTuple):
    """A replacement of an expression or a statement in a field of its parent."""

    parent: ast.AST
    field: str
    old: Any  # an expression or a statement
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


class Spot:
    """An expression or a statement that may change, and its position.

    old: the expression or the statement.
    top: the top-level statement around it.
    parent: its parent in the syntax tree.
    field: the field of the parent that contains it.
    names: the names of the enclosing function.
    loop: the innermost loop of the function around it, or None.
    context: the first line of its statement, and the fields that lead from there to it.
    """

    def __init__(
        self,
        old: Any,  # of a type that changes.yaml names
        top: ast.stmt,
        parent: Any,
        field: str,
        names: Names,
        loop: ast.AST | None,
        context: str,
    ):
        self.old = old
        self.top = top
        self.parent = parent
        self.field = field
        self.names = names
        self.loop = loop
        self.context = context

    def replaced_by(self, *new: ast.AST) -> Replacement:
        """Return the Replacement of the part by other parts."""
        return Replacement(self.parent, self.field, self.old, list(new))

    @cached_property
    def types(self) -> set[str]:
        """The types of the part, of its operator, and of its value; see changes.yaml."""
        classes = [*type(self.old).__mro__, type(getattr(self.old, "op", None))]
        if isinstance(self.old, ast.Constant):
            classes.append(type(self.old.value))
        types = {cls.__name__ for cls in classes}
        if _is_number(self.old):
            types.add("number")
        if len(getattr(self.old, "comparators", ())) == 1:
            types.add("comparison")
        return types

    @property
    def at(self) -> str:
        """The type of its parent and the field that contains it, such as "Assign.value".

        A call of a function of the program is an "OwnCall".
        """
        owner = type(self.parent).__name__
        if owner == "Call" and _name_of(self.parent) in self.names.functions:
            owner = "OwnCall"
        return f"{owner}.{self.field}"

    @property
    def following(self) -> list[ast.stmt]:
        """The statements after a statement in its block."""
        block = getattr(self.parent, self.field)
        place = block.index(self.old)
        return block[place + 1 :]


def _name_of(part):
    """Return the name that a part consists of, calls, negates or assigns, or None."""
    if isinstance(part, ast.Assign):
        part = part.targets[0]
    for field in ("func", "operand"):
        part = getattr(part, field, part)
    return id_of(part) or getattr(part, "attr", None)


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


def missing_cutoff(spot):
    """Add a cutoff before the loops, or in a loop that never tests the window."""
    leaving = ["break"]
    if spot.loop is None:
        leaving = [f"return {best}" for best in spot.names.bests]
    elif _tests_window(spot.loop, spot.names.bounds):
        return
    for condition, leave in product(spot.names.cutoffs, leaving):
        cutoff = ast.parse(f"if {condition}: {leave}").body
        yield [spot.replaced_by(spot.old, *cutoff)]


def arguments_exchanged(spot):
    """Exchange two neighbors among the arguments of a call."""
    call = spot.old
    for first, second in pairwise(range(len(call.args))):
        args = list(call.args)
        args[first] = call.args[second]
        args[second] = call.args[first]
        exchanged = ast.Call(call.func, args, call.keywords)
        yield [spot.replaced_by(ast.copy_location(exchanged, call))]


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
    is_elif = spot.field == "orelse" and _has_elif(spot.parent)
    if not is_elif and (others or field == "orelse"):
        removed = Replacement(owner, field, last, [])
        yield [removed, spot.replaced_by(spot.old, last)]


def into_block(spot):
    """Move the statement after a loop or a condition into it."""
    owner, field = _last_block(spot.old)
    last = getattr(owner, field)[-1]
    if spot.following:
        moved = spot.following[0]
        removed = Replacement(spot.parent, spot.field, moved, [])
        yield [removed, Replacement(owner, field, last, [last, moved])]


def before_loop(spot):
    """Move the first statement in a loop before the loop."""
    first, *others = spot.old.body
    if others:
        removed = Replacement(spot.old, "body", first, [])
        yield [removed, spot.replaced_by(first, spot.old)]


def to_end_of_block(spot):
    """Move a condition to the end of its block, after the assignments that it needs."""
    if names_stored(spot.following) & names_in(spot.old.test):
        last = spot.following[-1]
        moved = Replacement(spot.parent, spot.field, last, [last, spot.old])
        yield [spot.replaced_by(), moved]


class _Filler(string.Formatter):
    """Fills a pattern of changes.yaml with names and with the text of parts."""

    def format_field(self, value, format_spec):
        if isinstance(value, ast.expr):
            return f"({ast.unparse(value)})"
        return value


def _filled(patterns, spot):
    """Yield the parts that each pattern describes, as a list."""
    filler = _Filler()
    for pattern in patterns:
        fields = {field for _, field, _, _ in filler.parse(pattern) if field}
        roles = sorted(field for field in fields if not field.startswith("old"))
        choices = [getattr(spot.names, role) for role in roles]
        for chosen in product(*choices):
            names = dict(zip(roles, chosen))
            try:
                text = filler.format(pattern, old=spot.old, **names)
                new = ast.parse(text).body
            except (AttributeError, IndexError, SyntaxError):  # the part has no such part
                continue
            if isinstance(spot.old, ast.expr):
                new = [new[0].value]
            yield new


class Edit:
    """One change of a program.

    kind: the name of its kind; see changes.yaml.
    replacements: the Replacements that make it.
    spot: the Spot that it changes.
    """

    def __init__(self, kind: str, replacements: list[Replacement], spot: Spot):
        self.kind = kind
        self.replacements = replacements
        self.spot = spot

    @cached_property
    def added(self) -> str:
        """The text of the statement that is missing after the old one, or ""."""
        first = self.replacements[0]
        return _text_of(first.new[1:])

    @cached_property
    def what(self) -> str:
        """The change in words, such as "a > b becomes a >= b"."""
        first = self.replacements[0]
        old = _text_of([first.old])
        if first.new:
            return f"{old} becomes {_text_of(first.new)}"
        return f"{old} moves"

    @property
    def place(self) -> tuple[int, bool]:
        """The line of the change, and whether a statement is missing after it."""
        old = self.replacements[0].old
        if self.added:
            return old.end_lineno, True
        return old.lineno, False

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
    kinds: Collection[Mapping],
) -> Iterator[Edit]:
    """Yield the Edits of some kinds that may fix a function.

    tree: the program.
    right: functions that are correct. What only they use is not changed.
    kinds: kinds of changes, as in changes.yaml.
    """
    functions = sorted({part.name for part in parts_of(tree, ast.FunctionDef)})
    spots = []
    for top in _reachable(tree, [function], without=right):
        for changed in _changeable_parts(top):
            names = Names(changed, functions)
            spots += _spots_below(changed, top, names)
    for kind in kinds:
        for spot in spots:
            yield from _edits_at(spot, **kind)


def _reachable(tree, functions, without=()):
    """Return the top-level statements that some functions may use.

    without: functions that are excluded, with what only they use.
    """
    definitions = definitions_in(tree)
    for function in without:
        definitions.pop(function, None)
    names = set()
    for function in functions:
        names |= names_reached(function, definitions)
    names.difference_update(without)
    return [top for top in tree.body if _names_changed(top) & names]


def _names_changed(statement):
    """Return the names that a top-level statement binds, or whose parts it assigns."""
    targets = getattr(statement, "targets", [])
    return names_bound(statement) | names_in(targets)


def _changeable_parts(top):
    """Return the functions of a top-level statement, or an assignment."""
    if isinstance(top, ast.ClassDef):
        return [part for part in top.body if isinstance(part, ast.FunctionDef)]
    return [top]


def _spots_below(part, top, names, loop=None, context=""):
    """Yield the Spot of each expression and statement below a part that may change."""
    if isinstance(part, LOOPS):
        loop = part
    elif isinstance(part, ast.FunctionDef):
        loop = None
    for field, held in ast.iter_fields(part):
        parts = held if isinstance(held, list) else [held]
        for old in parts:
            if not isinstance(old, ast.AST):
                continue
            if isinstance(old, ast.stmt):
                place = ast.unparse(old).partition("\n")[0]
            else:
                place = f"{context}.{field}"
            if field not in UNCHANGED_FIELDS and _may_change(old):
                yield Spot(old, top, part, field, names, loop, place)
            yield from _spots_below(old, top, names, loop, place)


def _may_change(part):
    """Tell whether a part is an expression or statement that may be replaced."""
    if isinstance(part, UNCHANGED):
        return False
    return isinstance(part, PARTS) and not is_stored(part) and not _is_docstring(part)


def _edits_at(spot, kind, part, role=None, at=(), becomes=(), adds=(), by=None):
    """Yield the Edits of a part; for the arguments after `spot` see changes.yaml."""
    if spot.types.isdisjoint(part):
        return
    if role and _name_of(spot.old) not in getattr(spot.names, role):
        return
    if at and spot.at not in at:
        return
    for new in _filled(becomes, spot):
        yield Edit(kind, [spot.replaced_by(*new)], spot)
    for new in _filled(adds, spot):
        yield Edit(kind, [spot.replaced_by(spot.old, *new)], spot)
    if by:
        for replacements in globals()[by](spot):
            yield Edit(kind, replacements, spot)


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
        return _is_number(part.operand)
    if isinstance(part, ast.Constant):
        return type(part.value) in (int, float)
    return isinstance(part, (ast.Name, ast.Attribute, ast.Call)) and is_infinite(part)


def make_patches(
    source: str,
    function: str,
    right: Collection[str],
    kinds: Collection[Mapping],
) -> bytes:
    """Return the patches of some kinds that may fix a function, as JSON: a list.

    Patches with one change come first, then those that make the same change at two places.
    Each patch has these entries: its `code`, which defines again what changes, in the
    module of the program; the `places` of its changes, each as (line, whether after it);
    its `kind`; `what` it changes; the missing statements that are `added`.

    For the arguments see edits_of().
    """
    tree = ast.parse(source)
    size = sum(1 for _ in ast.walk(tree))
    if size > MAX_NODES:
        return b"[]"
    compiler = _Compiler(tree, [function, *right])
    possible = edits_of(tree, function, right, kinds)
    edits = list(islice(possible, compiler.most))
    alone = [[edit] for edit in edits]
    twins = islice(_twins(edits), compiler.most)
    patches = []
    for made_at_once in [*alone, *twins]:
        code = compiler.compile_with(made_at_once)
        if code:
            patches.append(_patch(made_at_once, code))
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
    """Compiles changed definitions, and those that depend on them when they are made.

    functions: the functions whose definitions may change, and the correct functions.
    most: the number of patches that may be made.
    """

    def __init__(self, tree, functions):
        future = [top for top in tree.body if getattr(top, "module", None) == "__future__"]
        self._definitions = future + _reachable(tree, functions)
        unchanged = [self._compiled([top]) for top in self._definitions]
        self._seen = set(map(essence, unchanged))
        size = max(len(marshal.dumps(code)) for code in unchanged)
        self.most = min(MAX_PATCHES, MAX_CODE_BYTES // size)

    def _compiled(self, changed):
        """Return the code of the changed definitions, and of all but plain functions."""
        statements = []
        for top in self._definitions:
            if top in changed or not _is_plain(top):
                statements.append(top)
        module = ast.Module(statements, type_ignores=[])
        return compile(module, "search.py", "exec", dont_inherit=True)

    def compile_with(self, edits):
        """Return the code with these changes, or None if it is not new or not possible."""
        undo = []
        try:
            for edit in edits:
                for replacement in edit.replacements:
                    undo.append(replacement.make())
            code = self._compiled([edit.spot.top for edit in edits])
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


def _is_plain(top):
    """Tell whether a definition is a function that uses no name before it is called."""
    if not isinstance(top, ast.FunctionDef):
        return False
    return not (top.decorator_list or top.args.defaults or top.args.kw_defaults)


def essence(code: CodeType) -> CodeType:
    """Return a code object without its positions in the text, to compare it."""
    constants = []
    for constant in code.co_consts:
        is_code = isinstance(constant, CodeType)
        constants.append(essence(constant) if is_code else constant)
    return code.replace(co_consts=tuple(constants), co_firstlineno=1, co_linetable=b"")
