"""What a student downloads works by itself, wherever it is unzipped."""

import io
import os
import re
import shutil
import subprocess
import zipfile

import pytest
from helpers import PYTHON, REFERENCE_SOURCE, ROOT
from kitcopy import files_of

from autograder.kit import load_kit
from autograder.workbench.package import pack, starter_files
from gametree.course import ASKED

RIGHT = REFERENCE_SOURCE.decode()


@pytest.fixture(scope="module")
def packed():
    """The bytes of a starter.zip."""
    return pack(starter_files(load_kit()))


@pytest.fixture
def unzipped(packed, tmp_path):
    """A starter.zip, unpacked in a folder whose name has a space and an accent."""
    folder = tmp_path / "devoir à rendre"
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(folder)
    return folder


def run_tests(folder, source, *arguments):
    """Return what the public tests say of the source, or of the stubs where it is None."""
    if source is not None:
        (folder / "search.py").write_text(source)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    command = [PYTHON, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True
    )
    return done.stdout + done.stderr


def test_untouched_every_test_fails_with_one_clear_line(unzipped):
    output = run_tests(unzipped, None)
    assert re.search(r"\d+ failed", output) and "passed" not in output
    for noise in ("Traceback", "NotImplementedError", "short test summary", "hidden"):
        assert noise not in output
    for function in ASKED:
        assert f"\n{function} in search.py is not written yet: write " in output


def test_what_is_not_written_is_the_function_that_was_called(unzipped):
    head, name, _ = (unzipped / "search.py").read_text().partition("def best_move")
    calls = "(node, depth, maximizing):\n    return minimax(node, depth, maximizing)\n"
    output = run_tests(unzipped, head + name + calls, "-k", "best_move and tie")
    assert "minimax in search.py is not written yet" in output
    assert "best_move in search.py" not in output


def test_the_reference_passes_every_public_test_and_one_line_leads_on(unzipped):
    output = run_tests(unzipped, RIGHT)
    assert re.search(r"\d+ passed", output) and "failed" not in output
    (line,) = [line for line in output.splitlines() if "public tests pass" in line]
    for step in ("play.py", "gametree.experiment", "upload search.py"):
        assert step in line
    assert "public tests pass" not in run_tests(unzipped, RIGHT, "-k", "minimax")
    assert "public tests pass" not in run_tests(unzipped, RIGHT.replace(">=", ">"))


KEEPS = """
stored, plain = {}, minimax
def minimax(node, depth, maximizing):
    if node.name not in stored:
        stored[node.name] = plain(node, depth, maximizing)
    return stored[node.name]
"""
COUNTS = """
runs, plain = [], best_move
def best_move(*call):
    runs.append(1)
    assert len(runs) <= 2
    return plain(*call)
"""


def test_a_failure_shows_what_was_asked_what_is_wrong_and_why(unzipped):
    for source, tests, *shown in (
        (RIGHT.replace("alpha >= beta", "alpha > beta"), "alphabeta and tie",
         "visited b2 needlessly", "At B (MIN), after b1 = 1: alpha = 1, beta = 1, so b2 "
         "cannot matter; your search went on to b2.", "MAX", "MIN"),
        (RIGHT.replace("node.evaluate()", "node.value"), "minimax and tie",
         "call node.evaluate() for the value", "    return node.value"),
        (RIGHT.replace("    return best\n", "    return beta\n"), "alphabeta and narrow",
         "(depth 2, MAX moves first)", "(depth 2, MAX moves first, alpha 5, beta 8)",
         "(depth 2, MAX moves first, alpha 7, beta infinity)", "returned 8, expected 6"),
        ("def best_move(node, *_):\n    node.children\n", "best_move and tie",
         "returned None, expected one of node.children"),
        ("def minimax(node, *_):\n    while 1:\n        node.children\n", "minimax and tie",
         "minimax was stopped after 200,000 queries in line 3: an endless loop?"),
        (RIGHT + KEEPS, "minimax and largest", "second search of the same tree went diff"),
    ):  # fmt: skip
        output = run_tests(unzipped, source, "-k", tests)
        assert [line for line in shown if line not in output] == []
        assert not any(noise in output for noise in ("Traceback", "trace.py", "BUDGET"))
        assert source != RIGHT + KEEPS or "did not visit" not in output


def test_no_tree_knows_what_was_kept_from_another(unzipped):
    assert "failed" not in run_tests(unzipped, RIGHT + COUNTS, "-k", "best_move")


def test_the_last_on_the_screen_is_the_smallest_tree_of_the_first_wrong_function(unzipped):
    wrong = RIGHT.replace("alpha >= beta", "0").replace("node.children, key", "[0], key")
    output = run_tests(unzipped, wrong)
    last = output.rpartition("test[")[2]
    assert last.startswith("alphabeta-02-smallest-tie-") and "cannot matter" in last
    assert output.index("best_move-01") < output.index("alphabeta-02")


def soon(folder):
    """Let endless loops end after half a second, for a quick test."""
    student = folder / "gametree" / "student.py"
    text = student.read_text()
    assert "\nSECONDS = 10\n" in text
    student.write_text(text.replace("\nSECONDS = 10\n", "\nSECONDS = 0.5\n"))


ENDLESS = "def minimax(node, *_):\n    while True:\n        pass\n"


def test_an_endless_loop_ends_with_its_line_and_the_other_tests_run(unzipped):
    soon(unzipped)
    source = RIGHT.replace("def minimax", "def other") + "\n" + ENDLESS
    output = run_tests(unzipped, source, "-k", "(minimax or alphabeta) and largest")
    assert "in minimax (`" in output
    assert "still running after 0.5 seconds: an endless loop?" in output
    assert "1 failed, 1 passed" in output


def test_an_endless_loop_at_the_top_of_the_file_ends_everything_with_its_line(unzipped):
    soon(unzipped)
    output = run_tests(unzipped, "while True:\n    pass\n")
    assert re.search(r"search.py, line [12] \(`(while True:|pass)`\): still run", output)


def test_the_trees_in_the_starter_are_the_public_trees(unzipped):
    ours = files_of(ROOT / "trees" / "public")
    assert ours == files_of(ROOT / "starter" / "trees") == files_of(unzipped / "trees")


def test_the_stubs_state_their_contract():
    text = (ROOT / "starter" / "search.py").read_text()
    assert text.count("raise NotImplementedError") == 3
    for term in ("alpha >= beta", "depth", "maximizing", "leftmost", "left to right"):
        assert term in text


def test_the_starter_runs_where_the_autograder_does_not_exist(unzipped):
    shutil.rmtree(unzipped / "trees")
    (unzipped / "trees").mkdir()
    shutil.copy(ROOT / "trees" / "public" / "02-smallest-tie.yaml", unzipped / "trees")
    assert "6 passed" in run_tests(unzipped, RIGHT)
