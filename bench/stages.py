"""Show where the CPU time of one grading goes: `python -m bench.stages [SEARCH.PY]`.

A stage is a function of STAGES; stages may lie within each other. Without a file, a known
mistake is graded. The last lines say what the cost could not fall below: two starts of
Python, the imports, one switch of processes for each secret value, and one judgement for
each search.
"""

from __future__ import annotations

import importlib
import os
import resource
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from autograder.grading import grade
from autograder.kit import ROOT, prepare
from autograder.sandbox import Sandbox
from autograder.showing import results
from gametree.support.judging import judge

# Title of a stage -> the function that is measured.
STAGES = {
    "public and hidden trees": "autograder.grading.run_and_judge",
    "explaining": "autograder.explaining.explain.explain",
    "- reading the text": "autograder.explaining.explain.read_text",
    "- state leaks": "autograder.explaining.explain.find_state_leaks",
    "- smallest tree": "autograder.explaining.explain.find_smallest",
    "the line": "autograder.explaining.explain.find_line",
    "diagnosis": "autograder.explaining.known.diagnose",
    "rows": "autograder.grading.score_rows",
    "results.json": "autograder.showing.results.results_text",
    "report.html": "autograder.showing.results.write_page",
}
IMPORTS = "import autograder.grade, autograder.kit, autograder.showing.results"
SWITCHES = 3000  # between two processes, to measure one


def measure(source: bytes, folder: Path) -> dict[str, float]:
    """Return stage -> CPU seconds of the grader; all workers are one stage."""
    spent: dict[str, float] = defaultdict(float)
    for title, place in STAGES.items():
        module, _, name = place.rpartition(".")
        owner = importlib.import_module(module)
        setattr(owner, name, timed(spent, title, getattr(owner, name)))
    kit = prepare()
    start = time.process_time()
    children_before = child_seconds()
    with Sandbox(kit.rubric.limits) as sandbox:
        grading = grade(kit, source, sandbox)
        results.results_text(grading)
        results.write_page(folder, grading, "stages")
    spent["all in the grader"] = time.process_time() - start
    spent["zygote and workers"] = child_seconds() - children_before
    return dict(spent)


def timed(spent, title, function):
    """Return the function, which adds its CPU seconds to `spent`."""

    def run(*arguments, **options):
        start = time.process_time()
        try:
            return function(*arguments, **options)
        finally:
            spent[title] += time.process_time() - start

    return run


def child_seconds() -> float:
    """Return the CPU seconds of all processes that this one has waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def limit() -> dict[str, float]:
    """Return part -> CPU seconds of a correct grading that no sandbox can avoid."""
    tasks = prepare().tasks
    start = time.process_time()
    for task in tasks:
        judge(task, task.expected)
    judging = time.process_time() - start
    secrets = set()
    for task in tasks:
        secrets.update(
            (task.is_hidden, task.tree.name, leaf) for leaf in task.expected.visited
        )
    python = seconds_of("pass")
    imports = seconds_of(IMPORTS) - python
    return {
        "two starts of Python": 2 * python,
        "imports": imports,
        f"{len(secrets):,} secret values": len(secrets) * seconds_of_switch(),
        f"{len(tasks)} judgements": judging,
    }


def seconds_of(code: str) -> float:
    """Return the CPU seconds of a Python that runs the code."""
    start = child_seconds()
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    return child_seconds() - start


def seconds_of_switch() -> float:
    """Return the CPU seconds in which two processes exchange a query and its answer."""
    to_child, questions = os.pipe()
    answers, to_parent = os.pipe()
    before = child_seconds()
    start = time.process_time()
    pid = os.fork()
    if pid == 0:
        for _ in range(SWITCHES):
            os.write(to_parent, os.read(to_child, 16))
        os._exit(0)
    for _ in range(SWITCHES):
        os.write(questions, bytes(16))
        os.read(answers, 16)
    os.waitpid(pid, 0)
    seconds = time.process_time() - start + child_seconds() - before
    for descriptor in (to_child, questions, answers, to_parent):
        os.close(descriptor)
    return seconds / SWITCHES


def main(path: str = "") -> None:
    """Print the stages of a grading, and the limit."""
    source = (ROOT / "solution" / "search.py").read_bytes()
    if path:
        source = Path(path).read_bytes()
    else:
        source = source.replace(b"alpha >= beta", b"alpha > beta")
    floor = limit()
    stages = measure(source, ROOT / "build")
    floor["the limit of a correct grading"] = sum(floor.values())
    for title, seconds in [*stages.items(), *floor.items()]:
        print(f"{title:32s} {seconds:7.3f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
