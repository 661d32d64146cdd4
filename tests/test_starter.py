"""What a student downloads works by itself, wherever it is unzipped."""

import os
import re
import shutil
import subprocess
import zipfile

import pytest
from helpers import PYTHON, REFERENCE_SOURCE, ROOT

from autograder.workbench.package import pack, starter_files
from gametree import load_trees
from gametree.functions import FUNCTIONS


@pytest.fixture
def unzipped(tmp_path):
    """A starter.zip, unpacked in a folder whose name has a space and an accent."""
    (tmp_path / "starter.zip").write_bytes(pack(starter_files()))
    folder = tmp_path / "devoir à rendre"
    with zipfile.ZipFile(tmp_path / "starter.zip") as archive:
        archive.extractall(folder)
    return folder


def run_tests(folder, *arguments):
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    command = [PYTHON, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True
    )
    return done.stdout + done.stderr


def test_untouched_every_test_fails_with_one_clear_line(unzipped):
    output = run_tests(unzipped)
    assert re.search(r"\d+ failed", output) and "passed" not in output
    for noise in ("Traceback", "NotImplementedError", "another exception", "hidden"):
        assert noise not in output
    for function in FUNCTIONS:
        assert f"\n{function} in search.py is not written yet: write " in output


def test_what_is_not_written_is_the_function_that_was_called(unzipped):
    source = (unzipped / "search.py").read_text()
    head, name, _ = source.partition("def best_move")
    calls = "(node, depth, maximizing):\n    return minimax(node, depth, maximizing)\n"
    (unzipped / "search.py").write_text(head + name + calls)
    output = run_tests(unzipped, "-k", "best_move and tie")
    assert "minimax in search.py is not written yet" in output
    assert "best_move in search.py" not in output


def test_the_reference_passes_every_public_test(unzipped):
    (unzipped / "search.py").write_bytes(REFERENCE_SOURCE)
    output = run_tests(unzipped)
    assert re.search(r"\d+ passed", output) and "failed" not in output


def test_a_failure_draws_the_tree_with_what_was_expected(unzipped):
    source = REFERENCE_SOURCE.decode().replace("alpha >= beta", "alpha > beta")
    (unzipped / "search.py").write_text(source)
    output = run_tests(unzipped, "-k", "alphabeta and tie")
    assert "visited needlessly: b2" in output
    assert "MAX" in output and "MIN" in output
    assert "Traceback" not in output


def test_an_own_mistake_shows_the_students_own_line(unzipped):
    source = REFERENCE_SOURCE.decode().replace("node.evaluate()", "node.value")
    (unzipped / "search.py").write_text(source)
    output = run_tests(unzipped, "-k", "minimax and tie")
    assert "call node.evaluate() for the value" in output
    assert "    return node.value" in output
    assert "observe.py" not in output and "BUDGET" not in output


def test_a_failure_says_what_was_asked_and_which_bounds_are_right(unzipped):
    source = REFERENCE_SOURCE.decode().replace("    return best\n", "    return beta\n")
    (unzipped / "search.py").write_text(source)
    output = run_tests(unzipped, "-k", "alphabeta and narrow")
    assert "(depth 2, MAX moves first)" in output
    assert "(depth 2, MAX moves first, alpha 5, beta 8)" in output
    assert "(depth 2, MAX moves first, alpha 7, beta infinity)" in output
    assert "expected any number from 6 to 7" in output


def test_none_is_called_none(unzipped):
    source = "def best_move(node, depth, maximizing):\n    node.children\n"
    (unzipped / "search.py").write_text(source)
    output = run_tests(unzipped, "-k", "best_move and tie")
    assert "returned None, expected one of node.children" in output


def test_an_endless_search_ends(unzipped):
    source = (
        "def minimax(node, depth, maximizing):\n    while True:\n        node.children\n"
    )
    (unzipped / "search.py").write_text(source)
    assert "out of queries" in run_tests(unzipped, "-k", "minimax and tie")


def test_the_trees_in_the_starter_are_the_public_trees():
    ours = {p.name: p.read_bytes() for p in (ROOT / "trees" / "public").glob("*.yaml")}
    theirs = {p.name: p.read_bytes() for p in (ROOT / "starter" / "trees").glob("*.yaml")}
    assert ours == theirs, "run `make copies`"


def test_every_public_search_has_the_figures_that_the_tests_compare_with():
    for tree in load_trees(ROOT / "trees" / "public"):
        for search in tree.searches:
            published = search.published
            assert None not in (published.value, published.leaves, published.nodes), (
                tree.name
            )
            if search in tree.searches_for("best_move"):
                assert published.move is not None, tree.name


def test_the_stubs_state_their_contract():
    text = (ROOT / "starter" / "search.py").read_text()
    assert text.count("raise NotImplementedError") == 3
    for said in ("alpha >= beta", "depth", "maximizing", "leftmost", "left to right"):
        assert said in text


def test_the_starter_runs_where_the_autograder_does_not_exist(unzipped):
    shutil.rmtree(unzipped / "trees")
    (unzipped / "trees").mkdir()
    shutil.copy(ROOT / "trees" / "public" / "02-smallest-tie.yaml", unzipped / "trees")
    (unzipped / "search.py").write_bytes(REFERENCE_SOURCE)
    assert "3 passed" in run_tests(unzipped)
