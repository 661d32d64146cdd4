"""What a drawing shows, for people who read it in a test failure or on Gradescope."""

import re
from functools import partial
from itertools import product

import pytest
from drawn import trace_visiting
from helpers import ROOT, reference, trees_in
from hypothesis import given, settings
from hypothesis import strategies as st

from gametree import Search, load_tree, observe, parse_tree
from gametree.support.drawing import draw
from gametree.support.lazy import RandomPosition
from gametree.support.marks import MAX_WRONG, UNNECESSARY, marks_of
from gametree.support.views import view_of

PUBLIC = ROOT / "trees" / "public"
REFERENCE = reference()
RIGHT = REFERENCE.alphabeta


def tree_of(text, root="max"):
    """Return the tree of a file's last lines."""
    return parse_tree(f"title: t\nlesson: l\nroot: {root}\n{text}\n", "t")


def right(tree, search):
    """Return the trace of the right alpha-beta."""
    return observe(RIGHT, "alphabeta", tree, search)


def unpruned(node, depth, alpha, beta, maximizing):
    """Visit every leaf."""
    return REFERENCE.minimax(node, depth, maximizing)


def shallow(node, depth, alpha, beta, maximizing):
    """Swap alpha and beta, which misses leaves."""
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    values = []
    for child in node.children:
        values.append(shallow(child, depth - 1, beta, alpha, not maximizing))
        if alpha >= beta or depth == 1:
            break
    return max(values) if maximizing else min(values)


def too_deep(node, depth, alpha, beta, maximizing):
    """Go below the depth limit."""
    return REFERENCE.minimax(node, 99, maximizing)


def twice(node, depth, alpha, beta, maximizing):
    """Search everything a second time."""
    RIGHT(node, depth, alpha, beta, maximizing)
    return RIGHT(node, depth, alpha, beta, maximizing)


def evaluates_all(node, depth, alpha, beta, maximizing):
    """Evaluate inner nodes as well."""
    node.evaluate()
    return RIGHT(node, depth, alpha, beta, maximizing)


def drawn(function, tree, search=None, **options):
    """Return the drawing of a search beside what a right one visits."""
    search = search or tree.searches[0]
    trace = observe(function, "alphabeta", tree, search, 10_000)
    marks = marks_of(tree, trace, right(tree, search).visited)
    return draw(tree, search, marks, **options)


AIMA = load_tree(PUBLIC / "03-aima-figure-5-2.yaml")
DEPTH_LIMIT = load_tree(PUBLIC / "08-depth-limit.yaml")
LAZY = tree_of("random: {branching: 10, depth: 9, values: [0, 100], seed: 1}")
WIDE = tree_of(f"tree: [{', '.join(f'[{i}, {-i}]' for i in range(60))}]")
LARGE = tree_of("random: {branching: 15, depth: 2, values: [0, 9], seed: 2}")
UNEVEN = tree_of("tree: [5, [[7, [2, 1]], 3], [[4]]]")
DEEP = tree_of("tree: [[3, 12, 8, [7, [1, 2]]], [2, [4, [5, 9]], 6], [14, 5, [[2]]]]")
COINS = tree_of("game: {name: coins, coins: 7}")


