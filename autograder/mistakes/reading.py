"""Read a search.py without running it: calls, phrases, state between searches.

This module is a tool: it runs in a worker that runs none of the submission's code, because
parsing alone can use all memory. It reports nothing when unsure. It imports only the
standard library.
"""

from __future__ import annotations

import ast
import builtins
import json
import keyword
import re
from collections.abc import Collection, Mapping
from itertools import chain
from typing import NamedTuple

CHANCE = {"random", "secrets"}  # modules that generate random numbers
TABLES = (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp)
TABLE_MAKERS = {"dict", "list", "set", "defaultdict", "OrderedDict", "Counter", "deque"}
CACHES = {"cache", "lru_cache"}
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
GENERATES = (ast.Yield, ast.YieldFrom)
# Control may not reach the end of a body whose last statement is of these types.
MAY_LEAVE = (ast.Return, ast.Raise, ast.With, ast.Try, ast.While, ast.Match)
MAX_LINES = 2
CALL_ARGUMENTS = ("depth", "maximizing")  # equal in the calls for all children
MIN_WITH_WINDOW = 4  # arguments of a call with alpha and beta
WORDS = re.compile(r"\w+|[<>=!]=|\S")
INFINITE = re.compile(
    r"float\('(-?)\+?inf(?:inity)?'\)|(\b)(?:\w+\.)?\w*inf(?:ty|inity)?\b", re.I
)
PLAIN_WORDS = {"0", "1", "INF", "children", "evaluate", "is_terminal", *dir(builtins)}
NO_CODE = ("def ", "class ", "@", '"', "'")  # prefixes of lines that are headers or strings
MAX_PHRASES = 2000


class Reading(NamedTuple):
    """What the text of a program shows. Arguments have the names of the assignment.

    calls: function -> the other functions that it calls, directly or indirectly.
    phrases: function -> the phrases of phrases_of().
    repeated_calls: function -> the lines of a recursive call in a condition that is
        repeated in the body of the condition.
    returns_nothing: function -> the lines at which it, or a function that it calls, ends
        without a value although other paths return a value.
    changed_in_loop: function -> its argument that is changed in a loop -> the lines of
        the changes.
    unread: function -> its arguments that it never reads.
    full_windows: the functions for which has_full_window() is true.
    state_lines: the lines of state that may survive a search.
    at_random: whether the text imports a random number generator.
    error_line: the line of a syntax error, or None.
    """

    calls: Mapping[str, Collection[str]] = {}
    phrases: Mapping[str, Collection[str]] = {}
    repeated_calls: Mapping[str, Collection[int]] = {}
    returns_nothing: Mapping[str, Collection[int]] = {}
    changed_in_loop: Mapping[str, Mapping[str, Collection[int]]] = {}
    unread: Mapping[str, Collection[str]] = {}
    full_windows: Collection[str] = ()
    state_lines: Collection[int] = ()
    at_random: bool = False
    error_line: int | None = None


def read_program(source: bytes, arguments: Mapping[str, tuple[str, ...]]) -> bytes:
    """Return what a text shows as JSON, for reading_from().

    arguments: function -> its arguments after the node, with the names of the assignment.
    Raises ValueError if the source is not text.
    """
    try:
        compile(source, "search.py", "exec", dont_inherit=True)  # finds more than parse()
    except SyntaxError as error:
        return json.dumps({"error_line": error.lineno}).encode()
    tree = parse(source)
    definitions = _definitions_in(tree)
    calls = {}
    phrases = {}
    repeated_calls = {}
    returns_nothing = {}
    changed_in_loop = {}
    unread = {}
    for name in arguments.keys() & definitions.keys():
        reached = _names_reached(name, definitions)
        calls[name] = sorted(arguments.keys() & reached)
        found = phrases_of(tree, name, arguments[name])
        phrases[name] = sorted(found)[:MAX_PHRASES]
        repeated_calls[name] = _repeated_call(name, definitions[name])
        parts = [definitions[part] for part in {name, *reached} & definitions.keys()]
        returns_nothing[name] = sorted(set(_ends_without_value(parts)))
        changed_in_loop[name] = _changed_in_loop(parts)
        unread[name] = _unread(definitions[name])
    reading = {
        "calls": calls,
        "phrases": phrases,
        "repeated_calls": repeated_calls,
        "returns_nothing": returns_nothing,
        "changed_in_loop": changed_in_loop,
        "unread": unread,
        "full_windows": [name for name in calls if has_full_window(tree, name)],
        "state_lines": sorted(set(_state_lines(tree)))[:MAX_LINES],
        "at_random": any(map(_imports_chance, ast.walk(tree))),
    }
    return json.dumps(reading).encode()


def reading_from(data: bytes) -> Reading:
    """Return the Reading that read_program() wrote, or an empty one for no data."""
    return Reading(**json.loads(data or b"{}"))


def _unread(definition):
    """Return the parameters of a function that it never reads, in order."""
    if not isinstance(definition, ast.FunctionDef):
        return []
    read = _names_read([definition])
    return [name for name in _parameters(definition) if name not in read]


