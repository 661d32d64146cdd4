"""Hints are the same on every machine. A limit in seconds only cuts them short."""

import pytest
from helpers import CORRECT, changed

from autograder.showing.summary import feedback_text
from gametree.support.texts import sentence

MISSING_ARGUMENT = changed(("beta, False", "beta"))
SHARE = "autograder.grading.EXPLAINING_SHARE"
SLOW_TO_LOAD = "import time\ntime.sleep(0.15)\n"


@pytest.fixture(scope="module")
def complete_grading(grade_source):
    """Return the Grading of a wrong program with all hints."""
    return grade_source(MISSING_ARGUMENT)


def test_a_slow_import_changes_no_hint(grade_source, complete_grading):
    slow = grade_source(MISSING_ARGUMENT + SLOW_TO_LOAD)
    assert complete_grading.explanation.lines
    assert feedback_text(slow) == feedback_text(complete_grading)


def test_hints_that_are_cut_short_say_so_and_cost_no_points(
    grade_source, complete_grading, monkeypatch
):
    monkeypatch.setattr(SHARE, 0)
    shortened = grade_source(MISSING_ARGUMENT)
    line = sentence("summary.cut short")
    assert shortened.explanation.smallest is None
    assert line in feedback_text(shortened)
    assert line not in feedback_text(complete_grading)
    assert shortened.score.cents == complete_grading.score.cents


def test_a_correct_program_misses_no_hints(grade_source, monkeypatch):
    monkeypatch.setattr(SHARE, 0)
    grading = grade_source(CORRECT)
    assert not grading.explanation.cut_short
    assert grading.flawless


def test_hidden_trees_are_ordered_by_function(kit):
    functions = [task.function for task in kit.tasks if task.is_hidden]
    runs = [name for name, before in zip(functions, ["", *functions]) if name != before]
    assert runs == list(kit.rubric.assigned)
