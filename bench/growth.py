"""One search of a tree of a given size: `python -m bench.growth HOW FUNCTION TREE`.

HOW is `sandbox`, or `here` for the same search in this process, written down as the
grader writes it down. TREE is the text of a tree file. Prints JSON: seconds of wall
and CPU (grader and worker), queries, and the peak megabytes of either process.
"""

from __future__ import annotations

import json
import resource
import sys
import time

from autograder.kit import load_reference
from bench.sandboxed import REFERENCE, pinned_sandbox, searched
from gametree import observe, parse_tree


def used(who):
    """Return the CPU seconds and peak megabytes of RUSAGE_SELF or RUSAGE_CHILDREN."""
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def in_sandbox(tree, function):
    """Return (wall seconds, queries) of a search in a worker that is there already."""
    with pinned_sandbox(REFERENCE) as sandbox:
        begun = time.perf_counter()
        trace = searched(sandbox, tree, function)
        return time.perf_counter() - begun, len(trace.events)


def in_process(tree, function):
    """Return (wall seconds, queries) of the reference's search in this process."""
    reference = load_reference()
    begun = time.perf_counter()
    trace = observe(getattr(reference, function), function, tree, tree.searches[0])
    return time.perf_counter() - begun, len(trace.events)


def main(how, function, text):
    """Measure and print."""
    tree = parse_tree(text, "tree")
    before = used(resource.RUSAGE_SELF)[0]
    wall, queries = (in_sandbox if how == "sandbox" else in_process)(tree, function)
    cpu, grader = used(resource.RUSAGE_SELF)
    worker_cpu, worker = used(resource.RUSAGE_CHILDREN)
    figures = {"wall": wall, "cpu": cpu - before + worker_cpu, "queries": queries}
    print(json.dumps({**figures, "grader": grader, "worker": worker}))


if __name__ == "__main__":
    main(*sys.argv[1:])
