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

from autograder.explaining.syntax import (
    INFINITE,
    definitions_in,
    id_of,
    is_infinite,
    names_bound,
    names_reached,
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
TURNED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE}
WORDS = re.compile(r"\w+|[<>=!]=|\S")
NODE_WORDS = {"children", "evaluate", "is_terminal"}
PLAIN_WORDS = {"0", "1", "INF", *NODE_WORDS, *keyword.kwlist, *dir(builtins)}
NO_CODE = ("def ", "class ", "@", '"', "'")  # prefixes of lines that are headers or strings
MAX_PHRASES = 2000


class FunctionText(NamedTuple):
    """What the text of a function shows. Arguments have the names of the assignment.

    calls: the other functions that it calls, directly or indirectly.
    phrases: see Program.phrases_of().
    returns_nothing: the lines at which it, or a function that it calls, ends without a
        value although other paths return a value.
    changed_in_loop: its argument that is changed in a loop -> the lines of the changes.
    unread: its arguments that it never reads.
    has_full_window: see Program.has_full_window().
    """

    calls: Collection[str] = ()
    phrases: Collection[str] = ()
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
        compile(source, "search.py", "exec", dont_inherit=True)  # finds more than parsing
    except SyntaxError as error:
        reading = {"error_line": error.lineno}
    else:
        reading = Program(source).read(arguments)
    return json.dumps(reading).encode()


def reading_from(data: bytes) -> Reading:
    """Return the Reading that read_program() wrote, or an empty one for no data."""
    fields = json.loads(data or b"{}")
    texts = fields.pop("functions", {})
    functions = {name: FunctionText(**text) for name, text in texts.items()}
    return Reading(functions=functions, **fields)


class Program:
    """The text of a program in one style: with > for <, and without strings."""

    def __init__(self, source: str | bytes):
        self._tree = _InOneStyle().visit(ast.parse(source))
        self._definitions = definitions_in(self._tree)

    def read(self, arguments: Mapping[str, tuple[str, ...]]) -> dict:
        """Return the fields of a Reading; for `arguments` see read_program()."""
        defined = arguments.keys() & self._definitions.keys()
        return {
            "functions": {name: self._read_function(name, arguments) for name in defined},
            "state_lines": sorted(set(_state_lines(self._tree)))[:MAX_LINES],
            "at_random": any(map(_imports_chance, ast.walk(self._tree))),
        }

    def _read_function(self, name, arguments):
        """Return the fields of a function's FunctionText."""
        definition = self._definitions[name]
        reached = names_reached(name, self._definitions) - {name}
        parts = self._parts_of(name)
        phrases = self.phrases_of(name, arguments[name])
        return {
            "calls": sorted(arguments.keys() & reached),
            "phrases": sorted(phrases)[:MAX_PHRASES],
            "returns_nothing": sorted(set(_ends_without_value(parts))),
            "changed_in_loop": _changed_in_loop(parts),
            "unread": _unread(definition),
            "has_full_window": self.has_full_window(name),
        }

    def _parts_of(self, function):
        """Return the definitions of a function and of what it uses, sorted by name."""
        names = names_reached(function, self._definitions)
        defined = sorted(names & self._definitions.keys())
        return [self._definitions[name] for name in defined]

    def lines_of(self, function: str) -> list[str]:
        """Return the lines of a function and of what it uses, without headers."""
        lines = []
        for part in self._parts_of(function):
            for line in ast.unparse(part).splitlines():
                if line and not line.lstrip().startswith(NO_CODE):
                    lines.append(line)
        return lines

    def phrases_of(self, function: str, arguments: tuple[str, ...]) -> set[str]:
        """Return all pairs and triples of neighboring words in lines_of() a function.

        All names that the program chooses are replaced by one name. Only the arguments of
        the function have the names of the assignment: `arguments`, after the node. So do
        the parameters of other functions to which it passes a window.
        """
        common = self._common_words(function, arguments)
        phrases = set()
        for line in self.lines_of(function):
            words = WORDS.findall(INFINITE.sub(r"\1INF", line))
            words = [common.get(word) or _kind_of(word) for word in words]
            pairs = zip(words, words[1:])
            phrases.update(map(" ".join, pairs))
            triples = zip(words, words[1:], words[2:])
            phrases.update(map(" ".join, triples))
        return phrases

    def _common_words(self, function, arguments):
        """Return word -> the word that replaces it in phrases, for words with a role."""
        common = {word: word for word in PLAIN_WORDS.union(arguments)}
        helpers = {}
        for part in parts_of(self._tree, ast.FunctionDef):
            common[part.name] = "F"
            helpers[part.name] = parameters_of(part)
        definition = self._definitions[function]
        if not isinstance(definition, ast.FunctionDef):
            return common
        del helpers[function]
        own = dict(zip(parameters_of(definition), ("node", *arguments)))
        common.update(own)
        for call in parts_of(definition, ast.Call):
            parameters = helpers.get(id_of(call.func), ())
            if len(call.args) >= MIN_WITH_WINDOW:
                for parameter, argument in zip(parameters, call.args):
                    if id_of(argument) in own:
                        common[parameter] = own[id_of(argument)]
        return common

    def has_full_window(self, function: str) -> bool:
        """Tell whether a function starts all searches with the full window, or without one.

        It is false when unsure, as for a call of a method or of another helper function.
        """
        searches = {"minimax", "alphabeta"} - {function}
        for name in list(searches):
            searches |= names_reached(name, self._definitions)
        helpers = self._definitions.keys() - searches
        calls = parts_of(self._definitions[function], ast.Call)
        return all(self._has_full_window(call, helpers) for call in calls)

    def _has_full_window(self, call, helpers):
        """Tell whether a call is not a search, or is a search with the full window."""
        name = id_of(call.func)
        if name in helpers:
            return False
        values = call.args + [keyword.value for keyword in call.keywords]
        is_method = isinstance(call.func, ast.Attribute)
        is_search = name in self._definitions or is_method
        if len(values) < MIN_WITH_WINDOW or not is_search:
            return True
        infinities = [value for value in values if is_infinite(value)]
        return len(infinities) == 2


class _InOneStyle(ast.NodeTransformer):
    """Replaces all strings except "inf" by "", and turns < into >."""

    def visit_Compare(self, node):  # noqa: N802
        self.generic_visit(node)
        turned = TURNED.get(type(node.ops[0]))
        if turned is None or len(node.ops) > 1:
            return node
        (right,) = node.comparators
        return ast.Compare(right, [turned()], [node.left])

    def visit_Constant(self, node):  # noqa: N802
        is_text = isinstance(node.value, str) and "inf" not in node.value[:4]
        return ast.Constant("") if is_text else node


def _kind_of(word):
    """Return the common word for all numbers or names, or another word itself."""
    if word.isdigit():
        return "N"
    return "V" if word.isidentifier() else word


def _unread(definition):
    """Return the parameters of a function that it never reads, in order."""
    if not isinstance(definition, ast.FunctionDef):
        return []
    read = names_read(definition)
    return [name for name in parameters_of(definition) if name not in read]


def _imports_chance(part):
    is_import = isinstance(part, (ast.Import, ast.ImportFrom))
    return is_import and not CHANCE.isdisjoint(WORDS.findall(ast.unparse(part)))


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
