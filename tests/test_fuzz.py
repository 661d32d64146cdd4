"""Random frames, tree files and zips are read correctly or refused in a line.

A failure names the number of the case, which reproduces it.
"""

import io
import random
import warnings
import zipfile
from collections import Counter

from helpers import ROOT, tasks_of
from peer import Peer

from autograder.course.download import read_course
from autograder.sandbox import NotGradable, protocol, stage
from gametree import Tree, TreeError, load_tree, parse_tree
from gametree.support import trace as traces
from gametree.support.errors import InputError


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


# Hostile uploads

NAMES = r"""search.py
a/search.py
search.ipynb
x.zip
__MACOSX/x
.DS_Store
/
../search.py
a\search.py
C:\a.py
//x
.
..
a//b.py
b/
submission_metadata.yml
export/submission_metadata.yml
café.py
submission_1/search.py
export/submission_2/search.py
ada_123_456_search.py
Ada Lovelace_7_assignsubmission_file/search.py
""".splitlines()
NAMES += ["\x1b]0;mine\x07.py", "\u202eaxe/search.py", "x" * 65_000]
METADATA = (
    b"submission_1:\n  :submitters:\n  - :name: Ada\n    :sid: '7'\n    :email: a@b\n"
)
CONTENTS = [
    METADATA,
    b"x = 1\n" * 99,
    b"\xff\xfe\x1b[31m",
    "# caf\xe9 \u202e\n".encode(),
    b"# coding: punycode\n" + b"a-" * 2**16,
    b"# coding: utf-7\n" + b"\xe9" * 2**16,
    bytes(2**21),
]
MODES = (0, 0o100644, 0o120777, 0o10644)  # none, a file, a link, a pipe


def random_zip(chance):
    """Return the bytes of a zip of odd files, which is sometimes damaged."""
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w") as archive:
        warnings.simplefilter("ignore")  # entries may have the same name
        for _ in range(chance.randrange(6)):
            entry = zipfile.ZipInfo(chance.choice(NAMES))
            entry.external_attr = chance.choice(MODES) << 16
            archive.writestr(entry, mutated(chance, CONTENTS), chance.choice((0, 8)))
    data = packed.getvalue()
    return mutated(chance, [data]) if chance.random() < 0.3 else data


def staged_texts(path):
    """Return the note about a submission."""
    return [stage(path).note]


def course_texts(path):
    """Return all texts about a course and its submissions."""
    course = read_course(path)
    texts = list(course.remarks)
    for submission in course.submissions:
        texts += [submission.id, submission.refusal, submission.note, submission.label]
    return texts


def outcome_of(path, read, refusal):
    """Return `read` if it succeeds, or else the type of the refusal. Check the texts."""
    outcome = read
    try:
        texts = read(path)
    except refusal as error:
        outcome = refusal
        texts = [str(error)]
    for text in texts:
        assert text.isprintable(), ascii(text)
        assert len(text) < 3000, ascii(text)
    return outcome


def test_random_zips_are_read_or_refused_in_a_line(tmp_path):
    path = tmp_path / "course.zip"

    def read(chance):
        path.write_bytes(random_zip(chance))
        yield outcome_of(path, staged_texts, NotGradable)
        yield outcome_of(path, course_texts, InputError)

    outcomes = outcomes_of(60, read)
    assert len(outcomes) == 4, outcomes
    assert min(outcomes.values()) > 5, outcomes
