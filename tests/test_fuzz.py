"""Random frames of a worker visit disclosed nodes only, and end a search in a known way."""

import random
from collections import Counter

from helpers import tasks_of
from peer import Peer

from autograder.sandbox import protocol
from gametree import parse_tree
from gametree.support import trace as traces

LIKELY = [protocol.EXPAND] * 2 + [protocol.EVALUATE] * 3 + [protocol.NAME]
ENDINGS = {
    traces.RETURNED,
    traces.RAISED,
    traces.DIED,
    traces.BROKE_PROTOCOL,
    traces.OUT_OF_QUERIES,
}
TREES = (
    "tree: [3, [1, 2.5], 4]",
    "tree: [[1, [2, 3, [4]]], {value: -5, children: [99999999.5, -0.5]}, 0]",
    "random: {branching: 3, depth: 6, values: [-9, 9], seed: 5, order: random}",
)


def task_of_text(text):
    """Return the task of alphabeta on a tree."""
    tree = parse_tree(f"root: max\n{text}\n", "fuzz")
    return tasks_of(tree, functions=("alphabeta",))[0]


TASKS = [task_of_text(text) for text in TREES]


def frame(chance):
    """Return a request, usually a valid one on the root or on one of its children."""
    operation = chance.choice(LIKELY)
    if chance.random() > 0.97:
        operation = chance.randrange(10)
    handle = chance.randrange(4)
    if chance.random() > 0.995:
        handle = chance.randrange(2**32)
    kind = chance.randrange(5)
    return protocol.REQUEST.pack(operation, kind, handle, chance.randbytes(8))


def converse(case):
    """Run a search against a random worker. Return its ending, and "event" per event.

    Only children of an expanded node are visited.
    """
    chance = random.Random(case)
    script = protocol.REQUEST.pack(protocol.EXPAND, 0, 0, bytes(8))
    script += b"".join(frame(chance) for _ in range(chance.randrange(100)))
    task = chance.choice(TASKS)
    with Peer() as peer:
        trace = peer.says(script).hangs_up().search(task)
    expanded = set()
    for kind, path in trace.events:
        assert path == () or path[:-1] in expanded, case
        assert task.tree.root.at(path).path == path, case
        if kind == traces.EXPAND:
            expanded.add(path)
    return [trace.ending.kind, *["event"] * len(trace.events)]


def test_random_frames_visit_disclosed_nodes_and_end_in_a_known_way():
    outcomes = Counter()
    for case in range(800):
        outcomes.update(converse(case))
    assert outcomes.pop("event") > 5_000
    assert set(outcomes) == ENDINGS
    assert min(outcomes.values()) > 5, outcomes
