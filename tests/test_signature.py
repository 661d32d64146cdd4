"""What of a trace counts when it is compared with those of the known mistakes."""

from __future__ import annotations

import pytest
from diagnosed import (
    correct,
    quick_library,
    runs_of,
    variant_of,
    verdicts_of,
)
from helpers import REFERENCE_SOURCE, ROOT, changed

from autograder.mistakes.diagnosis import (
    diagnose,
    right_signature,
    signature,
    wrong_and_written,
)
from autograder.mistakes.library import Library
from autograder.mistakes.variants import load_variant
from autograder.sandbox.runs import RunPair
from gametree.trace import NOT_RUN, RAISED, TIMED_OUT, Answer, Ending, Trace

REFERENCE = REFERENCE_SOURCE.decode()


@pytest.fixture(scope="module")
def quick():
    return quick_library()


def first_task(quick, function, **wanted):
    return next(
        task
        for task in quick.tasks
        if task.function == function
        and all(getattr(task.search, key) == value for key, value in wanted.items())
    )


def test_a_leaf_that_is_asked_twice_in_a_row_counts_once(quick):
    twice = "(node.evaluate(), node.evaluate())[0]"
    source = changed(("node.evaluate()", twice))
    runs = runs_of(quick, variant_of(source))
    for task, pair in zip(quick.tasks, runs):
        assert signature(task, pair) == right_signature(task)


def test_fail_soft_and_fail_hard_look_alike_from_narrow_windows(quick):
    runs = runs_of(quick, variant_of(correct("fail_hard")))
    narrow = 0
    for task, pair in zip(quick.tasks, runs):
        narrow += not task.search.full_window
        assert signature(task, pair) == right_signature(task)
    assert narrow > 3


def test_the_order_of_leaves_matters_in_alphabeta_only(quick):
    source = REFERENCE.replace("in node.children:", "in reversed(node.children):")
    runs = runs_of(quick, variant_of(source))
    seen = {"minimax": set(), "alphabeta": set()}
    for task, pair in zip(quick.tasks, runs):
        if task.function in seen:
            seen[task.function].add(signature(task, pair) == right_signature(task))
    assert seen == {"minimax": {True}, "alphabeta": {True, False}}


def test_what_was_not_run_is_unknown_and_what_ran_on_is_endless(quick):
    task = first_task(quick, "alphabeta")

    def ended(kind):
        return signature(
            task, RunPair(Trace("alphabeta", task.search, [], Answer(), Ending(kind)))
        )

    assert ended(NOT_RUN) is None
    assert ended(TIMED_OUT) == "endless"
    assert ended(RAISED) != ended(TIMED_OUT)


def test_an_exact_match_needs_most_searches_to_have_run(quick):
    mistake = next(v for v in quick.variants if v.name == "no_cutoff")
    runs = runs_of(quick, mistake)
    nothing = Ending(NOT_RUN, message="the time is used up")
    own = [n for n, task in enumerate(quick.tasks) if task.function == "alphabeta"]
    for number in own[4:]:
        search = quick.tasks[number].search
        runs[number] = RunPair(Trace("alphabeta", search, [], Answer(), nothing))
    verdicts = verdicts_of(quick, runs)
    assert wrong_and_written("alphabeta", verdicts)
    assert diagnose(quick, runs, verdicts) == ()


def test_a_right_submission_costs_the_library_nothing(quick):
    fresh = Library(quick.variants, quick.tasks, lambda *_: pytest.fail("was run"))
    runs = runs_of(quick, load_variant(ROOT / "solution" / "search.py"))
    assert diagnose(fresh, runs, verdicts_of(quick, runs)) == ()


def test_a_known_mistake_is_run_once_for_each_tree(quick):
    asked = []
    fresh = Library(quick.variants, quick.tasks, lambda task, runs: asked.append(task))
    block = fresh.blocks("alphabeta")[0]
    fresh.kept(fresh.variants[0], block)
    fresh.kept(fresh.variants[0], block)
    assert len(asked) == len(block)


def test_what_a_known_mistake_prints_is_dropped(quick, capsys):
    mistake = next(v for v in quick.variants if v.name == "prints_instead_of_returning")
    runs_of(quick, mistake)
    assert capsys.readouterr().out == ""
