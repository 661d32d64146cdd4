"""Run what is measured: gradings, courses, an endless loop, a vast tree, commands."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

from autograder.explaining.variants import load_variants
from autograder.ground.files import replace_file
from autograder.kit.contents import autograder_files
from bench.samples import ROOT, BenchError, Sample, interleaved, run
from gametree.functions import FUNCTIONS

PYTHON = sys.executable
SOURCE = (ROOT / "solution" / "search.py").read_text(encoding="utf-8")
GRADE = [PYTHON, "-m", "autograder.grade"]
# The names of the measured programs.
BARE_RUN = "bare unittest, gradescope-utils"
OURS = "right, as on Gradescope"
PAGED = "right, with report.html"
KNOWN = "a known mistake"
UNKNOWN = "an unknown mistake"
RIGHT_ONES = "right submissions"
MIXED = "a mixed class, with pages"
WITHOUT = ", without its line"  # by a kit with hints: mistake
# The replacement of `alpha >= beta` in a wrong submission.
WRONG = {KNOWN: "alpha > beta", UNKNOWN: "alpha >= beta + 3"}
ENDLESS = "def loop(*_):\n    while True: pass\n\n\n"
ENDLESS += "".join(f"{function} = loop\n" for function in FUNCTIONS)
CLASS_SIZE = 150  # submissions of the generated class, without endless loops


def measure(folder: Path, rounds: int) -> tuple[dict[str, int], dict[str, list[Sample]]]:
    """Return (counts of the kit, name -> Samples) of interleaved whole gradings."""
    _, holds = inside("ground", folder / "ground")
    samples = interleaved(commands(folder), rounds)
    tests = json.loads((folder / "bare.json").read_text())["tests"]
    passed = [test for test in tests if test["status"] == "passed"]
    if passed != tests or len(passed) < holds["trees"]:
        raise BenchError(f"the bare run passed {len(passed)} of {len(tests)} tests")
    return holds, samples


def commands(folder):
    """Return name -> the command of each grading, with its files in the folder."""
    out = ["--out", folder / "out"]
    brief = [*out, "--brief"]
    bare = Path(__file__).with_name("bare.py")
    right = write_search(folder / "right", SOURCE)  # a file of solution/ takes longer
    found = {
        BARE_RUN: [PYTHON, bare, folder / "ground", right, folder / "bare.json"],
        OURS: [*GRADE, right, *brief],
        PAGED: [*GRADE, right, *out],
    }
    grade_without_line = ["env", "-C", write_kit_without_lines(folder / "kit"), *GRADE]
    for name, condition in WRONG.items():
        path = write_search(folder / name, SOURCE.replace("alpha >= beta", condition))
        found[name] = [*GRADE, path, *brief]
        found[name + WITHOUT] = [*grade_without_line, path, *brief]
    return found


def write_kit_without_lines(folder):
    """Write Gradescope's kit, without the search for a line, and return its folder."""
    for name, content in autograder_files().items():
        replace_file(folder / name, content)
    rubric = folder / "autograder" / "rubric.yaml"
    text = rubric.read_text(encoding="utf-8")
    if "\nhints: line\n" not in text:
        raise BenchError("autograder/rubric.yaml must contain hints: line; restore it")
    rubric.write_text(text.replace("\nhints: line\n", "\nhints: mistake\n"), "utf-8")
    run([*GRADE, "--preflight", "solution"], cwd=folder)
    return folder


def write_search(folder, source):
    """Write a search.py into a folder and return its path."""
    path = folder / "search.py"
    replace_file(path, source)
    return path


def endless(folder: Path) -> Sample:
    """Return the Sample of a submission with an endless loop in every search."""
    return run([*GRADE, write_search(folder / "endless", ENDLESS), "--out", folder / "out"])


def courses(folder: Path) -> dict[str, float]:
    """Return title -> submissions per second, graded as by `make grade-all`.

    In the generated class, 60 % of the submissions are correct. The others are known
    mistakes, stubs, broken files and hostile files. Endless searches are excluded, because
    their duration depends only on the time limit.
    """
    right = folder / "class"
    count = write_course(right)
    mixed = folder / "class.zip"
    run([PYTHON, "-m", "bench.classes", mixed, str(CLASS_SIZE)])
    return {
        RIGHT_ONES: count / seconds_of_course(right, folder / "right"),
        MIXED: CLASS_SIZE / seconds_of_course(mixed, folder / "mixed"),
    }


def seconds_of_course(submissions, out):
    """Return the wall seconds of grading a course."""
    return run([PYTHON, "-m", "autograder.batch", submissions, "--out", out]).wall


def write_course(folder):
    """Write a folder of correct submissions and return their number."""
    submissions = load_variants(ROOT / "solution" / "correct") * 2
    for index, submission in enumerate(submissions):
        write_search(folder / f"student_{index:03d}", submission.source)
    return len(submissions)


def stages() -> list[str]:
    """Return the stages of a correct grading and of a known mistake, as text."""
    command = [PYTHON, "-m", "bench.stages"]
    right = [*command, "solution/search.py"]
    return [run(words).output for words in (right, command)]


def inside(*arguments: str | Path) -> tuple[Sample, dict[str, int]]:
    """Return (Sample, parsed output) of `python -m bench.inside`."""
    sample = run([PYTHON, "-m", "bench.inside", *arguments])
    return sample, json.loads(sample.output)


def command_seconds(folder: Path) -> dict[str, float]:
    """Return command -> wall seconds of each command that has a bar.

    The seconds of a command that fails are infinite, and its last line is printed.
    """
    settings = {"make dist": ["PUBLISHED=1"], "make trees": [f"OUT={folder / 'trees'}"]}
    seconds = {}
    for name in ("make test", "make check", "make dist", "make trees"):
        try:
            seconds[name] = run([*name.split(), *settings.get(name, ())]).wall
        except BenchError as error:
            print(f"bench: {error}", file=sys.stderr)
            seconds[name] = math.inf
    return seconds
