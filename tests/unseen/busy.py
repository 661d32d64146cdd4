"""Do wrong programs get the same results on a busy machine?

`python -m tests.unseen.busy` grades forty programs of blind.yaml on an idle machine, and
again while four other processes are busy. It compares the results byte for byte. It takes
minutes.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys

import yaml

from autograder.grading import grade
from autograder.kit import ROOT, prepare
from autograder.showing.results import results_of

COUNT = 40
BUSY_PROCESSES = 4


def forty_programs():
    """Return name -> source of forty programs from all parts of blind.yaml."""
    text = (ROOT / "tests" / "blind.yaml").read_text(encoding="utf-8")
    programs = yaml.safe_load(text)
    chosen = programs[:: len(programs) // COUNT]
    return {program["name"]: program["source"] for program in chosen}


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
    """Print the programs that have different results. Return the exit status."""
    kit = prepare()
    sources = forty_programs()
    idle = results_by_name(kit, sources)
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
    different = [name for name in sources if idle[name] != busy[name]]
    same = len(sources) - len(different)
    print(f"{same} of {len(sources)} programs have the same results on a busy machine")
    for name in different:
        place = len(os.path.commonprefix([idle[name], busy[name]]))
        print(f"  different: {name}")
        for results in (idle[name], busy[name]):
            around = results[max(0, place - 60) : place + 60]
            print(f"    ... {around.decode(errors='replace')}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
