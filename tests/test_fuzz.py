"""Random input for the parts that read what strangers wrote; every case from a seed.

`FUZZ=60 FUZZ_SEED=1 make test ARGS="-k fuzz"` goes on for 60 seconds in each test, from
another seed. A failure names the case that shows it again.
"""

import io
import itertools
import json
import os
import random
import struct
import time
import warnings
import zipfile
from collections import Counter

from helpers import ROOT, tasks_of
from peer import BUDGET, Peer
from results_schema import problems_of_text

from autograder.command import Refused
from autograder.course.download import read_course
from autograder.course.programs import find_alike, find_unneeded
from autograder.judging.scores import Row
from autograder.plaintext import decode, program_lines, sanitize_lines
from autograder.results import in_bounds, report
from autograder.sandbox import NotGradable, protocol, stage
from gametree import Tree, TreeError, load_tree, parse_tree
from gametree.support import trace as traces

SECONDS = float(os.environ.get("FUZZ", 0))
SEED = os.environ.get("FUZZ_SEED", "20")


def outcomes_of(cases, act):
    """Count the outcomes that `act(chance)` returns, over so many cases or FUZZ seconds."""
    end = time.monotonic() + SECONDS
    outcomes = Counter()
    for case in itertools.count():
        if case >= cases and time.monotonic() >= end:
            return outcomes
        try:
            outcomes.update(act(random.Random(f"{SEED} {case}")))
        except Exception as error:
            raise AssertionError(f"seed {SEED} case {case}: {error!r}") from error


# The bytes that a worker sends: what they mean is written here a second time

EXPAND = 1
EVALUATE = 2
NAME = 3
ANSWER = 4
RAISED = 5
LIKELY = (EXPAND, EXPAND, EVALUATE, EVALUATE, EVALUATE, NAME)
# Kinds of answers; those of other types are known by a number.
INT = 0
FLOAT = 1
NODE = 2
OTHER = 3
ANSWERS = (INT, FLOAT, NODE, NODE, OTHER, 9)
MAX_ERROR_TEXT = 400

SEARCHES = 4
TREES = (
    "tree: [3, [1, 2.5]]",
    "tree: 7",
    "tree: [[1, [2, 3, [4]]], {value: -5, children: [99999999.5, -0.5]}, 0]",
    "random: {branching: 3, depth: 6, values: [-9, 9], seed: 5, order: random}",
    "game: {name: coins, coins: 4}",
)


def task_of_text(text):
    tree = parse_tree(f"root: max\n{text}\n", "fuzz")
    return tasks_of(tree, functions=("alphabeta",))[0]


TASKS = [task_of_text(text) for text in TREES]


def frame(chance, base, known):
    """Return a request, likely or not; handles from `base` on, `known` many, are shown."""
    kind = chance.random()
    handle = base + chance.randrange(known)
    if chance.random() > 0.995:
        handle = chance.randrange(2**32)
    payload = chance.randbytes(8)
    if kind < 0.95:
        return protocol.REQUEST.pack(chance.choice(LIKELY), 0, handle, payload)
    if kind < 0.98:
        answer = chance.choice(ANSWERS)
        number = handle if answer == NODE else chance.randrange(20)
        return protocol.REQUEST.pack(ANSWER, answer, number, payload)
    if kind < 0.985:
        text = chance.randbytes(chance.randrange(500))
        error = chance.randrange(60)
        return protocol.REQUEST.pack(RAISED, error, len(text), payload) + text
    if kind < 0.99:
        return protocol.REQUEST.pack(chance.randrange(256), 0, handle, payload)
    if kind < 0.994:
        return chance.randbytes(chance.randrange(1, 33))
    return b""


class Ends(Exception):
    """The end of a search: the kind of its ending, and what it returned."""

    def __init__(self, ending, answer=None):
        self.ending = ending
        self.answer = answer


