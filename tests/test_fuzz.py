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
from types import SimpleNamespace

from helpers import ROOT, tasks_of
from peer import BUDGET, Peer
from results_schema import problems_of_text

from autograder.course.classpage import alike_in, not_needed
from autograder.course.download import read_course
from autograder.course.people import CourseError
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
    end, outcomes = time.monotonic() + SECONDS, Counter()
    for case in itertools.count():
        if case >= cases and time.monotonic() >= end:
            return outcomes
        try:
            outcomes.update(act(random.Random(f"{SEED} {case}")))
        except Exception as error:
            raise AssertionError(f"seed {SEED} case {case}: {error!r}") from error


TASKS = [
    tasks_of(parse_tree(f"root: max\n{text}\n", "fuzz"), functions=("alphabeta",))[0]
    for text in (
        "tree: [3, [1, 2.5]]",
        "tree: 7",
        "tree: [[1, [2, 3, [4]]], {value: -5, children: [99999999.5, -0.5]}, 0]",
        "random: {branching: 3, depth: 6, values: [-9, 9], seed: 5, order: random}",
        "game: {name: coins, coins: 4}",
    )
]
SEARCHES = 4


def frame(chance, base, known):
    """Return a request, likely or not; handles from `base` on, `known` many, are shown."""
    kind = chance.random()
    likely = chance.random() < 0.995
    handle = base + chance.randrange(known) if likely else chance.randrange(2**32)
    pack, payload = protocol.REQUEST.pack, chance.randbytes(8)
    if kind < 0.95:
        return pack(chance.choice((1, 1, 2, 2, 2, 3)), 0, handle, payload)
    if kind < 0.98:
        answer = chance.choice((0, 1, 2, 2, 3, 9))
        return pack(4, answer, handle if answer == 2 else chance.randrange(20), payload)
    if kind < 0.985:
        text = chance.randbytes(chance.randrange(500))
        return pack(5, chance.randrange(60), len(text), payload) + text
    if kind < 0.99:
        return pack(chance.randrange(256), 0, handle, payload)
    return chance.randbytes(chance.randrange(1, 33)) if kind < 0.994 else b""


class Model:
    """What the bytes of a worker mean, search after search.

    The bytes are made up as they are needed, so that many of them mean something;
    `spoken` is all that was made up.
    """

    def __init__(self, chance):
        self.stream, self.spoken, self.chance = b"", b"", chance
        self.base, self.frames = 0, 0

    def take(self, size, known=1):
        """Return the next bytes, or None at the end."""
        while self.chance is not None and len(self.stream) < size:
            more = frame(self.chance, self.base, known)
            self.stream, self.spoken = self.stream + more, self.spoken + more
            if not more:
                self.chance = None
        taken, self.stream = self.stream[:size], self.stream[size:]
        return taken if len(taken) == size else None

    def search(self, tree):
        """Return (events, ending, answer, replies) of one search."""
        shown, first = [tree.root], {}
        events, replies = [], b""

        def done(ending, answer=None):
            self.base += len(shown)
            return events, ending, answer, replies

        for _ in range(BUDGET + 1):
            request = self.take(16, len(shown))
            if request is None:
                return done(traces.DIED)
            self.frames += 1
            operation, kind, handle, payload = struct.unpack("<BBxxI8s", request)
            known = self.base <= handle < self.base + len(shown)
            position = shown[handle - self.base] if known else None
            if operation in (1, 2, 3) and not known:
                return done(traces.BROKE_PROTOCOL)
            if operation == 1:
                events.append((traces.EXPAND, position.path))
                if handle not in first:
                    first[handle] = self.base + len(shown)
                    shown += position.children
                ends = bytes(not child.children for child in position.children)
                replies += struct.pack("<II", first[handle], len(ends)) + ends
            elif operation == 2:
                events.append((traces.EVALUATE, position.path))
                value = position.static_value()
                whole = isinstance(value, int)
                replies += struct.pack("<Bq" if whole else "<Bd", 0 if whole else 1, value)
            elif operation == 3:
                name = position.name.encode()
                replies += struct.pack("<I", len(name)) + name
            elif operation == 4:
                if kind == 2 and known:
                    return done(traces.RETURNED, position.path)
                if kind in (0, 1):
                    number = struct.unpack("<q" if kind == 0 else "<d", payload)[0]
                    return done(traces.RETURNED, number)
                if kind == 3 and handle < len(protocol.OTHER_ANSWERS):
                    return done(traces.RETURNED, protocol.OTHER_ANSWERS[handle])
                return done(traces.BROKE_PROTOCOL)
            elif operation == 5:
                if kind >= len(protocol.KNOWN_ERRORS) or handle > 400:
                    return done(traces.BROKE_PROTOCOL)
                return done(traces.DIED if self.take(handle) is None else traces.RAISED)
            else:
                return done(traces.BROKE_PROTOCOL)
        return done(traces.OUT_OF_QUERIES)


