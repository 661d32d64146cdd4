"""The public tests: run `python -m pytest` in this folder.

Each test runs one function of your search.py on one tree of the folder trees/, twice.
A failure says what was expected and why, and draws what your search visited.
"""

from operator import methodcaller
from pathlib import Path

import pytest

from gametree import TreeError, load_trees
from gametree.course import ASSIGNED
from gametree.support.drawing import draw
from gametree.support.marks import marks_of
from gametree.support.saying import describe_search, say
from gametree.support.student import (
    SECONDS,
    CannotRun,
    Endless,
    check,
    error_line,
    load_search,
    stopped_after,
)

HERE = Path(__file__).resolve().parent
SEARCH = HERE / "search.py"
AGAIN = 1  # second that a function has which did not come to an end before

try:
    TREES = load_trees(HERE / "trees")
except TreeError as slip:
    raise pytest.Collector.CollectError(str(slip)) from None
CASES = [
    pytest.param(function, tree, question, id=f"{function}-{tree.name}-{number}")
    for function in ASSIGNED
    for tree in TREES
    for number, question in enumerate(tree.searches_for(function), start=1)
]
endless = set()  # the functions that were stopped


def load_function(name):
    """Return the function, loaded afresh: on Gradescope, too, no tree knows another."""
    try:
        module = load_search(SEARCH)
    except (CannotRun, Endless) as problem:
        pytest.exit(str(problem), returncode=2)
    if not hasattr(module, name):
        missing = say("home.no function", file="search.py", function=name)
        pytest.fail(missing, pytrace=False)
    return getattr(module, name)


@pytest.mark.parametrize("function, tree, question", CASES)
def test(function, tree, question, terminal):
    __tracebackhide__ = methodcaller("errisinstance", Exception)  # begin in search.py
    search = load_function(function)
    seconds = AGAIN if function in endless else SECONDS
    problem = None
    try:
        with stopped_after(seconds, SEARCH, terminal):
            checked = check(search, function, tree, question)
    except Endless as stopped:
        endless.add(function)
        problem = str(stopped)
    except (NotImplementedError, OSError) as error:  # what input() raises here
        problem = error_line(error, SEARCH)
    if problem is None and checked.wrong:
        problem = describe_failure(tree, question, checked)
    if problem:
        pytest.fail(problem, pytrace=False)


def describe_failure(tree, question, checked):
    """Return what was asked, what is wrong and why, and what the search visited."""
    lines = [f"{tree.title} ({describe_search(question)})"]
    why = checked.why.lower()
    lines += [line for line in checked.wrong if line.lower() not in why]  # once
    if checked.why:
        lines.append(checked.why)
    marks = marks_of(tree, question, checked.trace, checked.right_leaves)
    lines += ["", draw(tree, question, marks)]
    return "\n".join(lines)
