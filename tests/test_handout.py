"""What the handout says of points, limits, words and values holds, whatever is taught."""

import re

import pytest
from handouttext import RUBRIC, handout, table, tree_named
from helpers import ROOT

from autograder.judging.proof import proves_value
from autograder.kit import load_reference
from autograder.mistakes.variants import CONVENTIONS, load_variant
from gametree import TreeError, load_tree, observe, parse_tree
from gametree.functions import FUNCTIONS
from gametree.view import LEGEND


def test_the_points_are_the_rubrics():
    said = {row[0].strip("`").split("(")[0]: row[1] for row in table("function | points")}
    assert said == {name: f"{cents / 100:g}" for name, cents in RUBRIC.cents.items()}


def test_the_shares_are_the_rubrics():
    said = {}
    for functions, aspect, share, _ in table("function | aspect"):
        for function in re.findall(r"`(\w+)`", functions):
            said[function, aspect] = share
    assert said == {
        (function, aspect): f"{share} %"
        for function, shares in RUBRIC.shares.items()
        for aspect, share in shares.items()
    }
    assert {aspect for _, aspect in said} == {
        a for known in FUNCTIONS.values() for a in known.aspects
    }


def test_the_limits_are_the_rubrics():
    limits = RUBRIC.limits
    assert f"may use {limits.search_cpu_seconds} seconds" in handout()
    assert f"whole submission {limits.total_seconds} seconds" in handout()


def test_every_mark_of_a_drawing_is_explained():
    said = dict(table("mark | meaning"))
    assert set(said) == {mark.sign for mark in LEGEND}
    for mark in LEGEND:
        assert mark.meaning in said[mark.sign]


def test_the_words_that_feedback_uses_are_explained():
    said = {word for row in table("word | meaning") for word in row[0].split(", ")}
    assert said >= {
        "leaf", "ply", "window", "alpha", "beta", "cutoff", "static value", "expand",
        "fail-soft", "fail-hard", "node count", "bound", "pruned", "terminal", "visit",
    }  # fmt: skip


def test_what_a_node_offers_is_what_the_node_has():
    from gametree.node import Node

    names = re.findall(r"^\| `node\.(\w+)", handout(), re.MULTILINE)
    assert names == ["children", "evaluate", "is_terminal", "name"]
    assert all(hasattr(Node, name) for name in names)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_answers_outside_a_window_are_accepted(convention):
    text = handout(convention)
    nested = re.search(r"max `(\[\[3, 10.*?)` is worth 6", text)[1]
    search = parse_tree(
        f"root: max\ntree: {nested}\nsearches: [{{alpha: 7}}]\n", "x"
    ).searches[0]
    tree = tree_named(f"max {nested}")[0]
    full = tree.searches[0]
    trace = observe(load_reference(ROOT, convention).minimax, "minimax", tree, full)
    assert trace.answer.number == 6
    accepted = [n for n in (5, 6, 6.5, 7, 8) if proves_value(search, 6, 6, n)]
    assert accepted == [6, 6.5, 7]


def test_the_trap_of_best_move_is_one():
    tree = tree_named("max [2, [2, 1]]")[0]
    path = ROOT / "solution" / "mistakes" / "move_shares_alpha_and_keeps_ties.py"
    wrong = load_variant(path).module().best_move
    trace = observe(wrong, "best_move", tree, tree.searches[0])
    assert trace.answer.path == (1,)
    assert "max `[2, [2, 1]]`" in handout("equality")


def test_a_fail_hard_search_visits_more_in_a_strict_course():
    tree = tree_named("max [1, [[0], 0]]")[0]
    path = ROOT / "solution" / "correct" / "fail_hard.py"
    hard = load_variant(path, "strict").module()
    soft = load_reference(ROOT, "strict").alphabeta
    visits = [
        observe(search, "alphabeta", tree, tree.searches[0]).visited
        for search in (soft, hard.alphabeta)
    ]
    assert visits[1] - visits[0] == {(1, 1)}


def test_depth_one_and_two_are_as_told():
    tree = load_tree(ROOT / "starter" / "trees" / "08-depth-limit.yaml")
    deep, shallow = (search.published for search in tree.searches)
    name = [tree.root.at(p.move).name for p in (shallow, deep)]
    assert (shallow.value, deep.value, *name) == (9, 5, "D", "C")


def test_the_infinities_that_are_named_are_beyond_all_values():
    assert "strictly between -10^9 and 10^9" in handout()
    for value in ("1000000000", "-1000000000"):
        with pytest.raises(TreeError):
            parse_tree(f"root: max\ntree: [{value}]\n", "x")


def test_links_to_sections_lead_somewhere():
    anchors = {
        re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-")
        for head in re.findall(r"^#+ (.*)", handout(), re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#(.*?)\)", handout())) <= anchors
