"""What the text of a search.py shows by itself: calls, unused arguments, what is kept.

It is a tool: it runs in a worker that runs nothing of the text, since reading a text alone
can take a parser all its memory. Where a text leaves room for doubt, nothing is said. The
standard library only.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from typing import NamedTuple

FULL = {"float", "math", "inf", "np", "numpy", "sys", "maxsize"}  # words of a full window
CHANCE = {"random", "secrets"}  # modules that draw at random
DOUBT = {"locals", "vars", "eval", "exec"}  # may use any argument
BOUNDS = "alpha", "beta"
ROWS = ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp
MAKES_ROWS = {"dict", "list", "set", "defaultdict", "OrderedDict", "Counter", "deque"}
REMEMBERS = {"cache", "lru_cache"}
MAX_LINES = 2
DEFINITIONS = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef

Arguments = Mapping[str, tuple[str, ...]]  # of a function after the node


class Reading(NamedTuple):
    """What a text shows.

    `calls` maps each function to the others that its code, or what that calls, names.
    `ignores` maps a function to the arguments, as the assignment calls them, that it never
    reads, `keeps` to those, alpha or beta, that it never passes on: each call of the
    function by itself has a full window's there. `twice` maps one to the lines of a call of
    itself that a condition makes and then its body. `holds` are the lines of what may
    outlive a search. `at_random` says that the text imports what draws at random. `line`
    is the line from which on the text is not Python, None where all of it is.
    """

    calls: Mapping[str, frozenset[str]] = {}
    ignores: Mapping[str, tuple[str, ...]] = {}
    keeps: Mapping[str, tuple[str, ...]] = {}
    twice: Mapping[str, tuple[int, ...]] = {}
    holds: tuple[int, ...] = ()
    at_random: bool = False
    line: int | None = None


def read_program(source: bytes, arguments: Arguments) -> bytes:
    """Return what a text shows as JSON, for reading_from().

    `arguments` maps each function to its arguments, as the assignment calls them.
    Raises ValueError where the text is no text.
    """
    try:
        tree = ast.parse(source)
        compile(tree, "search.py", "exec", dont_inherit=True)  # which finds more slips
    except SyntaxError as error:
        return json.dumps({"line": error.lineno}).encode()
    defined = {name: part for part in tree.body for name in bound(part)}
    reading = {
        "calls": {name: _names(name, defined) for name in arguments if name in defined},
        "ignores": {},
        "keeps": {},
        "twice": {},
        "holds": sorted({*_holding(tree)})[:MAX_LINES],
        "at_random": any(map(_imports_chance, ast.walk(tree))),
    }
    for name, own in arguments.items():
        if isinstance(defined.get(name), ast.FunctionDef):
            unused = _unused(defined[name], ("node", *own))
            reading["ignores"][name], reading["keeps"][name] = unused
            reading["twice"][name] = _twice(defined[name])
    return json.dumps(reading).encode()


def reading_from(data: bytes, arguments: Arguments) -> Reading:
    """Return the Reading that read_program() packed, with known names only."""
    told = json.loads(data) if data else {}
    if "holds" not in told:
        return Reading(line=told.get("line"))
    unused = (
        {
            one: tuple(n for n in arguments[one] if n in own)
            for one, own in part.items()
            if own
        }
        for part in (told["ignores"], told["keeps"])
    )
    calls = {one: frozenset(arguments) & {*own} for one, own in told["calls"].items()}
    twice = {
        n: tuple(map(int, told["twice"][n])) for n in arguments if told["twice"].get(n)
    }
    return Reading(calls, *unused, twice, tuple(map(int, told["holds"])), told["at_random"])


def bound(part: ast.stmt) -> set[str]:
    """Return the names that a statement of a module binds."""
    if isinstance(part, DEFINITIONS):
        return {part.name}
    within = list(ast.walk(part))
    stored = {n.id for n in within if isinstance(n, ast.Name) and _is_stored(n)}
    return stored | {n.name for n in within if isinstance(n, DEFINITIONS)}


def _is_stored(name):
    return isinstance(name.ctx, ast.Store)


def _words(*parts):
    """Return the names that stand in parts of a text, attributes too."""
    within = [item for part in parts for item in ast.walk(part)]
    names = {item.id for item in within if isinstance(item, ast.Name)}
    return names | {item.attr for item in within if isinstance(item, ast.Attribute)}


def _names(function, defined):
    """Return the names that stand in a function's text, and in that of its helpers."""
    found, todo = set(), {function}
    while todo:
        found |= todo
        parts = [defined[name] for name in todo if name in defined]
        todo = set().union(*map(_used, parts)) - found
    return sorted(found - {function})


