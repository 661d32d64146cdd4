"""The commands of the Makefile, and the texts for people: what they say of them holds.

Every command refuses in one line, and clean leaves nothing behind. The commands, tables,
links and names in README, CONTRIBUTING and docs/ are there.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from helpers import PYTHON, ROOT
from kitcopy import add_known, add_venv, copy_kit, files_of, make
from test_arrows import FLOORS

from autograder.rubricfile import load_rubric

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = re.findall(r"^([a-z-]+): .*?## (.*)$", MAKEFILE, re.MULTILINE)
TAKES = {target: set() for target, _ in TARGETS} | {
    target: set(names.split())
    for target, names in re.findall(r"^TAKES_([a-z-]+) *:= (.*)$", MAKEFILE, re.MULTILINE)
}

TEXTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").iterdir())]
README, CONTRIBUTING, *REST = [path.read_text(encoding="utf-8") for path in TEXTS]
EVERYTHING = "\n".join([README, CONTRIBUTING, *REST])
BLOCKS = "\n".join(re.findall(r"```sh\n(.*?)```", EVERYTHING, re.DOTALL)).splitlines()
INLINE = re.findall(r"`(make [^`]+)`", EVERYTHING)
COMMANDS = {" ".join(line.split("  #")[0].split()) for line in (*BLOCKS, *INLINE)}
MAKES = sorted(command for command in COMMANDS if command.startswith("make "))
STUDENTS = [c for c in COMMANDS if c.startswith("python") and "pip install" not in c]
SLOW = {"grade-all", "trees", "check", "dist", "rehearse", "test", "lint", "bench"}


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    """A copy of the kit with a virtual environment that stands, and what is known."""
    copy = copy_kit(tmp_path_factory.mktemp("make"))
    add_venv(copy)
    add_known(copy)
    return copy


def test_make_alone_prints_the_table_of_every_command_and_all_its_settings(kit):
    alone = make(kit)
    assert alone.returncode == 0 and alone.stderr == ""
    assert f"```text\n{alone.stdout.rstrip()}\n```" in README
    for target, about in TARGETS:
        assert re.search(rf"^  {target} +{re.escape(about)}$", alone.stdout, re.MULTILINE)
        shown = set(re.findall(r"\b[A-Z]{3,}\b", about.replace("OUT/", "")))
        assert shown == TAKES[target], target
    phony = re.search(r"^COMMANDS := ((?:.*\\\n)*.*)", MAKEFILE, re.MULTILINE)[1]
    assert set(phony.replace("\\\n", " ").split()) == {target for target, _ in TARGETS}


REFUSED = {
    "show": "show: give TREE, as in make show TREE=trees/public/",
    "grade SUBMISSION=nowhere": "grade: nowhere: no such file or folder",
    "grade-all": "grade-all: give SUBMISSIONS, as in make grade-all",
    "explain": "explain: give SUBMISSION",
    "trees FORCE=0": "write FORCE=1 to replace it",
    "grade SUBMISSIONS=x": "SUBMISSIONS is no setting of make grade, which takes OUT SUB",
    "grade SUBMISSION=": "SUBMISSION is empty.",
    "grade-all SUBMISSION=x": "which takes DUE FORCE JOBS ONLY OUT",
    "clean OUT=x": "OUT is no setting of make clean, which takes nothing.",
    "grade SHELL=x": "SHELL is no setting of make grade",
    "SUBMISSION=x": "SUBMISSION is no setting of make help",
    "grad": "No rule to make target 'grad'",
}


def test_a_wrong_argument_gets_one_line_and_exit_status_2(kit):
    for arguments, expected in REFUSED.items():
        done = make(kit, *arguments.split())
        lines = [line for line in done.stderr.splitlines() if "] Error 2" not in line]
        assert (done.returncode, done.stdout, len(lines)) == (2, "", 1), arguments
        assert expected in lines[0]


PYTHONS = {
    "exit 1": "is no Python 3.10 or newer; add PYTHON=",
    '[ "$2" != venv ]': "makes no virtual environment; install python3-venv",
}


def test_a_python_that_does_not_do_is_named_in_one_line(tmp_path):
    copy, program = copy_kit(tmp_path), tmp_path / "python"
    for version, expected in PYTHONS.items():
        program.write_text(f"#!/bin/sh\n{version}\n")
        program.chmod(0o755)
        done = make(copy, "check", f"PYTHON={program}")
        lines = [line for line in done.stderr.splitlines() if "] Error 2" not in line]
        assert done.returncode == 2 and len(lines) == 1 and expected in lines[0]
        assert not (copy / ".venv").exists()


@pytest.fixture(scope="module")
def called(kit, tmp_path_factory):
    """Return a function: run make with a python that prints its arguments and settings."""
    copy = copy_kit(tmp_path_factory.mktemp("called"))
    program = add_venv(copy) / "bin" / "python"
    tell = "import json, os, sys; print(json.dumps([sys.argv[1:], dict(os.environ)]))"
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c '{tell}' \"$@\"\n")

    def called(*arguments, **environment):
        done = make(copy, *arguments, **environment)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[0])

    return called


# fmt: off
HOSTILE = (
    "hw`touch x`.py", "hw$(shell touch x).py", "hw$$(touch x).py", 'hw";touch x;".py',
    "hw';touch x;'.py", "hw $(touch x) \\ two\nlines #%.py", "-h.py", "~ada.py",
)
# fmt: on
FLAGS = {"KEEP", "FORCE"}  # given or not; what they hold is not handed over


def test_a_setting_is_one_argument_whatever_it_holds(called):
    """From the command line as from the environment, in every command."""
    for name in HOSTILE:
        words = ["-m", "autograder.grade", "--out=build/grade", "--", name]
        assert called("grade", f"SUBMISSION={name}")[0] == words
        assert called("grade", SUBMISSION=name)[0] == words
    name = "".join(HOSTILE)
    for target in set(TAKES) - {"test"}:
        given = TAKES[target] - FLAGS
        if given:
            words, _ = called(target, *(f"{setting}={name}" for setting in given))
            values = [w.partition("=")[2] if w[:2] == "--" else w for w in words]
            assert values.count(name) == len(given), target


def test_the_arguments_of_make_test_are_words_as_pytest_reads_them(called):
    words, environment = called("test", "ARGS=-k 'a or $(touch x)'")
    assert words[:2] == ["-m", "pytest"]
    assert shlex.split(environment["PYTEST_ADDOPTS"]) == ["-k", "a or $(touch x)"]


def test_clean_leaves_nothing_but_grades_and_a_hidden_set_not_in_its_place_yet(tmp_path):
    copy = copy_kit(tmp_path)
    before, names = files_of(copy), sorted(os.listdir(copy))
    add_venv(copy)
    for name in ("build/grade", "dist", ".pytest_cache", ".ruff_cache", ".hypothesis"):
        (copy / name).mkdir(parents=True)
        (copy / name / "left").touch()
    for name in ("autograder", "starter/gametree", "trees/.hidden.new"):
        (copy / name / "__pycache__").mkdir(parents=True)
        (copy / name / "__pycache__" / "left.pyc").touch()
    assert make(copy, "clean").returncode == 0
    assert files_of(copy) == before and sorted(os.listdir(copy)) == names
    assert list(copy.rglob("__pycache__")) == []
    for name in ("course", "grade"):
        (copy / "build" / name).mkdir(parents=True)
    (copy / "trees" / "hidden").rename(copy / "trees" / ".hidden.old")
    done = make(copy, "clean")
    assert sorted(os.listdir(copy / "build")) == ["course"]
    assert "kept the grades: build/course" in done.stdout
    assert (copy / "trees" / ".hidden.old").is_dir()


# ---- the texts for people


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


def test_links_paths_and_functions_are_there():
    folders = "autograder|starter|solution|tests|trees|docs|bench"
    missing = []
    for path in TEXTS:
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
