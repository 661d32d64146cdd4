"""Grade beside busy processes: `python -m bench.busy [PROCESSES]`.

20 correct and 20 wrong programs are graded on a quiet machine, and again beside processes
that never rest. Their results must be the same. The time of a wrong program, compared with
that of a correct one, has a bar.
"""

from __future__ import annotations

import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

from autograder.explaining.variants import load_variants
from autograder.grading import grade
from autograder.kit import ROOT, Kit, prepare
from autograder.sandbox import Sandbox
from autograder.showing.results import results_text

PROCESSES = 16
PROGRAMS = 20  # of each kind
MAX_RATIO = 3.0  # of a wrong program's time to a correct one's, beside other processes
LOOP = [sys.executable, "-c", "while True: pass"]


def programs() -> dict[str, bytes]:
    """Return name -> source: correct programs first, then as many known mistakes."""
    found = {}
    for folder in ("correct", "mistakes"):
        variants = load_variants(ROOT / "solution" / folder)
        step = max(1, len(variants) // PROGRAMS)
        for variant in variants[::step][:PROGRAMS]:
            name = f"{folder}/{Path(variant.path).name}"
            found[name] = variant.source.encode()
    return found


def grade_all(kit: Kit, sources: dict[str, bytes]) -> dict[str, tuple[str, float]]:
    """Return name -> (results.json, wall seconds) of each program, in one sandbox."""
    results = {}
    with Sandbox(kit.rubric.limits) as sandbox:
        for name, source in sources.items():
            start = time.monotonic()
            text = results_text(grade(kit, source, sandbox)).text
            results[name] = (text, time.monotonic() - start)
    return results


def beside(count: int, kit: Kit, sources: dict[str, bytes]) -> dict[str, tuple[str, float]]:
    """Return the results of grade_all() beside this number of busy processes."""
    busy = [subprocess.Popen(LOOP) for _ in range(count)]
    try:
        return grade_all(kit, sources)
    finally:
        for process in busy:
            process.send_signal(signal.SIGKILL)
            process.wait()


def median_seconds(results: dict[str, tuple[str, float]], folder: str) -> float:
    """Return the median wall seconds of the programs of one folder."""
    return statistics.median(
        seconds for name, (_, seconds) in results.items() if name.startswith(folder)
    )


def main(count: str = str(PROCESSES)) -> int:
    """Print what differs; return 1 if a result does, or if the bar does not hold."""
    kit = prepare()
    sources = programs()
    quiet = grade_all(kit, sources)
    loaded = beside(int(count), kit, sources)
    different = [name for name in sources if quiet[name][0] != loaded[name][0]]
    wrong = median_seconds(loaded, "mistakes")
    ratio = wrong / median_seconds(loaded, "correct")
    same = len(sources) - len(different)
    print(f"{same} of {len(sources)} results are the same beside {count} processes")
    for name in different:
        print(f"- {name} differs")
    print(f"there, a wrong program takes {ratio:.1f} times as long as a correct one")
    return int(bool(different) or ratio > MAX_RATIO)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
