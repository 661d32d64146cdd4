"""The starter works in any folder, and its public tests explain what is wrong."""

import compileall
import re
from itertools import zip_longest

import kitcopy
import pytest
from helpers import (
    CORRECT,
    PYTHON,
    ROOT,
    STUBS,
    cases,
    change_file,
    check_words,
    program_of,
    run_command,
    write,
)
from kitcopy import files_in, run_public_tests, unpack_starter

from autograder.explaining.variants import run_source
from gametree import load_tree
from gametree.assignment import ASSIGNED
from gametree.support.programtext import lacking_names
from gametree.support.student import check

ODD_NAME = "OneDrive - Größe 'x' [1]; 100% & $HOME " + "a" * 160


@pytest.fixture(scope="module")
def unzipped(kit, tmp_path_factory):
    """Return the folder of an unpacked starter.zip, which has an odd name."""
    folder = unpack_starter(kit, tmp_path_factory.mktemp("starter") / ODD_NAME)
    runner = folder / "gametree" / "support" / "student.py"
    change_file(runner, ("BUDGET = 200_000", "BUDGET = 2_000"))
    compileall.compile_dir(folder / "gametree", quiet=2)  # once, and not in each run
    return folder


def run_tests(folder, source, *arguments):
    """Return the short output of the public tests on a search.py."""
    return run_public_tests(folder, source, "-q", *arguments)


def test_each_unwritten_function_fails_once_with_one_clear_line(unzipped):
    output = run_tests(unzipped, STUBS)
    assert f"\n{len(ASSIGNED)} failed, " in output
    noise = ("passed", "NotImplementedError", "short test summary", "hidden")
    check_words(output, not_said=noise)
    unwritten = re.findall(r"\n(\w+) is not written yet: write ", output)
    assert unwritten == list(reversed(ASSIGNED))  # the first is the last on the screen


COUNTS_AND_HAS_A_TABLE = """
calls = 0
plain = minimax
def minimax(node, depth, maximizing):
    global calls
    calls += 1
    if depth == 0 or node.is_terminal():
        return node.evaluate()
    stored = {}
    for child in node.children:
        stored[child] = plain(child, depth - 1, not maximizing)
    return max(stored.values()) if maximizing else min(stored.values())
"""


def test_a_correct_program_passes_all_tests_and_a_line_says_what_comes_next(unzipped):
    """A counter is correct, and so is a table within one call."""
    output = run_tests(unzipped, CORRECT + COUNTS_AND_HAS_A_TABLE)
    assert re.search(r"\d+ passed", output) and "failed" not in output
    steps = ("play.py", "experiment.py", "upload search.py to Gradescope")
    check_words(output.partition(" public tests pass")[2], steps)


@cases("failures")
def test_a_failure_shows_what_is_wrong_and_why(case, unzipped, monkeypatch):
    encoding = case.get("encoding", "utf-8")
    monkeypatch.setitem(kitcopy.ENVIRONMENT, "PYTHONIOENCODING", encoding)
    files = case.get("files", {})
    write(unzipped, files)
    program = program_of(case.get("changes", {})) + case.get("added", "")
    output = run_tests(unzipped, program, "-k", case["chosen"])
    for name in files:
        (unzipped / name).unlink()
    check_words(output, case["shows"], case["omits"])
    last = output.rpartition("test[")[2]
    assert last.startswith(case.get("last", ""))


@cases("easily overlooked")
def test_a_mistake_that_is_easily_overlooked_fails_on_a_public_tree(case):
    tree = load_tree(ROOT / "trees" / "public" / f"{case['tree']}.yaml")
    program = program_of(case.get("changes", {})) + case.get("added", "")
    function = case["function"]
    search = getattr(run_source(program), function)
    assert not check(search, function, tree, tree.searches[0]).is_right


KEEPS_STATE = """
import functools
plain = minimax
@functools.cache
def minimax(node, depth, maximizing):
    return plain(node, depth, maximizing)
by_name = {}
full = alphabeta
def alphabeta(node, *arguments):
    if node.name not in by_name:
        by_name[node.name] = full(node, *arguments)
    return by_name[node.name]
best = -math.inf
move = None
def best_move(node, depth, maximizing):
    global best, move
    sign = 1 if maximizing else -1
    for child in node.children:
        score = sign * plain(child, depth - 1, not maximizing)
        if move is None or score > best:
            best = score
            move = child
    return move
"""


