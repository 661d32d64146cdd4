"""A drawing of a tree has its layout, its marks and a description."""

import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from itertools import chain

import pytest
from drawn import textbook, view_with_marks
from helpers import tree_of, trees_in

from autograder.showing.svg import RADIUS, describe, legend, tree_svg
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
def test_the_shapes_of_a_ply_are_apart_and_inside(tree):
    svg = ET.fromstring(tree_svg(view_of(tree), "title", "k"))
    plies = defaultdict(list)  # y -> the left and the right end of each shape
    for node in svg.iterfind("g[@transform]"):
        x, y = map(float, re.findall("[0-9.]+", node.get("transform")))
        box = node.find("rect")
        half = RADIUS if box is None else float(box.get("width")) / 2
        plies[y].append((x - half, x + half))
    for shapes in plies.values():
        ends = [0, *chain(*sorted(shapes)), float(svg.get("width"))]
        assert ends == sorted(ends)


def test_children_that_are_not_drawn_are_dots_and_are_counted_for_a_screen_reader():
    view = view_of(tree_of([*range(300)]))
    assert "… 101 more" in describe(view)
    assert tree_svg(view, "title", "k").count(">…<") == 1


def test_the_legend_equals_the_stored_file(check_golden):
    check_golden(legend().replace("><", ">\n<"), "drawings/legend.html")
