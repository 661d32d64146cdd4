"""Drawings show the tree, the visited leaves and what is wrong, as text."""

from itertools import product

import pytest
from drawn import trace_visiting
from helpers import ROOT, reference, tables_beside, trees_in

from gametree import load_tree, observe, parse_tree
from gametree.support.drawing import draw
from gametree.support.lazy import RandomPosition
from gametree.support.marks import marks_of
from gametree.support.views import view_of

PUBLIC = ROOT / "trees" / "public"
REFERENCE = reference().program
RIGHT = REFERENCE.alphabeta


def tree_of(text, root="max"):
    """Return the tree of a file that ends with these lines."""
    return parse_tree(f"title: t\nlesson: l\nroot: {root}\n{text}\n", "t")


def reference_trace(tree, search):
    """Return the trace of the reference's alphabeta."""
    return observe(RIGHT, "alphabeta", tree, search)


def never_prunes(node, depth, alpha, beta, maximizing):
    """Visit every leaf."""
    return REFERENCE.minimax(node, depth, maximizing)


def swaps_bounds(node, depth, alpha, beta, maximizing):
    """Swap alpha and beta, which misses leaves."""
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    values = []
    for child in node.children:
        values.append(swaps_bounds(child, depth - 1, beta, alpha, not maximizing))
        if alpha >= beta or depth == 1:
            break
    return max(values) if maximizing else min(values)


def ignores_depth(node, depth, alpha, beta, maximizing):
    """Go below the depth limit."""
    return REFERENCE.minimax(node, 99, maximizing)


def searches_twice(node, depth, alpha, beta, maximizing):
    """Search the tree twice."""
    RIGHT(node, depth, alpha, beta, maximizing)
    return RIGHT(node, depth, alpha, beta, maximizing)


def evaluates_all(node, depth, alpha, beta, maximizing):
    """Evaluate interior nodes too."""
    node.evaluate()
    return RIGHT(node, depth, alpha, beta, maximizing)


def evaluates_twice(node, depth, *_):
    """Evaluate each leaf twice in a row."""
    return max(child.evaluate() and child.evaluate() for child in node.children)


def reads_pruned(node, *_):
    """Read the children of a leaf that should be pruned."""
    first, second = node.children
    visited, pruned = second.children
    return pruned.children or first.evaluate() + visited.evaluate()


def draw_search(function, tree, search=None, **options):
    """Return the drawing of a search, marked where it differs from the reference."""
    search = search or tree.searches[0]
    trace = observe(function, "alphabeta", tree, search, 10_000)
    marks = marks_of(tree, trace, reference_trace(tree, search).visited)
    return draw(tree, search, marks, **options)


LAZY = tree_of("random: {branching: 10, depth: 9, values: [0, 100], seed: 1}")
LARGE = tree_of("random: {branching: 15, depth: 2, values: [0, 9], seed: 2}")
SEARCHES = {
    "correct": RIGHT,
    "never prunes": never_prunes,
    "swaps bounds": swaps_bounds,
    "ignores depth": ignores_depth,
    "searches twice": searches_twice,
    "evaluates all": evaluates_all,
    "evaluates twice": evaluates_twice,
    "reads a pruned leaf": reads_pruned,
}
DRAWINGS = tables_beside(__file__)["drawings"]


def drawing_of(name):
    """Return the drawing that test_drawing.yaml describes."""
    case = DRAWINGS[name]
    if "file" in case:
        tree = load_tree(PUBLIC / f"{case['file']}.yaml")
    else:
        tree = tree_of(case["lines"])
    options = case.get("options", {})
    if "search" not in case:
        return draw(tree, **options)
    search = tree.searches[case.get("number", 0)]
    return draw_search(SEARCHES[case["search"]], tree, search, **options)


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_equals_the_stored_text(name, check_golden):
    check_golden(drawing_of(name), f"drawings/{name}.txt")


def test_a_best_move_that_missed_a_leaf_is_drawn(check_golden):
    tree = tree_of("tree: [[3, 5], [2, 4]]")

    def best_move(node, *_):
        for child in node.children:
            child.children[0].evaluate()
        return node.children[0]

    search = tree.searches[0]
    trace = observe(best_move, "best_move", tree, search)
    marks = marks_of(tree, trace, reference_trace(tree, search).visited)
    check_golden(draw(tree, search, marks), "drawings/best-move-missed-a-leaf.txt")


def test_every_tree_of_the_kit_fits_80_columns_with_its_marks():
    for tree in [*trees_in("public"), *trees_in("hidden")]:
        for search, function in product(tree.searches, (RIGHT, never_prunes)):
            picture = draw_search(function, tree, search)
            assert max(map(len, picture.splitlines())) <= 80, (tree.name, search)


def test_a_drawing_of_a_billion_leaves_unfolds_at_most_200_nodes(monkeypatch):
    unfolded = []
    unfold = RandomPosition.unfold

    def count(position):
        unfolded.append(position)
        return unfold(position)

    monkeypatch.setattr(RandomPosition, "unfold", count)
    assert "The drawing shows 200 nodes" in draw(LAZY)
    assert len(unfolded) <= 200


def drawn_paths(tree, visited, expected):
    """Return the paths of the drawn nodes of a search that visits these leaves."""
    marks = marks_of(tree, trace_visiting(tree.searches[0], visited), expected)
    views = view_of(tree, tree.searches[0], marks).everything()
    return {view.path for view in views}


def test_the_wrong_leaves_of_a_huge_tree_are_drawn():
    unnecessary = (9,) * 9
    missed = (5,) * 9
    assert {unnecessary, missed} <= drawn_paths(LAZY, {unnecessary}, {missed})


def test_wrong_leaves_are_drawn_before_correct_leaves():
    leaves = {(first, second) for first in range(15) for second in range(15)}
    assert (14, 14) in drawn_paths(LARGE, leaves, leaves - {(14, 14)})
