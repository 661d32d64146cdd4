"""The figures in the texts and in BENCHMARKS.md equal those in the code.

A failing test names the figure to write. The kit itself fills in the other figures of the
handout (test_handout.py).
"""

import math
import re

import pytest
from helpers import ROOT, RUBRIC, check_figure, kit_text

from autograder import VERSION
from autograder.grading import EXPLAINING_SHARE
from autograder.sandbox import WALL_FACTOR
from autograder.smalltrees.families import families
from autograder.smalltrees.limits import MAX_CHILDREN, MAX_DEPTH, MAX_PLIES, MAX_VISITS
from autograder.workbench import generate, rehearse
from bench import bars

INSTRUCTOR, EACH_TERM = "docs/instructor.md", "docs/each-term.md"
WORDS = {2: "two", 3: "three", 4: "four", 6: "six"}  # figures that are written as words
# The CPU time of a whole grading, with one search for hints.
MINUTES = (1 + EXPLAINING_SHARE) * RUBRIC.limits.total_seconds / 60
FIGURES = [  # file, the words around a figure, the figure
    (
        EACH_TERM,
        r"every grading stops within about (\w+) minutes",
        math.ceil(MINUTES),
    ),
    (
        EACH_TERM,
        r"or about (\w+) minutes if the program sleeps",
        WALL_FACTOR * MINUTES,
    ),
    (EACH_TERM, r"timeout: (\w+) minutes, the default", rehearse.MAX_SECONDS / 60),
    (EACH_TERM, r"CPU and (\w+) MB, is enough", rehearse.MEMORY / 2**20),
    (INSTRUCTOR, r"a secret seed of (\w+) bits", generate.BITS),
    (INSTRUCTOR, r"A set has at most (\w+) trees", generate.MAX_TREES),
    (
        INSTRUCTOR,
        r"(\w+) of them have a purpose each",
        sum(family.trees for family in families()),
    ),
    (
        "handout.md",
        r"of them, here (\w+)\.",
        2**4 + 2**4 - 1,
    ),  # test_random_trees.py shows it
    ("handout.md", r"stopped in (\w+) searches", RUBRIC.limits.max_timeouts),
    ("handout.md", r"decimals, (\w+) children", MAX_CHILDREN),
    ("handout.md", r"children at a node and (\w+) plies", MAX_PLIES),
    ("handout.md", r"`depth` is at most (\w+)", MAX_DEPTH),
    ("handout.md", r"search visits at most (\w+) nodes", MAX_VISITS),
]


@pytest.mark.parametrize("file, words, figure", FIGURES)
def test_a_figure_equals_that_in_the_code(file, words, figure):
    check_figure(ROOT / file, words, WORDS.get(figure, f"{figure:g}"))


def test_the_package_and_its_citation_have_the_version_of_the_changelog():
    changelog = kit_text("CHANGELOG.md")
    newest = re.search(r"^## (\S+)", changelog, re.MULTILINE)[1]
    assert newest == VERSION
    check_figure(ROOT / "CITATION.cff", r"\nversion: (.*)", newest)


# ---- BENCHMARKS.md

BENCHMARKS = kit_text("BENCHMARKS.md")
LIMITS = dict(re.findall(r"^\| `?(.*?)`? +\| +([\d.]+)\S*(?: \w+)? \|", BENCHMARKS, re.M))
BARS = dict(bars.MAX_COMMAND_SECONDS)
BARS.update((f"{name}, to bare", limit) for name, limit in bars.MAX_TIMES.items())
BARS.update((f"{title}, a second", rate) for title, rate in bars.MIN_RATES.items())


@pytest.mark.parametrize("name", BARS)
def test_a_bar_in_benchmarks_md_equals_that_in_the_code(name):
    reason = f"in BENCHMARKS.md, write {BARS[name]:g} as the bar of {name}"
    assert float(LIMITS[name]) == BARS[name], reason
