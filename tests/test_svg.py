"""A drawing of a tree has its layout, its marks and a description."""

import random
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest
from drawn import textbook, view_with_marks
from helpers import tree_of

from autograder.showing.page import asset
from autograder.showing.svg import CLASSES, LEFT, WITH_SIGN, lay_out, text_width, tree_svg
from gametree.support.marks import LEGEND, NOT_VISITED
from gametree.support.views import view_of

NAMESPACE = "http://www.w3.org/2000/svg"
VALUES = (0, -7, 12345, 0.125, 10001, -20000.5, 3)
MAX_SHAPE = "M0-20 20 16H-20Z"
MIN_SHAPE = "M0 20 20-16H-20Z"


@pytest.fixture(scope="module")
def svg():
    """Return the drawing of a search of the textbook tree with two wrong leaves."""
    view = view_with_marks(textbook(), ["b1", "b2", "b3", "c1", "c2", "d1", "d2"])
    return tree_svg(view, "AIMA", "k", chosen=(1,))


def parsed(svg):
    """Return the root element of a drawing, without its namespace."""
    root = ET.fromstring(svg.replace("<svg ", f'<svg xmlns="{NAMESPACE}" ', 1))
    for element in root.iter():
        element.tag = element.tag.partition("}")[2]
    return root


def groups(svg, kind):
    """Return the groups that have `kind` as their first class, in order."""
    all_groups = parsed(svg).iter("g")
    return [group for group in all_groups if group.get("class").split()[0] == kind]


def classes_by_name(svg):
    """Return name -> the classes of its node."""
    classes = {}
    for group in groups(svg, "node"):
        name = group.findall("text")[-1].text
        classes[name] = group.get("class")
    return classes


def random_lists(rng, depth):
    """Return a random tree as nested lists."""
    if depth == 0 or rng.random() < 0.25:
        return rng.choice(VALUES)
    width = rng.randint(1, 4)
    return [random_lists(rng, depth - 1) for _ in range(width)]


def test_only_a_leaf_that_is_visited_again_has_a_second_box(svg):
    again = tree_svg(view_with_marks(textbook(), ["b1", "b2", "b1"]), "AIMA", "k")
    assert again.count('class="second"') == 1
    assert 'class="second"' not in svg


@pytest.mark.parametrize("seed", range(6))
def test_labels_are_apart_and_inside_and_parents_are_above_the_middle(seed):
    rng = random.Random(seed)
    root = "min" if seed % 2 else "max"
    tree = tree_of([random_lists(rng, 4), random_lists(rng, 3)], root)
    layout = lay_out(view_of(tree))
    in_rows = sorted(layout.spots, key=lambda spot: (spot.y, spot.x))
    for left, right in pairwise(in_rows):
        if left.y == right.y:
            assert left.x + left.after <= right.x - right.before, left.view.name
    for spot in layout.spots:
        assert spot.x - spot.before >= 0, spot.view.name
        assert spot.x + spot.after <= layout.width, spot.view.name
        assert 0 < spot.y < layout.height, spot.view.name
        if spot.spots:
            middle = (spot.spots[0].x + spot.spots[-1].x) / 2
            assert spot.x == pytest.approx(middle, abs=0.1), spot.view.name


def test_wide_characters_count_as_wider():
    assert text_width("木", 10) > text_width("W", 10) > text_width("i", 10)


def test_leaves_are_evenly_spaced():
    spots = lay_out(view_of(textbook())).spots
    leaves = [spot.x for spot in spots if spot.view.leaf]
    assert [after - x for x, after in pairwise(leaves)] == [44] * 8


def test_a_parent_of_undrawn_children_is_in_the_middle_of_its_strip():
    layout = lay_out(view_of(tree_of([*range(300)])))
    root = layout.spots[0]
    assert root.more == "… 101 more"
    assert root.x == LEFT + root.width / 2


def test_marks_are_different_and_wrong_leaves_have_a_sign(svg):
    classes = classes_by_name(svg)
    marked = {"b1": "visited", "c3": "pruned", "c2": "needless", "d3": "missed"}
    assert {name: classes[name].removeprefix("node leaf ") for name in marked} == marked
    signs = [badge.find("text").text for badge in groups(svg, "badge")]
    assert signs == ["!", "?"]


def test_the_legend_has_the_class_the_sign_and_the_meaning_of_each_mark():
    items = {item.find("svg").tail: item for item in ET.fromstring(asset("legend.html"))}
    assert list(items)[:2] == ["MAX moves", "MIN moves"]
    assert list(items)[-1] == "the chosen move"
    marks = [mark for mark in LEGEND if mark is not NOT_VISITED]  # looks like pruned
    assert list(items)[2:-1] == [mark.meaning for mark in marks]
    for mark in marks:
        group = items[mark.meaning].find("svg/g")
        assert group.get("class") == f"node leaf {CLASSES[mark]}", mark
        sign = mark.sign if mark in WITH_SIGN else None
        assert group.findtext("text") == sign, mark


def test_only_the_edge_to_the_chosen_node_is_thick(svg):
    nodes = groups(svg, "node")[1:]  # all but the root have an edge
    edges = groups(svg, "edge")
    chosen = [node for node, edge in zip(nodes, edges) if "chosen" in edge.get("class")]
    assert [node.find("text").text for node in chosen] == ["C"]


def test_a_pruned_branch_is_crossed_off_once_at_its_top():
    tree = tree_of([[[2, 3], [5, 9]], [[0, 1], [7, 5]]])
    svg = tree_svg(view_with_marks(tree), "title", "k")
    assert svg.count('class="slash"') == 2  # at 9, and at the node above 7 and 5


def test_triangles_of_max_point_up_and_those_of_min_down(svg):
    assert svg.count(MAX_SHAPE) == 1
    assert svg.count(MIN_SHAPE) == 3
    players = [text.text for text in parsed(svg).findall("text")]
    assert players == ["MAX", "MIN"]


def test_the_title_and_description_are_for_screen_readers(svg):
    root = parsed(svg)
    assert root.find("title").text == "AIMA"
    assert root.find("desc").text == (
        "A (MAX) has the children B (MIN), C (MIN) and D (MIN). "
        "B (MIN) has the children b1 = 3 (visited), b2 = 12 (visited) and "
        "b3 = 8 (visited). "
        "C (MIN) has the children c1 = 2 (visited), c2 = 4 (unnecessary) and "
        "c3 = 6 (pruned). D (MIN) has the children d1 = 14 (visited), d2 = 5 (visited) and "
        "d3 = 2 (missed)."
    )
    assert root.get("role") == "img"
    assert (root.get("aria-labelledby"), root.get("aria-describedby")) == ("kt", "kd")


def test_names_and_titles_are_escaped():
    view = view_of(textbook())
    view.children[0].name = "<b>&\"'"
    svg = tree_svg(view, "</title><script>", "k")
    assert "<b>" not in svg
    assert "<script" not in svg
    assert "<b>&\"'" in classes_by_name(svg)
