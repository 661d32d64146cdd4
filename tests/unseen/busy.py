"""Do wrong programs get the same results on a busy machine?

`python -m tests.unseen.busy` grades forty wrong programs on an idle machine, and again
beside four busy processes. It compares the results byte for byte, which takes minutes.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys

import yaml

from autograder.grading import grade
from autograder.kit import ROOT, prepare
from autograder.results import results_of
from tests.unseen.programs import wrong_programs

COUNT = 40
BUSY_PROCESSES = 4


def forty_programs():
    """Return name -> source: a third of blind.yaml, and others of programs.txt."""
    text = (ROOT / "tests" / "blind.yaml").read_text(encoding="utf-8")
    blind = yaml.safe_load(text)[::3]
    sources = {program["name"]: program["source"] for program in blind}
    others = wrong_programs()
    missing = COUNT - len(sources)
    for program in others[:: len(others) // missing][:missing]:
        sources[program.name] = program.source
    return sources


def results_by_name(kit, sources):
    """Return name -> the bytes of results.json of each program."""
    results = {}
    for name, source in sources.items():
        grading = grade(kit, source.encode())
        results[name] = json.dumps(results_of(grading), sort_keys=True).encode()
    return results


def keep_busy():
    """Calculate until the process is terminated."""
    while True:
        sum(range(10_000))


def main():
    """Print the programs with different results; return the exit status."""
    kit = prepare()
    sources = forty_programs()
    alone = results_by_name(kit, sources)
    processes = []
    for _ in range(BUSY_PROCESSES):
        process = multiprocessing.Process(target=keep_busy, daemon=True)
        process.start()
        processes.append(process)
    try:
        busy = results_by_name(kit, sources)
    finally:
        for process in processes:
            process.terminate()
    different = [name for name in sources if alone[name] != busy[name]]
    same = len(sources) - len(different)
    print(f"{same} of {len(sources)} programs have the same results on a busy machine")
    for name in different:
        place = len(os.path.commonprefix([alone[name], busy[name]]))
        print(f"  different: {name}")
        for results in (alone[name], busy[name]):
            around = results[max(0, place - 60) : place + 60]
            print(f"    ... {around.decode(errors='replace')}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
