"""Known mistakes are named from traces alone, whatever the style of the code."""

from __future__ import annotations

import re

import pytest
from diagnosed import correct, diagnosed, names, quick_library
from helpers import REFERENCE_SOURCE, ROOT, changed

from autograder.mistakes.variants import load_variant, load_variants
from autograder.showing.summary import diagnosis_text, headline, next_step

REFERENCE = REFERENCE_SOURCE.decode()
STUB = "def {}(*arguments):\n    raise NotImplementedError\n"


@pytest.fixture(scope="module")
def quick():
    return quick_library()


@pytest.fixture(scope="module")
def of_mistakes(quick):
    """What is diagnosed of each known mistake, by name."""
    return {mistake.name: diagnosed(quick, mistake) for mistake in quick.variants}


def test_every_known_mistake_is_named_or_one_of_those_that_behave_just_alike(of_mistakes):
    for mistake, diagnoses in of_mistakes.items():
        exact = [name for found in diagnoses if found.exact for name in names(found)]
        assert mistake in exact


@pytest.mark.parametrize(
    "path", sorted((ROOT / "solution" / "correct").glob("*.py")), ids=lambda p: p.stem
)
def test_a_right_submission_has_no_diagnosis(path, quick):
    assert diagnosed(quick, load_variant(path)) == ()


STYLES = (
    "negamax", "negamax_colour", "max_and_min_functions", "explicit_stack", "generators",
    "class_behind_functions", "one_loop_with_a_sign", "closures", "aima_order", "reduce",
)  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
def test_a_strict_cutoff_is_named_in_any_style(style, quick):
    path = ROOT / "solution" / "correct" / f"{style}.py"
    (found,) = diagnosed(quick, load_variant(path, "strict"))
    assert found.exact and names(found)[0] == "strict_cutoff"


@pytest.mark.parametrize("style", ("fail_hard", "max_and_min_functions", "index_loop"))
def test_a_depth_that_is_not_decreased_is_named_in_any_style(style, quick):
    source = correct(style).replace("depth - 1", "depth")
    found = {d.functions: d for d in diagnosed(quick, source) if "alphabeta" in d.functions}
    (functions,) = found
    assert functions[:2] == ("minimax", "alphabeta")
    assert "depth_not_decreased" in names(found[functions])


def test_the_same_mistake_in_two_functions_is_said_once(quick):
    source = re.sub(r"-?math\.inf", "0", REFERENCE)
    (found,) = diagnosed(quick, source)
    assert found.functions == ("minimax", "alphabeta")
    assert names(found) == ["best_starts_at_zero"]
    assert diagnosis_text([found]).startswith("minimax and alphabeta: You start")


def test_different_mistakes_in_two_functions_are_both_named(quick):
    source = changed(("-math.inf", "0"), ("math.inf", "0"), function="minimax")
    source = changed(("alpha >= beta", "alpha > beta"), source=source)
    found = diagnosed(quick, source)
    assert [(d.functions[0], names(d)[0]) for d in found] == [
        ("minimax", "minimax_best_starts_at_zero"),
        ("alphabeta", "strict_cutoff"),
    ]


def test_two_mistakes_at_once_are_offered_as_the_closest(quick):
    source = changed(
        ("alpha >= beta", "alpha > beta"),
        ("return node.evaluate()", "return int(node.evaluate())"),
    )
    (found,) = diagnosed(quick, source)
    assert not found.exact
    assert names(found) == ["strict_cutoff", "values_truncated"]
    text = diagnosis_text([found])
    assert "no single known mistake" in text and "closest" in text
    assert headline([found]).startswith("Closest to: ")


def test_where_nothing_is_near_nothing_is_said(quick):
    noise = "return hash((node.evaluate(), 7)) % 1000 + len(node.name)"
    source = changed(("return node.evaluate()", noise))
    assert diagnosed(quick, source) == ()
    assert (headline(()), next_step(()), diagnosis_text(())) == ("", "", "")


ERRORS = (
    ("return node.evaluate()", "return node.value"),  # before the first leaf
    ("for child in node.children", "for child in node.kids"),
    ("alpha >= beta", "alpha >= bta"),  # after the first leaf
    ("return best", "return bset"),
    ("break", "return max(best)"),  # the TypeError that a forgotten return gives, too
)


@pytest.mark.parametrize("old, new", ERRORS, ids=[new for _, new in ERRORS])
def test_an_error_is_not_taken_for_a_mistake_that_raises_as_early(old, new, quick):
    assert diagnosed(quick, changed((old, new))) == ()


def test_a_function_that_is_not_written_has_no_diagnosis(quick):
    before, _, _ = REFERENCE.partition("def alphabeta")
    assert (
        diagnosed(quick, before + STUB.format("alphabeta") + STUB.format("best_move")) == ()
    )


def test_best_move_is_not_guessed_at_while_what_it_rests_on_is_wrong(quick):
    source = changed(("depth == 0", "depth <= 1"), function="minimax")
    assert [found.functions for found in diagnosed(quick, source)] == [("minimax",)]


def test_causes_that_cannot_be_told_apart_share_one_sentence(quick):
    (found,) = diagnosed(quick, changed(("break", "pass")))
    assert found.exact and len(found.variants) > 3
    text = diagnosis_text([found])
    assert text.startswith("Your alphabeta never prunes: it visits every leaf")
    assert text.count("\n- ") <= 7 and text.count("Next step: ") == 1


def test_causes_that_change_values_and_leaves_are_told_by_the_values_first(of_mistakes):
    (found,) = of_mistakes["leaf_negated_for_min"]
    assert headline([found]).startswith("Your alphabeta returns wrong values on some trees")


def test_each_diagnosis_accuses_nobody_and_ends_with_one_next_step(of_mistakes):
    for diagnoses in of_mistakes.values():
        text = diagnosis_text(diagnoses[:1])
        assert text.count("Next step: ") == 1
        assert all(len(line) <= 80 for line in text.splitlines())
        assert not re.search(r"\b(stupid|cheat|copied|forgot)", text.lower())


def test_a_strict_course_names_the_mistakes_of_its_own_convention():
    mistakes = load_variants(ROOT / "solution" / "mistakes", "strict")
    tie = next(v for v in mistakes if v.name == "strict_cutoff")
    assert "already" in tie.headline and "alpha > beta" not in tie.headline
    bounds = next(v for v in mistakes if v.name == "fail_hard_in_a_strict_course")
    assert "if alpha > beta:" in bounds.source and "cutoffs are lost" in bounds.headline
    everyday = {v.name for v in load_variants(ROOT / "solution" / "mistakes")}
    assert bounds.name not in everyday
