"""Make the small changes of a search's text that may fix it, and compile them.

make_patches() makes and compiles the changes of one cost. It is a tool: it runs in a worker
that runs none of the submission's code, so the module imports only the standard library.
"""

from __future__ import annotations

import ast
import base64
import json
import keyword
import marshal
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, islice, zip_longest
from types import CodeType
from typing import Any, NamedTuple

from autograder.explaining.changes import (
    BLOCKS,
    KINDS,
    NODE_NAME,
    QUERIES,
    Kind,
    Names,
    Replacement,
    Site,
    is_number,
)
from autograder.explaining.syntax import (
    ASSIGNMENTS,
    DEFINITIONS,
    INFINITE,
    LOOPS,
    assignments_in,
    definitions_in,
    fields_in,
    id_of,
    is_stored,
    names_bound,
    names_in,
    names_reached,
    parts_of,
)

UNCHANGED = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
UNCHANGED_FIELDS = ("decorator_list", "returns", "annotation", "defaults")
PLAIN_WORDS = {*keyword.kwlist, *QUERIES} - {"True", "False"}
SIGNS_AND_WORDS = re.compile(r"\w+|[<>]")
MAX_NODES = 12_000  # nodes in the syntax tree of a program
MAX_PATCHES = 1_400  # of one call
MAX_CODE_BYTES = 7 * 2**20  # total size of the patches of one call
MAX_TWINS = 12  # places with the same change, of which each two are changed at once


class Edit(NamedTuple):
    """One change of a program.

    kind: the name of its kind.
    replacements: the Replacements that make it.
    site: the Site that it changes.
    """

    kind: str
    replacements: Sequence[Replacement]
    site: Site

    @property
    def added(self) -> Sequence[ast.AST]:
        """The statements that are missing after the old one."""
        first = self.replacements[0]
        after = first.new[1:]
        return () if first.old in after else after

    @property
    def names_added(self) -> list[str]:
        """The variables that the missing statements assign."""
        assignments = [part for part in self.added if isinstance(part, ast.Assign)]
        return [ast.unparse(part.targets[0]) for part in assignments]

    @property
    def what(self) -> str:
        """The change in words, such as "a > b becomes a >= b"."""
        first = self.replacements[0]
        old = _text_of([first.old])
        if first.new:
            return f"{old} becomes {_text_of(first.new)}"
        return f"{old} moves"

    @property
    def place(self) -> tuple[int, bool, bool, int | None, int | None]:
        """The fields of the Place of the change, with columns in bytes of UTF-8.

        The second column is None if the part ends in a later line.
        """
        old, new = self.replacements[0][2:]
        if self.added:
            is_block = isinstance(old, BLOCKS)
            line = old.lineno if is_block else old.end_lineno or old.lineno
            return line, True, is_block, None, None
        parts = changed_parts(old, new[0]) if len(new) == 1 else [old]
        first = parts[0]
        last = _end_of_header(parts[-1])
        end = last.end_col_offset if first.lineno == last.end_lineno else None
        return first.lineno, False, False, first.col_offset, end

    @property
    def twin_key(self) -> str:
        """A text that is equal for the same change at MAX and at MIN.

        Both bounds are one word. Each other name in the change gets a number when it first
        occurs, and so do True, False, < and >. Names and comparisons in the context may be
        others, and so may all signs and each `not`.
        """
        bounds = self.site.names.bounds
        numbers: dict[str, str] = {}

        def number(match):
            word = match.group()
            if word in bounds:
                return "bound"
            if word.isdigit() or word in PLAIN_WORDS:
                return word
            return numbers.setdefault(word, f"n{len(numbers)}")

        what = INFINITE.sub("0", self.what)
        what = SIGNS_AND_WORDS.sub(number, what)
        context = INFINITE.sub("n", self.site.context)
        context = re.sub(r"\bnot\b|[<>]", "", context)
        context = re.sub(r"\w+", "n", context)
        return re.sub("[-+ ]", "", f"{self.kind} {what} | {context}")


