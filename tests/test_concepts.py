"""Each search is assigned to a concept, and each concept has a row with points."""

from fractions import Fraction

import pytest
from drawn import NO_CUTOFF, grading_of
from helpers import RUBRIC, cases, tasks_of, tree_of

from autograder.scoring.features import concept_of, limit_of
from autograder.scoring.scores import earned, plan_rows, score_rows
from autograder.showing.wording import row_results
from gametree.assignment import ASSIGNED
from gametree.support.errors import InputError
from gametree.support.judging import judge
from gametree.support.texts import sentence

MAX_ROWS = 20


def concept(text, function, searches):
    """Return the concept of the last search of a tree such as "max [1, [1, 1]]"."""
    root, _, nested = text.partition(" ")
    tree = tree_of(nested, root, searches)
    tasks = tasks_of(tree, functions=(function,))
    return concept_of(tasks[-1], RUBRIC.rows[function])


@cases("concepts")
def test_a_tree_has_a_concept_for_each_function(tree, searches, expected):
    found = {function: concept(tree, function, searches) for function in expected}
    assert found == expected


def test_a_concept_without_a_row_leaves_its_searches_to_the_next_one():
    (task,) = tasks_of(TIE, functions=("alphabeta",))
    rows = RUBRIC.rows["alphabeta"].keys() - {"ties"}
    assert concept_of(task, rows) == "cutoffs at MIN"


def test_a_search_that_fits_no_row_is_named_with_the_rows_to_add():
    (task,) = tasks_of(TIE, functions=("alphabeta",))
    line = "rows: alphabeta: a search of .* fits no row; add MAX moves first and MIN moves"
    with pytest.raises(InputError, match=line):
        concept_of(task, ["no cutoffs"])


def test_the_kit_has_each_row_of_the_rubric_with_half_points(kit):
    rows = kit.rows
    for function in ASSIGNED:
        concepts = [row.concept for row in rows if row.function == function]
        assert concepts == list(RUBRIC.rows[function]), function
    assert len(rows) <= MAX_ROWS
    odd = [row.name for row in rows if row.max_cents % 50]
    assert odd == []


def graded(source, *trees):
    """Return the scored rows of a trusted alphabeta."""
    rows = grading_of(source, (), trees).rows
    return [row for row in rows if row.function == "alphabeta"]


TIE = tree_of("[[3, 9], [3, 8]]", name="tie")
PLAIN = tree_of("[3, 9]", name="plain")


def test_a_row_earns_the_average_of_its_trees():
    wrong_at_four = NO_CUTOFF.replace("max(values) if", "max(values) % 4 if")
    rows = graded(wrong_at_four, TIE, tree_of("[[4, 9], [4, 8]]", name="four"))
    (row,) = [row for row in rows if row.concept == "ties"]
    assert row.cents == round(row.max_cents * Fraction(5, 200))


def test_an_aspect_earns_points_only_if_those_before_it_are_correct():
    source = NO_CUTOFF.replace("max(values) if", "1 + max(values) if")
    (row,) = graded(source, tree_of("[3, 9]"))
    (result,) = row.results
    assert result.aspects == {"value": False, "leaves": True, "node count": True}
    assert row.cents == 0


def test_the_worst_search_of_a_tree_counts():
    source = NO_CUTOFF.replace("max(values) if", "1 + max(values) if")
    windows = "[{alpha: 3, beta: 20}, {alpha: 7, beta: 20}]"  # the value is 6
    (row,) = graded(source, tree_of("[[1, 9], [6, 8]]", searches=windows))
    parts = [earned(RUBRIC, row.function, result.aspects) for result in row.results]
    assert row.cents == round(row.max_cents * min(parts))
    assert min(parts) < max(parts)


LIMITS = {  # a kind of limit -> a tree
    "value": "[3, 100000]",
    "nearness": "[3, 3.001]",
    "width": "[1, 2, 3, 4, 5, 6]",
    "depth": "[[[[[[[1, 2]]]]]]]",
}


@pytest.mark.parametrize("limit", LIMITS)
def test_each_kind_of_limit_earns_a_quarter_of_its_row_and_has_a_line(limit):
    trees = [tree_of(LIMITS[limit], name=limit)]
    for name, text in LIMITS.items():
        if name != limit:
            trees += [tree_of(text, name=f"{name} {number}") for number in range(3)]
    tasks = tasks_of(*trees, functions=["minimax"], hidden=True)
    wrong, *correct = [judge(task, task.expected) for task in tasks]
    wrong = wrong._replace(aspects=dict.fromkeys(wrong.aspects, False))
    (row,) = score_rows(plan_rows(tasks, RUBRIC), [wrong, *correct], RUBRIC)
    assert row.concept == "at the limits"
    assert row.cents == row.max_cents * 3 // 4
    (line,) = [line for is_right, line in row_results(row) if not is_right]
    assert line == sentence(f"limit.{limit}") + ": value wrong or unproven"


def test_a_root_without_children_is_at_a_limit_of_depth():
    assert limit_of(tasks_of(tree_of("7"))[0]) == "depth"