DRAWINGS = {  # file of golden/drawings -> the drawing that somebody found correct
    "right": partial(drawn, RIGHT, AIMA),
    "unpruned": partial(drawn, unpruned, AIMA),
    "missing": partial(drawn, shallow, AIMA),
    "ascii": partial(drawn, shallow, AIMA, ascii=True),
    "twice": partial(drawn, twice, AIMA),
    "inner-evaluated": partial(drawn, evaluates_all, AIMA),
    "too-deep": partial(drawn, too_deep, DEPTH_LIMIT, DEPTH_LIMIT.searches[1]),
    "static-values": partial(draw, DEPTH_LIMIT),
    "uneven": partial(drawn, RIGHT, UNEVEN),
    "wide": partial(drawn, unpruned, WIDE),
    "narrow": partial(drawn, RIGHT, DEEP, width=30),
    "very-narrow": partial(drawn, shallow, DEEP, width=25),
    "large": partial(drawn, RIGHT, LARGE),
    "lazy": partial(draw, LAZY),
    "coins": partial(drawn, RIGHT, COINS),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_as_it_was(name):
    golden = ROOT / "tests" / "golden" / "drawings" / f"{name}.txt"
    assert DRAWINGS[name]() + "\n" == golden.read_text(encoding="utf-8")


def test_a_tree_of_which_some_nodes_are_not_drawn_is_an_outline_however_wide():
    assert draw(LARGE, width=2000).startswith("MAX A (5)\n├─ MIN 1 (3)")


def test_a_pruned_subtree_of_which_some_nodes_are_not_drawn_has_no_list_of_leaves():
    tree = tree_of("random: {branching: 3, depth: 6, values: [0, 9], seed: 1}")
    assert "○ [...]" in drawn(RIGHT, tree)


def test_one_blank_column_between_two_names_is_enough():
    assert draw(tree_of(f"tree: {[*range(9)]}"), width=32).startswith("MAX  ")


def test_the_line_to_an_only_child_that_was_not_reached_is_faint():
    assert "╎" in drawn(RIGHT, tree_of("tree: [5, [3, [[1, 2]]]]"))


def test_a_line_to_an_inner_node_that_was_evaluated_is_not_faint():
    search = Search(2, True)
    marks = marks_of(AIMA, trace_visiting(search, [(0,)]), ())
    assert marks.mark_at((0,), leaf=False).reached


def test_every_tree_of_the_kit_fits_80_columns_with_all_its_marks():
    for tree in [*trees_in("public"), *trees_in("hidden")]:
        for search, function in product(tree.searches, (RIGHT, unpruned)):
            picture = drawn(function, tree, search)
            assert max(map(len, picture.splitlines())) <= 80, (tree.name, search)


def test_a_pruned_leaf_whose_children_were_asked_for_is_marked_needless():
    def reads_on(node, *_):
        left, right = node.children
        visited, pruned = right.children
        return pruned.children or left.evaluate() + visited.evaluate()

    assert "! unnecessary" in drawn(reads_on, tree_of("tree: [2, [1, 5]]"))


def test_a_leaf_that_is_asked_twice_in_a_row_is_not_marked_repeated():
    def asks_twice(node, *_):
        return max(child.evaluate() and child.evaluate() for child in node.children)

    assert "●●" not in drawn(asks_twice, tree_of("tree: [1, 2]"))


def drawn_after(*visits):
    """Return the drawing of a best_move on [[3, 5], [2, 4]] that visits these leaves."""
    tree = tree_of("tree: [[3, 5], [2, 4]]")
    search = tree.searches[0]

    def moves(node, *_):
        for first, second in visits:
            node.children[first].children[second].evaluate()
        return node.children[0]

    trace = observe(moves, "best_move", tree, search)
    expected = right(tree, search).visited
    return draw(tree, search, marks_of(tree, trace, expected))


def test_a_leaf_that_a_move_needs_is_marked():
    missed = drawn_after((0, 0), (1, 0))
    assert missed.splitlines()[-3].split() == ["●", "?", "●", "○"]
    assert "? missed" in missed and "○ not visited" in missed


def test_other_leaves_that_prove_a_move_will_do():
    assert "?" not in drawn_after((0, 0), (0, 1), (1, 0))


def test_a_tree_of_a_billion_leaves_is_looked_at_in_few_places_only(monkeypatch):
    opened = []
    unfold = RandomPosition.unfold

    def count(position):
        opened.append(position)
        return unfold(position)

    monkeypatch.setattr(RandomPosition, "unfold", count)
    assert "The drawing shows 200 nodes" in draw(LAZY)
    assert len(opened) <= 200


def drawn_paths(tree, visited, expected):
    """Return the paths of the nodes that are drawn of a search."""
    marks = marks_of(tree, trace_visiting(tree.searches[0], visited), expected)
    views = view_of(tree, tree.searches[0], marks).everything()
    return {view.path for view in views}


def test_a_wrong_leaf_is_drawn_even_where_most_of_the_tree_is_not():
    unnecessary = (9,) * 9
    missed = (5,) * 9
    assert {unnecessary, missed} <= drawn_paths(LAZY, {unnecessary}, {missed})


def test_a_wrong_leaf_is_drawn_before_those_that_were_visited_rightly():
    leaves = {(first, second) for first in range(15) for second in range(15)}
    assert (14, 14) in drawn_paths(LARGE, leaves, leaves - {(14, 14)})


def test_below_the_depth_every_visit_is_unnecessary():
    marks = marks_of(AIMA, trace_visiting(Search(1, True), [(0, 0)]), [(0, 0)])
    assert marks.mark_at((0, 0), leaf=True) is UNNECESSARY


def test_of_many_wrong_leaves_the_leftmost_are_drawn():
    tree = tree_of(f"tree: {[*range(300)]}")
    visited = {(0,), *((index,) for index in range(250, 280))}
    marks = marks_of(tree, trace_visiting(tree.searches[0], visited), {(0,)})
    picture = draw(tree, tree.searches[0], marks)
    wrong = re.findall(r"a(\d+)=\d+ !", picture)
    assert wrong == [str(number) for number in range(251, 251 + MAX_WRONG)]


def test_a_long_name_begins_where_its_parents_ends():
    tree = tree_of("random: {branching: 1, depth: 12, values: [0, 9], seed: 1}")
    names = [view.name for view in view_of(tree).everything()]
    assert names[3:7] == ["1.1.1", "1.1.1.1", ".1", ".1"]


def test_a_name_that_is_too_long_is_cut():
    tree = tree_of("tree: {sixteen-letters-: [3]}")
    names = [view.name for view in view_of(tree).everything()]
    assert names == ["A", "sixteen-letters-", "sixteen-letters…"]


def test_a_drawing_writes_numbers_as_the_sentences_do():
    assert draw(tree_of("tree: [3.0, -0.5]")).splitlines()[-1].split() == ["3", "-0.5"]


def test_the_root_alone_is_a_drawing_too():
    assert "●" in drawn(RIGHT, tree_of("tree: 4"))
    at_once = draw(tree_of("tree: {value: 3, children: [1, 2]}"), Search(0, True))
    assert "b1" not in at_once and "3" in at_once
    assert at_once.endswith("The search ends at depth 0, so no node below is drawn.")


def lists(below):
    return st.lists(below, min_size=1, max_size=4)


TREES = st.recursive(st.integers(-99, 99), lists, max_leaves=40)


@settings(max_examples=20, deadline=None)
@given(TREES, st.sampled_from([unpruned, shallow, twice, evaluates_all]), st.booleans())
def test_any_drawing_names_what_is_wrong_and_is_as_long_in_ascii(
    nested, function, maximizing
):
    tree = tree_of(f"tree: {nested}", "max" if maximizing else "min")
    search = tree.searches[0]
    picture = drawn(function, tree)
    expected = right(tree, search).visited
    trace = observe(function, "alphabeta", tree, search, 10_000)
    wrong = {tree.root.at(path).name for path in expected ^ trace.visited}
    assert wrong <= set(re.findall(r"\w+", picture))
    assert ("?" in picture) == bool(expected - trace.visited)
    plain = drawn(function, tree, ascii=True)
    assert plain.isascii()
    assert len(plain) == len(picture)
