"""Run steps that need the kit: `python -m bench.inside ground FOLDER` or `vast`.

Each step runs in a process of its own, so that a measured process does not inherit its
memory. It prints a line of JSON.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

from autograder.ground.files import replace_file
from autograder.ground.processes import pin_to_one_cpu
from autograder.kit import ROOT, prepare
from autograder.sandbox import Sandbox, Session
from autograder.scoring.rubric import Limits
from autograder.scoring.tasks import Task
from autograder.smalltrees.build import flow, lists_of
from gametree import parse_tree
from gametree.functions import FUNCTIONS, NODE
from gametree.support.trace import Answer, Ending, Trace

SECONDS = 300
LIMITS = Limits(  # the search of the vast tree does not reach them
    search_cpu_seconds=SECONDS,
    search_wall_seconds=SECONDS,
    load_cpu_seconds=SECONDS,
    queries_base=10**9,
    queries_factor=0,
)
VAST = """root: max
random: {branching: 10, depth: 9, values: [0, 100], seed: 7, order: best}
"""


def ground(folder):
    """Write the files of a bare run into a folder; return the counts of the kit.

    The trees are plain nested YAML, and the expected results are stored. So a bare run
    needs neither our parser nor our reference.
    """
    kit = prepare()  # as Gradescope's preflight does
    folder = Path(folder)
    questions = {}
    for task in kit.tasks:
        of_tree = questions.setdefault(task.tree.name, {})
        of_tree.setdefault(task.function, []).append(expected(task))
    trees = [*kit.public, *kit.hidden]
    for tree in trees:
        text = f"tree: {flow(lists_of(tree.root))}\n"
        replace_file(folder / f"{tree.name}.yaml", text)
    replace_file(folder / "questions.json", json.dumps(questions))
    queries = sum(len(task.expected.events) for task in kit.tasks)
    return {"trees": len(trees), "searches": len(kit.tasks), "queries": queries}


def expected(task):
    """Return one search's arguments and expected results as plain data."""
    arguments = task.search.arguments(task.function)
    plain = [a if math.isfinite(a) else str(a) for a in arguments]
    trace = task.expected
    if FUNCTIONS[task.function].answer == NODE:
        return {"arguments": plain, "move": name_of(trace.answer.path)}
    return {
        "arguments": plain,
        "value": trace.answer.number,
        "leaves": sorted(map(name_of, trace.visited)),
        "nodes": trace.node_count,
    }


def name_of(path):
    """Return the name of the bare node at a path."""
    return ".".join(["A", *map(str, path)])


def vast():
    """Search a lazily generated tree of 10^9 leaves in a sandbox; count queries."""
    tree = parse_tree(VAST, "vast")
    search = tree.searches[0]
    unknown = Trace("alphabeta", search, [], Answer(), Ending())
    task = Task(tree, "alphabeta", search, expected=unknown, aspects=())
    source = (ROOT / "solution" / "search.py").read_bytes()
    pin_to_one_cpu()
    with Sandbox(LIMITS) as sandbox:
        (trace,) = Session(sandbox, source).run([task], sealed=False)
    if trace.ending.kind != "returned":
        raise SystemExit(f"the search of the vast tree: {trace.ending}")
    return {"queries": len(trace.events)}


def main(what, *arguments):
    """Print the result of ground() or vast() as JSON."""
    measured = ground if what == "ground" else vast
    print(json.dumps(measured(*arguments)))


if __name__ == "__main__":
    main(*sys.argv[1:])
