"""What one query across the process boundary costs: `python -m bench.queries`.

A query is one look of the submission at a node: a request, the grader's answer.
Prints JSON: kind of query -> microseconds, as the median and the 99th percentile.
"""

from __future__ import annotations

import json
import os
import time

from bench.sandboxed import pinned_sandbox, searched
from gametree import parse_tree

TURNS = 20_000
# A submission that times its own queries. `depth` says which one of 1,000 quantiles to
# return, in nanoseconds; `maximizing` whether to expand or to evaluate.
PROGRAM = f"""
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
TREE = "root: max\ntree: [[3, 12, 8], [2, 4, 6], [14, 5, 2]]\n"


def at_the_worker():
    """Return kind -> {median, p99} of a look, as the submission waits for it."""
    found = {}
    tree = parse_tree(TREE, "tree")
    with pinned_sandbox(PROGRAM.encode()) as sandbox:
        for kind, evaluates in (("evaluate", True), ("children", False)):
            searched(sandbox, tree, "minimax", depth=500, maximizing=evaluates)
            found[kind] = {
                name: searched(
                    sandbox, tree, "minimax", depth=depth, maximizing=evaluates
                ).answer.number
                / 1000
                for name, depth in (("median", 500), ("p99", 990))
            }
    return found


def at_the_grader():
    """Return {median, p99} of the time from one request to the next, as it reads them."""
    times = []
    with pinned_sandbox(PROGRAM.encode()) as sandbox:
        channel = sandbox._conversation.channel
        receive = channel.receive

        def timed(size):
            data = receive(size)
            times.append(time.perf_counter_ns())
            return data

        channel.receive = timed
        searched(sandbox, parse_tree(TREE, "tree"), "minimax", depth=500)
    spans = sorted(after - before for before, after in zip(times, times[1:]))
    return {"median": _at(spans, 500), "p99": _at(spans, 990)}


def of_bare_pipes():
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
    return {"median": _at(spans, 500), "p99": _at(spans, 990)}


def _at(spans, thousandth):
    return spans[len(spans) * thousandth // 1000] / 1000


def main():
    """Measure and print."""
    found = {f"{kind}, at the worker": at for kind, at in at_the_worker().items()}
    found["evaluate, at the grader"] = at_the_grader()
    with pinned_sandbox():
        found["two bare pipes"] = of_bare_pipes()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
