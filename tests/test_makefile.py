"""Every command of the Makefile refuses in one line, and clean leaves nothing behind."""

import importlib.util
import os
import re

import pytest
from helpers import ROOT
from kitcopy import add_venv, copy_kit, files_of, make

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = re.findall(r"^([a-z-]+): .*?## (.*)$", MAKEFILE, re.MULTILINE)


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
    phony = re.search(r"^\.PHONY: ((?:.*\\\n)*.*)", MAKEFILE, re.MULTILINE)[1]
    assert set(phony.replace("\\\n", " ").split()) == {target for target, _ in TARGETS}


def test_every_setting_in_the_table_is_known_and_every_known_one_is_used():
    listed = re.search(r"^SETTINGS := ((?:.*\\\n)*.*)", MAKEFILE, re.MULTILINE)[1]
    known = set(listed.replace("\\\n", " ").split())
    for _, about in TARGETS:
        assert set(re.findall(r"\b[A-Z]{4,}\b|\bOUT\b", about)) - {"MAX", "MIN"} <= known
    for name in known:
        assert f"$({name})" in MAKEFILE or f"need,{name}" in MAKEFILE, name


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
        (["trees"], "trees: give SEED, as in make trees SEED=7"),
        (["trees", "SEED=x"], "trees: SEED: invalid int value: 'x'"),
        (["trees", "SEED=7"], "write FORCE=1 to replace it"),
        (["trees", "SEED=7", "FORCE=0"], "write FORCE=1 to replace it"),
        (["tree"], "tree: give DEPTH, as in make tree DEPTH=3 BRANCHING=2"),
        (["tree", "DEPTH=3"], "tree: give BRANCHING"),
        (
            ["tree", "DEPTH=3", "BRANCHING=x"],
            "BRANCHING: write a whole number from 1 to 12",
        ),
        (["cutoff"], "cutoff: give CONVENTION, as in make cutoff CONVENTION=strict"),
        (["cutoff", "CONVENTION=lax"], "CONVENTION=lax: write equality or strict"),
        (["grade", "SUBMISION=x"], "SUBMISION is no setting of the kit; `make help`"),
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
    done = make(kit, "copies")
    assert done.stdout.splitlines()[-1] == "next: make check"
    for target in ("grade-all", "regrade", "check", "dist", "test"):
        recipe = make(kit, "-n", target, "SUBMISSIONS=x").stdout
        assert recipe.splitlines()[-1].startswith('echo "next: ')


def test_settings_reach_the_programs_as_one_word_each(kit):
    settings = ("SUBMISSIONS=a b", "ONLY=1,2", "JOBS=2", "REPORTS=0")
    done = make(kit, "-n", "grade-all", *settings)
    assert 'autograder.batch "a b" --out "build/course"' in done.stdout
    for expected in ('--only "1,2"', '--jobs "2"', "--no-reports"):
        assert expected in done.stdout
    assert "--force" not in done.stdout


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


def test_clean_keeps_a_hidden_set_that_is_not_in_its_place_yet(tmp_path):
    copy = copy_kit(tmp_path)
    (copy / "trees" / "hidden").rename(copy / "trees" / ".hidden.old")
    make(copy, "clean")
    assert (copy / "trees" / ".hidden.old").is_dir()
