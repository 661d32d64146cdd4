"""No first screen claims what is false, or speaks of another aspect than its drawing."""

from copy import copy

import pytest
from helpers import CORRECT, cases, check_words

from autograder.explaining.variants import overlay
from autograder.grading import grade
from autograder.scoring.rubric import MISTAKE
from autograder.showing.summary import feedback_text


@pytest.fixture(scope="module")
def screen_of(kit, sandbox_for):
    """Return a function: the text of a program -> its first screen, without a line.

    The search for the line is slow, and it denies known mistakes that are claimed here.
    """
    without_line = copy(kit)
    without_line.rubric = kit.rubric._replace(hints=MISTAKE)
    sandbox = sandbox_for(kit.rubric.limits)
    return lambda source: feedback_text(grade(without_line, source.encode(), sandbox))


@cases("claims of screens")
def test_a_screen_says_what_is_true(source, said, not_said, screen_of):
    check_words(screen_of(overlay(source, CORRECT)), said, not_said)


@cases("claims of lines")
def test_a_screen_says_of_a_line_what_is_true(source, said, not_said, grade_source):
    screen = feedback_text(grade_source(overlay(source, CORRECT)))
    check_words(screen, said, not_said)


@cases("texts of whole files")
def test_a_file_that_cannot_be_searched_gets_its_own_sentence(source, said, screen_of):
    check_words(screen_of(source), [said])
