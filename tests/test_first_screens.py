"""The first screens of 300 wrong programs by authors who had not seen the kit.

A reader judged each first screen without the key, and compared it with the key afterwards.
`first` is the verdict on the first version of the screen. It gives 69, 72, 66, 84, 81, 91,
88, 94, 78 and 63 per cent of the mistakes named in sets 1 to 10, and 88, 94, 94, 100, 100,
97, 100, 100, 90 and 75 per cent named or located. `verdict` is the developers' verdict on
the current screen. They have improved the kit after each set.

The screens are in golden/screens. The test runs every 60th program. After an intended
change, `python -m pytest tests/test_first_screens.py --regen-all` runs all programs and
updates their screens. Read the difference, and correct the verdicts that no longer apply.
"""

import re

import pytest
from helpers import (
    CORRECT,
    ROOT,
    cases_beside,
    definitions,
    program_of,
    tables,
)

from autograder.showing.summary import LINES, WIDTH, feedback_text

cases = cases_beside(__file__)

SCREENS = ROOT / "tests" / "golden" / "screens"
PROGRAMS = tables("blind")
EVERY = 60


def pytest_generate_tests(metafunc):
    """Run a test of a program for every 60th program, or for all with --regen-all."""
    if "source" not in metafunc.fixturenames:
        return
    step = 1 if metafunc.config.getoption("--regen-all") else EVERY
    sources = {program["name"]: program["source"] for program in PROGRAMS[::step]}
    metafunc.parametrize("name, source", sources.items(), ids=sources)


def complete(source):
    """Return a program with the functions of the reference that it lacks."""
    for name, text in definitions(CORRECT).items():
        if f"def {name}(" not in source:
            source += f"\n\n{text}\n"
    return source


def screen_of(grading):
    """Return the first screen of a program, without its points and counts of trees."""
    screen = feedback_text(grading).partition("\n")[2].strip()
    return re.sub(r"\d+ of \d+\s+trees", "* of * trees", screen)


def test_the_stored_screens_fit():
    for program in PROGRAMS:
        lines = (SCREENS / f"{program['name']}.txt").read_text().splitlines()
        assert len(lines) < LINES, program["name"]  # without the line of the points
        assert max(map(len, lines)) <= WIDTH, program["name"]


@pytest.mark.parametrize("changes", cases("screens that were once false"))
def test_a_screen_that_was_once_false_is_unchanged(
    changes, request, grade_source, check_golden
):
    screen = screen_of(grade_source(program_of({"best_move": changes})))
    check_golden(screen, f"screens/{request.node.callspec.id}.txt")


def test_the_screen_is_unchanged(name, source, grade_source, check_golden):
    check_golden(screen_of(grade_source(complete(source))), f"screens/{name}.txt")
