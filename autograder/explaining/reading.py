"""Read a search.py without running it: calls, parameters, state between searches.

This module is a tool: it runs in a worker that runs none of the submission's code, because
parsing alone can use all memory. It reports nothing when unsure. It imports only the
standard library.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping

from autograder.explaining.syntax import (
    ASSIGNMENTS,
    LOOPS,
    definitions_in,
    is_infinite,
    is_stored,
    names_reached,
    parameters_of,
    parts_of,
    words_in,
)

TABLES = (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp)
TABLE_MAKERS = {"dict", "list", "set", "defaultdict", "OrderedDict", "Counter", "deque"}
CACHES = {"cache", "lru_cache"}
MAX_STATE_LINES = 2
TERMINAL = {"is_terminal", "children"}  # in a condition: it tests for terminals
STORING = (*ASSIGNMENTS, ast.AugAssign, ast.NamedExpr)
# Statements of a search. The header of a known mistake says which of them it denies.
RAISES_ALPHA = "raises alpha"
LOWERS_BETA = "lowers beta"
TESTS_WINDOW = "tests the window"
TESTS_WINDOW_IN_LOOP = "tests the window in its loop"
TESTS_DEPTH = "tests the depth"
DECREASES_DEPTH = "decreases the depth"
TESTS_TERMINAL = "tests for terminals"
STATEMENTS = (
    RAISES_ALPHA,
    LOWERS_BETA,
    TESTS_WINDOW,
    TESTS_WINDOW_IN_LOOP,
    TESTS_DEPTH,
    DECREASES_DEPTH,
    TESTS_TERMINAL,
)


def read_program(source: bytes, arguments: Mapping[str, tuple[str, ...]]) -> bytes:
    """Return the fields of a Reading as JSON.

    arguments: function -> its arguments after the node, with the names of the assignment.
    Raises SyntaxError, or ValueError if the source is not text.
    """
    tree = ast.parse(source)
    definitions = definitions_in(tree)
    functions = {}
    for name in arguments.keys() & definitions.keys():
        functions[name] = _read_function(name, definitions, arguments)
    enclosing = _enclosing(tree, arguments.keys() - definitions.keys())
    state_lines = sorted(set(_state_lines(tree)))
    reading = [functions, enclosing, state_lines[:MAX_STATE_LINES], not tree.body]
    return json.dumps(reading).encode()


def _enclosing(tree, names):
    """Return name -> the class or function inside which a function is defined."""
    enclosing = {}
    for outer in parts_of(tree, ast.ClassDef, ast.FunctionDef):
        for inner in parts_of(outer.body, ast.FunctionDef):
            if inner.name in names:
                enclosing[inner.name] = outer.name
    return enclosing


def _read_function(name, definitions, arguments):
    """Return the fields of the FunctionText of a function that is defined."""
    definition = definitions[name]
    reached = names_reached(name, definitions)
    calls = arguments.keys() & reached - {name}
    order = _other_order(definition, arguments[name])
    statements = _statements(name, definitions, arguments)
    return [sorted(calls), order, statements]


def _other_order(definition, arguments):
    """Return the parameters of a function if one of `arguments` is not in its place."""
    if not isinstance(definition, ast.FunctionDef):
        return []
    parameters = parameters_of(definition)
    for place, name in enumerate(parameters[1:]):
        if name in arguments and name not in arguments[place : place + 1]:
            return parameters
    return []


def _statements(name, definitions, arguments):
    """Return the statements that a function or its helpers may contain, in any spelling."""
    helpers = names_reached(name, definitions) & definitions.keys() - arguments.keys()
    reached = helpers | {name}
    texts = [definitions[each] for each in reached]
    own = _own_names(definitions[name], arguments[name])
    stored = _words_stored(parts_of(texts, *STORING))
    compared = words_in(parts_of(texts, ast.Compare))
    in_loop = words_in(_comparisons_beside_calls(texts, reached))
    operations = parts_of(texts, ast.BinOp, ast.AugAssign)
    subtracted = words_in([part for part in operations if isinstance(part.op, ast.Sub)])
    conditions = [part.test for part in parts_of(texts, ast.If, ast.IfExp)]
    mentions = [
        (RAISES_ALPHA, stored, "alpha"),
        (LOWERS_BETA, stored, "beta"),
        (TESTS_WINDOW, compared, "alpha"),
        (TESTS_WINDOW, compared, "beta"),
        (TESTS_WINDOW_IN_LOOP, in_loop, "beta"),
        (TESTS_DEPTH, compared, "depth"),
        (DECREASES_DEPTH, subtracted, "depth"),
    ]
    found = {name for name, words, word in mentions if _mention(words, word, own)}
    if words_in(conditions) & TERMINAL:
        found.add(TESTS_TERMINAL)
    return sorted(found)


def _own_names(definition, arguments):
    """Return argument of the assignment -> its name in a function."""
    if not isinstance(definition, ast.FunctionDef):
        return {}
    return dict(zip(arguments, parameters_of(definition)[1:]))


def _mention(words, argument, own):
    """Tell whether one of the words may mean an argument of the assignment."""
    return own.get(argument) in words or any(argument in word.lower() for word in words)


def _words_stored(assignments):
    """Return the names and attributes that get a value other than an infinity."""
    words = set()
    for assignment in assignments:
        if assignment.value and not is_infinite(assignment.value):
            words |= words_in(filter(is_stored, parts_of(assignment, ast.expr)))
    return words


def _comparisons_beside_calls(texts, functions):
    """Return the comparisons in loops that call one of the functions."""
    comparisons = []
    for loop in parts_of(texts, *LOOPS):
        called = words_in([call.func for call in parts_of(loop, ast.Call)])
        if called & functions:
            comparisons += parts_of(loop, ast.Compare)
    return comparisons


def _state_lines(tree):
    """Yield the lines of state: changed tables, globals, default arguments, caches."""
    changed = _words_changed(parts_of(tree, ast.FunctionDef))
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
                if not isinstance(statement, ASSIGNMENTS):
                    continue
                if _is_table(statement.value) and words_in(statement) & changed:
                    yield statement.lineno


def _words_changed(functions):
    """Return the words for objects of which functions store an entry or call a method."""
    entries = filter(is_stored, parts_of(functions, ast.Subscript))
    objects = [*parts_of(functions, ast.Attribute), *entries]
    return words_in([part.value for part in objects])


def _is_table(value):
    """Tell whether an expression creates a list, a set or a dictionary."""
    if isinstance(value, ast.Call):
        return bool(words_in(value.func) & TABLE_MAKERS)
    return isinstance(value, TABLES)
