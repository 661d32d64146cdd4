"""A course of six submissions and a kit of two small trees that grades it."""

from __future__ import annotations

import csv
import json
import shutil

from helpers import ROOT

from autograder import batch

TREE = """title: {name}
lesson: the lesson of {name}
root: max
tree: [[3, 12, 8], [2, 4, 6], [14, 5, 2]]
"""
RIGHT = (ROOT / "solution" / "search.py").read_text()
WRONG = RIGHT.replace("alpha = max(alpha, best)", "pass")
STUB = (ROOT / "starter" / "search.py").read_text()
DIES = "import os\nos._exit(1)\n"
COURSE = {
    "ada": {"search.py": RIGHT},
    "bo": {"search.py": WRONG},
    "cy": {"search.py": STUB},
    "di": {"search.py": "def minimax(:\n"},
    "ed": {"notes.txt": "my dog"},
    "flo": {"search.py": DIES},
}


def write_kit(root):
    """Make a kit with two trees below `root`; return the root."""
    for folder in ("autograder", "trees/public", "trees/hidden", "solution"):
        (root / folder).mkdir(parents=True)
    shutil.copy(ROOT / "autograder" / "rubric.yaml", root / "autograder")
    shutil.copy(ROOT / "solution" / "search.py", root / "solution")
    (root / "trees/public/one.yaml").write_text(TREE.format(name="one"))
    (root / "trees/hidden/two.yaml").write_text(TREE.format(name="two").replace("12", "1"))
    return root


def write_course(folder):
    """Write the six submissions into a folder each; return the folder around them."""
    for name, files in COURSE.items():
        (folder / name).mkdir(parents=True)
        for file, text in files.items():
            (folder / name / file).write_text(text)
    return folder


def grade_all(course, out, *options):
    """Run the command; return its exit status."""
    return batch.main([str(course), "--out", str(out), *options])


def gradebook(out):
    """Return submission -> row of gradebook.csv, without the seconds it took."""
    with open(out / "gradebook.csv", encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        del row["seconds"]
    return {row["submission"]: row for row in rows}


def results(out):
    """Return submission -> the bytes of its results.json."""
    return {path.parent.name: path.read_bytes() for path in out.glob("*/results.json")}


def graded_ids(out):
    """Return the ids in the order in which they were graded, over all runs."""
    lines = (out / "ledger.jsonl").read_text().splitlines()
    return [json.loads(line)["id"] for line in lines]
