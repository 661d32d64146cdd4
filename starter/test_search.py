"""The public tests: run `python -m pytest` in this folder.

Each test runs one function of your search.py on one tree in the folder trees/. The last
tests run all searches one after another in one process, as Gradescope does. A failed test
explains the expected result and draws the nodes that your search visited. If a function is
not written yet, or was stopped in an endless loop, its other tests are skipped.
"""

import re
from itertools import islice
from operator import methodcaller
from pathlib import Path

import pytest

from gametree import TreeError, load_trees
from gametree.assignment import ASSIGNED
from gametree.support.drawing import draw
from gametree.support.errors import InputError
from gametree.support.marks import Marks
from gametree.support.sentences import deciding, findings
from gametree.support.student import (
    EXCEPTIONS,
    SECONDS,
    Endless,
    check,
    describe_ending,
    describe_order,
    drawing_options,
    error_line,
    load_search,
    stopped_after,
    wrapped,
)
from gametree.support.texts import describe_search, in_words, sentence
from gametree.support.trace import Recorder

# Lines that create state: a table, a global variable, a cache.
TABLE = r"= *(?:[\[{]|(?:\w+\.)?(?:dict|list|set|defaultdict|Counter)\()"
STATE = re.compile(rf"^[\w.]+ *{TABLE}|^def .*{TABLE}|^\s+global |^@.*cache\b")
MAX_LINES = 2
MAX_COUNTED = 1000  # nodes of a tree, which may be too large to count
HERE = Path(__file__).resolve().parent
SEARCH = HERE / "search.py"

try:
    TREES = load_trees(HERE / "trees")
except TreeError as slip:
    raise pytest.Collector.CollectError(str(slip)) from None


def rank(tree):
    """Return a sort key: trees with textbook numbers first, small trees first."""
    positions = islice(tree.root.subtree(), MAX_COUNTED)
    values = [position.static_value() for position in positions]
    is_unusual = any(value % 1 or abs(value) > 100 for value in values)
    return is_unusual, len(values)


CASES = [
    pytest.param(function, tree, question, id=f"{function}-{tree.name}-{number}")
    for function in ASSIGNED
    for tree in sorted(TREES, key=rank)
    for number, question in enumerate(tree.searches_for(function), start=1)
    if not question.earlier  # the last tests repeat searches
]
# The functions whose other tests are skipped: they were stopped, or are not written yet.
skipped = {}  # function -> the reason


def load_module():
    """Return search.py, loaded afresh."""
    try:
        return load_search(SEARCH)
    except (InputError, Endless) as problem:
        pytest.fail(str(problem), pytrace=False)


@pytest.mark.parametrize("function, tree, question", CASES)
def test(function, tree, question, terminal):
    __tracebackhide__ = methodcaller("errisinstance", Exception)  # begin in search.py
    if function in skipped:
        pytest.skip(skipped[function])
    module = load_module()
    if not hasattr(module, function):
        missing = sentence("home.no function", file="search.py", function=function)
        pytest.fail(missing, pytrace=False)
    problem = None
    try:
        verdict = check_in_time(module, function, tree, question, terminal)
    except Endless as stopped:
        problem = wrapped(str(stopped))
    except (NotImplementedError, OSError) as error:  # input() raises OSError under pytest
        if isinstance(error, NotImplementedError):
            skipped[function] = "the function is not written yet"
        problem = wrapped(error_line(error, SEARCH))
    if problem is None and not verdict.is_right:
        order = describe_order(getattr(module, function), function)
        problem = wrapped(order) or describe_failure(tree, question, verdict)
    if problem:
        pytest.fail(problem, pytrace=False)


@pytest.mark.parametrize("function", ASSIGNED)
def test_one_after_another(function, spoiled):
    problem = spoiled.get(function)
    if problem:
        pytest.fail(problem, pytrace=False)
    if function in spoiled:
        pytest.skip("the function is also wrong alone")


@pytest.fixture(scope="session")
def spoiled(terminal):
    """Run all searches one after another; return function -> its first problem.

    If a search fails here but is correct alone, the code keeps state between searches. The
    problem is "" if the search also fails alone. All searches of a tree by one function
    get the same nodes, and some trees repeat a search.
    """
    problems = {}
    module = load_module()
    for tree in TREES:
        for function in ASSIGNED:
            recorder = Recorder(tree.root)
            for question in tree.searches_for(function):
                if function in skipped or not hasattr(module, function):
                    problems.setdefault(function, "")
                    continue
                search = function, tree, question, terminal
                problem = problem_after_others(module, *search, recorder)
                if problem and not problems.get(function):
                    problems[function] = problem if is_right_alone(*search) else ""
    return problems


def problem_after_others(module, function, tree, question, terminal, recorder):
    """Describe the problem of a search that runs after other searches, or return ""."""
    state = f"{sentence('home.spoiled')}. {describe_state()}"
    try:
        verdict = check_in_time(
            module, function, tree, question, terminal, EXCEPTIONS, recorder
        )
    except Endless as stopped:
        return f"{state}\n{stopped}"
    if verdict.is_right:
        return ""
    return describe_failure(tree, question, verdict, state)


def is_right_alone(function, tree, question, terminal):
    """Tell whether a search is correct if it is the first in a fresh module."""
    try:
        verdict = check_in_time(
            load_module(), function, tree, question, terminal, EXCEPTIONS
        )
    except Endless:
        return False
    return verdict.is_right


def check_in_time(module, function, tree, question, terminal, catch=(), recorder=None):
    """Check a search; raise Endless if it does not return in time."""
    __tracebackhide__ = methodcaller("errisinstance", Exception)
    search = getattr(module, function)
    try:
        with stopped_after(SECONDS, SEARCH, terminal):
            return check(search, function, tree, question, catch, recorder)
    except Endless:
        skipped[function] = "the function was stopped in another test"
        raise


def describe_state():
    """Return a sentence on the lines of search.py that may create state, or ""."""
    lines = SEARCH.read_text(encoding="utf-8", errors="replace").splitlines()
    found = [str(n) for n, line in enumerate(lines, start=1) if STATE.match(line)]
    if not found:
        return ""
    shown = found[:MAX_LINES]
    return sentence("home.state", count=len(shown), lines=in_words(shown))


def describe_failure(tree, question, verdict, state=""):
    """Describe a failed search: the call, the errors, the reason and the drawing."""
    lines = [f"{tree.title} ({describe_search(question)})"]
    if state:
        lines.append(state)
    if verdict.has_returned:
        why = deciding(verdict)
        for line in findings(verdict):
            if line.lower() not in why.lower():  # it is said once
                lines.append(line)
        lines.append(why)
    else:
        lines.append(describe_ending(verdict))
    marks = Marks(verdict.task, verdict.trace)
    text = [wrapped(line) for line in lines]
    return "\n".join([*text, "", draw(tree, question, marks, **drawing_options())])
