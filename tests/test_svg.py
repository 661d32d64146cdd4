"""A drawing of a tree has its layout, its marks and a description."""

import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from drawn import textbook, view_with_marks
from helpers import tree_of, trees_in

from autograder.showing.page import asset
from autograder.showing.svg import CLASSES, LEFT, describe, lay_out, text_width, tree_svg
from gametree.support.marks import LEGEND, NOT_EVALUATED
from gametree.support.views import view_of

TWO_WRONG_LEAVES = "b1 b2 b3 c1 c2 d1 d2"
TWO_PRUNED_BRANCHES = tree_of([[[2, 3], [5, 1234]], [[0, 1], [7, 5]]])
DEPTH_LIMIT = tree_of("[4, {value: 1, children: [2, 3]}]", searches="[{depth: 1}]")
VIEWS = {  # file of golden/drawings -> what it shows; its second child is the chosen move
    "two-wrong-leaves": view_with_marks(textbook(), TWO_WRONG_LEAVES),
    "a-second-box": view_with_marks(textbook(), "b1 b2 b1"),
    "two-pruned-branches": view_with_marks(TWO_PRUNED_BRANCHES),
    "below-the-depth": view_with_marks(DEPTH_LIMIT, "a1 b1 B"),
}


@pytest.mark.parametrize("name", VIEWS)
def test_a_drawing_equals_the_stored_file(name, check_golden):
    svg = tree_svg(VIEWS[name], "a </title><script>", "k", chosen=(1,))
    check_golden(svg.replace("><", ">\n<"), f"drawings/{name}.svg")


def test_names_are_escaped():
    view = view_of(textbook())
    view.children[0].position.name = "<b>"
    assert "<b>" not in tree_svg(view, "title", "k")


UNEVEN = [[[0, -7, [12345, [0.125]]], 10001], [[[3, -20000.5]], [[[1]]], 2], 5]


@pytest.mark.parametrize("tree", [*trees_in("public")[:9], tree_of(UNEVEN)])
def test_labels_are_apart_and_inside_and_parents_are_above_the_middle(tree):
    layout = lay_out(view_of(tree))
    in_rows = sorted(layout.spots, key=lambda spot: (spot.y, spot.x))
    for left, right in pairwise(in_rows):
        if left.y == right.y:
            assert left.x + left.reach <= right.x - right.reach, left.view.name
    for spot in layout.spots:
        assert spot.x - spot.reach >= 0, spot.view.name
        assert spot.x + spot.reach <= layout.width, spot.view.name
        assert 0 < spot.y < layout.height, spot.view.name
        if spot.spots:
            middle = (spot.spots[0].x + spot.spots[-1].x) / 2
            assert spot.x == pytest.approx(middle, abs=0.1), spot.view.name


def test_wide_characters_count_as_wider():
    assert text_width("木", 10) > text_width("W", 10) > text_width("i", 10)


def test_children_that_are_not_drawn_are_counted_and_their_parent_is_in_the_middle():
    view = view_of(tree_of([*range(300)]))
    layout = lay_out(view)
    root = layout.spots[0]
    assert root.more == "… 101 more"
    assert root.more in describe(view)
    assert root.x == LEFT + root.width / 2


def test_the_legend_has_the_class_the_sign_and_the_meaning_of_each_mark():
    items = {item.find("svg").tail: item for item in ET.fromstring(asset("legend.html"))}
    assert list(items)[:2] == ["MAX moves", "MIN moves"]
    assert list(items)[-1] == "the chosen move"
    marks = [mark for mark in LEGEND if mark is not NOT_EVALUATED]  # looks like pruned
    assert list(items)[2:-1] == [mark.meaning for mark in marks]
    for mark in marks:
        group = items[mark.meaning].find("svg/g")
        assert group.get("class") == f"node leaf {CLASSES[mark]}", mark
