"""Check which rows and cases `make explain` shows, and the names of their pages."""

import pytest
from drawn import NO_CUTOFF, grading_of, textbook
from helpers import tree_of

from autograder.workbench.explain import accounts_of, numbers_of_rows, rows_to_explain
from gametree.assignment import ASSIGNED
from gametree.support.errors import InputError
from gametree.support.trace import NOT_RUN, Ending

TIES = [tree_of("[1, [1, 1]]", name=f"tie-{number}") for number in range(3)]


class RepeatingSession:
    """Stand in for a Session: searches go as in the grading of NO_CUTOFF."""

    def run(self, tasks):
        grading = grading_of(NO_CUTOFF, [], [task.tree for task in tasks])
        traces = {verdict.task.key[1:]: verdict.trace for verdict in verdicts_of(grading)}
        return [traces[task.key[1:]] for task in tasks]


def verdicts_of(grading):
    """Return the verdicts of all rows of a grading."""
    return [verdict for row in grading.rows for verdict in row.verdicts]


def ties_row(trees):
    """Return the row for ties of a program without cutoffs. The row is wrong."""
    grading = grading_of(NO_CUTOFF, [], trees)
    (row,) = (row for row in grading.rows if row.concept == "ties")
    assert not row.is_right
    return row


def account_of(row, public_names=(), row_was_given=False):
    """Return the account of a row."""
    (account,) = accounts_of([row], RepeatingSession(), public_names, row_was_given)
    return account


def stop_searches(row, ending):
    """Replace the ending of all searches of a row."""
    for verdict in row.verdicts:
        vars(verdict.trace)["ending"] = ending


# ---- cases


@pytest.mark.parametrize("row_was_given, count", [(False, 1), (True, 3)])
def test_a_row_has_one_case_but_a_given_row_has_all_cases(row_was_given, count):
    account = account_of(ties_row(TIES), row_was_given=row_was_given)
    assert len(account.cases) == count


def test_the_case_with_the_fewest_leaves_is_shown():
    larger = tree_of("[1, [1, 1], [0, 5]]", name="larger")
    account = account_of(ties_row([larger, TIES[0]]))
    assert account.cases[0].verdict.task.tree.name == "tie-0"


def test_a_row_has_no_account_if_its_searches_were_not_run():
    row = ties_row(TIES[:1])
    stop_searches(row, Ending(NOT_RUN, undecided=True))
    assert accounts_of([row], RepeatingSession(), ()) == []


# ---- names and kinds of cases


def test_a_page_is_named_after_its_row_and_tree_and_the_second_search_has_a_number():
    twice = tree_of("[1, [1, 1]]", name="tie", searches="[{}, {depth: 3}]")
    row = ties_row([TIES[0], twice])
    pages = [case.page for case in account_of(row, row_was_given=True).cases]
    assert pages == [f"{row.number}-{name}.html" for name in ("tie-0", "tie", "tie-2")]


@pytest.mark.parametrize(
    "public_names, kind, was_run",
    [
        (["tie-0"], "public", True),
        (["tie-1"], "hidden", True),
        ([], "hidden, not run in grading", False),
    ],
)
def test_a_case_says_whether_its_tree_is_public_and_was_run(public_names, kind, was_run):
    row = ties_row(TIES[:1])
    if not was_run:
        stop_searches(row, Ending(NOT_RUN))
    assert account_of(row, public_names).cases[0].kind == kind


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
