"""Random frames and tree files are read correctly or refused in a line.

A failure names the number of the case, which reproduces it.
"""

import random
from collections import Counter

from helpers import ROOT, tasks_of
from peer import Peer

from autograder.sandbox import protocol
from gametree import Tree, TreeError, load_tree, parse_tree
from gametree.support import trace as traces


def outcomes_of(cases, act):
    """Count the outcomes of `act(chance)` in this many cases."""
    outcomes = Counter()
    for case in range(cases):
        try:
            outcomes.update(act(random.Random(f"20 {case}")))
        except Exception as error:
            raise AssertionError(f"case {case}: {error!r}") from error
    return outcomes


# Bytes from a worker

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


def converse(chance):
    """Run a search against a random worker. Return its ending, and "event" per event.

    Only children of an expanded node are visited.
    """
    script = protocol.REQUEST.pack(protocol.EXPAND, 0, 0, bytes(8))
    script += b"".join(frame(chance) for _ in range(chance.randrange(100)))
    task = chance.choice(TASKS)
    with Peer() as peer:
        trace = peer.says(script).hangs_up().search(task)
    expanded = set()
    for kind, path in trace.events:
        assert path == () or path[:-1] in expanded
        assert task.tree.root.at(path).path == path
        if kind == traces.EXPAND:
            expanded.add(path)
    return [trace.ending.kind, *["event"] * len(trace.events)]


def test_random_frames_visit_disclosed_nodes_and_end_in_a_known_way():
    outcomes = outcomes_of(800, converse)
    assert outcomes.pop("event") > 5_000
    assert set(outcomes) == ENDINGS
    assert min(outcomes.values()) > 5, outcomes


# Tree files

FOLDERS = ("trees/public", "trees/hidden", "trees/invalid", "tests/hostile/trees/hidden")
CHARACTERS = "{}[]:,-?|>%@`'\"#~\t\n\r\0\ufeff\u2028\ud7ff\U0001f600"
WORDS = """
    .inf -.inf .nan 1e999 0x1F 0o17 1_000 1:30 2024-01-01 true null -0 *a --- ...
    tree tree: searches: published: random: game: children value depth
"""
PHRASES = [": ", "- ", "&a ", "<<: ", "!!python/name:os.system ", "root: max"]
LONG = ["9" * 400, "[" * 300, "{a: " * 200]
SCRAPS = [*CHARACTERS, *WORDS.split(), *PHRASES, *LONG]


def damage(chance, data):
    """Return the data with a piece removed, replaced or repeated."""
    start, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    piece = data[start : min(end, start + 40)]
    scrap = chance.choice(SCRAPS).encode("utf-8", "surrogatepass")
    repeated = piece * chance.choice((2, 3, 51))
    byte = chance.randbytes(1)
    new = chance.choice((b"", scrap, scrap + piece, repeated, byte))
    return data[:start] + new + data[start + len(piece) :]


def shuffle_lines(chance, data):
    lines = data.splitlines()
    chance.shuffle(lines)
    return b"\n".join(lines)


def mutated(chance, corpus):
    """Return a file of the corpus with some bytes, lines or words changed."""
    data = chance.choice(corpus)
    if chance.random() < 0.03:
        return chance.randbytes(chance.randrange(300))
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        mutate = shuffle_lines if chance.random() < 0.15 else damage
        data = mutate(chance, data)
    return data


def test_mutated_tree_files_load_or_are_refused_in_a_line(tmp_path):
    corpus = []
    for folder in FOLDERS:
        paths = sorted((ROOT / folder).glob("*.yaml"))
        corpus += [path.read_bytes() for path in paths]
    path = tmp_path / "fuzzed.yaml"

    def load(chance):
        path.write_bytes(mutated(chance, corpus))
        try:
            return [type(load_tree(path))]
        except TreeError as error:
            message = str(error)
        assert len(message.splitlines()) == 1
        assert len(message) < 3000
        return [TreeError]

    outcomes = outcomes_of(200, load)
    assert set(outcomes) == {Tree, TreeError}
