"""Whole gradings side by side: ours, a bare one, plain pytest; and a whole course.

`python -m bench.gradings FOLDER` writes what the other graders need: the kit's trees as
plain nested YAML files, and the reference's traces as stored expectations, so that a
bare run has neither our reader nor our reference to pay.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

from autograder.mistakes.variants import load_variants
from autograder.utilities import cores
from autograder.workbench.package import autograder_files
from bench.samples import ROOT, BenchError, figures, interleaved, run

BARE = Path(__file__).resolve().parent / "bare"
RIGHT = ROOT / "solution" / "search.py"
PYTHON_ALONE = "python -c pass"
OURS, PAGED = "ours, as on Gradescope", "ours, with report.html"
BARE_RUN, PYTEST = "bare unittest, gradescope-utils", "plain pytest"
KNOWN, UNKNOWN = "ours, a known mistake", "ours, an unknown mistake"
WITHOUT = ", without its line"  # by a kit whose rubric says hints: mistake
# What takes the place of `alpha >= beta` in a wrong submission.
WRONG = {KNOWN: "alpha > beta", UNKNOWN: "alpha >= beta + 3"}
ENDLESS = "def minimax(*_):\n    while True: pass\n\n\nalphabeta = best_move = minimax\n"
COPIES = 2  # of each right submission, in a course
RIGHT_ONES, RIGHT_PAGED = "right submissions", "right submissions, with a page each"
MIXED = "a made-up class, with pages"
CLASS = 150  # submissions of the made-up class, none of which loops for ever


def measure(folder, rounds):
    """Return (what the kit holds, name -> Samples)."""
    kit = figures("gradings", str(folder / "ground"))
    samples = interleaved(commands(folder), rounds)
    tests = json.loads((folder / "bare.json").read_text())["tests"]
    passed = sum(test["status"] == "passed" for test in tests)
    if passed != len(tests) or passed < kit["trees"]:
        raise BenchError(f"the bare run passed {passed} of {len(tests)} tests")
    return kit, samples


def commands(folder):
    """Return name -> command, and set what pytest's module reads of the environment."""
    python, out = sys.executable, folder / "out"
    ground = folder / "ground"
    os.environ.update(BENCH_FOLDER=str(ground), BENCH_SEARCH=str(RIGHT))
    ours = [python, "-m", "autograder.grade"]
    wrong = {name: write_wrong(folder, name) for name in WRONG}
    there = ["env", "-C", write_kit_without_lines(folder / "kit")]
    return {
        PYTHON_ALONE: [python, "-c", "pass"],
        BARE_RUN: [python, BARE / "gradescope.py", ground, RIGHT, folder / "bare.json"],
        PYTEST: [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull,
                 BARE / "searches_by_pytest.py"],
        OURS: [*ours, RIGHT, "--out", out, "--brief"],
        PAGED: [*ours, RIGHT, "--out", out],
        **{name: [*ours, path, "--out", out, "--brief"] for name, path in wrong.items()},
        **{name + WITHOUT: [*there, *ours, path, "--out", out, "--brief"]
           for name, path in wrong.items()},
    }  # fmt: skip


def write_kit_without_lines(folder):
    """Write the kit as Gradescope has it, but that no line is sought; return the folder."""
    for name, path in autograder_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / name)
    rubric = folder / "autograder" / "rubric.yaml"
    text = rubric.read_text(encoding="utf-8")
    if "\nhints: line\n" not in text:
        raise BenchError("autograder/rubric.yaml says nothing of hints: line; restore it")
    rubric.write_text(text.replace("\nhints: line\n", "\nhints: mistake\n"), "utf-8")
    run([sys.executable, "-m", "autograder.grade", "--preflight", "solution"], cwd=folder)
    return folder


def write_wrong(folder, name):
    """Write one of the wrong submissions and return its path."""
    source = RIGHT.read_text().replace("alpha >= beta", WRONG[name])
    return _write_search(folder / name, source)