def converse(chance):
    """Run some searches against one random worker; return their endings and its frames."""
    model = Model(random.Random(chance.random()))
    tasks = [chance.choice(TASKS) for _ in range(SEARCHES)]
    meant = [model.search(task.tree) for task in tasks]
    with Peer() as peer:
        text = chance.randbytes(chance.randrange(3000))
        peer.says(model.spoken, printing=text).hangs_up()
        for task, (events, ending, answer, replies) in zip(tasks, meant):
            trace = peer.conversation.search(task)
            assert (trace.events, trace.ending.kind) == (events, ending)
            own = trace.answer.number, trace.answer.path, trace.answer.kind
            assert answer is None or answer in own or answer != answer, (own, answer)
            assert peer.replies(task) == replies
    return [*(ending for _, ending, _, _ in meant), *["frame"] * model.frames]


def test_random_frames_make_no_wrong_visit():
    outcomes = outcomes_of(450, converse)
    assert outcomes.pop("frame") > 20_000
    assert len(outcomes) == 5 and min(outcomes.values()) > 10


FOLDERS = ("trees/public", "trees/hidden", "trees/invalid", "tests/hostile/trees/hidden")
SCRAPS = (
    *("{", "}", "[", "]", ":", ": ", ",", "-", "- ", "?", "&a ", "*a", "<<: ", "|", ">"),
    *("%", "@", "`", "'", '"', "#", "\t", "\n", "\r", "\0", "\ufeff", "\u2028", "\ud7ff"),
    *("!!python/name:os.system ", "\U0001f600", ".inf", "-.inf", ".nan", "1e999", "0x1F"),
    *("0o17", "1_000", "1:30", "2024-01-01", "true", "null", "~", "9" * 400, "-0", "tree"),
    *("tree:", "searches:", "published:", "random:", "game:", "root: max", "children"),
    *("value", "depth", "---", "...", "[" * 300, "{a: " * 200),
)


def mutated(chance, corpus):
    """Return a tree file with some bytes, lines or words of it changed."""
    data = chance.choice(corpus)
    if chance.random() < 0.03:
        return chance.randbytes(chance.randrange(300))
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        here, there = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        piece, lines = data[here : here + 40][: there - here], data.splitlines()
        chance.shuffle(lines)
        scrap = chance.choice(SCRAPS).encode("utf-8", "surrogatepass")
        acts = (
            b"",
            scrap,
            scrap + piece,
            piece * chance.choice((2, 3, 51)),
            chance.randbytes(1),
        )
        changed = data[:here] + chance.choice(acts) + data[here + len(piece) :]
        data = chance.choice((*[changed] * 5, b"\n".join(lines)))
    return data


def test_mutated_tree_files_load_or_are_refused_in_a_line(tmp_path):
    paths = [path for name in FOLDERS for path in sorted((ROOT / name).glob("*.yaml"))]
    corpus, path = [path.read_bytes() for path in paths], tmp_path / "fuzzed.yaml"

    def load(chance):
        path.write_bytes(mutated(chance, corpus))
        try:
            return [type(load_tree(path))]
        except TreeError as error:
            assert len(str(error).splitlines()) == 1 and len(str(error)) < 3000
            return [TreeError]

    outcomes = outcomes_of(300, load)
    assert set(outcomes) == {Tree, TreeError} and min(outcomes.values()) > 10


