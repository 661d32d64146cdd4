"""rubric.yaml: points that add up exactly, and errors in one line."""

from fractions import Fraction

import pytest
from helpers import ROOT

from autograder.judging.concepts import WEIGHTS
from autograder.judging.rubric import HINTS
from autograder.judging.scores import as_written, points_text, row_cents
from autograder.rubricfile import RubricError, load_rubric
from gametree.course import ASSIGNED

GIVEN = ROOT / "autograder" / "rubric.yaml"


def rubric_with(tmp_path, old, new):
    text = GIVEN.read_text()
    assert old in text
    path = tmp_path / "rubric.yaml"
    path.write_text(text.replace(old, new))
    return path


def test_the_given_rubric_is_worth_100_points():
    cents = {"minimax": 2500, "alphabeta": 6000, "best_move": 1500}
    assert load_rubric(GIVEN).cents == cents


def test_decimals_are_read_as_they_are_written(tmp_path):
    assert as_written(load_rubric(GIVEN).shares["alphabeta"]["value"]) == 15
    given = "minimax:   {value: 40, leaves: 40, node count: 20}"
    thirds = "minimax: {value: 33.3, leaves: 33.3, node count: 33.4}"
    rubric = load_rubric(rubric_with(tmp_path, given, thirds))
    assert as_written(rubric.shares["minimax"]["value"]) == Fraction(333, 10)


def test_a_functions_points_are_split_by_weight_and_given_to_the_concepts_there_are():
    rubric = load_rubric(GIVEN)
    for function in ASSIGNED:
        for missing in range(3):
            present = [*WEIGHTS[function]][missing:]
            cents = row_cents(rubric, function, present)
            assert [*cents] == present
            assert sum(cents.values()) == rubric.cents[function]
            assert missing or all(each % 50 == 0 for each in cents.values()), "round"


def test_points_print_without_float_dust():
    assert [points_text(c) for c in (10000, 7350, 74, 0)] == ["100", "73.5", "0.74", "0"]


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("minimax: 25", "minmax: 25", "unknown key 'minmax'; did you mean minimax?"),
        ("minimax: 25", "minimax: lots", "minimax: 'lots' is no number of 0 or more"),
        ("minimax: 25", "minimax: 25.001", "more than two decimals"),
        ("title: Minimax and alpha-beta", "title: [1]", "write one line of text"),
        ("cutoff: equality", "cutoff: equal", "write equality or strict"),
        ("move: 80", "move: 60", "add up to 80, write 100"),
        ("hints: line", "hints: lines", "write line, none, mistake or change"),
        ("limits:", "limit:", "did you mean limits?"),
        ("total_seconds: 60", "total_seconds: 0", "would end every search"),
        ("points:", "points: [", ", line 7: a comma or the ] of line 5 is missing"),
        ("points:", "points: \0", ", line 5: "),
        ("cutoff: equality", "points: {}", ", line 18: "),
        ("minimax: 25", "minimax: 2024-99-99", "cannot be read"),
        ("minimax: 25", "minimax: .inf", "points: minimax: inf is no number"),
        ("move: 80", "move: .inf", "shares: best_move: move: inf is no number"),
        ("total_seconds: 60", "total_seconds: .inf", "inf is no number"),
        ("visibility: visible", "visibility: never", "after_published or hidden"),
        ("by_hand: 0", "by_hand: -1", "by_hand: -1 is no number of 0 or more; write one"),
        ("by_hand: 0", "by_hand: yes", "by_hand: True is no number"),
        ("hints: line", "language: de", "language: this key is gone; leave it out"),
    ],
)
def test_a_slip_is_said_in_one_line_with_what_to_write(tmp_path, old, new, said):
    with pytest.raises(RubricError) as caught:
        load_rubric(rubric_with(tmp_path, old, new))
    assert said in str(caught.value)
    assert str(caught.value).startswith("rubric.yaml")
    assert "\n" not in str(caught.value)


def test_a_hint_allows_those_that_say_less(tmp_path):
    for count, hint in enumerate(HINTS):
        rubric = load_rubric(rubric_with(tmp_path, "hints: line", f"hints: {hint}"))
        allowed = [each for each in HINTS[1:] if rubric.allows(each)]
        assert allowed == [*HINTS[1 : count + 1]]
