"""The public tests: run `python -m pytest` in this folder.

Each test runs one function of your search.py on one tree of the folder trees/.
A failure says what was expected and draws what your search visited.
"""

from operator import methodcaller
from pathlib import Path

import pytest

import search
from gametree import load_trees, observe
from gametree.drawing import draw, marks_of
from gametree.functions import FUNCTIONS, NODE
from gametree.student import explained

HERE = Path(__file__).resolve().parent
BUDGET = 100_000  # queries; far more than any of these searches needs

CASES = [
    pytest.param(function, tree, question, id=f"{function}-{tree.name}-{number}")
    for function in FUNCTIONS
    for tree in load_trees(HERE / "trees")
    for number, question in enumerate(tree.searches_for(function), start=1)
]


def nodes_below(position, depth):
    """Return how many nodes a search `depth` plies deep visits without pruning."""
    if depth == 0 or position.terminal:
        return 1
    return 1 + sum(nodes_below(child, depth - 1) for child in position.children)


def problems(function, tree, question, trace):
    """Return one line for each thing that is wrong with a search that returned."""
    published, root, answer = question.published, tree.root, trace.answer
    if FUNCTIONS[function].answer == NODE:
        if answer.kind != "node":
            return [f"returned {answer.in_words()}, expected one of node.children"]
        if answer.path != published.move:
            chosen, right = root.at(answer.path).name, root.at(published.move).name
            return [f"chose {chosen}, expected {right}"]
        return []
    lines = []
    low, high = right_values(question)
    if answer.kind != "number":
        lines.append(f"returned {answer.in_words()}, expected a number")
    elif not low <= answer.number <= high:
        right = low if low == high else f"any number from {low} to {high}"
        lines.append(f"returned {answer.number}, expected {right}")
    leaves, nodes = published.leaves, published.nodes
    if not FUNCTIONS[function].has_window:
        leaves = {leaf.path for leaf in root.frontier(question.depth)}
        nodes = nodes_below(root, question.depth)
    missed = [root.at(path).name for path in sorted(leaves - trace.visited)]
    needless = [root.at(path).name for path in sorted(trace.visited - leaves)]
    if missed:
        lines.append(f"did not visit: {', '.join(missed)}")
    if needless:
        lines.append(f"visited needlessly: {', '.join(needless)}")
    if not lines and trace.node_count != nodes:
        lines.append(f"{trace.node_count} node visits, expected {nodes}")
    return lines


def right_values(question):
    """Return the lowest and the highest right answer; outside the window they differ."""
    value = question.published.value
    if value <= question.alpha:
        return value, question.alpha
    return min(value, question.beta), value


@pytest.mark.parametrize("function, tree, question", CASES)
def test(function, tree, question):
    __tracebackhide__ = methodcaller("errisinstance", Exception)  # begin in search.py
    written = getattr(search, function, None)
    if written is None:
        pytest.fail(f"search.py has no function {function}", pytrace=False)
    unwritten = None
    try:
        trace = observe(written, function, tree, question, BUDGET, catch=())
    except NotImplementedError as error:
        unwritten = explained(error, search.__file__)
    if unwritten:
        pytest.fail(unwritten, pytrace=False)
    wrong = problems(function, tree, question, trace)
    if trace.ending.kind != "returned":
        wrong = [f"{trace.ending.kind}: it made more than {BUDGET:,}"]
    if wrong:
        prunes = FUNCTIONS[function].has_window
        leaves = question.published.leaves if prunes else None
        picture = draw(tree, question, marks_of(tree, question, trace, leaves))
        lines = [f"{tree.title} ({question.in_words()})", *wrong, "", picture]
        pytest.fail("\n".join(lines), pytrace=False)
