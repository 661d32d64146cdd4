"""Check which rows and searches `make explain` shows."""

import pytest
from drawn import NO_CUTOFF, grading_of, textbook, verdict_on
from helpers import tree_of

from autograder.workbench.explain import numbers_of_rows, rows_to_explain, run_again
from gametree.assignment import ASSIGNED
from gametree.support.errors import InputError
from gametree.support.trace import NOT_RUN, Ending

TIES = [tree_of("[1, [1, 1]]", name=f"tie-{number}") for number in range(3)]


class RepeatingSession:
    """Stand in for a Session: searches go as in the grading of NO_CUTOFF."""

    def run(self, tasks):
        return [verdict_on(task, NO_CUTOFF).trace for task in tasks]


def ties_row(trees):
    """Return the row for ties of a program without cutoffs. The row is wrong."""
    grading = grading_of(NO_CUTOFF, [], trees)
    (row,) = (row for row in grading.rows if row.concept == "ties")
    assert not row.is_right
    return row


# ---- searches


@pytest.mark.parametrize("count, searches", [(1, 1), (None, 3)])
def test_a_row_has_one_search_or_all(count, searches):
    assert len(run_again(ties_row(TIES), RepeatingSession(), count)) == searches


def test_the_search_with_the_fewest_leaves_is_shown():
    larger = tree_of("[1, [1, 1], [0, 5]]", name="larger")
    row = ties_row([larger, TIES[0]])
    [verdict] = run_again(row, RepeatingSession(), 1)
    assert verdict.task.tree.name == "tie-0"


def test_searches_that_were_not_run_are_not_shown():
    row = ties_row(TIES[:1])
    (verdict,) = row.verdicts
    vars(verdict.trace)["ending"] = Ending(NOT_RUN, undecided=True)
    assert list(run_again(row, RepeatingSession(), None)) == []


# ---- rows


def test_rows_that_lost_most_come_first_and_correct_rows_are_omitted():
    grading = grading_of(NO_CUTOFF, [textbook()], [*TIES[:3], textbook("two")])
    rows = rows_to_explain(grading, {row.number for row in grading.rows})
    lost = [row.max_cents - row.cents for row in rows]
    assert len(rows) > 2
    assert lost == sorted(lost, reverse=True)
    assert lost[-1] > 0


@pytest.mark.parametrize(
    "given, number",
    [
        ("2.01", "2.01"),
        (" 2.01 ", "2.01"),
        ("ALPHABETA: public trees", "2.01"),
        ("Public Trees", "all"),
        ("", "all"),
    ],
)
def test_a_row_is_given_by_number_or_name_and_several_rows_by_their_concept(given, number):
    rows = grading_of(NO_CUTOFF, [textbook()]).rows
    numbers = {row.number for row in rows}
    assert numbers_of_rows(rows, given) == (numbers if number == "all" else {number})


def test_an_unknown_row_is_refused_and_the_valid_rows_are_named():
    rows = grading_of(NO_CUTOFF, [textbook()]).rows
    line = f"^ROW=9.99: no such row; write 1.01 to {len(ASSIGNED)}.01, or a row's name$"
    with pytest.raises(InputError, match=line):
        numbers_of_rows(rows, "9.99")
