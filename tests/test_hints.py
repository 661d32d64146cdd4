"""Hints are the same on every machine: budgets are counts, and seconds a safeguard."""

import pytest
from helpers import REFERENCE_SOURCE, changed

from autograder.grading import grade
from autograder.kit import cached_kit
from autograder.showing.summary import feedback_text
from gametree.support.saying import say

MISSING_ARGUMENT = changed(("beta, False", "beta"))
TWO_MISTAKES = changed(
    ("alpha >= beta:  # cutoff", "alpha > beta:"), ("depth - 1, alpha", "depth - 2, alpha")
)
SLOW_TO_LOAD = "import time\ntime.sleep(0.15)\n"


@pytest.fixture(scope="module")
def kit():
    return cached_kit()


def test_a_slow_import_changes_no_hint(kit, monkeypatch):
    monkeypatch.setattr("autograder.grading.hints.MAX_SHARE", 1)  # on a busy machine too
    quick = grade(kit, MISSING_ARGUMENT.encode())
    slow = grade(kit, (MISSING_ARGUMENT + SLOW_TO_LOAD).encode())
    assert quick.localisation is not None
    assert feedback_text(slow) == feedback_text(quick)


def test_the_safeguard_in_seconds_is_said_and_changes_no_point(kit, monkeypatch):
    source = TWO_MISTAKES.encode()
    whole = grade(kit, source)
    monkeypatch.setattr("autograder.grading.hints.MAX_SHARE", 0)
    cut = grade(kit, source)
    line = say("summary.cut short")
    assert cut.counterexample is None
    assert line in feedback_text(cut)
    assert line not in feedback_text(whole)
    assert cut.cents == whole.cents


def test_a_right_program_misses_no_hints(kit, monkeypatch):
    monkeypatch.setattr("autograder.grading.hints.MAX_SHARE", 0)
    grading = grade(kit, REFERENCE_SOURCE)
    assert not grading.hints_cut_short
    assert grading.flawless


def test_hidden_trees_run_function_by_function(kit):
    functions = [task.function for task in kit.tasks if task.is_hidden]
    runs = [name for name, before in zip(functions, ["", *functions]) if name != before]
    assert runs == list(kit.rubric.assigned)
