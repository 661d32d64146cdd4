"""Check that the points in rubric.yaml add up exactly, and that errors are one line."""

from fractions import Fraction

import pytest
from helpers import ROOT, cases, refusal_of, slips

from autograder.scoring.rubric import Limits, load_rubric
from autograder.scoring.scores import points_text, row_cents
from gametree.assignment import ASSIGNED
from gametree.support.errors import InputError

SHIPPED = ROOT / "autograder" / "rubric.yaml"


@pytest.fixture
def rubric_with(tmp_path):
    """Return a function: old, new -> the Rubric after replacing old by new in the file."""

    def load_changed(old, new):
        text = SHIPPED.read_text()
        assert old in text
        path = tmp_path / "rubric.yaml"
        path.write_text(text.replace(old, new))
        return load_rubric(path)

    return load_changed


def test_the_shares_of_the_shipped_rows_are_their_points():
    """So the file shows the points of each row without a calculation."""
    rubric = load_rubric(SHIPPED)
    sums = {name: 100 * sum(shares.values()) for name, shares in rubric.rows.items()}
    assert sums == rubric.cents


def test_at_least_12_points_are_for_depth_and_static_values():
    rows = load_rubric(SHIPPED).rows.values()
    assert sum(shares["depth and static values"] for shares in rows) >= 12


def test_a_share_of_zero_is_no_row(rubric_with):
    rubric = rubric_with("    deep cutoffs: 3\n", "    deep cutoffs: 0\n")
    assert "deep cutoffs" not in rubric.rows["alphabeta"]


def test_shares_of_other_points_are_rounded_to_half_points(rubric_with):
    rubric = rubric_with("alphabeta: 60", "alphabeta: 50")
    cents = row_cents(rubric, "alphabeta", rubric.rows["alphabeta"])
    assert sum(cents.values()) == 5000
    assert [concept for concept in cents if cents[concept] % 50] == []
    assert cents["ties"] == 550  # 50 * 6.5 / 60 is 5.42


def test_shares_are_read_exactly_and_are_in_the_order_of_judging(rubric_with):
    shipped = "minimax:   {value: 40, leaves: 40, node count: 20}"
    rubric = rubric_with(shipped, "minimax: {node count: 20, leaves: 39.9, value: 40.1}")
    shares = rubric.shares["minimax"]
    assert [*shares.items()][0] == ("value", Fraction(401, 10))
    assert list(shares) == ["value", "leaves", "node count"]


def test_a_limit_that_is_not_given_has_its_default(rubric_with):
    limits = rubric_with("search_cpu_seconds: 2", "").limits
    assert limits == Limits()


@pytest.mark.parametrize("missing", range(3))
@pytest.mark.parametrize("function", ASSIGNED)
def test_the_points_of_a_function_are_split_among_the_concepts_with_trees(
    function, missing
):
    rubric = load_rubric(SHIPPED)
    present = list(rubric.rows[function])[missing:]
    cents = row_cents(rubric, function, present)
    assert list(cents) == present
    assert sum(cents.values()) == rubric.cents[function]


@cases("printed points")
def test_points_are_printed_without_rounding_errors(cents, text):
    assert points_text(cents) == text


@slips("rubric")
def test_an_error_is_one_line_that_says_what_to_write(old, new, error, rubric_with):
    refusal = refusal_of(rubric_with, old, new)
    before, _, _ = SHIPPED.read_text().partition(old)
    line = before.count("\n") + 1
    assert error.replace("{line}", str(line)) in refusal
    assert refusal.startswith("rubric.yaml")


def test_a_missing_rubric_is_one_line(tmp_path):
    line = "^rubric.yaml: cannot be read: No such file or directory; fix it$"
    with pytest.raises(InputError, match=line):
        load_rubric(tmp_path / "rubric.yaml")


@cases("names of zips")
def test_the_term_is_a_part_of_the_names_of_the_zips(term, name, rubric_with):
    rubric = rubric_with('term: ""', f"term: {term}")
    assert rubric.zip_name("autograder") == name