class Model:
    """What the bytes of a worker mean, search after search.

    The bytes are made up as they are needed, so that many of them mean something;
    `sent` is all that was made up. The rest is about the search that goes on: `shown`
    are the positions that the worker has a handle of, the first of them `base`.
    """

    def __init__(self, chance):
        self.chance = chance
        self.sent = b""
        self.unread = b""
        self.frames = 0
        self.base = 0
        self.shown = []
        self.tree = None  # of the search before

    def take(self, size):
        """Return the next bytes, or None at the end."""
        while self.chance and len(self.unread) < size:
            more = frame(self.chance, self.base, len(self.shown))
            self.sent += more
            self.unread += more
            if not more:
                self.chance = None
        taken = self.unread[:size]
        self.unread = self.unread[size:]
        return taken if len(taken) == size else None

    def search(self, tree):
        """Return (events, ending, answer, replies) of one search."""
        if tree is not self.tree:  # consecutive searches of one tree get the same nodes
            self.base += len(self.shown)
            self.shown = [tree.root]
            self.first = {}  # handle -> the handle of its first child
        self.tree = tree
        self.events = []
        self.replies = b""
        try:
            for _ in range(BUDGET + 1):
                self.request()
        except Ends as end:
            return self.events, end.ending, end.answer, self.replies
        return self.events, traces.OUT_OF_QUERIES, None, self.replies

    def request(self):
        """Reply to one request, or raise Ends."""
        request = self.take(16)
        if request is None:
            raise Ends(traces.DIED)
        self.frames += 1
        operation, kind, handle, payload = struct.unpack("<BBxxI8s", request)
        if operation == EXPAND:
            self.replies += self.children(handle)
        elif operation == EVALUATE:
            self.replies += self.value(handle)
        elif operation == NAME:
            name = self.position(handle).name.encode()
            self.replies += struct.pack("<I", len(name)) + name
        elif operation == ANSWER:
            raise Ends(traces.RETURNED, self.answer(kind, handle, payload))
        elif operation == RAISED and kind < len(protocol.KNOWN_ERRORS):
            raise Ends(self.ending_of_error(handle))
        else:
            raise Ends(traces.BROKE_PROTOCOL)

    def position(self, handle):
        if not self.base <= handle < self.base + len(self.shown):
            raise Ends(traces.BROKE_PROTOCOL)
        return self.shown[handle - self.base]

    def children(self, handle):
        position = self.position(handle)
        self.events.append((traces.EXPAND, position.path))
        if handle not in self.first:
            self.first[handle] = self.base + len(self.shown)
            self.shown += position.children
        ends = bytes(not child.children for child in position.children)
        return struct.pack("<II", self.first[handle], len(ends)) + ends

    def value(self, handle):
        position = self.position(handle)
        self.events.append((traces.EVALUATE, position.path))
        value = position.static_value()
        if isinstance(value, int):
            return struct.pack("<Bq", INT, value)
        return struct.pack("<Bd", FLOAT, value)

    def answer(self, kind, handle, payload):
        if kind == INT:
            return struct.unpack("<q", payload)[0]
        if kind == FLOAT:
            return struct.unpack("<d", payload)[0]
        if kind == NODE:
            return self.position(handle).path
        if kind == OTHER and handle < len(protocol.OTHER_ANSWERS):
            return protocol.OTHER_ANSWERS[handle]
        raise Ends(traces.BROKE_PROTOCOL)

    def ending_of_error(self, length):
        if length > MAX_ERROR_TEXT:
            return traces.BROKE_PROTOCOL
        return traces.DIED if self.take(length) is None else traces.RAISED


def converse(chance):
    """Run some searches against one random worker; return their endings and its frames."""
    model = Model(random.Random(chance.random()))
    tasks = [chance.choice(TASKS) for _ in range(SEARCHES)]
    meant = [model.search(task.tree) for task in tasks]
    outcomes = ["frame"] * model.frames
    with Peer() as peer:
        printed = chance.randbytes(chance.randrange(3000))
        peer.says(model.sent, printing=printed).hangs_up()
        for task, (events, ending, answer, replies) in zip(tasks, meant):
            trace = peer.conversation.search(task)
            assert trace.events == events
            assert trace.ending.kind == ending
            is_nan = answer != answer
            assert answer is None or is_nan or answer in trace.answer
            assert peer.replies(task) == replies
            outcomes.append(ending)
    return outcomes


def test_random_frames_make_no_wrong_visit():
    outcomes = outcomes_of(450, converse)
    assert outcomes.pop("frame") > 20_000
    assert len(outcomes) == 5
    assert min(outcomes.values()) > 10


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


def damaged(chance, data):
    """Return bytes of which a piece is removed, replaced or repeated."""
    start, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    piece = data[start : min(end, start + 40)]
    scrap = chance.choice(SCRAPS).encode("utf-8", "surrogatepass")
    repeated = piece * chance.choice((2, 3, 51))
    byte = chance.randbytes(1)
    new = chance.choice((b"", scrap, scrap + piece, repeated, byte))
    return data[:start] + new + data[start + len(piece) :]


def shuffled(chance, data):
    lines = data.splitlines()
    chance.shuffle(lines)
    return b"\n".join(lines)


def mutated(chance, corpus):
    """Return one of some files with some bytes, lines or words of it changed."""
    data = chance.choice(corpus)
    if chance.random() < 0.03:
        return chance.randbytes(chance.randrange(300))
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        mutate = shuffled if chance.random() < 0.15 else damaged
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
            line = str(error)
        assert len(line.splitlines()) == 1
        assert len(line) < 3000
        return [TreeError]

    outcomes = outcomes_of(300, load)
    assert set(outcomes) == {Tree, TreeError}
    assert min(outcomes.values()) > 10


# Hostile uploads