def _write_search(folder, source):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "search.py").write_text(source)
    return folder / "search.py"


def endless(folder):
    """Return the wall seconds of a submission that loops for ever in every search."""
    path = _write_search(folder / "endless", ENDLESS)
    return run(
        [sys.executable, "-m", "autograder.grade", path, "--out", folder / "out"]
    ).wall


def write_course(folder, copies=COPIES):
    """Write a folder of submissions, all of them right; return how many."""
    submissions = load_variants(ROOT / "solution" / "correct") * copies
    for index, submission in enumerate(submissions):
        _write_search(folder / f"student_{index:03d}", submission.source)
    return len(submissions)


def grade_course(folder):
    """Grade courses by `make grade-all`'s program: right ones, and a made-up class.

    The class is 60 % right, the rest known mistakes, stubs, broken and hostile files. It
    has no endless searches, which take what time they are given. Returns title ->
    submissions a second, the share of all cores that was in use, CPU seconds of a
    submission, and the peak megabytes of a process.
    """
    right = write_course(folder / "class")
    make_class = ROOT / "tests" / "fixtures" / "make_class.py"
    size = ("--submissions", str(CLASS), "--looping", "0")
    run([sys.executable, make_class, folder / "class.zip", *size])
    courses = {}
    for title, name, count, more in (
        (RIGHT_ONES, "class", right, ("--no-reports",)),
        (RIGHT_PAGED, "class", right, ()),
        (MIXED, "class.zip", CLASS, ()),
    ):
        command = [sys.executable, "-m", "autograder.batch", folder / name, *more]
        sample = run([*command, "--out", folder / f"out {title}"])
        courses[title] = {
            "a second": count / sample.wall,
            "core use": sample.cpu / sample.wall / cores(),
            "cpu": sample.cpu / count,
            "megabytes": sample.megabytes,
        }
    return courses


def write_ground(folder):
    """Write one YAML file a tree and questions.json into a folder; return the Kit."""
    from autograder.kit import prepare  # much memory, which those started here inherit

    kit = prepare()  # as Gradescope's preflight does
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    questions = {}
    for task in kit.tasks:
        asked = questions.setdefault(task.tree.name, {})
        asked.setdefault(task.function, []).append(expected(task))
    for tree in (*kit.public, *kit.hidden):
        player = "max" if tree.maximizing else "min"
        text = f"root: {player}\ntree: {json.dumps(nested(tree.root))}\n"
        (folder / f"{tree.name}.yaml").write_text(text, encoding="utf-8")
    (folder / "questions.json").write_text(json.dumps(questions), encoding="utf-8")
    return kit


def nested(position):
    """Return a position and all below it as numbers, lists and mappings."""
    if position.terminal:
        return position.static_value()
    children = [nested(child) for child in position.children]
    if position.value is None:
        return children
    return {"value": position.value, "children": children}


def expected(task):
    """Return one search's arguments and what is to come out, as plain data."""
    arguments = task.search.arguments(task.function)
    plain = [a if abs(a) < float("inf") else str(a) for a in arguments]
    trace = task.expected
    if task.function == "best_move":
        return {"arguments": plain, "move": name_of(trace.answer.path)}
    return {
        "arguments": plain,
        "value": trace.answer.number,
        "leaves": sorted(map(name_of, trace.visited)),
        "nodes": trace.node_count,
    }


def name_of(path):
    """Return how a bare node names itself."""
    return ".".join(["A", *map(str, path)])


def main(folder):
    """Write the ground; print what the kit holds."""
    kit = write_ground(folder)
    queries = sum(len(task.expected.events) for task in kit.tasks)
    trees = len(kit.public) + len(kit.hidden)
    print(json.dumps({"trees": trees, "searches": len(kit.tasks), "queries": queries}))


if __name__ == "__main__":
    main(*sys.argv[1:])
