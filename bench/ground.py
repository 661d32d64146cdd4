"""Write what the other graders need: `python -m bench.ground FOLDER`.

The kit's trees become plain nested YAML files, and the reference's traces stored
expectations, so that a bare run has neither our reader nor our reference to pay.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import autograder  # noqa: F401  puts starter/ on the path
from autograder.kit import load_kit


def nested(position):
    """Return a position and all below it as numbers, lists and mappings."""
    if position.terminal:
        return position.static_value()
    children = [nested(child) for child in position.children]
    if position.value is None:
        return children
    return {"value": position.value, "children": children}


def name_of(path):
    """Return how a bare node names itself."""
    return ".".join(["A", *map(str, path)])


def expected(task):
    """Return one search's arguments and what is to come out, as plain data."""
    arguments = task.search.arguments(task.function)
    plain = [a if abs(a) < float("inf") else str(a) for a in arguments]
    trace = task.expected
    if task.function == "best_move":
        return {"arguments": plain, "move": name_of(trace.answer.path)}
    return {
        "arguments": plain,
        "value": trace.answer.number,
        "leaves": sorted(map(name_of, trace.visited)),
        "nodes": trace.node_count,
    }


def write_ground(folder):
    """Write one YAML file a tree and questions.json into a folder; return the Kit."""
    kit = load_kit()
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    questions = {}
    for task in kit.tasks:
        of_tree = questions.setdefault(task.tree.name, {})
        of_tree.setdefault(task.function, []).append(expected(task))
        path = folder / f"{task.tree.name}.yaml"
        if not path.exists():
            player = "max" if task.tree.maximizing else "min"
            tree = json.dumps(nested(task.tree.root))
            path.write_text(f"root: {player}\ntree: {tree}\n", encoding="utf-8")
    (folder / "questions.json").write_text(json.dumps(questions), encoding="utf-8")
    return kit


def main(folder):
    """Write the ground; print what the kit holds."""
    kit = write_ground(folder)
    queries = sum(len(task.expected.events) for task in kit.tasks)
    trees = len(kit.public) + len(kit.hidden)
    print(json.dumps({"trees": trees, "searches": len(kit.tasks), "queries": queries}))


if __name__ == "__main__":
    main(*sys.argv[1:])