NAMES = r"""
search.py
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
"""
ODD_NAMES = ["\0", "x" * 70_000]
METADATA = (
    b"submission_1:\n  :submitters:\n  - :name: Ada\n    :sid: '7'\n    :email: a@b\n"
)
CODINGS = ("punycode", "idna", "utf-7", "utf-16", "rot13", "hex", "raw_unicode_escape")
MARKS = (b"", b"\xef\xbb\xbf", b"\xff\xfe")


def character(chance):
    """Return any character: often ASCII, a lone surrogate, or an escape."""
    kind = chance.randrange(4)
    if kind == 0:
        return chr(chance.randrange(128))
    if kind == 1:
        return chr(chance.randrange(0x110000))
    if kind == 2:
        return chr(chance.randrange(0xD800, 0xE000))
    return "\x1b"


def text_of(chance, most):
    """Return a text of at most so many characters, with long runs."""
    piece = "".join(character(chance) for _ in range(chance.randrange(40)))
    return piece * chance.choice((1, 1, 3, most // 40))


def content_of(chance):
    """Return what a stranger's file may hold."""
    kind = chance.randrange(5)
    if kind == 0:
        return METADATA + mutated(chance, [METADATA])
    if kind == 1:
        return chance.choice(MARKS) + chance.randbytes(99)
    if kind == 2:
        coding = f"# -*- coding: {chance.choice(CODINGS)} -*-\n"
        run = chance.choice(("a-", "\xe9", "x")) * 2**16
        return (coding + run).encode("latin-1")
    if kind == 3:
        return zipped(chance) if chance.random() < 0.3 else bytes(2**21)
    return text_of(chance, 900).encode("utf-8", "surrogatepass")


def entry_of(chance):
    """Return the ZipInfo of a file, a folder, a link or a device, of any name."""
    name = chance.choice([*NAMES.splitlines(), *ODD_NAMES, text_of(chance, 80)])
    name = name.encode("utf-8", "replace").decode()
    entry = zipfile.ZipInfo(name[:65_000] or "x")
    mode = chance.choice((0, 0, 0o100644, 0o120777, 0o10644))
    entry.external_attr = mode << 16
    entry.compress_type = chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    return entry


def zipped(chance):
    """Return a zip of any names, a third of them with some bytes changed."""
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w") as archive:
        warnings.simplefilter("ignore")  # two entries of one name
        for _ in range(chance.randrange(6)):
            archive.writestr(entry_of(chance), content_of(chance))
    data = packed.getvalue()
    return mutated(chance, [data]) if chance.random() < 0.3 else data


def staged_texts(path):
    """Return what is said of a submission."""
    return [stage(path).note]


def course_texts(path):
    """Return what is said of a course and its submissions."""
    course = read_course(path)
    texts = list(course.remarks)
    for submission in course.submissions:
        texts += [submission.id, submission.refusal, submission.note, submission.label]
        texts.append(str(submission.handed_in))
    return texts


def outcome_of(path, read, refusal):
    """Return the function or the refusal by which a file ends; its texts are lines."""
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
        path.write_bytes(zipped(chance))
        begun = time.process_time()
        yield outcome_of(path, staged_texts, NotGradable)
        yield outcome_of(path, course_texts, Refused)
        assert time.process_time() - begun < 10

    outcomes = outcomes_of(80, read)
    assert len(outcomes) == 4, outcomes
    assert min(outcomes.values()) > 10, outcomes


def test_random_programs_are_text_at_once():
    def read(chance):
        source = content_of(chance)
        begun = time.process_time()
        text = "".join(program_lines(source))
        find_unneeded(source)
        find_alike({"a": source, "b": content_of(chance), "c": source}, b"")
        assert len(text) <= len(source)
        assert "\n" not in text
        assert all(map(str.isprintable, sanitize_lines(decode(source))))
        assert time.process_time() - begun < 5
        return ["read"]

    assert outcomes_of(4, read)["read"] >= 4


# What is written of a grading


def rows_of(chance):
    """Return rows with their texts; now and then more than fit into the file."""
    rows = []
    for number in range(chance.choice((0, 1, 3, 160))):
        most = chance.randrange(5000)
        cents = chance.randrange(most + 1)
        row = Row("minimax", "games", f"1.{number:03d}", most, (), cents)
        rows.append((row, text_of(chance, 9000)))
    return rows


def test_random_gradings_are_written_as_gradescope_reads_them(tmp_path):
    path = tmp_path / "results.json"

    def write(chance):
        rows = rows_of(chance)
        total = sum(row.cents for row, _ in rows)
        path.write_text(in_bounds(report(rows, text_of(chance, 50_000), total)))
        text = path.read_text()
        assert problems_of_text(text) == []
        numbers = [test["number"] for test in json.loads(text)["tests"]]
        assert numbers == [row.number for row, _ in rows]
        return numbers

    assert outcomes_of(30, write)
