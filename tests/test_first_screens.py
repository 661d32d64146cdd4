"""The first screens of wrong programs by authors who had not seen the kit.

golden/screens has a screen for each sentence, symptom and kind of change that appeared on
the screens of 300 programs. For a new screen, create an empty file with the name of a
program of blind.yaml. After an intended change, `python -m pytest
tests/test_first_screens.py --regen-all` updates all screens. Read the difference, and
correct the verdicts in blind.yaml that no longer apply.
"""

import pytest
from helpers import (
    CORRECT,
    ROOT,
    cases,
    definitions,
    program_of,
    tables,
    without_counts,
)

from autograder.showing.summary import feedback_text

SCREENS = ROOT / "tests" / "golden" / "screens"
SOURCES = {program["name"]: program["source"] for program in tables("blind")}
WITH_SCREEN = [name for name in SOURCES if (SCREENS / f"{name}.txt").exists()]


def complete(source):
    """Return a program with the functions of the reference that it lacks."""
    for name, text in definitions(CORRECT).items():
        if f"def {name}(" not in source:
            source += f"\n\n{text}\n"
    return source


def screen_of(grading):
    """Return the first screen of a program, without its points and counts of trees."""
    screen = feedback_text(grading).partition("\n")[2]
    return without_counts(screen.strip())


@cases("screens that were once false")
def test_a_screen_that_was_once_false_is_unchanged(
    changes, request, grade_source, check_golden
):
    screen = screen_of(grade_source(program_of({"best_move": changes})))
    check_golden(screen, f"screens/{request.node.callspec.id}.txt")


@pytest.mark.parametrize("name", WITH_SCREEN)
def test_the_screen_is_unchanged(name, grade_source, check_golden):
    grading = grade_source(complete(SOURCES[name]))
    check_golden(screen_of(grading), f"screens/{name}.txt")
