"""What a drawing shows, for people who read it in a test failure or on Gradescope."""

import re

from helpers import ROOT, reference
from hypothesis import given, settings
from hypothesis import strategies as st

from gametree import Search, load_tree, observe, parse_tree
from gametree.support.drawing import draw
from gametree.support.lazy import RandomPosition
from gametree.support.marks import UNNECESSARY, marks_of
from gametree.support.trace import EVALUATE, EXPAND, Answer, Ending, Trace

GOLDEN = ROOT / "tests" / "golden" / "drawings"
AIMA = ROOT / "trees" / "public" / "03-aima-figure-5-2.yaml"
DEPTH_LIMIT = ROOT / "trees" / "public" / "08-depth-limit.yaml"
REFERENCE = reference()


def tree_of(text, root="max"):
    """Return the tree of a file's last lines."""
    return parse_tree(f"title: t\nlesson: l\nroot: {root}\n{text}\n", "t")


def right(tree, search):
    """Return the trace of the right alpha-beta."""
    return observe(REFERENCE.alphabeta, "alphabeta", tree, search)


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
    REFERENCE.alphabeta(node, depth, alpha, beta, maximizing)
    return REFERENCE.alphabeta(node, depth, alpha, beta, maximizing)


def evaluates_all(node, depth, alpha, beta, maximizing):
    """Evaluate inner nodes as well."""
    node.evaluate()
    return REFERENCE.alphabeta(node, depth, alpha, beta, maximizing)


def drawn(function, tree, search=None, **options):
    """Return the drawing of a search beside what a right one visits."""
    search = search or tree.searches[0]
    trace = observe(function, "alphabeta", tree, search, 10_000)
    marks = marks_of(tree, search, trace, right(tree, search).visited)
    return draw(tree, search, marks, **options)


LAZY = "random: {branching: 10, depth: 9, values: [0, 100], seed: 1}"
WIDE = f"tree: [{', '.join(f'[{i}, {-i}]' for i in range(60))}]"
PICTURES = {
    "right": lambda: drawn(REFERENCE.alphabeta, load_tree(AIMA)),
    "unpruned": lambda: drawn(unpruned, load_tree(AIMA)),
    "missing": lambda: drawn(shallow, load_tree(AIMA)),
    "ascii": lambda: drawn(shallow, load_tree(AIMA), ascii=True),
    "twice": lambda: drawn(twice, load_tree(AIMA)),
    "inner-evaluated": lambda: drawn(evaluates_all, load_tree(AIMA)),
    "too-deep": lambda: drawn(too_deep, t := load_tree(DEPTH_LIMIT), t.searches[1]),
    "static-values": lambda: draw(load_tree(DEPTH_LIMIT)),
    "uneven": lambda: drawn(
        REFERENCE.alphabeta, tree_of("tree: [5, [[7, [2, 1]], 3], [[4]]]")
    ),
    "wide": lambda: drawn(unpruned, tree_of(WIDE)),
    "lazy": lambda: draw(tree_of(LAZY)),
    "coins": lambda: drawn(REFERENCE.alphabeta, tree_of("game: {name: coins, coins: 7}")),
}


def test_a_drawing_stays_exactly_as_it_was_looked_at():
    for name, picture in PICTURES.items():
        looked_at = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")
        assert picture() + "\n" == looked_at, name


def test_every_tree_of_the_kit_fits_80_columns_with_all_its_marks():
    for path in (ROOT / "trees").glob("[ph]*/*.yaml"):
        tree = load_tree(path)
        for search in tree.searches:
            for function in (REFERENCE.alphabeta, unpruned):
                lines = drawn(function, tree, search).splitlines()
                assert max(map(len, lines)) <= 80, path.name


def test_a_pruned_leaf_whose_children_were_asked_for_is_marked_needless():
    tree = tree_of("tree: [2, [1, 5]]")
    events = [(EXPAND, ()), (EVALUATE, (0,)), (EXPAND, (1,)), (EXPAND, (1, 1))]
    events.append((EVALUATE, (1, 0)))
    trace = Trace("alphabeta", tree.searches[0], events, Answer("number", 2), Ending())
    marks = marks_of(tree, tree.searches[0], trace, [(0,), (1, 0)])
    assert marks.mark_at((1, 1), leaf=True) is UNNECESSARY