def text_of(chance, most):
    """Return any text: letters, control characters, lone surrogates, long runs."""
    kinds = (lambda: chance.randrange(128), lambda: chance.randrange(0x110000),
             lambda: chance.randrange(0xD800, 0xE000), lambda: ord("\x1b"))  # fmt: skip
    piece = "".join(chr(chance.choice(kinds)()) for _ in range(chance.randrange(40)))
    return piece * chance.choice((1, 1, 3, most // 40))


# fmt: off
NAMES = (
    "search.py", "a/search.py", "search.ipynb", "x.zip", "__MACOSX/x", ".DS_Store", "/",
    "../search.py", "a\\search.py", "C:\\a.py", "//x", ".", "..", "a//b.py", "b/", "\0",
    "submission_metadata.yml", "export/submission_metadata.yml", "caf\xe9.py", "x" * 70_000,
    "submission_1/search.py", "export/submission_2/search.py", "caf\xe9.py",
    "ada_123_456_search.py", "Ada Lovelace_7_assignsubmission_file/search.py",
)
# fmt: on
METADATA = "submission_1:\n  :submitters:\n  - :name: Ada\n    :sid: '7'\n    :email: a@b\n"
CODINGS = ("punycode", "idna", "utf-7", "utf-16", "rot13", "hex", "raw_unicode_escape")


def content_of(chance):
    """Return what a stranger's file may hold."""
    kind = chance.randrange(5)
    if kind == 0:
        return METADATA.encode() + mutated(chance, [METADATA.encode()])
    if kind == 1:
        return chance.choice((b"", b"\xef\xbb\xbf", b"\xff\xfe")) + chance.randbytes(99)
    if kind == 2:
        coding = f"# -*- coding: {chance.choice(CODINGS)} -*-\n"
        return (coding + chance.choice(("a-", "\xe9", "x")) * 2**16).encode("latin-1")
    if kind == 3:
        return zipped(chance) if chance.random() < 0.3 else bytes(2**21)
    return text_of(chance, 900).encode("utf-8", "surrogatepass")


def zipped(chance):
    """Return a zip of any names, a third of them with some bytes changed."""
    packed = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(packed, "w") as archive:
        warnings.simplefilter("ignore")  # two entries of one name
        for _ in range(chance.randrange(6)):
            name = chance.choice((*NAMES, text_of(chance, 80)))
            name = name.encode("utf-8", "replace").decode()[:65_000]
            entry = zipfile.ZipInfo(name or "x")
            entry.external_attr = chance.choice((0, 0, 0o100644, 0o120777, 0o10644)) << 16
            entry.compress_type = chance.choice((0, zipfile.ZIP_DEFLATED))
            archive.writestr(entry, content_of(chance))
    data = packed.getvalue()
    return mutated(chance, [data]) if chance.random() < 0.3 else data


def test_random_zips_are_read_or_refused_in_a_line(tmp_path):
    path = tmp_path / "course.zip"

    def read(chance):
        path.write_bytes(zipped(chance))
        begun = time.process_time()
        for read, refusal in ((stage, NotGradable), (read_course, CourseError)):
            try:
                found = read(path)
                said = [found.note] if read is stage else [*found.remarks]
                for one in getattr(found, "submissions", ()):
                    said += [one.id, one.refusal, one.note, one.whose, str(one.handed_in)]
                yield read
            except refusal as error:
                said = [str(error)]
                yield refusal
            assert all(line.isprintable() and len(line) < 3000 for line in said)
        assert time.process_time() - begun < 10

    outcomes = outcomes_of(150, read)
    assert len(outcomes) == 4 and min(outcomes.values()) > 10, outcomes


def test_random_programs_are_text_at_once():
    def read(chance):
        source, begun = content_of(chance), time.process_time()
        lines = program_lines(source)
        not_needed(source, SimpleNamespace(ends={}))
        alike_in({"a": source, "b": content_of(chance), "c": source}, b"")
        assert len("".join(lines)) <= len(source) and "\n" not in "".join(lines)
        assert all(map(str.isprintable, sanitize_lines(decode(source))))
        assert time.process_time() - begun < 5
        return ["read"]

    assert outcomes_of(8, read)["read"] >= 8


def test_random_gradings_are_written_as_gradescope_reads_them(tmp_path):
    path = tmp_path / "results.json"

    def write(chance):
        rows = []
        for number in range(chance.choice((0, 1, 3, 160))):
            most = chance.randrange(5000)
            cents = chance.randrange(most + 1)
            row = Row("minimax", "games", f"1.{number:03d}", most, (), cents)
            rows.append((row, text_of(chance, 9000)))
        total = sum(row.cents for row, _ in rows)
        path.write_text(in_bounds(report(rows, text_of(chance, 50_000), total)))
        text = path.read_text()
        assert problems_of_text(text) == []
        listed = [test["number"] for test in json.loads(text)["tests"]]
        assert listed == [row.number for row, _ in rows]
        return listed

    assert outcomes_of(30, write)
