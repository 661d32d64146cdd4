"""A course of right submissions, through `make grade-all`'s own program."""

from __future__ import annotations

import sys

from autograder.utilities import cores
from bench.samples import ROOT, run

COPIES = 2  # of each right submission


def write_course(folder, copies=COPIES):
    """Write a folder of submissions, all of them right; return how many."""
    count = 0
    for path in sorted((ROOT / "solution" / "correct").glob("*.py")) * copies:
        home = folder / f"student_{count:03d}"
        home.mkdir(parents=True)
        (home / "search.py").write_bytes(path.read_bytes())
        count += 1
    return count


def grade_course(folder):
    """Grade such a course with and without its HTML pages; return title -> figures.

    The figures are submissions a second and the share of all cores that was in use.
    """
    count = write_course(folder / "class")
    command = [sys.executable, "-m", "autograder.batch", folder / "class", "--out"]
    found = {}
    for title, more in (("with a page each", ()), ("without", ("--no-reports",))):
        sample = run([*command, folder / f"out {title}", *more])
        use = sample.cpu / sample.wall / cores()
        found[f"{count} right submissions, {title}"] = {
            "a second": count / sample.wall,
            "core use": use,
            "cpu": sample.cpu / count,
            "megabytes": sample.megabytes,
        }
    return found
