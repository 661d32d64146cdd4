"""No first screen claims what is false, or speaks of another aspect than its drawing."""

import pytest
from helpers import CORRECT, cases_beside

from autograder.explaining.variants import overlay
from autograder.showing.summary import feedback_text

cases = cases_beside(__file__)


@pytest.mark.parametrize("source, said, not_said", cases("claims of screens"))
def test_a_screen_says_what_is_true(source, said, not_said, grade_source):
    screen = feedback_text(grade_source(overlay(source, CORRECT)))
    text = " ".join(screen.split())
    assert [words for words in said if words not in text] == [], screen
    assert [words for words in not_said if words in text] == [], screen


@pytest.mark.parametrize("source, said", cases("texts of whole files"))
def test_a_file_that_cannot_be_searched_gets_its_own_sentence(source, said, grade_source):
    screen = feedback_text(grade_source(source))
    assert said in " ".join(screen.split()), screen