def changed_parts(old: ast.AST, new: ast.AST) -> list[Any]:
    """Return the smallest part of `old` that differs in `new`, or neighbors in it."""
    if type(old) is not type(new):
        return _parts_left_out(old, new) or [old]
    parts = list(ast.iter_child_nodes(old))
    inner = zip_longest(parts, ast.iter_child_nodes(new), fillvalue=ast.Load())
    differing = [(part, other) for part, other in inner if not _is_equal(part, other)]
    are_marked = all(hasattr(part, "lineno") for part, _ in differing)
    if isinstance(old, ast.UnaryOp) or not (differing and are_marked):
        return [old]
    if len(differing) == 1:
        return changed_parts(*differing[0])
    neighbors = [part for part, _ in differing]
    return [old] if neighbors[0] is parts[0] else neighbors


def _parts_left_out(old, new):
    """Return the parts of `old` without `new`, if that is one of its parts."""
    parts = [part for part in ast.iter_child_nodes(old) if hasattr(part, "lineno")]
    others = [part for part in parts if not _is_equal(part, new)]
    if len(others) == len(parts):
        return []
    return others[:1] if isinstance(old, ast.Call) else others


def _is_equal(part, other):
    return ast.dump(part) == ast.dump(other)


def _end_of_header(part):
    """Return the last expression in the header of a block, or another part itself."""
    if not isinstance(part, BLOCKS):
        return part
    return part.iter if isinstance(part, ast.For) else part.test


def _text_of(parts):
    texts = [ast.unparse(part).split() for part in parts]
    return "; ".join(map(" ".join, texts))


def sites_of(tree: ast.Module, function: str, right: Collection[str]) -> list[Site]:
    """Return the Sites of the parts that may change to fix a function.

    tree: the program.
    right: functions that are correct. What only they use is not changed.
    """
    functions = sorted({part.name for part in parts_of(tree, ast.FunctionDef)})
    fields = sorted(fields_in(tree).difference(QUERIES, [NODE_NAME]))
    assigned = [top for top in tree.body if isinstance(top, ASSIGNMENTS)]
    constants = [
        id_of(name) for name, value in assignments_in(assigned) if is_number(value)
    ]
    sites = []
    for top in _reachable(tree, [function], without=right):
        for changed in _changeable_parts(top):
            names = Names(changed, functions, fields, constants)
            sites += _sites_below(changed, top, names)
    return sites


def edits_at(sites: Sequence[Site], cost: int) -> Iterator[Edit]:
    """Yield the Edits of one cost at some Sites."""
    for kind in KINDS:
        if kind.cost == cost:
            for site in sites:
                yield from _edits_of_kind(site, kind)


def _edits_of_kind(site: Site, kind: Kind) -> Iterator[Edit]:
    """Yield the Edits of one kind at a Site, except those that Python cannot parse."""
    for change in kind.changes_at(site):
        if isinstance(change, str):
            try:
                change = [site.becomes(change)]
            except SyntaxError:  # such as a slice as an argument
                continue
        yield Edit(kind.name, change, site)


def _reachable(tree, functions, without=()):
    """Return the top-level statements that some functions may use.

    A definition that a later one replaces is not among them.

    without: functions that are excluded, with what only they use.
    """
    definitions = definitions_in(tree)
    live = [top for top in tree.body if not _is_replaced(top, definitions)]
    for function in without:
        definitions.pop(function, None)
    names = set()
    for function in functions:
        names |= names_reached(function, definitions)
    names.difference_update(without)
    return [top for top in live if _names_changed(top) & names]


def _is_replaced(top, definitions):
    """Tell whether a later definition has the name of this definition."""
    if not isinstance(top, DEFINITIONS):
        return False
    last = definitions[top.name]
    return isinstance(last, DEFINITIONS) and last is not top


def _names_changed(statement):
    """Return the names that a top-level statement binds, or whose parts it assigns."""
    targets = getattr(statement, "targets", [])
    return names_bound(statement) | names_in(targets)


def _changeable_parts(top):
    """Return the functions of a top-level statement, or an assignment."""
    if isinstance(top, ast.ClassDef):
        return [part for part in top.body if isinstance(part, ast.FunctionDef)]
    return [top]


