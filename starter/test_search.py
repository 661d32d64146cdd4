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


def written(function):
    """Return the function, loaded afresh: on Gradescope, too, no tree knows another."""
    try:
        module = load_search(SEARCH)
    except (CannotRun, Endless) as problem:
        pytest.exit(str(problem), returncode=2)
    if not hasattr(module, function):
        missing = say("home.no function", file="search.py", function=function)
        pytest.fail(missing, pytrace=False)
    return getattr(module, function)


@pytest.mark.parametrize("function, tree, question", CASES)
def test(function, tree, question, terminal):
    __tracebackhide__ = methodcaller("errisinstance", Exception)  # begin in search.py
    search, problem = written(function), None
    seconds = AGAIN if function in endless else SECONDS
    try:
        with stopped_after(seconds, SEARCH, terminal):
            checked = check(search, function, tree, question)
    except Endless as stopped:
        endless.add(function)
        problem = str(stopped)
    except (NotImplementedError, OSError) as error:  # what input() raises here
        problem = error_line(error, SEARCH)
    if problem:
        pytest.fail(problem, pytrace=False)
    if checked.wrong:
        marks = marks_of(tree, question, checked.trace, checked.right_leaves)
        picture = draw(tree, question, marks)
        why = checked.why.lower()
        wrong = (line for line in checked.wrong if line.lower() not in why)  # once
        lines = [f"{tree.title} ({describe_search(question)})", *wrong, checked.why]
        pytest.fail("\n".join([*filter(None, lines), "", picture]), pytrace=False)
