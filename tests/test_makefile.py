"""Every command of the Makefile refuses in one line, and clean leaves nothing behind."""

import importlib.util
import json
import os
import re
import shlex
import sys

import pytest
from helpers import ROOT
from kitcopy import add_venv, copy_kit, files_of, make

from autograder.plaintext import printable

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = re.findall(r"^([a-z-]+): .*?## (.*)$", MAKEFILE, re.MULTILINE)
TAKES = {target: set() for target, _ in TARGETS} | {
    target: set(names.replace("$(TAKES_grade-all)", "").split())
    for target, names in re.findall(r"^TAKES_([a-z-]+) *:= (.*)$", MAKEFILE, re.MULTILINE)
}
TAKES["regrade"] |= TAKES["grade-all"]


@pytest.fixture(scope="module")
def kit(tmp_path_factory):
    """A copy of the kit with a virtual environment that stands."""
    copy = copy_kit(tmp_path_factory.mktemp("make"))
    add_venv(copy)
    return copy


def test_make_alone_prints_the_table_of_every_command(kit):
    alone = make(kit)
    assert alone.returncode == 0 and alone.stderr == ""
    assert alone.stdout == make(kit, "help").stdout
    for target, about in TARGETS:
        assert re.search(rf"^  {target} +{re.escape(about)}$", alone.stdout, re.MULTILINE)


def test_every_command_of_the_design_is_there():
    expected = "grade test grade-all check trees show dist rehearse bench help clean tree"
    assert {target for target, _ in TARGETS} >= set(expected.split())
    phony = re.search(r"^COMMANDS := ((?:.*\\\n)*.*)", MAKEFILE, re.MULTILINE)[1]
    assert set(phony.replace("\\\n", " ").split()) == {target for target, _ in TARGETS}


def test_every_setting_in_the_table_is_known_and_every_known_one_is_used():
    course = set(TAKES["grade-all"])
    for target, about in TARGETS:
        shown = set(re.findall(r"\b[A-Z]{3,}\b", about.replace("OUT/", "")))
        assert shown | (course if target == "regrade" else set()) == TAKES[target], target


def test_no_setting_is_text_of_a_recipe():
    """Not $(NAME): only "$$NAME" in quotes, which a shell does not read again."""
    recipes = "".join(re.findall(r"^\t.*\n|^\w+ = .*\n", MAKEFILE, re.MULTILINE))
    for name in {"PYTHON"}.union(*TAKES.values()):
        assert f"$({name})" not in recipes and f"$({name}," not in MAKEFILE
        outside = re.sub(r'"[^"\n]*"|\$\$\{\w+:', "", recipes)
        assert f"$${name}" not in outside and f"$${{{name}" not in outside, name


def test_every_module_that_a_command_runs_exists():
    for module in re.findall(r"-m (autograder[.\w]*)", MAKEFILE):
        assert importlib.util.find_spec(module), module


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["show"], "show: give TREE, as in make show TREE=trees/public/"),
        (["show", "TREE=x"], "show: x: No such file"),
        (["grade", "SUBMISSION=nowhere"], "grade: nowhere: no such file or folder"),
        (["grade-all"], "grade-all: give SUBMISSIONS, as in make grade-all"),
        (["regrade"], "regrade: give SUBMISSIONS"),
        (["trees", "SEED=x"], "trees: SEED: invalid int value: 'x'"),
        (["trees"], "write FORCE=1 to replace it"),
        (["trees", "FORCE=0"], "write FORCE=1 to replace it"),
        (["trees", "OUT=new", "SEED=7"], "trees: SEED=7 can be found by trying seeds"),
        (["tree"], "tree: give DEPTH, as in make tree DEPTH=3 BRANCHING=2"),
        (["tree", "DEPTH=3"], "tree: give BRANCHING"),
        (
            ["tree", "DEPTH=3", "BRANCHING=x"],
            "BRANCHING: write a whole number from 1 to 12",
        ),
        (
            ["grade", "SUBMISSIONS=x"],
            "SUBMISSIONS is no setting of make grade, which takes OUT SUBMISSION.",
        ),
        (["grade", "SUBMISSION="], "SUBMISSION is empty."),
        (["grade-all", "SUBMISSION=x"], "which takes DUE FORCE JOBS ONLY OUT REPORTS ROS"),
        (["clean", "OUT=x"], "OUT is no setting of make clean, which takes nothing."),
        (["grade", "SHELL=x"], "SHELL is no setting of make grade"),
        (["SUBMISSION=x"], "SUBMISSION is no setting of make help"),
        (["grad"], "No rule to make target 'grad'"),
    ],
    ids=" ".join,
)
def test_a_wrong_argument_gets_one_line_and_exit_status_2(kit, arguments, expected):
    done = make(kit, *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if "] Error 2" not in line]
    assert len(lines) == 1 and expected in lines[0]