def parse(source: str | bytes) -> ast.Module:
    """Return the syntax tree of a program in one style, with > for <, without strings."""
    return _InOneStyle().visit(ast.parse(source))


def phrases_of(tree: ast.Module, function: str, arguments: tuple[str, ...]) -> set[str]:
    """Return all pairs and triples of neighboring words in the lines of code_lines().

    All names that the program chooses are replaced by one name. Only the arguments of the
    function have the names of the assignment: `arguments`, after the node. So do the
    parameters of other functions to which it passes a window.
    """
    names = dict.fromkeys(PLAIN_WORDS.union(keyword.kwlist, arguments))
    functions = {}
    for part in ast.walk(tree):
        if isinstance(part, ast.FunctionDef):
            names[part.name] = "F"
            functions[part.name] = part
    entry = _definitions_in(tree).get(function)
    if isinstance(entry, ast.FunctionDef):
        del functions[function]
        own_names = dict(zip(_parameters(entry), ("node", *arguments)))
        names.update(own_names)
        for name, helper in functions.items():
            for call in _calls_of(name, [entry]):
                if len(call.args) >= MIN_WITH_WINDOW:
                    words = map(ast.unparse, call.args)
                    for parameter, word in zip(_parameters(helper), words):
                        if word in own_names:
                            names[parameter] = own_names[word]
    phrases = set()
    for line in code_lines(tree, function):
        words = [_alike(word, names) for word in _words_of_line(line)]
        phrases.update(map(" ".join, zip(words, words[1:])))
        phrases.update(map(" ".join, zip(words, words[1:], words[2:])))
    return phrases


def code_lines(tree: ast.Module, function: str) -> list[str]:
    """Return the lines of a function and of the functions that it calls.

    Function headers and docstrings are removed.
    """
    definitions = _definitions_in(tree)
    names = {function, *_names_reached(function, definitions)}
    lines = []
    for name in sorted(names & definitions.keys()):
        lines += ast.unparse(definitions[name]).splitlines()
    return [
        line for line in lines if line.strip() and not line.lstrip().startswith(NO_CODE)
    ]


class _InOneStyle(ast.NodeTransformer):
    """Replaces all strings except "inf" by "", and turns < into >."""

    def visit_Compare(self, node):  # noqa: N802
        self.generic_visit(node)
        turned = {ast.Lt: ast.Gt, ast.LtE: ast.GtE}.get(type(node.ops[0]))
        if turned is None or len(node.ops) > 1:
            return node
        return ast.Compare(node.comparators[0], [turned()], [node.left])

    def visit_Constant(self, node):  # noqa: N802
        is_text = isinstance(node.value, str) and "inf" not in node.value[:4]
        return ast.Constant("") if is_text else node


def _words_of_line(line):
    return WORDS.findall(INFINITE.sub(r"\1INF", line))


def _alike(word, names):
    """Return the common name of a word, or of all words of its kind."""
    if word in names:
        return names[word] or word
    if word.isdigit():
        return "N"
    return "V" if word.isidentifier() else word


def _definitions_in(tree):
    """Return name -> the last top-level statement that binds it."""
    definitions = {}
    for statement in tree.body:
        for name in bound_names(statement):
            definitions[name] = statement
    return definitions


def bound_names(statement: ast.stmt) -> set[str]:
    """Return the names that a top-level statement binds."""
    if isinstance(statement, DEFINITIONS):
        return {statement.name}
    names = set()
    for part in ast.walk(statement):
        if isinstance(part, ast.Name) and _is_stored(part):
            names.add(part.id)
        elif isinstance(part, DEFINITIONS):
            names.add(part.name)
    return names


def _is_stored(name):
    return isinstance(name.ctx, ast.Store)


def _all_parts(parts):
    return list(chain.from_iterable(map(ast.walk, parts)))


def _names_read(parts):
    """Return the names that parts of a text read."""
    names = [part for part in _all_parts(parts) if isinstance(part, ast.Name)]
    return {name.id for name in names if not _is_stored(name)}


def _words(parts):
    """Return the names and the attributes in parts of a text."""
    words = set()
    for part in _all_parts(parts):
        if isinstance(part, ast.Name):
            words.add(part.id)
        elif isinstance(part, ast.Attribute):
            words.add(part.attr)
    return words


def _names_reached(function, definitions):
    """Return the names in a function's text and in the functions that it calls."""
    found = set()
    waiting = {function}
    while waiting:
        found |= waiting
        used = set()
        for name in waiting & definitions.keys():
            used |= _names_from_outside(definitions[name])
        waiting = used - found
    return sorted(found - {function})


