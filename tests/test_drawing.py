"""Drawings show the tree, the visited leaves and what is wrong, as text."""

import pytest
from drawn import marks_at
from helpers import ROOT, tables_beside, trees_in, visiting

from gametree import load_tree, parse_tree
from gametree.support.drawing import draw
from gametree.support.judging import Task
from gametree.support.lazy import RandomPosition
from gametree.support.marks import Marks
from gametree.support.views import view_of

PUBLIC = ROOT / "trees" / "public"
DRAWINGS = tables_beside(__file__)["drawings"]
HUGE = "random: {branching: 10, depth: 9, values: [0, 100], seed: 1}"


def tree_of(text, root="max"):
    """Return the tree of a file that ends with these lines."""
    return parse_tree(f"title: t\nlesson: l\nroot: {root}\n{text}\n", "t")


def drawing_of(name):
    """Return the drawing that test_drawing.yaml describes."""
    case = DRAWINGS[name]
    if "file" in case:
        tree = load_tree(PUBLIC / f"{case['file']}.yaml")
    else:
        tree = tree_of(case["lines"])
    options = case.get("options", {})
    if "visits" not in case:
        return draw(tree, **options)
    search = tree.searches[case.get("number", 0)]
    visited = case["visits"]
    marks = marks_at(tree, visited, search, case.get("function", "alphabeta"))
    return draw(tree, search, marks, **options)


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_equals_the_stored_text(name, check_golden):
    check_golden(drawing_of(name), f"drawings/{name}.txt")


@pytest.mark.parametrize("folder", ["public", "hidden"])
def test_every_tree_of_the_kit_fits_80_columns_with_its_marks(folder):
    for tree in trees_in(folder):
        for search in tree.searches:
            picture = draw(tree, search, marks_at(tree, "", search))
            assert max(map(len, picture.splitlines())) <= 80, (tree.name, search)


def test_a_drawing_of_a_billion_leaves_unfolds_at_most_200_nodes(monkeypatch):
    unfolded = []
    unfold = RandomPosition.unfold

    def count(position):
        unfolded.append(position)
        return unfold(position)

    monkeypatch.setattr(RandomPosition, "unfold", count)
    assert "The drawing shows 200 nodes" in draw(tree_of(HUGE))
    assert len(unfolded) <= 200


def drawn_paths(tree, visited, expected):
    """Return the paths of the drawn nodes of a search that visits these leaves."""
    search = tree.searches[0]
    task = Task(tree, "alphabeta", search, visiting(search, expected), ())
    marks = Marks(task, visiting(search, visited))
    return {view.path for view in view_of(tree, search, marks).everything()}


def test_the_wrong_leaves_of_a_huge_tree_are_drawn():
    unnecessary = (9,) * 9
    missed = (5,) * 9
    tree = tree_of(HUGE)
    assert {unnecessary, missed} <= drawn_paths(tree, {unnecessary}, {missed})


def test_wrong_leaves_are_drawn_before_correct_leaves():
    tree = tree_of("random: {branching: 15, depth: 2, values: [0, 9], seed: 2}")
    leaves = {(first, second) for first in range(15) for second in range(15)}
    assert (14, 14) in drawn_paths(tree, leaves, leaves - {(14, 14)})
