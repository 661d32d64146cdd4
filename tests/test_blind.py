"""The first screens of 240 wrong programs by authors who had not seen the kit.

A reader judged each first screen without the key, and compared it with the key afterwards.
`first` is the verdict on the first version of the screen. It gives 69, 72, 66, 84, 81, 91,
88 and 94 per cent of the mistakes named in sets 1 to 8, and 88, 94, 94, 100, 100, 97, 100
and 100 per cent named or located. `verdict` is the developers'
verdict on the current screen. They have improved the kit after each set.

The test runs every 20th program. After an intended change,
`python -m pytest -n0 tests/test_blind.py --update-golden` runs all programs and updates
their screens. Read the difference, and correct the verdicts that no longer apply.
"""

import re

import yaml
from helpers import REFERENCE_SOURCE, ROOT, definitions, tables

from autograder.showing.summary import feedback_text

FILE = ROOT / "tests" / "blind.yaml"
PROGRAMS = tables("blind")
EVERY = 20


class _BlockDumper(yaml.SafeDumper):
    """A dumper that writes a text of several lines as a block."""


def _write_text(dumper, text):
    """Represent a text of several lines as a block."""
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_BlockDumper.add_representer(str, _write_text)


def complete(source):
    """Return a program with the functions of the reference that it lacks."""
    for name, text in definitions(REFERENCE_SOURCE).items():
        if f"def {name}(" not in source:
            source += f"\n\n{text}\n"
    return source


def screen_of(grading):
    """Return the first screen of a program, without its points and counts of trees."""
    screen = feedback_text(grading).partition("\n")[2].strip()
    return re.sub(r"\d+ of \d+\s+trees", "* of * trees", screen)


def test_the_screens_are_unchanged(grade_source, request):
    update = request.config.getoption("--update-golden")
    programs = PROGRAMS if update else PROGRAMS[::EVERY]
    changed = {}
    for program in programs:
        screen = screen_of(grade_source(complete(program["source"])))
        if screen != program["screen"]:
            changed[program["name"]] = screen
            program["screen"] = screen
    if update:
        text = yaml.dump(PROGRAMS, Dumper=_BlockDumper, sort_keys=False, allow_unicode=True)
        FILE.write_text(text, encoding="utf-8")
    assert update or changed == {}
