"""rubric.yaml: points that add up exactly, and errors in one line."""

from fractions import Fraction

import pytest
from helpers import ROOT

from autograder.judging.scores import points, points_text
from autograder.rubric import RubricError, load_rubric

GIVEN = ROOT / "autograder" / "rubric.yaml"


def rubric_with(tmp_path, old, new):
    text = GIVEN.read_text()
    assert old in text
    path = tmp_path / "rubric.yaml"
    path.write_text(text.replace(old, new))
    return path


def test_the_given_rubric_is_worth_100_points():
    assert load_rubric(GIVEN).cents == {
        "minimax": 2500,
        "alphabeta": 6000,
        "best_move": 1500,
    }


def test_shares_are_exact_fractions():
    assert load_rubric(GIVEN).share("alphabeta", "value") == Fraction(3, 10)


def test_decimals_are_read_as_they_are_written(tmp_path):
    given = "minimax:   {value: 30, leaves: 50, node count: 20}"
    thirds = "minimax: {value: 33.3, leaves: 33.3, node count: 33.4}"
    rubric = load_rubric(rubric_with(tmp_path, given, thirds))
    assert rubric.share("minimax", "value") == Fraction(333, 1000)


@pytest.mark.parametrize("rows", [1, 3, 7, 34, 41])
def test_a_functions_points_are_split_over_its_rows_to_the_cent(rows):
    cents = load_rubric(GIVEN).row_cents("minimax", rows)
    assert sum(cents) == 2500
    assert max(cents) - min(cents) <= 1
    assert repr(points(sum(cents))) == "25.0"


def test_points_print_without_float_dust():
    assert [points_text(c) for c in (10000, 7350, 74, 0)] == ["100", "73.5", "0.74", "0"]


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("minimax: 25", "minmax: 25", "unknown key 'minmax'; did you mean minimax?"),
        ("minimax: 25", "minimax: lots", "points: minimax: 'lots' is not a number"),
        ("minimax: 25", "minimax: 25.001", "more than two decimals"),
        ("cutoff: equality", "cutoff: equal", "write equality or strict"),
        ("move: 70", "move: 60", "add up to 90, write 100"),
        ("limits:", "limit:", "did you mean limits?"),
        ("total_seconds: 60", "total_seconds: 0", "would end every search"),
        ("points:", "points: [", "cannot be read"),
        ("points:", "points: \0", "cannot be read"),
        ("minimax: 25", "minimax: 2024-99-99", "cannot be read"),
        ("minimax: 25", "minimax: .inf", "points: minimax: inf is not a number"),
        ("move: 70", "move: .inf", "shares: best_move: move: inf is not a number"),
        ("total_seconds: 60", "total_seconds: .inf", "inf is not a number"),
        (
            "ordering: 0",
            "ordering: ten",
            "move_ordering: 'ten' is not a number",
        ),
    ],
)
def test_a_slip_is_said_in_one_line_with_what_to_write(tmp_path, old, new, said):
    with pytest.raises(RubricError) as caught:
        load_rubric(rubric_with(tmp_path, old, new))
    assert said in str(caught.value)
    assert str(caught.value).startswith("rubric.yaml:")
    assert "\n" not in str(caught.value)