def test_state_fails_only_the_tests_of_successive_searches(unzipped):
    output = run_tests(unzipped, CORRECT + KEEPS_STATE)
    failed = re.findall(r"^_+ (test\S+) _+$", output, re.MULTILINE)
    wrong = ("best_move", "alphabeta", "minimax")
    assert failed == [f"test_one_after_another[{name}]" for name in wrong]
    words = " ".join(output.split())
    assert words.count("your code keeps state between searches") == len(wrong)
    source = (CORRECT + KEEPS_STATE).splitlines()
    lines = [source.index(text) + 1 for text in ("@functools.cache", "by_name = {}")]
    named = f"Look at lines {lines[0]} and {lines[1]}, which create something"
    assert words.count(named) == len(wrong)
    assert max(map(len, output.splitlines())) <= 80


ENDLESS = "\ndef minimax(node, *_):\n    while True:\n        pass\n"


def test_an_endless_loop_is_stopped_at_its_line_and_other_tests_run(unzipped):
    runner = unzipped / "gametree" / "support" / "student.py"
    change_file(runner, ("\nSECONDS = 10\n", "\nSECONDS = 0.5\n"))
    source = CORRECT.replace("def minimax", "def other") + ENDLESS
    output = run_tests(unzipped, source, "-k", "(minimax or alphabeta) and largest")
    stopped = "is still running after 0.5 seconds. Is this an endless loop?"
    check_words(output, ["in minimax (`", "1 failed, 1 passed", stopped])
    output = run_tests(unzipped, "while True:\n    pass\n")
    assert re.search(r"search.py, line [12] \(`(while True:|pass)`\) is still run", output)
    change_file(runner, ("\nSECONDS = 0.5\n", "\nSECONDS = 10\n"))


def test_a_file_that_cannot_be_loaded_is_one_line(unzipped):
    (unzipped / "search.py").write_text("def minimax(:\n")
    done = run_command([PYTHON, "-B", "-m", "pytest"], unzipped)
    line = "search.py, line 1: SyntaxError: invalid syntax\n"
    assert (done.returncode, done.stdout + done.stderr) == (2, line)


@cases("names that the autograder lacks")
def test_what_the_autograder_lacks_is_named(source, lines):
    found = list(lacking_names(source))
    assert [line for line, start in zip_longest(found, lines) if start not in line] == []


# Runs a module of the starter as if its folder were read-only, for root too.
READ_ONLY = """
import os, runpy, sys
_, module, *arguments = sys.argv
sys.argv = [module, *arguments]
def refuse(event, values):
    writes = event == "open" and values[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if (writes or event == "os.mkdir") and str(values[0]).startswith((os.getcwd(), "03-")):
        raise PermissionError(13, "Permission denied", values[0])
sys.addaudithook(refuse)
sys.path.insert(0, os.getcwd())
runpy.run_module(module, run_name="__main__", alter_sys=True)
"""


@cases("a read-only folder")
def test_a_read_only_folder_is_enough(command, status, last, unzipped):
    (unzipped / "search.py").write_text(CORRECT)
    (unzipped / "03-aima-figure-5-2-1.html").unlink(missing_ok=True)
    done = run_command([PYTHON, "-c", READ_ONLY, *command.split()], unzipped)
    assert (done.returncode, done.stderr.count("\n")) == (status, int(status > 0))
    assert re.search(last, done.stdout + done.stderr)


# pytest and runpy need a Python of today.
RUN_IN_AN_OLD_PYTHON = """
import pytest, runpy, sys
sys.version_info = (3, 9, 18, "final", 0)
for program in ("conftest.py", "play.py", "experiment.py", "gametree"):
    run = runpy.run_path if program.endswith(".py") else runpy.run_module
    try:
        run(program, run_name="__main__")
    except SystemExit as end:
        print(program, end.code)
"""


def test_an_old_python_is_told_the_version_in_one_line(unzipped):
    done = run_command([PYTHON, "-B", "-c", RUN_IN_AN_OLD_PYTHON], unzipped)
    assert done.stdout == "conftest.py 2\nplay.py 2\nexperiment.py 2\ngametree 2\n"
    assert done.stderr == "This needs Python 3.10 or newer.\n" * 4


def test_the_trees_in_the_starter_are_the_public_trees(unzipped):
    public = files_in(ROOT / "trees" / "public")
    assert public == files_in(ROOT / "starter" / "trees") == files_in(unzipped / "trees")
