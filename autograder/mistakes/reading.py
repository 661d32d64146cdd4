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
from typing import NamedTuple

from autograder.mistakes.syntax import (
    INFINITE,
    id_of,
    is_infinite,
    names_bound,
    names_read,
    parameters_of,
    parts_of,
    words_in,
)

CHANCE = {"random", "secrets"}  # modules that generate random numbers
TABLES = (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp)
TABLE_MAKERS = {"dict", "list", "set", "defaultdict", "OrderedDict", "Counter", "deque"}
CACHES = {"cache", "lru_cache"}
GENERATES = (ast.Yield, ast.YieldFrom)
# Control may not reach the end of a body whose last statement is of these types.
MAY_LEAVE = (ast.Return, ast.Raise, ast.With, ast.Try, ast.While, ast.Match)
MAX_LINES = 2
CALL_ARGUMENTS = ("depth", "maximizing")  # equal in the calls for all children
MIN_WITH_WINDOW = 4  # arguments of a call with alpha and beta
WORDS = re.compile(r"\w+|[<>=!]=|\S")
PLAIN_WORDS = {"0", "1", "INF", "children", "evaluate", "is_terminal", *dir(builtins)}
NO_CODE = ("def ", "class ", "@", '"', "'")  # prefixes of lines that are headers or strings
MAX_PHRASES = 2000


class FunctionText(NamedTuple):
    """What the text of a function shows. Arguments have the names of the assignment.

    calls: the other functions that it calls, directly or indirectly.
    phrases: the phrases of phrases_of().
    repeated_calls: the lines of a recursive call in a condition that is repeated in the
        body of the condition.
    returns_nothing: the lines at which it, or a function that it calls, ends without a
        value although other paths return a value.
    changed_in_loop: its argument that is changed in a loop -> the lines of the changes.
    unread: its arguments that it never reads.
    has_full_window: the result of has_full_window().
    """

    calls: Collection[str] = ()
    phrases: Collection[str] = ()
    repeated_calls: Collection[int] = ()
    returns_nothing: Collection[int] = ()
    changed_in_loop: Mapping[str, Collection[int]] = {}
    unread: Collection[str] = ()
    has_full_window: bool = False


class Reading(NamedTuple):
    """What the text of a program shows.

    functions: function -> its FunctionText. Functions that are not defined are absent.
    state_lines: the lines of state that may survive a search.
    at_random: whether the text imports a random number generator.
    error_line: the line of a syntax error, or None.
    """

    functions: Mapping[str, FunctionText] = {}
    state_lines: Collection[int] = ()
    at_random: bool = False
    error_line: int | None = None

    @property
    def calls(self) -> dict[str, Collection[str]]:
        """Function -> the other functions that it calls."""
        return {name: text.calls for name, text in self.functions.items()}

    def text_of(self, function: str) -> FunctionText:
        """Return the FunctionText of a function, which is empty if it is not defined."""
        return self.functions.get(function, FunctionText())


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
    defined = arguments.keys() & _definitions_in(tree).keys()
    reading = {
        "functions": {name: _read_function(tree, name, arguments) for name in defined},
        "state_lines": sorted(set(_state_lines(tree)))[:MAX_LINES],
        "at_random": any(map(_imports_chance, ast.walk(tree))),
    }
    return json.dumps(reading).encode()


def reading_from(data: bytes) -> Reading:
    """Return the Reading that read_program() wrote, or an empty one for no data."""
    reading = Reading(**json.loads(data or b"{}"))
    functions = {name: FunctionText(**text) for name, text in reading.functions.items()}
    return reading._replace(functions=functions)


def _read_function(tree, name, arguments):
    """Return the fields of a function's FunctionText."""
    definitions = _definitions_in(tree)
    definition = definitions[name]
    reached = _names_reached(name, definitions)
    parts = [definitions[part] for part in {name, *reached} & definitions.keys()]
    phrases = phrases_of(tree, name, arguments[name])
    return {
        "calls": sorted(arguments.keys() & reached),
        "phrases": sorted(phrases)[:MAX_PHRASES],
        "repeated_calls": _repeated_call(name, definition),
        "returns_nothing": sorted(set(_ends_without_value(parts))),
        "changed_in_loop": _changed_in_loop(parts),
        "unread": _unread(definition),
        "has_full_window": has_full_window(tree, name),
    }


