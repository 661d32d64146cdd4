"""Show where the CPU time of one grading goes: `python -m bench.stages [SEARCH.PY]`.

A stage is a function of STAGES; stages may lie within each other. Without a file, a known
mistake is graded.
"""

from __future__ import annotations

import importlib
import resource
import sys
import time
from collections import defaultdict
from pathlib import Path

from autograder.grading import grade
from autograder.kit import ROOT, prepare
from autograder.sandbox import Sandbox
from autograder.showing import results

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


def main(path: str = "") -> None:
    """Print the stages of a grading."""
    source = (ROOT / "solution" / "search.py").read_bytes()
    if path:
        source = Path(path).read_bytes()
    else:
        source = source.replace(b"alpha >= beta", b"alpha > beta")
    for title, seconds in measure(source, ROOT / "build").items():
        print(f"{title:32s} {seconds:7.3f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
