"""What make explain chooses of a row: its cases, their pages, and what it omits."""

import pytest
from drawn import NO_CUTOFF, grading_of, textbook
from helpers import tree_of

from autograder.command import Refused
from autograder.showing.staff import MAX_CASES, Account, terminal_lines
from autograder.workbench.explain import accounts_of, numbers_of_rows, rows_to_explain
from gametree.course import ASSIGNED
from gametree.support.trace import NOT_RUN, Ending

TIES = [tree_of("[1, [1, 1]]", name=f"tie-{number}") for number in range(MAX_CASES + 2)]


class SameAgain:
    """A session whose searches go as they went in grading, here without a cutoff."""

    def run(self, tasks):
        grading = grading_of(NO_CUTOFF, [], [task.tree for task in tasks])
        of_tasks = {verdict.task.key[1:]: verdict.trace for verdict in verdicts_of(grading)}
        return [of_tasks[task.key[1:]] for task in tasks]


def verdicts_of(grading):
    return [verdict for row in grading.rows for verdict in row.verdicts]


def ties_row(trees):
    """Return the wrong row about ties of a program without a cutoff."""
    grading = grading_of(NO_CUTOFF, [], trees)
    (row,) = (row for row in grading.rows if row.concept == "ties")
    assert not row.is_right
    return row


def account_of(row, public_names=(), row_was_given=False):
    (account,) = accounts_of([row], SameAgain(), public_names, row_was_given)
    return account


# ---- which cases


@pytest.mark.parametrize("count", [1, 3])
def test_of_a_row_one_case_is_shown_and_the_others_are_counted(count):
    account = account_of(ties_row(TIES[:count]))
    assert len(account.cases) == 1
    assert account.omitted == count - 1


@pytest.mark.parametrize("count", [1, 3, MAX_CASES, MAX_CASES + 2])
def test_of_a_row_that_was_given_as_many_are_shown_as_may_be(count):
    account = account_of(ties_row(TIES[:count]), row_was_given=True)
    assert len(account.cases) == min(count, MAX_CASES)
    assert account.omitted == count - len(account.cases)


def test_the_case_with_the_fewest_leaves_is_shown():
    larger = tree_of("[1, [1, 1], [0, 5]]", name="larger")
    account = account_of(ties_row([larger, TIES[0]]))
    assert account.cases[0].verdict.task.tree.name == "tie-0"


def test_a_row_whose_searches_were_not_run_has_no_account():
    row = ties_row(TIES[:1])
    for verdict in row.verdicts:
        vars(verdict.trace)["ending"] = Ending(NOT_RUN, undecided=True)
    assert accounts_of([row], SameAgain(), ()) == []


# ---- how they are named


def test_a_page_is_named_after_its_row_and_tree():
    row = ties_row(TIES[:2])
    pages = [case.page for case in account_of(row, row_was_given=True).cases]
    assert pages == [f"{row.number}-tie-0.html", f"{row.number}-tie-1.html"]


def test_the_pages_of_two_searches_of_one_tree_have_numbers():
    twice = tree_of("[1, [1, 1]]", name="tie", searches="[{}, {depth: 3}]")
    row = ties_row([twice])
    pages = [case.page for case in account_of(row, row_was_given=True).cases]
    assert pages == [f"{row.number}-tie.html", f"{row.number}-tie-2.html"]


def test_a_case_says_whether_its_tree_is_public():
    row = ties_row(TIES[:1])
    assert account_of(row, ["tie-0"]).cases[0].kind == "public"
    assert account_of(row, ["tie-1"]).cases[0].kind == "hidden"


def test_a_case_says_whether_grading_ran_it():
    row = ties_row(TIES[:1])
    for verdict in row.verdicts:
        vars(verdict.trace)["ending"] = Ending(NOT_RUN)
    assert account_of(row).cases[0].kind == "hidden, not run in grading"


# ---- what is omitted


def test_omitted_searches_are_counted_with_the_setting_that_shows_them():
    row = ties_row(TIES[:1])
    cases = account_of(row).cases
    some = terminal_lines(Account(row, cases, 19), b"")
    setting = f"ROW={row.number} shows at most {MAX_CASES}"
    assert some[-1] == f"  Wrong searches that are not shown: 19. {setting}."
    assert terminal_lines(Account(row, cases), b"") == some[:-1]


# ---- which rows


def test_rows_that_lost_most_come_first_and_right_ones_not_at_all():
    grading = grading_of(NO_CUTOFF, [textbook()], [*TIES[:3], textbook("two")])
    rows = rows_to_explain(grading, {row.number for row in grading.rows})
    lost = [row.max_cents - row.cents for row in rows]
    assert len(rows) > 2
    assert lost == sorted(lost, reverse=True)
    assert lost[-1] > 0


@pytest.mark.parametrize("given", ["2.01", " 2.01 ", "ALPHABETA: public trees"])
def test_a_row_is_given_by_its_number_or_its_name(given):
    rows = grading_of(NO_CUTOFF, [textbook()]).rows
    assert numbers_of_rows(rows, given) == {"2.01"}


def test_rows_are_given_by_their_concept_and_all_by_no_word():
    rows = grading_of(NO_CUTOFF, [textbook()]).rows
    numbers = [row.number for row in rows]
    assert numbers_of_rows(rows, "Public Trees") == set(numbers)
    assert numbers_of_rows(rows, "") == set(numbers)


def test_a_row_that_is_not_there_is_refused_with_those_that_are():
    rows = grading_of(NO_CUTOFF, [textbook()]).rows
    line = f"^ROW=9.99: no such row; write 1.01 to {len(ASSIGNED)}.01, or a row's name$"
    with pytest.raises(Refused, match=line):
        numbers_of_rows(rows, "9.99")
