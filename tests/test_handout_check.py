"""`make check` notices a handout that drifted."""

from dataclasses import replace

import pytest
from handouttext import RUBRIC, handout
from helpers import ROOT

from autograder.kit import load_reference
from autograder.workbench import handoutcheck


def slips_of(text, rubric=RUBRIC):
    reference = load_reference(ROOT, rubric.cutoff)
    return list(handoutcheck.mismatches(text, rubric, reference, ROOT))


def test_make_check_finds_nothing_to_mend():
    assert slips_of(handout()) == []


def test_make_check_notices_points_that_were_changed_in_the_rubric_only():
    rubric = replace(RUBRIC, cents={**RUBRIC.cents, "minimax": 2050})
    (line,) = slips_of(handout(), rubric)
    assert "minimax is worth 25 in its first table, 20.5 in rubric.yaml" in line


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("| value | 30 %", "| value | 40 %", "says 40 % for minimax's value"),
        ("whole submission 60 seconds", "whole submission 90 seconds", "says 60"),
        ("        3     12    8     2     4     6     14    5     2\n        ●",
         "        3     12    8     2     4     6     14    5     3\n        ●",
         "the drawing of trees/03-aima"),
    ],
)  # fmt: skip
def test_make_check_notices_a_handout_that_drifted(old, new, said):
    assert old in handout()
    assert said in slips_of(handout().replace(old, new))[0]