def _unread(definition):
    """Return the parameters of a function that it never reads, in order."""
    if not isinstance(definition, ast.FunctionDef):
        return []
    read = names_read(definition)
    return [name for name in parameters_of(definition) if name not in read]


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
    for part in parts_of(tree, ast.FunctionDef):
        names[part.name] = "F"
        functions[part.name] = part
    entry = _definitions_in(tree).get(function)
    if isinstance(entry, ast.FunctionDef):
        del functions[function]
        own_names = dict(zip(parameters_of(entry), ("node", *arguments)))
        names.update(own_names)
        for name, helper in functions.items():
            for call in _calls_of(name, entry):
                if len(call.args) >= MIN_WITH_WINDOW:
                    words = map(ast.unparse, call.args)
                    for parameter, word in zip(parameters_of(helper), words):
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
        for name in names_bound(statement):
            definitions[name] = statement
    return definitions


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
    used = names_read(definition)
    if not isinstance(definition, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return used
    used.difference_update(part.arg for part in parts_of(definition, ast.arg))
    return used.difference(*map(names_bound, definition.body))


def _imports_chance(part):
    is_import = isinstance(part, (ast.Import, ast.ImportFrom))
    return is_import and not CHANCE.isdisjoint(WORDS.findall(ast.unparse(part)))


def _calls_of(name, parts):
    """Return the calls of a function by its name in parts of a text."""
    return [call for call in parts_of(parts, ast.Call) if id_of(call.func) == name]


def _repeated_call(name, definition):
    """Return the lines of a recursive call in a condition, and again in its body."""
    for part in parts_of(definition, ast.If, ast.IfExp):
        tested = {ast.dump(call): call for call in _calls_of(name, part.test)}
        for call in _calls_of(name, part.body):
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
    calls = parts_of(definitions[function], ast.Call)
    return all(_has_full_window(call, definitions, searches) for call in calls)


def _has_full_window(call, definitions, searches):
    """Tell whether a call is not a search, or is a search with the full window."""
    values = call.args + [keyword.value for keyword in call.keywords]
    name = id_of(call.func)
    if name in definitions and name not in searches:
        return False
    is_other = name not in definitions and not isinstance(call.func, ast.Attribute)
    infinities = [value for value in values if is_infinite(value)]
    return is_other or len(values) < MIN_WITH_WINDOW or len(infinities) == 2


def _changed_in_loop(parts):
    """Return depth or maximizing -> the lines that change it in a loop over children."""
    lines_of = {}
    for loop in parts_of(parts, ast.For):
        if "children" not in words_in(loop.iter):
            continue
        assignments = parts_of(loop.body, ast.Assign, ast.AugAssign)
        for name in CALL_ARGUMENTS:
            changes = [part for part in assignments if name in names_bound(part)]
            # Another assignment may restore it.
            if len(changes) == 1 and _reads_itself(changes[0], name):
                lines_of.setdefault(name, []).append(changes[0].lineno)
    return lines_of


def _reads_itself(assignment, name):
    is_augmented = isinstance(assignment, ast.AugAssign)
    return is_augmented or name in names_read(assignment.value)


def _ends_without_value(parts):
    """Yield the lines where a function that returns values ends without a value."""
    for function in parts_of(parts, ast.FunctionDef):
        returns = parts_of(function, ast.Return)
        if any(map(_has_value, returns)):
            yield from (part.lineno for part in returns if not _has_value(part))
            if not parts_of(function, *GENERATES):
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
    used = words_in(parts_of(tree, ast.FunctionDef))
    for part in ast.walk(tree):
        if isinstance(part, ast.Global):
            yield part.lineno
        elif isinstance(part, ast.FunctionDef):
            for default in part.args.defaults:
                if _is_table(default):
                    yield default.lineno
            for decorator in part.decorator_list:
                if words_in(decorator) & CACHES:
                    yield decorator.lineno
        elif isinstance(part, (ast.Module, ast.ClassDef)):
            for statement in part.body:
                if _assigns_table(statement) and words_in(statement) & used:
                    yield statement.lineno


def _assigns_table(statement):
    is_assignment = isinstance(statement, (ast.Assign, ast.AnnAssign))
    return is_assignment and _is_table(statement.value)


def _is_table(value):
    """Tell whether an expression creates a list, a set or a dictionary."""
    if isinstance(value, ast.Call):
        return bool(words_in(value.func) & TABLE_MAKERS)
    return isinstance(value, TABLES)
