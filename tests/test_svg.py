"""A drawn tree: where everything goes, what each mark looks like, what it says."""

import random
import xml.etree.ElementTree as ET
from itertools import groupby

import pytest
from drawn import textbook, view_with_marks
from helpers import tree_of

from autograder.showing.svg import lay_out, text_width, tree_svg
from gametree import parse_tree
from gametree.support.views import view_of

NAMESPACE = "http://www.w3.org/2000/svg"
SVG = f"{{{NAMESPACE}}}"


def parsed(svg):
    return ET.fromstring(svg.replace("<svg ", f'<svg xmlns="{NAMESPACE}" ', 1))


def classes(svg):
    """Name -> the classes of its node, for nodes whose name is a text of its own."""
    groups = [g for g in parsed(svg).iter(f"{SVG}g") if g.get("class").startswith("node")]
    return {g.findall(f"{SVG}text")[-1].text: {*g.get("class").split()} for g in groups}


def nested(rng, depth):
    if depth == 0 or rng.random() < 0.25:
        return rng.choice([0, -7, 12345, 0.125, 10001, -20000.5, 3])
    return [nested(rng, depth - 1) for _ in range(rng.randint(1, 4))]


def test_no_two_labels_touch_and_all_lie_inside():
    rng = random.Random(1)
    for _ in range(12):
        tree = tree_of([nested(rng, 4), nested(rng, 3)], root=rng.choice(["max", "min"]))
        layout = lay_out(view_of(tree))
        in_rows = sorted(layout.spots, key=lambda spot: (spot.y, spot.x))
        for _, row in groupby(in_rows, key=lambda spot: spot.y):
            row = list(row)
            for left, right in zip(row, row[1:]):
                assert left.x + left.after <= right.x - right.before
        for spot in layout.spots:
            assert spot.x - spot.before >= 0 and spot.x + spot.after <= layout.width
            assert 0 < spot.y < layout.height


def test_leaves_are_evenly_spaced_and_a_parent_stands_in_the_middle_above():
    assert text_width("木", 10) > text_width("W", 10) > text_width("i", 10)
    spots = lay_out(view_of(textbook())).spots
    places = [spot.x for spot in spots if spot.view.leaf]
    assert {b - a for a, b in zip(places, places[1:])} == {44}
    for spot in (spot for spot in spots if spot.spots):
        assert spot.x == pytest.approx((spot.spots[0].x + spot.spots[-1].x) / 2)


def test_marks_are_told_apart_and_wrong_leaves_carry_a_sign():
    view = view_with_marks(textbook(), ["b1", "b2", "b3", "c1", "c2", "d1", "d2"])
    svg = tree_svg(view, "title", "desc", "k")
    marks = {"b1": "visited", "c3": "pruned", "c2": "needless", "d3": "missed"}
    for name, mark in marks.items():
        assert classes(svg)[name] == {"node", "leaf", mark}
    groups = [g for g in parsed(svg).iter(f"{SVG}g") if g.get("class") == "badge"]
    assert [group.find(f"{SVG}text").text for group in groups] == ["!", "?"]


def test_a_pruned_branch_is_crossed_off_once_at_its_top():
    tree = tree_of([[[2, 3], [5, 9]], [[0, 1], [7, 5]]])
    svg = tree_svg(view_with_marks(tree), "title", "desc", "k")
    assert svg.count('class="slash"') == 2  # at 9, and at the node above 7 and 5


def test_max_points_up_min_down_and_the_terminal_drawing_is_its_description():
    svg = tree_svg(view_of(textbook()), "AIMA", "MAX   A\n  ● visited", "k")
    assert svg.count("M0-20 20 16H-20Z") == 1 and svg.count("M0 20 20-16H-20Z") == 3
    assert ">MAX</text>" in svg and ">MIN</text>" in svg
    root = parsed(svg)
    assert root.find(f"{SVG}title").text == "AIMA"
    assert root.find(f"{SVG}desc").text == "MAX   A\n  ● visited"
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "kt" and root.get("aria-describedby") == "kd"


def test_names_cannot_leave_their_place():
    view = view_of(textbook())
    view.children[0].name = "<b>&\"'"
    svg = tree_svg(view, "</title><script>", "<desc>", "k")
    assert "<b>" not in svg and "<script" not in svg
    assert "<b>&\"'" in classes(svg)


def test_a_tree_of_a_million_leaves_is_drawn_in_part_and_says_so():
    spec = "{branching: 10, depth: 6, values: [0, 99], seed: 1, order: random}"
    tree = parse_tree(f"root: max\nrandom: {spec}\n", "large")
    svg = tree_svg(view_of(tree), "t", "d", "k")
    assert len(svg) < 100_000 and "…" in svg
