"""The commands, tables, links and names in the texts for people hold."""

import re
import shlex
import shutil
import subprocess

import pytest
from helpers import PYTHON, ROOT
from kitcopy import add_known, add_venv, copy_kit, make
from test_arrows import FLOORS
from test_makefile import MAKEFILE, TAKES, TARGETS

from autograder.course.gradebook import GRADEBOOK
from autograder.kit import load_kit
from autograder.rubric import load_rubric
from autograder.workbench.package import starter_files
from gametree import parse_tree

README, CONTRIBUTING = ROOT / "README.md", ROOT / "CONTRIBUTING.md"
FILES = [README, CONTRIBUTING, *sorted((ROOT / "docs").glob("*.md"))]
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in FILES}
README, CONTRIBUTING = TEXTS["README.md"], TEXTS["CONTRIBUTING.md"]
EVERYTHING = "\n".join(TEXTS.values())
BLOCKS = "\n".join(re.findall(r"```sh\n(.*?)```", EVERYTHING, re.DOTALL)).splitlines()
INLINE = re.findall(r"`(make [^`]+)`", EVERYTHING)
COMMANDS = {" ".join(line.split("  #")[0].split()) for line in (*BLOCKS, *INLINE)}
MAKES = sorted(command for command in COMMANDS if command.startswith("make "))
STUDENTS = [c for c in COMMANDS if c.startswith("python") and "pip install" not in c]
SLOW = {"grade-all", "trees", "check", "dist", "rehearse", "test", "lint", "bench"}


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    copy = copy_kit(tmp_path_factory.mktemp("readme"))
    add_venv(copy)
    add_known(copy)
    return copy


def test_every_command_names_a_target_and_settings_that_exist_and_is_understood(kit):
    assert len(MAKES) > 12 and len(STUDENTS) >= 4
    for command in MAKES:
        _, target, *settings = shlex.split(command)
        assert target in dict(TARGETS), command
        given = {name: value for name, _, value in (s.partition("=") for s in settings)}
        assert all(given.values()) and {*given} <= TAKES[target] | {"PYTHON"}, command
        done = make(kit, "-n", target, *settings)
        assert done.returncode == 0, done.stderr


def test_every_fast_command_runs(kit):
    fast = {shlex.split(c)[1]: c for c in MAKES if not re.search("PYTHON|path", c)}
    for target in fast.keys() - SLOW - {"grade"}:
        done = make(kit, *shlex.split(fast[target])[1:])
        assert done.returncode == 0, f"{fast[target]}: {done.stderr}"
    done = make(kit, "grade")
    assert done.stdout.startswith("graded: the reference, solution\n"), done.stderr
    most = sum(load_rubric(kit / "autograder" / "rubric.yaml").cents.values()) // 100
    assert f"Score: {most}/{most}" in done.stdout
    assert f"grade the reference: {most}/{most}" in README


def test_a_students_commands_run_in_the_starter(kit):
    shutil.copy(ROOT / "solution" / "search.py", kit / "starter")
    for command in STUDENTS:
        program = shlex.split(command.replace("python", f"{PYTHON} -B", 1))
        if "pytest" in program:
            program += ["-k", "minimax-01", "-p", "no:cacheprovider"]
        done = subprocess.run(
            program, cwd=kit / "starter", input="quit\n", capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_table_of_commands_is_makes_own(kit):
    assert f"```text\n{make(kit).stdout.rstrip()}\n```" in README


def test_links_paths_and_functions_are_there():
    folders = "autograder|starter|solution|tests|trees|docs|bench"
    missing = []
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        linked = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
        missing += [name for name in linked if not (path.parent / name).exists()]
        named = re.findall(rf"`((?:{folders})/[a-z\d_/.-]+)`", text)
        missing += [name for name in named if not (ROOT / name).exists()]
        for name, function in re.findall(r"`([a-z_/]+\.py)` `(\w+)`", text):
            code = (ROOT / name).read_text(encoding="utf-8")
            if not re.search(rf"^ *(def|class) {function}\b", code, re.MULTILINE):
                missing.append(f"{name} {function}")
    assert missing == []


def test_the_map_names_every_room_in_the_order_of_the_arrows():
    lines = re.search(r"```text\n(starter/gametree.*?)```", CONTRIBUTING, re.DOTALL)[1]
    named = [set(re.findall(r"\w+", line.split("  ")[0])) for line in lines.splitlines()]
    assert [names - {"starter"} for names in named] == FLOORS


def test_the_lines_that_troubleshooting_explains_are_said_somewhere():
    sources = [
        *(ROOT / "autograder").rglob("*.py"),
        *(ROOT / "starter").rglob("*.yaml"),
    ]
    said = MAKEFILE + "\n".join(path.read_text(encoding="utf-8") for path in sources)
    table = EVERYTHING.split("## When")[1]
    rows = re.findall(r"^\| `(.*?)` .*\|.*\|.*\|$", table, re.MULTILINE)
    assert len(rows) >= 10
    for row in rows:
        for part in re.split(r"\.\.\.|x\.yaml, line 4|'\.\.\.'|only 3", row):
            words = part.strip(" :;'").removeprefix("setup: ").strip()
            assert words in said or "ModuleNotFoundError" in row, words


def test_what_the_readme_says_of_files_is_so():
    names = set(starter_files(load_kit()))
    assert {"handout.md", "practice.html", "requirements.txt"} <= names
    assert GRADEBOOK in EVERYTHING
    assert "a tree is two lines of YAML" in README
    assert parse_tree("root: max\ntree: [1, [2, 3]]\n", "two")
