"""How a grading grows with the number of trees: `python -m bench.manytrees`.

Prints JSON: number of trees -> seconds to run and judge the reference on that many
copies of the tree of AIMA's figure 5.2, in a sandbox that is there already.
"""

from __future__ import annotations

import json
import time
from dataclasses import replace

from autograder.judging.verdict import judge
from autograder.kit import load_reference
from autograder.sandbox.runs import run_tasks
from autograder.tasks import tasks_for
from bench.sandboxed import REFERENCE, ROOT, pinned_sandbox
from gametree import load_tree

COUNTS = (1, 4, 16, 64, 256)


def main():
    """Measure and print."""
    aima = load_tree(ROOT / "trees" / "public" / "03-aima-figure-5-2.yaml")
    reference = load_reference()
    seconds = {}
    with pinned_sandbox(REFERENCE) as sandbox:
        for count in COUNTS:
            trees = [replace(aima, name=f"copy {index}") for index in range(count)]
            begun = time.perf_counter()
            tasks = tasks_for(trees, reference)
            runs = run_tasks(sandbox, REFERENCE, tasks)
            right = all(judge(task, pair).right for task, pair in zip(tasks, runs))
            seconds[count] = time.perf_counter() - begun
            if not right:
                raise SystemExit("the reference is wrong on AIMA's tree")
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
