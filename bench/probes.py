"""Measurements inside a sandbox: `python -m bench.probes NAME [ARGUMENT ...]`.

NAME is one of PROBES: `queries`, `starts`, `search` or `trees`. Each runs in a process
of its own and prints what it measured as JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import statistics
import sys
import time
from dataclasses import replace

import yaml

import autograder  # noqa: F401  puts starter/ on the path
from autograder.judging.verdict import judge
from autograder.kit import ROOT, load_reference
from autograder.sandbox import Limits, Sandbox, Session
from autograder.tasks import Task, tasks_for
from autograder.utilities import pin_to_one_cpu
from gametree import load_tree, load_trees, observe, parse_tree
from gametree.trace import Answer, Ending, Trace

REFERENCE = (ROOT / "solution" / "search.py").read_bytes()
SECONDS = 300
# No measurement reaches these.
LIMITS = Limits(
    SECONDS, SECONDS, SECONDS, memory_bytes=4 * 2**30, queries_base=10**9, queries_factor=0
)


@contextlib.contextmanager
def pinned_sandbox(source=None):
    """Yield a sandbox on one CPU; with `source`, one whose worker has loaded that."""
    unpin = pin_to_one_cpu()
    with Sandbox(LIMITS) as sandbox:
        if source is not None:
            ended = sandbox.start_worker(source)
            if ended is not None:
                raise SystemExit(f"the submission did not load: {ended.ending}")
        yield sandbox
    unpin()


def searched(sandbox, tree, function, **changes):
    """Run the tree's first search, with changes; return its Trace, if it returned."""
    search = replace(tree.searches[0], **changes)
    unknown = Trace(function, search, [], Answer(), Ending())
    trace = sandbox.search(Task(tree, function, search, unknown))
    if trace.ending.kind != "returned":
        raise SystemExit(f"{function} on {tree.name}: {trace.ending}")
    return trace


TURNS = 20_000
THOUSANDTHS = {"median": 500, "p99": 990}
# A submission that times its own queries. `depth` says which one of 1,000 quantiles to
# return, in nanoseconds; `maximizing` whether to expand or to evaluate.
TIMING_ITSELF = f"""
from time import perf_counter_ns

def minimax(node, depth, maximizing):
    spans = []
    for _ in range({TURNS}):
        begun = perf_counter_ns()
        if maximizing:
            node.evaluate()
        else:
            node.children
        spans.append(perf_counter_ns() - begun)
    spans.sort()
    return spans[len(spans) * depth // 1000]
"""
NINE_LEAVES = "root: max\ntree: [[3, 12, 8], [2, 4, 6], [14, 5, 2]]\n"


def queries():
    """Return kind of query -> {median, p99}, in microseconds.

    A query is one look of the submission at a node: a request, the grader's answer.
    """
    kinds = {"evaluate, at the worker": True, "children, at the worker": False}
    tree = parse_tree(NINE_LEAVES, "tree")

    def microseconds(sandbox, thousandth, evaluates):
        changes = {"depth": thousandth, "maximizing": evaluates}
        return searched(sandbox, tree, "minimax", **changes).answer.number / 1000

    costs = {}
    with pinned_sandbox(TIMING_ITSELF.encode()) as sandbox:
        for kind, evaluates in kinds.items():
            microseconds(sandbox, 500, evaluates)  # warms up
            costs[kind] = {
                name: microseconds(sandbox, thousandth, evaluates)
                for name, thousandth in THOUSANDTHS.items()
            }
        costs["two bare pipes"] = bare_pipes()
    return costs


