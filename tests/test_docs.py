"""The commands, tables, links and names in README, CONTRIBUTING and docs/ are correct."""

import re
import shlex
import shutil

import pytest
from helpers import PYTHON, ROOT, kit_text, own_kit, run_command, variant
from kitcopy import make
from manuals import (
    MAKEFILE,
    MAKES,
    PATHS,
    README,
    STUDENTS,
    TEXTS,
)

from autograder.ground.submission import SEARCH_PY
from autograder.kit.contents import OWN
from autograder.showing.summary import feedback_text

FOLDERS = "autograder|starter|solution|tests|trees|docs|bench"


# ---- commands


NAMES_OF_TESTS = ""
for path in (ROOT / "tests").glob("test_*.py"):
    NAMES_OF_TESTS += path.name + path.read_text()


@pytest.mark.parametrize("command", MAKES)
def test_a_command_has_a_target_settings_and_paths_that_exist(ready_kit, command):
    _, target, *settings = shlex.split(command)
    done = make(ready_kit, "-n", target, *settings)
    assert done.returncode == 0, done.stderr
    given = dict(setting.split("=", 1) for setting in settings)
    paths = [value for value in given.values() if "/" in value]
    assert [path for path in paths if not (ROOT / path).exists()] == []
    assert given.get("ARGS", "-k test").removeprefix("-k ") in NAMES_OF_TESTS
    assert given.get("ROW", "1.01") in {row.number for row in own_kit().rows}


def without_figures(text):
    """Replace each number by #, because points change with the hidden trees."""
    return re.sub(r"[\d.]+", "#", text)


def test_the_first_screen_in_the_readme_is_what_a_student_reads(grade_source):
    grading = grade_source(variant("mistakes/no_cutoff_at_min").source)
    shown = re.search(r"```text\n(Score: .*?)\n```", README, re.DOTALL)[1]
    score, *lines = shown.splitlines()
    read, *lines_read = feedback_text(grading).splitlines()
    assert without_figures(score) == without_figures(read)
    assert lines == lines_read


# test_handout.py runs the commands of the handout.
HANDOUT = kit_text("handout.md")


@pytest.mark.parametrize("command", [c for c in STUDENTS if c not in HANDOUT])
def test_a_students_command_runs_in_the_starter(ready_kit, command):
    shutil.copy(ROOT / "solution" / "search.py", ready_kit / "starter")
    program = shlex.split(command.replace("python", f"{PYTHON} -B", 1))
    done = run_command(program, ready_kit / "starter")
    assert done.returncode == 0, done.stdout + done.stderr


# ---- links and names


@pytest.mark.parametrize("path", PATHS, ids=TEXTS)
def test_links_paths_and_functions_exist(path):
    text = TEXTS[path.name]
    linked = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
    assert [name for name in linked if not (path.parent / name).exists()] == []
    named = re.findall(rf"`((?:{FOLDERS})/[a-z\d_/.-]+)`", text)
    missing = [name for name in named if not (ROOT / name).exists()]
    assert [name for name in missing if name != f"{OWN}/"] == []  # made by make trees
    for name, function in re.findall(r"`([a-z_/]+\.py)` `(\w+)`", text):
        code = (ROOT / name).read_text()
        defined = re.search(rf"^ *(def|class) {function}\b", code, re.MULTILINE)
        assert defined, f"{name} has no {function}"


# ---- troubleshooting

GUIDES = ("ta.md", "instructor.md")
TABLES = [TEXTS[name].split("## When something goes wrong")[1] for name in GUIDES]
TROUBLES = re.findall(r"^\| `(.*?)` .*\|.*\|.*\|$", "\n".join(TABLES), re.MULTILINE)
MISSING_GAMETREE = "ModuleNotFoundError: gametree"  # of Python
EXAMPLES = r"\b\d\b|\.\.\."  # fields of messages, as the table shows them


@pytest.fixture(scope="module")
def messages():
    """Return the lines of programs, texts.yaml and the Makefile, with joined strings."""
    paths = [*ROOT.glob("autograder/**/*.py"), *ROOT.glob("starter/gametree/**/*.*")]
    text = "\n".join(path.read_text() for path in paths if path.suffix != ".pyc")
    text = re.sub(r'"\n *f?"', "", text).replace("{SEARCH_PY}", SEARCH_PY)
    return [*MAKEFILE.splitlines(), *text.splitlines()]


@pytest.mark.parametrize("trouble", sorted({*TROUBLES} - {MISSING_GAMETREE}))
def test_a_line_that_troubleshooting_explains_is_a_message(messages, trouble):
    texts = re.split(EXAMPLES, trouble)
    pieces = [re.escape(text.strip()) for text in texts]
    assert any(pieces)
    assert any(re.search(".*".join(pieces), message) for message in messages)


def test_each_guide_has_a_table():
    assert len(TROUBLES) > len(GUIDES)
