"""What `python -m gametree.experiment` prints, and what it keeps in memory."""

import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from autograder.mistakes.variants import load_variants
from gametree import observe, parse_tree
from gametree.lazy import random_tree
from gametree.student import load_search
from gametree.trace import Counter

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "solution" / "search.py"
CORRECT = load_variants(ROOT / "solution" / "correct")


def experiment(*arguments, search=REFERENCE):
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "gametree.experiment",
            "--submission",
            str(search),
            *arguments,
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT / "starter")},
        capture_output=True,
        text=True,
        timeout=60,
    )


def figures(done):
    """Return the table's rows as numbers, with None for a dash."""
    rows = [line.replace(",", "").split() for line in done.stdout.splitlines()]
    return [
        [None if cell == "-" else int(cell) for cell in row]
        for row in rows
        if len(row) == 7 and row[0].isdecimal()
    ]


def test_one_row_for_each_depth_with_the_bounds_of_the_theory():
    rows = figures(experiment("--branching", "2", "--depths", "1-6"))
    assert [row[0] for row in rows] == [1, 2, 3, 4, 5, 6]
    for depth, everything, random, best, worst, leaves, root in rows:
        assert everything == worst == 2 ** (depth + 1) - 1
        assert best <= random <= everything
        assert (leaves, root) == (2**depth, round(2 ** (depth / 2)))


def test_the_counts_are_the_node_counts_of_the_traces():
    done = experiment("--branching", "3", "--depths", "4", "--seed", "5")
    text = "random: {branching: 3, depth: 4, values: [-999999999, 999999999], seed: 5}"
    tree = parse_tree(f"title: t\nlesson: l\nroot: max\n{text}\n", "t")
    search = load_search(REFERENCE)
    for name, got in zip(("minimax", "alphabeta"), figures(done)[0][1:3], strict=True):
        trace = observe(getattr(search, name), name, tree, tree.searches[0])
        assert got == trace.node_count


@pytest.mark.parametrize("variant", CORRECT, ids=lambda variant: variant.name)
def test_every_right_way_of_writing_it_costs_the_same(variant):
    root = random_tree(3, 4, (-50, 50), 7)
    counts = set()
    for module in (load_search(REFERENCE), variant.module()):
        counter = Counter()
        module.alphabeta(counter.root(root), 4, float("-inf"), float("inf"), True)
        counts.add(counter.nodes)
    assert len(counts) == 1


def test_memory_grows_with_the_depth_and_not_with_the_nodes():
    search = load_search(REFERENCE)
    tracemalloc.start()
    search.minimax(Counter().root(random_tree(2, 13, (0, 100), 1)), 13, True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


def test_a_function_that_is_not_written_is_a_dash_and_both_are_a_friendly_line(tmp_path):
    half = tmp_path / "search.py"
    stubs = (ROOT / "starter" / "search.py").read_text()
    half.write_text(stubs + "\n\ndef minimax(node, *_):\n    return node.evaluate()\n")
    done = experiment("--depths", "1-2", search=half)
    assert [row[2:5] for row in figures(done)] == [[None] * 3] * 2
    assert "not written yet" in done.stdout
    done = experiment(search=ROOT / "starter" / "search.py")
    assert done.returncode == 2
    assert "write minimax or alphabeta first" in done.stderr


@pytest.mark.parametrize(
    "text, said",
    [
        (
            "def minimax(node, *_):\n    while True:\n        node.children\n",
            "20 queries for each node",
        ),
        (
            "def minimax(node, *_):\n    return node.value\n",
            "search.py, line 2, in minimax",
        ),
        ("", "no function minimax"),
    ],
)
def test_a_search_that_fails_is_one_line(tmp_path, text, said):
    search = tmp_path / "search.py"
    search.write_text(text)
    done = experiment(search=search)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "branching, depths", [("3", "40"), ("2", "1-24"), ("1", "99999999"), ("99", "1-9")]
)
def test_a_tree_that_nobody_can_search_to_its_end_is_refused_at_once(branching, depths):
    done = experiment("--branching", branching, "--depths", depths)
    assert done.returncode == 2 and not done.stdout
    assert "too large to search: choose fewer plies" in done.stderr


@pytest.mark.parametrize("depths", ["3-1", "0", "x", "1-"])
def test_depths_are_a_number_or_a_range(depths):
    assert experiment("--depths", depths).returncode == 2