def bare_pipes():
    """Return {median, p99} of 16 bytes there and 9 back, with no work on either side."""
    there, back = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        while os.read(there[0], 16)[:1] != b"q":
            os.write(back[1], b"123456789")
        os._exit(0)
    spans = []
    for _ in range(TURNS):
        begun = time.perf_counter_ns()
        os.write(there[1], b"0123456789abcdef")
        os.read(back[0], 9)
        spans.append(time.perf_counter_ns() - begun)
    os.write(there[1], b"quit")
    os.waitpid(pid, 0)
    spans.sort()
    return {name: spans[TURNS * each // 1000] / 1000 for name, each in THOUSANDTHS.items()}


ZYGOTES, WORKERS, LOADS = 5, 60, 5
FOLDERS = (ROOT / "trees" / "public", ROOT / "trees" / "hidden")


def starts():
    """Return what has to begin -> milliseconds."""

    def start_sandbox():
        with pinned_sandbox():
            pass

    def load_kits_trees():
        for folder in FOLDERS:
            load_trees(folder)

    def load_yaml(loader):
        for folder in FOLDERS:
            for path in folder.glob("*.yaml"):
                yaml.load(path.read_text(encoding="utf-8"), Loader=loader)

    milliseconds = {"a sandbox: start and stop": median_of(ZYGOTES, start_sandbox)}
    with pinned_sandbox() as sandbox:
        for name, source in (("an empty file", b""), ("the reference", REFERENCE)):
            milliseconds[f"a worker with {name}: start and stop"] = median_of(
                WORKERS, lambda source=source: sandbox.start_worker(source)
            )
    milliseconds["all trees: load and check"] = median_of(LOADS, load_kits_trees)
    for name in ("CSafeLoader", "SafeLoader"):
        if loader := getattr(yaml, name, None):
            milliseconds[f"all trees: bare yaml.{name}"] = median_of(
                LOADS, lambda loader=loader: load_yaml(loader)
            )
    return milliseconds


def median_of(turns, act):
    """Return the median milliseconds of `turns` calls, after one that is not counted."""
    act()
    spans = []
    for _ in range(turns):
        begun = time.perf_counter()
        act()
        spans.append(1000 * (time.perf_counter() - begun))
    return statistics.median(spans)


def search(where, function, text):
    """Return what one search of a tree costs in the sandbox, or `here`, in this process.

    `text` is a tree file's. The costs are seconds of wall and CPU (grader and worker),
    queries, and the peak megabytes of grader and worker.
    """
    tree = parse_tree(text, "tree")
    reference = load_reference()
    before = used(resource.RUSAGE_SELF)[0]
    isolated = where == "sandbox"
    with pinned_sandbox(REFERENCE) if isolated else contextlib.nullcontext() as sandbox:
        begun = time.perf_counter()
        if isolated:
            trace = searched(sandbox, tree, function)
        else:
            trace = observe(getattr(reference, function), function, tree, tree.searches[0])
        wall = time.perf_counter() - begun
    cpu, grader = used(resource.RUSAGE_SELF)
    worker_cpu, worker = used(resource.RUSAGE_CHILDREN)
    return {
        "wall": wall,
        "cpu": cpu - before + worker_cpu,
        "queries": len(trace.events),
        "grader": grader,
        "worker": worker,
    }


def used(who):
    """Return the CPU seconds and peak megabytes of RUSAGE_SELF or RUSAGE_CHILDREN."""
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


COUNTS = (1, 4, 16, 64, 256)


def trees():
    """Return number of trees -> seconds to run and judge the reference on so many.

    They are copies of the tree of AIMA's figure 5.2, in a sandbox that is there already.
    """
    aima = load_tree(ROOT / "trees" / "public" / "03-aima-figure-5-2.yaml")
    reference = load_reference()
    seconds = {}
    with pinned_sandbox(REFERENCE) as sandbox:
        for count in COUNTS:
            copies = [replace(aima, name=f"copy {index}") for index in range(count)]
            begun = time.perf_counter()
            tasks = tasks_for(copies, reference)
            runs = Session(sandbox, REFERENCE).run_afresh(tasks)
            right = all(judge(task, pair).right for task, pair in zip(tasks, runs))
            seconds[count] = time.perf_counter() - begun
            if not right:
                raise SystemExit("the reference is wrong on AIMA's tree")
    return seconds


PROBES = {"queries": queries, "starts": starts, "search": search, "trees": trees}

if __name__ == "__main__":
    print(json.dumps(PROBES[sys.argv[1]](*sys.argv[2:])))
