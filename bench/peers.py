"""otter-grader on an equivalent assignment, in an environment of its own.

One OK-format test for each tree and function, all of them public, on the same nodes as
the bare run's. Otter runs each submission in a notebook's kernel, without isolation
from the tests.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bench.gradings import BARE, OURS, PAGED, RIGHT, commands
from bench.report import WALL, middle, milliseconds, ratio, table, times
from bench.samples import BenchError, interleaved, run

ROUNDS = 3
OTTER = "otter run"
# `ask` finds the questions once in a process, as every one of the tests needs them.
ASKING = '''
from functools import cache
from types import SimpleNamespace


@cache
def _questions():
    questions = load_questions(pathlib.Path(__file__).parent)
    return {(name, function): rest for name, function, *rest in questions}


def ask(name, function, code):
    """Check one function, given as code, on one tree."""
    root, searches = _questions()[name, function]
    for search in searches:
        check(SimpleNamespace(**{function: code}), function, root, search)
'''


def install(folder):
    """Make an environment with otter-grader; return its otter. Raises BenchError."""
    environment = folder / "otter"
    pip = [environment / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
    run([sys.executable, "-m", "venv", environment])
    run([*pip, "install", "-q", "otter-grader", "ipykernel", "pyyaml"])
    return environment / "bin" / "otter"


def write_assignment(folder, ground):
    """Write the tests and files of the assignment; return their folder."""
    home = folder / "assignment"
    (home / "tests").mkdir(parents=True)
    (home / "kit").mkdir()  # otter takes the one Python file beside it for the submission
    (home / "kit" / "trees.py").write_text((BARE / "trees.py").read_text() + ASKING)
    for path in (*ground.glob("*.yaml"), ground / "questions.json"):
        (home / "kit" / path.name).write_bytes(path.read_bytes())
    questions = json.loads((ground / "questions.json").read_text())
    for name, functions in questions.items():
        for function in functions:
            title = f"{name}-{function}".replace("-", "_")
            text = _test(title, name, function)
            (home / "tests" / f"q_{title}.py").write_text(text)
    return home


def _test(title, name, function):
    code = f">>> from kit.trees import ask\n>>> ask({name!r}, {function!r}, {function})\n"
    case = {"code": code, "hidden": False, "locked": False}
    suite = {"cases": [case], "scored": True, "setup": "", "teardown": ""}
    test = {"name": "q_" + title, "points": 1, "suites": [{**suite, "type": "doctest"}]}
    return f"OK_FORMAT = True\ntest = {test!r}\n"


def compare(folder):
    """Return the table of otter beside ours, or one line why there is none."""
    try:
        otter = install(folder)
        home = write_assignment(folder, folder / "ground")
        files = sorted(path.relative_to(home) for path in (home / "kit").iterdir())
        run([otter, "generate", "-t", "tests", "-o", "otter.zip", "--no-config",
             "--no-requirements", "--no-environment", *files], cwd=home)  # fmt: skip
        out = folder / "otter out"
        out.mkdir()
        ours = commands(folder)
        cases = {name: ours[name] for name in (OURS, PAGED)}
        options = ["-a", home / "otter.zip", "-o", out, "--no-logo"]
        cases[OTTER] = [otter, "run", RIGHT, *options]
        samples = interleaved(cases, ROUNDS)
        passed = check_otter(out / "results.json")
    except BenchError as error:
        return f"no figures of otter-grader: {error}"
    rows = [
        [name, milliseconds(middle(samples, name, WALL)),
         times(ratio(samples, name, OURS).median)]
        for name in samples
    ]  # fmt: skip
    title = f"Beside otter-grader ({passed} tests passed)"
    return table(title, ["a grading", "wall ms", "to ours"], rows)


def check_otter(path):
    """Return how many tests otter found passed; raises BenchError if any was not."""
    tests = json.loads(Path(path).read_text())["tests"]
    scored = [test for test in tests if test.get("max_score")]
    passed = sum(test["score"] == test["max_score"] for test in scored)
    if not scored or passed < len(scored):
        raise BenchError(f"otter run passed {passed} of {len(scored)} tests")
    return passed