def _used(part):
    """Return the names that a definition uses and does not bind itself."""
    within = list(ast.walk(part))
    used = {n.id for n in within if isinstance(n, ast.Name) and not _is_stored(n)}
    if isinstance(part, ast.ClassDef) or not isinstance(part, DEFINITIONS):
        return used
    own = {each.arg for each in within if isinstance(each, ast.arg)}
    return used - own.union(*map(bound, part.body))


def _imports_chance(item):
    if not isinstance(item, (ast.Import, ast.ImportFrom)):
        return False
    names = [getattr(item, "module", None) or "", *(alias.name for alias in item.names)]
    return any(CHANCE & {*name.split(".")} for name in names)


def _unused(function, names):
    """Return the names of the arguments that a function ignores, and that it keeps."""
    given = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    body = [item for part in function.body for item in ast.walk(part)]
    used = {n.id for n in body if isinstance(n, ast.Name) and not _is_stored(n)}
    used |= _words(*(n.target for n in body if isinstance(n, ast.AugAssign)))
    if len(given) < len(names) or used & DOUBT:
        return [], []
    ignored = [name for name, own in zip(names, given) if own not in used]
    calls = _calls(function, *function.body)
    if any(call.keywords or len(call.args) != len(names) for call in calls):
        calls = []
    kept = [
        name
        for place, name in enumerate(names)
        if name in BOUNDS and name not in ignored and calls
        if _words(*(call.args[place] for call in calls)) <= FULL
    ]
    return ignored, kept


def _calls(function, *parts):
    """Return the calls of a function by its name that stand in parts of a text."""
    within = [item for part in parts for item in ast.walk(part)]
    calls = [item for item in within if isinstance(item, ast.Call)]
    return [call for call in calls if getattr(call.func, "id", "") == function.name]


def _twice(function):
    """Return the lines of a call of itself that a condition makes, and then its body."""
    for part in ast.walk(function):
        if isinstance(part, (ast.If, ast.IfExp)):
            body = part.body if isinstance(part.body, list) else [part.body]
            first = {ast.dump(call): call.lineno for call in _calls(function, part.test)}
            for again in _calls(function, *body):
                if ast.dump(again) in first:
                    return sorted({first[ast.dump(again)], again.lineno})
    return []


def _holding(tree):
    """Yield the lines of what may outlive a search: tables, globals, defaults."""
    functions = [item for item in ast.walk(tree) if isinstance(item, ast.FunctionDef)]
    used = _words(*functions)
    for item in ast.walk(tree):
        if isinstance(item, ast.Global):
            yield item.lineno
        elif isinstance(item, ast.FunctionDef):
            yield from (one.lineno for one in item.args.defaults if _is_row(one))
            yield from (o.lineno for o in item.decorator_list if _words(o) & REMEMBERS)
        elif isinstance(item, (ast.Module, ast.ClassDef)):
            made = [
                one for one in item.body if isinstance(one, (ast.Assign, ast.AnnAssign))
            ]
            made = [one for one in made if _is_row(one.value) and _words(one) & used]
            yield from (one.lineno for one in made)


def _is_row(part):
    callee = getattr(part, "func", None)
    return (
        isinstance(part, ROWS) or callee is not None and bool(_words(callee) & MAKES_ROWS)
    )
