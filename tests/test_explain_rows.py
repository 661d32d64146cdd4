"""Check which rows and searches `make explain` shows."""

from dataclasses import replace

from drawn import NO_CUTOFF, RUBRIC, grading_of, textbook
from helpers import tasks_of, trace_of, tree_of

from autograder.scoring.scores import plan_rows, score_rows
from autograder.workbench.explain import rows_to_explain, wrong_tasks
from gametree.support.judging import judge
from gametree.support.trace import NOT_RUN, Ending

TIES = [tree_of("[1, [1, 1]]", name=f"tie-{number}") for number in range(3)]


def ties_row(trees, ending=None):
    """Return the planned and the scored row for ties of a program without cutoffs.

    ending: how all searches ended, if they did not return.
    """
    tasks = tasks_of(*trees, functions=["alphabeta"], hidden=True)
    verdicts = []
    for task in tasks:
        trace = trace_of(NO_CUTOFF, task)
        verdicts.append(judge(task, replace(trace, ending=ending or trace.ending)))
    (planned,) = plan_rows(tasks, RUBRIC)
    (row,) = score_rows([planned], verdicts, RUBRIC)
    assert row.concept == "ties"
    return planned, row


# ---- searches


def test_the_wrong_searches_with_the_fewest_leaves_come_first():
    larger = tree_of("[1, [1, 1], [0, 5]]", name="larger")
    wrong = wrong_tasks(*ties_row([larger, *TIES]))
    assert [task.tree.name for task in wrong] == ["tie-0", "tie-1", "tie-2", "larger"]


def test_searches_that_were_not_run_are_not_shown():
    assert wrong_tasks(*ties_row(TIES, Ending(NOT_RUN, undecided=True))) == []


# ---- rows


def test_rows_that_lost_most_come_first_and_correct_rows_are_omitted():
    grading = grading_of(NO_CUTOFF, [textbook()], [*TIES[:3], textbook("two")])
    rows = rows_to_explain(grading, "")
    lost = [row.max_cents - row.cents for row in rows]
    assert len(rows) > 2
    assert lost == sorted(lost, reverse=True)
    assert lost[-1] > 0