def _sites_below(part, top, names, loop=None, context=""):
    """Yield the Site of each expression and statement below a part that may change."""
    if isinstance(part, LOOPS):
        loop = part
    elif isinstance(part, ast.FunctionDef):
        loop = None
    for field, held in ast.iter_fields(part):
        for old in held if isinstance(held, list) else [held]:
            if not isinstance(old, ast.AST):
                continue
            place = f"{context}.{field}"
            if isinstance(old, ast.stmt):
                place = ast.unparse(old).partition("\n")[0]
            if isinstance(old, (ast.expr, ast.stmt)) and _may_change(old, field):
                yield Site(old, top, part, field, names, loop, place)
            yield from _sites_below(old, top, names, loop, place)


def _may_change(part, field):
    """Tell whether an expression or a statement may be replaced in a field."""
    is_docstring = isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
    is_fixed = field in UNCHANGED_FIELDS or isinstance(part, UNCHANGED)
    return not (is_fixed or is_docstring or is_stored(part))


def make_patches(
    source: str | bytes, function: str, right: Collection[str], cost: int, places: int
) -> bytes:
    """Return the patches of one cost that may fix a function, as JSON: a list.

    Each patch has these entries: its `code`, which defines again what changes, in the
    module of the program; the `places` and the `kind` of its changes; `names_added`, the
    variables that missing statements assign.

    places: 1 for one change, 2 for patches that make the same change at two places.
    right, cost: see sites_of() and edits_at().
    """
    maker = _maker_of(source, function, tuple(right))
    made = [_patch(edits, code) for edits, code in maker.patches(cost, places)]
    return json.dumps(made).encode()


def _patch(edits, code):
    """Return the entries of a patch."""
    data = base64.b64encode(marshal.dumps(code))
    return {
        "code": data.decode(),
        "places": [edit.place for edit in edits],
        "kind": edits[0].kind,
        "names_added": [name for edit in edits for name in edit.names_added],
    }


def twins(edits: Iterable[Edit]) -> Iterator[tuple[Edit, Edit]]:
    """Yield each two Edits that make the same change at two places."""
    by_key = {}
    for edit in edits:
        by_key.setdefault(edit.twin_key, []).append(edit)
    for alike in by_key.values():
        if len(alike) <= MAX_TWINS:
            yield from combinations(alike, 2)


@lru_cache(maxsize=1)
def _maker_of(source, function, right):
    """Return the _Maker of a function. A tool is called several times for one of them."""
    return _Maker(source, function, right)


class _Maker:
    """Compiles changed definitions, and those that depend on them when they are made.

    For the arguments see make_patches().
    """

    def __init__(self, source, function, right):
        tree = ast.parse(source)
        size = sum(1 for _ in ast.walk(tree))
        self._sites = sites_of(tree, function, right) if size <= MAX_NODES else []
        future = [top for top in tree.body if getattr(top, "module", None) == "__future__"]
        self._definitions = future + _reachable(tree, [function, *right])
        unchanged = [self._compiled([top]) for top in self._definitions]
        self._unchanged = set(map(essence, unchanged))
        size = max(len(marshal.dumps(code)) for code in unchanged)
        self._most = min(MAX_PATCHES, MAX_CODE_BYTES // size)
        self._edits = {}  # cost -> the Edits of this cost

    def patches(self, cost, places):
        """Yield (edits that are made at once, code) of the patches of one cost."""
        if cost not in self._edits:
            self._edits[cost] = [*islice(edits_at(self._sites, cost), self._most)]
        edits = self._edits[cost]
        made_at_once = twins(edits) if places == 2 else zip(edits)
        seen = set(self._unchanged)
        for group in islice(made_at_once, self._most):
            code = self._compile_with(group)
            if code is None:
                continue
            meaning = essence(code)
            if meaning not in seen:
                seen.add(meaning)
                yield group, code

    def _compiled(self, changed):
        """Return the code of the changed definitions, and of all but plain functions."""
        statements = []
        for top in self._definitions:
            if top in changed or not _is_plain(top):
                statements.append(top)
        module = ast.Module(statements, type_ignores=[])
        return compile(module, "search.py", "exec", dont_inherit=True)

    def _compile_with(self, edits):
        """Return the code with these changes, or None if they are not possible."""
        undo = []
        try:
            for edit in edits:
                for replacement in edit.replacements:
                    undo.append(replacement.make())
            return self._compiled([edit.site.top for edit in edits])
        except (SyntaxError, ValueError, TypeError, RecursionError):
            return None
        finally:
            for restore in reversed(undo):
                restore()


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
