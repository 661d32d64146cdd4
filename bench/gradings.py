"""Whole gradings side by side: ours, a bare one, plain pytest, Python's own start."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from bench.samples import ROOT, BenchError, figures, interleaved

BARE = Path(__file__).resolve().parent / "bare"
RIGHT = ROOT / "solution" / "search.py"
PYTHON_ALONE = "python -c pass"
OURS, PAGED = "ours, as on Gradescope", "ours, with report.html"
BARE_RUN, PYTEST = "bare unittest, gradescope-utils", "plain pytest"
KNOWN, UNKNOWN = "ours, a known mistake", "ours, an unknown mistake"
# What takes the place of `alpha >= beta` in a wrong submission.
WRONG = {KNOWN: "alpha > beta", UNKNOWN: "alpha >= beta + 3"}


def commands(folder):
    """Return name -> command, and set what pytest's module reads of the environment."""
    python, out = sys.executable, folder / "out"
    ground = folder / "ground"
    os.environ.update(BENCH_FOLDER=str(ground), BENCH_SEARCH=str(RIGHT))
    ours = [python, "-m", "autograder.grade"]
    wrong = {name: write_wrong(folder, name) for name in WRONG}
    return {
        PYTHON_ALONE: [python, "-c", "pass"],
        BARE_RUN: [python, BARE / "gradescope.py", ground, RIGHT, folder / "bare.json"],
        PYTEST: [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull,
                 BARE / "searches_by_pytest.py"],
        OURS: [*ours, RIGHT, "--out", out, "--brief"],
        PAGED: [*ours, RIGHT, "--out", out],
        **{name: [*ours, path, "--out", out, "--brief"] for name, path in wrong.items()},
    }  # fmt: skip


def write_wrong(folder, name):
    """Write one of the wrong submissions and return its path."""
    path = folder / name / "search.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(RIGHT.read_text().replace("alpha >= beta", WRONG[name]))
    return path


def measure(folder, rounds):
    """Return (what the kit holds, name -> Samples)."""
    kit = figures("ground", str(folder / "ground"))
    samples = interleaved(commands(folder), rounds)
    check_bare(folder / "bare.json", kit)
    return kit, samples


def check_bare(path, kit):
    """Raise BenchError unless the bare run graded everything, and all of it passed."""
    tests = json.loads(path.read_text())["tests"]
    passed = sum(test["status"] == "passed" for test in tests)
    if passed != len(tests) or passed < kit["trees"]:
        raise BenchError(f"the bare run passed {passed} of {len(tests)} tests")