def test_a_leaf_that_is_asked_twice_in_a_row_is_not_marked_repeated():
    def asks_twice(node, *_):
        return max(child.evaluate() and child.evaluate() for child in node.children)

    assert "●●" not in drawn(asks_twice, tree_of("tree: [1, 2]"))


def test_a_leaf_that_a_move_needs_is_marked_and_others_are_free():
    tree = tree_of("tree: [[3, 5], [2, 4]]")
    search = tree.searches[0]

    def drawn_after(*visits):
        def moves(node, *_):
            for first, second in visits:
                node.children[first].children[second].evaluate()
            return node.children[0]

        trace = observe(moves, "best_move", tree, search)
        expected = right(tree, search).visited
        return draw(tree, search, marks_of(tree, search, trace, expected))

    missed = drawn_after((0, 0), (1, 0))
    assert missed.splitlines()[-3].split() == ["●", "?", "●", "○"]
    assert "? not visited, but needed" in missed and "○ not visited" in missed
    assert "?" not in drawn_after((0, 0), (0, 1), (1, 0))


def test_marks_come_from_a_set_of_paths_as_from_a_trace():
    tree = load_tree(AIMA)
    search = tree.searches[0]
    visited = right(tree, search).visited
    from_set = marks_of(tree, search, visited, visited)
    assert draw(tree, search, from_set) == drawn(REFERENCE.alphabeta, tree)
    assert "○ not visited" in draw(tree, search, marks_of(tree, search, visited))


def test_a_tree_of_a_billion_leaves_is_looked_at_in_few_places_only(monkeypatch):
    opened, unfold = [], RandomPosition.unfold
    monkeypatch.setattr(
        RandomPosition, "unfold", lambda self: opened.append(self) or unfold(self)
    )
    assert "200 nodes are drawn" in draw(tree_of(LAZY))
    assert len(opened) <= 200


def test_a_wrong_leaf_is_drawn_even_where_most_of_the_tree_is_not():
    tree = tree_of(LAZY)
    marks = marks_of(tree, tree.searches[0], {(9,) * 9}, {(0,) * 9})
    picture = draw(tree, tree.searches[0], marks)
    assert "visited needlessly" in picture
    assert "not visited, but needed" in picture


def test_a_drawing_writes_numbers_as_the_sentences_do():
    assert draw(tree_of("tree: [3.0, -0.5]")).splitlines()[-1].split() == ["3", "-0.5"]


def test_the_root_alone_is_a_drawing_too():
    assert "●" in drawn(REFERENCE.alphabeta, tree_of("tree: 4"))
    at_once = draw(tree_of("tree: {value: 3, children: [1, 2]}"), Search(0, True))
    assert "b1" not in at_once and "3" in at_once


def lists(below):
    return st.lists(below, min_size=1, max_size=4)


TREES = st.recursive(st.integers(-99, 99), lists, max_leaves=40)


@settings(max_examples=50, deadline=None)
@given(TREES, st.sampled_from([unpruned, shallow, twice, evaluates_all]), st.booleans())
def test_any_drawing_names_what_is_wrong_and_is_the_same_in_colour_and_ascii(
    nested, function, maximizing
):
    tree = tree_of(f"tree: {nested}", "max" if maximizing else "min")
    search = tree.searches[0]
    picture = drawn(function, tree)
    expected = right(tree, search).visited
    trace = observe(function, "alphabeta", tree, search, 10_000)
    for path in expected ^ trace.visited:
        assert re.search(rf"\b{tree.root.at(path).name}\b", picture)
    assert ("?" in picture) == bool(expected - trace.visited)
    assert re.sub("\x1b\\[[0-9;]*m", "", drawn(function, tree, colour=True)) == picture
    plain = drawn(function, tree, ascii=True)
    assert plain.isascii()
    assert len(plain) == len(picture)
