"""The commands of the Makefile check their arguments, pass them on safely and clean up."""

import json
import os
import re
import shlex
import sys

import pytest
from helpers import ROOT, cases, slips, tables_beside, write, write_program
from kitcopy import add_venv, make
from manuals import MAKEFILE, README, TAKES, TARGETS

TABLES = tables_beside(__file__)


def copy_makefile(folder):
    """Copy the Makefile and the files that its commands need. Return their folder."""
    names = ("Makefile", "requirements-dev.txt", "autograder/requirements.txt")
    return write(folder / "kit", {name: (ROOT / name).read_bytes() for name in names})


# ---- the table of commands


@pytest.fixture(scope="module")
def bare_make(ready_kit):
    """Return the completed process of make without a command."""
    return make(ready_kit)


def test_make_without_a_command_prints_the_table_of_the_readme(bare_make):
    assert bare_make.returncode == 0 and bare_make.stderr == ""
    assert f"```text\n{bare_make.stdout.rstrip()}\n```" in README
    phony = re.search(r"^COMMANDS := ((?:.*\\\n)*.*)", MAKEFILE, re.MULTILINE)[1]
    assert set(phony.replace("\\\n", " ").split()) == {target for target, _ in TARGETS}


@pytest.mark.parametrize("target, about", TARGETS)
def test_the_table_names_a_command_with_all_its_settings(bare_make, target, about):
    assert re.search(rf"^  {target} +{re.escape(about)}$", bare_make.stdout, re.MULTILINE)
    assert set(re.findall(r"\b[A-Z]{3,}\b", about.replace("OUT/", ""))) == TAKES[target]


# ---- wrong arguments


def lines_of(stderr):
    """Return the lines of a command, without the line that make adds about its status."""
    return [line for line in stderr.splitlines() if "] Error 2" not in line]


@slips("make")
def test_a_wrong_argument_gets_one_line_and_exit_status_2(arguments, expected, ready_kit):
    done = make(ready_kit, *arguments.split())
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = lines_of(done.stderr)
    assert expected in line


@cases("pythons that do not do")
def test_an_unsuitable_python_is_named_in_one_line(script, expected, tmp_path):
    copy = copy_makefile(tmp_path)
    program = write_program(tmp_path / "python", script)
    done = make(copy, "check", f"PYTHON={program}")
    (line,) = lines_of(done.stderr)
    assert done.returncode == 2 and expected in line
    assert not (copy / ".venv").exists()


def test_a_python_newer_than_those_that_were_tested_is_named_in_one_line(tmp_path):
    """The command goes on. This Python cannot create a virtual environment."""
    script = 'case "$*" in *"> \\"3.15"*|*venv*) exit 1;; esac'
    program = write_program(tmp_path / "python", script)
    done = make(copy_makefile(tmp_path), "check", f"PYTHON={program}")
    first, second = done.stdout.splitlines()
    assert first == f"setting up .venv with {program} (once)"
    assert (
        second == f"note: {program} is newer than 3.15, the newest Python that was tested"
    )
    assert "cannot create a virtual environment" in done.stderr


# ---- settings are data


HOSTILE = TABLES["names that a shell would run"]
FLAGS = {"PUBLISHED", "FORCE"}  # only their presence counts; their values are not passed on
WITH_SETTINGS = sorted(t for t in TAKES if TAKES[t] - FLAGS and t != "test")


@pytest.fixture(scope="module")
def run_make(tmp_path_factory):
    """Return a function that runs make and returns the arguments and settings of Python."""
    copy = copy_makefile(tmp_path_factory.mktemp("run_make"))
    code = "import json, os, sys; print(json.dumps([sys.argv[1:], dict(os.environ)]))"
    program = add_venv(copy) / "bin" / "python"
    write_program(program, f"exec '{sys.executable}' -c '{code}' \"$@\"")

    def call(*arguments, **environment):
        done = make(copy, *arguments, **environment)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[0])

    return call


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_one_argument(run_make, name):
    """On the command line and in the environment."""
    words = ["-m", "autograder.grade", "--out=build/grade", "--", name]
    assert run_make("grade", f"SUBMISSION={name}")[0] == words
    assert run_make("grade", SUBMISSION=name)[0] == words


@pytest.mark.parametrize("target", WITH_SETTINGS)
def test_every_setting_of_a_command_is_one_argument(run_make, target):
    name = "".join(HOSTILE)
    settings = [f"{setting}={name}" for setting in TAKES[target] - FLAGS]
    words, _ = run_make(target, *settings)
    values = [w.partition("=")[2] if w.startswith("--") else w for w in words]
    assert values.count(name) == len(settings)


# ---- make test


def test_the_arguments_of_make_test_are_the_last_options_of_pytest(run_make):
    words, environment = run_make("test", "ARGS=-n 1 -k 'a or $(touch x)'")
    assert words == ["-m", "pytest"]
    options = shlex.split(environment["PYTEST_ADDOPTS"])
    assert options[-4:] == ["-n", "1", "-k", "a or $(touch x)"]


# ---- make dist


def test_make_dist_first_installs_what_the_page_of_the_handout_needs(run_make):
    words, _ = run_make("dist", "--assume-new=requirements-dev.txt")
    assert words[:3] == ["-m", "pip", "install"]
    assert words[-1].startswith("markdown-it-py")


# ---- make clean


def test_clean_removes_the_files_that_commands_create(tmp_path):
    copy = copy_makefile(tmp_path)
    before = sorted(copy.rglob("*"))
    add_venv(copy)
    for name in ("build/grade", "dist", ".pytest_cache", ".ruff_cache", ".mypy_cache"):
        write(copy / name, {"left": ""})
    write(copy / "autograder" / "__pycache__", {"left.pyc": ""})
    assert make(copy, "clean").returncode == 0
    assert sorted(copy.rglob("*")) == before


def test_clean_spares_classes(tmp_path):
    copy = copy_makefile(tmp_path)
    books = ("course/gradebook.csv", "my class/overrides.csv", "2026/b/gradebook.csv")
    write(copy / "build", dict.fromkeys((*books, "grade/", "explain/007/"), ""))
    done = make(copy, "clean")
    assert sorted(os.listdir(copy / "build")) == ["2026", "course", "my class"]
    assert "spared classes: build/2026 build/course build/my class" in done.stdout
