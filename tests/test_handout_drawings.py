"""Every drawing, table and feedback of the handout is what the kit makes today."""

import pytest
from handouttext import blocks, table, tree_named
from helpers import ROOT

from autograder.grading import grade_path
from autograder.judging.divergence import CUTOFF, LEAVE, UPDATE, replay
from autograder.kit import load_kit, load_reference
from autograder.mistakes.variants import CONVENTIONS, load_variant
from autograder.showing.sentences import number
from autograder.showing.summary import summary_text
from autograder.workbench import handoutcheck
from gametree import load_tree
from gametree.drawing import draw


def drawn(about, convention, other=None):
    reference = load_reference(ROOT, convention)
    return handoutcheck.drawn(about, reference, ROOT, other)


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_every_drawing_of_a_right_search_is_what_gametree_draws(convention):
    found = blocks("alphabeta", convention)
    assert len(found) >= 3
    for about, text in found:
        assert drawn(about, convention) == text


def test_the_drawing_of_a_tree_is_what_gametree_draws():
    for about, text in blocks("tree"):
        assert draw(tree_named(about)[0]) == text


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_drawing_of_a_wrong_search_is_what_gametree_draws(convention):
    for about, text in blocks("wrong", convention):
        mistake, _, tree = about.partition(" ")
        path = ROOT / "solution" / "mistakes" / f"{mistake}.py"
        wrong = load_variant(path, convention).module().alphabeta
        assert drawn(tree, convention, wrong) == text


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_each_row_by_hand_is_a_step_of_the_right_search(convention):
    tree = load_tree(ROOT / "starter" / "trees" / "03-aima-figure-5-2.yaml")
    steps = replay(tree, tree.searches[0], convention)
    values = {s.path: s.value for s in steps if s.kind not in (UPDATE, CUTOFF)}
    expected = []
    for step, after in zip(steps, steps[1:]):
        if step.kind == UPDATE:
            node, child = tree.root.at(step.path), tree.root.at(step.child_path)
            player = "MIN" if len(step.path) % 2 else "MAX"
            row = [f"{child.name} = {values[child.path]}", f"{node.name} ({player})"]
            row += [number(step.alpha), number(step.beta)]
            pruned = [tree.root.at(path).name for path in after.pruned_paths]
            expected.append((row, pruned))
    rows = table("returned | at", convention)
    assert [row[:4] for row in rows] == [row for row, _ in expected]
    for row, (_, pruned) in zip(rows, expected):
        assert ("**cutoff**" in row[4]) == bool(pruned)
        assert all(name in row[4] for name in pruned)
    assert steps[-1].kind == LEAVE and "returns 3" in rows[-1][4]


def test_the_feedback_that_is_shown_is_what_a_student_reads():
    kit = load_kit()
    for about, text in blocks("feedback"):
        path = ROOT / "solution" / "mistakes" / f"{about}.py"
        summary = summary_text(grade_path(kit, path)).splitlines()
        assert set(text.splitlines()) <= set(summary)