def _names_from_outside(definition):
    """Return the names that a definition reads but does not bind."""
    used = _names_read([definition])
    if not isinstance(definition, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return used
    for part in ast.walk(definition):
        if isinstance(part, ast.arg):
            used.discard(part.arg)
    return used.difference(*map(bound_names, definition.body))


def _imports_chance(part):
    is_import = isinstance(part, (ast.Import, ast.ImportFrom))
    return is_import and not CHANCE.isdisjoint(WORDS.findall(ast.unparse(part)))


def _parameters(function):
    parameters = function.args.posonlyargs + function.args.args
    return [parameter.arg for parameter in parameters]


def _calls_of(name, parts):
    """Return the calls of a function by its name in parts of a text."""
    calls = [part for part in _all_parts(parts) if isinstance(part, ast.Call)]
    return [call for call in calls if getattr(call.func, "id", "") == name]


def _repeated_call(name, definition):
    """Return the lines of a recursive call in a condition, and again in its body."""
    for part in ast.walk(definition):
        if isinstance(part, (ast.If, ast.IfExp)):
            body = part.body if isinstance(part, ast.If) else [part.body]
            tested = {ast.dump(call): call for call in _calls_of(name, [part.test])}
            for call in _calls_of(name, body):
                first = tested.get(ast.dump(call))
                if first is not None:
                    return sorted({first.lineno, call.lineno})
    return []


def has_full_window(tree: ast.Module, function: str) -> bool:
    """Tell whether a function starts all searches with the full window, or without one.

    It is false when unsure, as for a call of a method or of another helper function.
    """
    definitions = _definitions_in(tree)
    searches = {"minimax", "alphabeta"} - {function}
    for name in list(searches):
        searches.update(_names_reached(name, definitions))
    calls = [part for part in ast.walk(definitions[function]) if isinstance(part, ast.Call)]
    return all(_has_full_window(call, definitions, searches) for call in calls)


def _has_full_window(call, definitions, searches):
    """Tell whether a call is not a search, or is a search with the full window."""
    values = call.args + [keyword.value for keyword in call.keywords]
    name = getattr(call.func, "id", None)
    if name in definitions and name not in searches:
        return False
    is_other = name not in definitions and not isinstance(call.func, ast.Attribute)
    infinities = [value for value in values if _is_infinite(value)]
    return is_other or len(values) < MIN_WITH_WINDOW or len(infinities) == 2


def _is_infinite(value):
    return INFINITE.fullmatch(ast.unparse(value).lstrip("-")) is not None


def _changed_in_loop(parts):
    """Return depth or maximizing -> the lines that change it in a loop over children."""
    lines_of = {}
    for loop in _all_parts(parts):
        if not isinstance(loop, ast.For) or "children" not in _words([loop.iter]):
            continue
        for name in CALL_ARGUMENTS:
            changes = [part for part in _all_parts(loop.body) if _assigns(part, name)]
            # Another assignment may restore it.
            if len(changes) == 1 and _reads_itself(changes[0], name):
                lines_of.setdefault(name, []).append(changes[0].lineno)
    return lines_of


def _assigns(part, name):
    """Tell whether a part is a statement that assigns a name."""
    is_assignment = isinstance(part, (ast.Assign, ast.AugAssign))
    return is_assignment and name in bound_names(part)


def _reads_itself(assignment, name):
    is_augmented = isinstance(assignment, ast.AugAssign)
    return is_augmented or name in _names_read([assignment.value])


def _ends_without_value(parts):
    """Yield the lines where a function that returns values ends without a value."""
    for function in _all_parts(parts):
        if not isinstance(function, ast.FunctionDef):
            continue
        returns = [part for part in ast.walk(function) if isinstance(part, ast.Return)]
        if any(map(_has_value, returns)):
            yield from (part.lineno for part in returns if not _has_value(part))
            if not any(isinstance(part, GENERATES) for part in ast.walk(function)):
                yield from _open_ends(function.body)


def _has_value(statement):
    value = statement.value
    return value is not None and ast.unparse(value) != "None"


def _open_ends(body):
    """Yield the last lines of the branches of a body after which a function just ends."""
    last = body[-1]
    if isinstance(last, ast.If):
        yield from _open_ends(last.body)
        if last.orelse:
            yield from _open_ends(last.orelse)
        else:
            yield last.end_lineno
    elif not isinstance(last, MAY_LEAVE):
        yield last.end_lineno


def _state_lines(tree):
    """Yield the lines of possible state: tables, globals, default arguments, caches."""
    parts = list(ast.walk(tree))
    used = _words([part for part in parts if isinstance(part, ast.FunctionDef)])
    for part in parts:
        if isinstance(part, ast.Global):
            yield part.lineno
        elif isinstance(part, ast.FunctionDef):
            for default in part.args.defaults:
                if _is_table(default):
                    yield default.lineno
            for decorator in part.decorator_list:
                if _words([decorator]) & CACHES:
                    yield decorator.lineno
        elif isinstance(part, (ast.Module, ast.ClassDef)):
            for statement in part.body:
                if _assigns_table(statement) and _words([statement]) & used:
                    yield statement.lineno


def _assigns_table(statement):
    is_assignment = isinstance(statement, (ast.Assign, ast.AnnAssign))
    return is_assignment and _is_table(statement.value)


def _is_table(value):
    """Tell whether an expression creates a list, a set or a dictionary."""
    if isinstance(value, ast.Call):
        return bool(_words([value.func]) & TABLE_MAKERS)
    return isinstance(value, TABLES)
