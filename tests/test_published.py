"""Every published figure is what the reference finds."""

import pytest
from helpers import ROOT, reference

from gametree import load_trees, observe

PUBLIC = load_trees(ROOT / "trees/public")
HIDDEN = load_trees(ROOT / "trees/hidden")
BY_NAME = {tree.name: tree for tree in (*PUBLIC, *HIDDEN)}
SEARCHES = [
    pytest.param(tree, search, id=f"{tree.name}-{number}")
    for tree in (*PUBLIC, *HIDDEN)
    for number, search in enumerate(tree.searches, start=1)
]
# The worked examples of textbooks and courses: tree file, which of its searches,
# and what the source says. Leaves are given by their values, left to right.
WORKED = {
    "aima-5.5": ("03-aima-figure-5-2", 0, {
        "value": 3, "leaves": [3, 12, 8, 2, 14, 5, 2], "pruned": [4, 6],
        "evaluations": 7, "move": 0}),
    "mdx-max": ("middlesex-max", 0, {"value": 3, "pruned": [101, 102, 103, 104]}),
    "mdx-min": ("05-min-root", 0, {"value": 12, "pruned": [4, 31, 1, 50]}),
    "javatpoint": ("06-binary-fifteen", 0, {
        "value": 3, "leaves": [2, 3, 5, 0, 1], "pruned": [9, 7, 5]}),
    "gfg": ("geeksforgeeks", 0, {
        "value": 5, "leaves": [3, 5, 6, 1, 2], "pruned": [9, 0, -1]}),
    "cosc367-q3": ("canterbury-q3", 0, {
        "value": 4, "leaves": [2, -1, 1, 4], "pruned": [5, 3]}),
    "cosc367-q4": ("canterbury-q4", 0, {
        "value": 0, "leaves": [0, -2, 1, 5], "pruned": []}),
    "cosc367-q5": ("canterbury-q5", 0, {
        "value": 3, "leaves": [3, 2, 1, 0], "pruned": [4, 7, -2]}),
    "mit-game1-max": ("mit-four-by-four", 0, {"value": 4, "evaluations": 13, "move": 1}),
    "mit-game1-min": ("mit-four-by-four", 1, {"value": 11, "evaluations": 11, "move": 0}),
    "mit-pruning": ("07-deep-cutoff", 0, {
        "value": 10, "pruned": [2], "evaluations": 4, "move": 0}),
    "mit-2013final-d1": ("mit-static-values", 0, {"value": 11, "evaluations": 4}),
    "mit-2013final-d2": ("mit-static-values", 1, {"value": 10, "evaluations": 5}),
    "mit-2013final-d3": ("mit-static-values", 2, {"value": 10, "evaluations": 6}),
    "millington-funge-688-max": ("millington-funge", 0, {"value": -4, "nodes": 12}),
    "millington-funge-688-min": ("millington-funge", 1, {"value": -5, "nodes": 14}),
    "wpi-basic-max": ("wpi-basic", 0, {"value": 5, "nodes": 10}),
}  # fmt: skip


def found(tree, search):
    """Return what the reference finds of a search, under the names of `published`."""
    value = observe(reference().minimax, "minimax", tree, search).answer.number
    trace = observe(reference().alphabeta, "alphabeta", tree, search)
    leaves = {position.path for position in tree.root.frontier(search.depth)}
    figures = {
        "value": value,
        "leaves": trace.visited,
        "pruned": leaves - trace.visited,
        "evaluations": len(trace.visited),
        "nodes": trace.node_count,
    }
    if search in tree.searches_for("best_move"):
        trace = observe(reference().best_move, "best_move", tree, search)
        figures["move"] = trace.answer.path
    return figures


@pytest.mark.parametrize("tree, search", SEARCHES)
def test_every_published_figure_is_what_the_reference_finds(tree, search):
    figures = found(tree, search)
    for key, published in vars(search.published).items():
        if published is not None:
            assert figures[key] == published, key


@pytest.mark.parametrize(
    "tree, search", [case for case in SEARCHES if case.values[0] in PUBLIC]
)
def test_every_public_search_publishes_all_that_a_student_is_tested_on(tree, search):
    published = search.published
    assert None not in (published.value, published.leaves, published.nodes)
    assert (published.move is not None) == (search in tree.searches_for("best_move"))


@pytest.mark.parametrize("example", WORKED)
def test_the_worked_example_gives_what_its_source_says(example):
    name, number, said = WORKED[example]
    tree, search = BY_NAME[name], BY_NAME[name].searches[number]
    assert tree.source
    figures = found(tree, search)
    for key, figure in said.items():
        if key in ("leaves", "pruned"):
            got = [tree.root.at(path).value for path in sorted(figures[key])]
        else:
            got = figures[key][0] if key == "move" else figures[key]
        assert got == figure, key
        assert getattr(search.published, key) is not None or key == "move", key


def test_all_seventeen_worked_examples_are_here():
    assert len(WORKED) == 17