@pytest.mark.parametrize(
    "version, expected",
    [
        ("exit 1", "is no Python 3.10 or newer; add PYTHON="),
        ('[ "$2" != venv ]', "makes no virtual environment; install python3-venv"),
    ],
)
def test_a_python_that_does_not_do_is_named_in_one_line(tmp_path, version, expected):
    copy = copy_kit(tmp_path)
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\n{version}\n")
    program.chmod(0o755)
    done = make(copy, "check", f"PYTHON={program}")
    lines = [line for line in done.stderr.splitlines() if "] Error 2" not in line]
    assert done.returncode == 2
    assert len(lines) == 1 and expected in lines[0]
    assert not (copy / ".venv").exists()


def test_each_command_says_what_it_made_and_what_comes_next(kit, tmp_path):
    out = tmp_path / "tree.yaml"
    done = make(kit, "tree", "DEPTH=2", "BRANCHING=2", f"OUT={out}")
    assert f"wrote {out}" in done.stdout and "next: " in done.stdout and out.is_file()
    for target in ("check", "dist", "test"):
        recipe = make(kit, "-n", target).stdout
        assert recipe.splitlines()[-1].startswith('echo "next: ')


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


COURSE = "--out=build/course"
HOSTILE = (
    "hw`touch x`.py",
    "hw$(shell touch x).py",
    "hw$$(touch x).py",
    'hw";touch x;".py',
    "hw';touch x;'.py",
    "hw $(touch x) \\ two\nlines #%.py",
    "-h.py",
    "~ada.py",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_setting_is_one_argument_whatever_it_holds(called, name):
    """From the command line as from the environment."""
    for target, setting, around in (
        ("grade", "SUBMISSION", ["-m", "autograder.grade", "--out=build/grade", "--"]),
        (
            "grade-all",
            "SUBMISSIONS",
            ["-m", "autograder.batch", "--out=build/course", "--"],
        ),
    ):
        assert called(target, f"{setting}={name}")[0] == [*around, name]
        assert called(target, **{setting: name})[0] == [*around, name]
    words, _ = called("show", f"TREE={name}", f"SUBMISSION={name}", f"OUT={name}")
    assert words[2:] == [f"--out={name}", f"--submission={name}", "--", name]
    options = {"SUBMISSIONS": name, "OUT": name, "BEFORE": name, "ONLY": name, "JOBS": name}
    options |= {"ROSTER": name, "DUE": name}
    words, _ = called("regrade", "FORCE=1", *(f"{k}={v}" for k, v in options.items()))
    assert words[2:] == [
        f"--out={name}",
        f"--before={name}",
        f"--jobs={name}",
        f"--only={name}",
        "--force=1",
        f"--roster={name}",
        f"--due={name}",
        "--",
        name,
    ]


def test_the_arguments_of_make_test_are_words_as_pytest_reads_them(called):
    words, environment = called("test", "ARGS=-k 'a or $(touch x)'")
    assert words == ["-m", "pytest", "-n", "auto", "--dist", "loadfile"]
    assert shlex.split(environment["PYTEST_ADDOPTS"]) == ["-k", "a or $(touch x)"]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A copy of the kit with three trees, and a course of files with hostile names."""
    copy = copy_kit(tmp_path_factory.mktemp("small"))
    add_venv(copy)
    for folder, kept in (("hidden", "zeros*"), ("public", "0[13]-*")):
        trees = copy / "trees" / folder
        for path in set(trees.iterdir()) - set(trees.glob(f"{kept}.yaml")):
            path.unlink()
    course = copy.parent / "course"
    course.mkdir()
    for name in HOSTILE:
        (course / name).write_bytes((ROOT / "solution" / "search.py").read_bytes())
    return copy, course


def names_in(kit):
    """Return the names of a kit's files, but for what it keeps in build/."""
    return {name for name in files_of(kit) if not name.startswith("build/")}


@pytest.mark.parametrize("name", (HOSTILE[0], *HOSTILE[5:]))
def test_a_file_is_graded_under_any_name_and_runs_nothing_by_it(small, tmp_path, name):
    kit, course = small
    before, out, path = names_in(kit), f"OUT={tmp_path}", course / name
    done = make(kit, "grade", f"SUBMISSION={path}", out)
    assert done.stdout.startswith(f"graded: {printable(str(path))}\nScore: 100/100")
    tree = "TREE=trees/public/03-aima-figure-5-2.yaml"
    done = make(kit, "show", tree, f"SUBMISSION={path}", out)
    assert "does the same as the right one" in done.stdout, done.stderr
    assert names_in(kit) == before


def test_a_course_is_graded_under_any_names_and_runs_nothing_by_them(small, tmp_path):
    kit, course = small
    before, earlier, later = names_in(kit), tmp_path / HOSTILE[0], tmp_path / HOSTILE[1]
    done = make(kit, "grade-all", f"SUBMISSIONS={course}", f"OUT={earlier}")
    assert f"{len(HOSTILE)} graded" in done.stdout, done.stderr
    assert done.stdout.splitlines()[-2] == f"next: open {earlier}/report.html"
    assert done.stdout.splitlines()[-1] == f"{len(HOSTILE)} students: {len(HOSTILE)} graded"
    book = f"BEFORE={earlier}/gradebook.csv"
    done = make(kit, "regrade", f"SUBMISSIONS={course}", f"OUT={later}", book)
    assert f"0 of {len(HOSTILE)} scores changed" in done.stdout, done.stderr
    assert names_in(kit) == before


def test_a_tilde_is_the_home_folder(kit, tmp_path):
    (tmp_path / "hw.py").write_bytes((ROOT / "solution" / "search.py").read_bytes())
    done = make(kit, "grade", "SUBMISSION=~/hw.py", "OUT=~/out", HOME=str(tmp_path))
    assert f"graded: {tmp_path}/hw.py\nScore: 100/100" in done.stdout
    assert (tmp_path / "out" / "results.json").is_file()


def test_grade_says_that_it_graded_the_reference(kit, tmp_path):
    done = make(kit, "grade", f"OUT={tmp_path}")
    assert done.stdout.startswith("graded: the reference, solution\n")


def test_clean_leaves_nothing_behind(tmp_path):
    copy = copy_kit(tmp_path)
    before = files_of(copy)
    add_venv(copy)
    for name in ("build/grade", "dist", ".pytest_cache", ".ruff_cache", ".hypothesis"):
        (copy / name).mkdir(parents=True)
        (copy / name / "left").touch()
    for name in ("autograder", "starter/gametree", "trees/.hidden.new"):
        (copy / name / "__pycache__").mkdir(parents=True)
        (copy / name / "__pycache__" / "left.pyc").touch()
    assert make(copy, "clean").returncode == 0
    assert files_of(copy) == before
    assert list(copy.rglob("__pycache__")) == []
    assert sorted(os.listdir(copy)) == sorted({name.split("/")[0] for name in before})


def test_clean_spares_the_grades_of_a_course(tmp_path):
    copy = copy_kit(tmp_path)
    for name in ("course", "regrade", "grade"):
        (copy / "build" / name).mkdir(parents=True)
    done = make(copy, "clean")
    assert done.returncode == 0
    assert sorted(os.listdir(copy / "build")) == ["course", "regrade"]
    assert "kept the grades: build/course build/regrade" in done.stdout


def test_clean_keeps_a_hidden_set_that_is_not_in_its_place_yet(tmp_path):
    copy = copy_kit(tmp_path)
    (copy / "trees" / "hidden").rename(copy / "trees" / ".hidden.old")
    make(copy, "clean")
    assert (copy / "trees" / ".hidden.old").is_dir()
