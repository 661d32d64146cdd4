"""A hostile submission cannot stop a course, and no text can harm the readers of its books.

grade-all grades whole courses on trees with canaries: values that no output may contain.
"""

import csv
import io
import json
import os
import re
import shutil
import signal
from zipfile import ZipFile

import pytest
from courses import NEEDS_FORK, books, grade_all
from helpers import HOSTILE, SECRETS, write
from helpers import REFERENCE_SOURCE as RIGHT

from autograder import batch
from autograder.ground import launch
from autograder.ground.processes import cores

pytestmark = NEEDS_FORK

MARK = b"# a canary in a student's program\n"
FORMULA = "x;=cmd|'/C calc'!A0"
ESCAPES = "\x1b]0;mine\x07\x1b[31m\u202eaxe\u2066"
FORGED = "x\nScore: 100/100\r\nminimax 25/25"
NUMBER = re.compile(r"-?\d+(\.\d+)?")


def program_raising(text, function=""):
    """Return a program that raises this text in a function, or else when it is loaded."""
    body = f"raise ValueError({text!r})\n"
    if function:
        body = f"def {function}(*_):\n    print({text!r})\n    {body}"
    return body.encode()


@pytest.fixture
def hostile_kit(tiny_kit):
    """Make grade-all use the hostile trees."""
    shutil.rmtree(tiny_kit / "trees")
    shutil.copytree(HOSTILE / "trees", tiny_kit / "trees")
    shutil.copy(HOSTILE / "rubric.yaml", tiny_kit / "autograder")


@pytest.fixture
def grade_course(hostile_kit, out, capfd):
    """Return a function: path of a course -> its gradebook and the printed text.

    The gradebook is sid or submission -> row.
    """

    def grade_and_read(course):
        grade_all(course, out)
        rows = {row["sid"] or row["submission"]: row for row in books(out)}
        return rows, "".join(capfd.readouterr())

    return grade_and_read


ATTACKS = {
    "nothing": b"",
    "formula at import": program_raising(FORMULA),
    "formula": program_raising(FORMULA, "minimax"),
    "escapes": program_raising(ESCAPES, "minimax"),
    "escapes at import": program_raising(ESCAPES),
    "forges": program_raising(FORGED),
    "forges later": program_raising(FORGED, "alphabeta"),
    "forges its line": b"raise SyntaxError('x', ('search.py', 4711, 1, ''))",
    "encoded": b"# coding: punycode\n" + b"a-" * (2**19 - 16),
}


def write_export(folder):
    """Write an export of attacks between two correct submissions. Return its path."""
    files = {}
    listed = ""
    programs = {"correct before": RIGHT + MARK, **ATTACKS, "correct after": RIGHT + MARK}
    for sid, source in programs.items():
        id = f"submission_{len(files)}"
        file = "search.py" if source else ESCAPES + "\nx"
        student = {":name": f"{sid} {ESCAPES}{FORMULA}", ":sid": sid, ":email": "=a@b.edu"}
        listed += f"{id}:\n  :submitters:\n  - {json.dumps(student)}\n"
        files[f"{id}/{file}"] = source
    files["submission_metadata.yml"] = listed
    return write(folder / "export.zip", files)


def write_loose_files(folder):
    """Write a folder of loose files with unexpected names. Return its path."""
    course = folder / "course"
    for name in (b"right.py", b"=1+1.py", b"x;=1+1.py", b"\x1b[31m\nScore.py", b"-h.py"):
        write(course, {os.fsdecode(name): RIGHT + MARK})
    for name in (b"caf\xe9.zip", b"\x1b]0;mine\x07\n=1.zip"):
        write(course, {os.fsdecode(name): b"PK\3\4"})
    (course / "link.py").symlink_to("/etc/passwd")
    os.mkfifo(course / "pipe.zip")
    os.mkfifo(course / "pipe.py")
    return course


def unprintable_in(text):
    """Return the characters of a text that control a terminal or are invisible."""
    return {c for c in text if not c.isprintable()} - {"\n"}


def dangers(out, printed):
    """Yield a description of each danger to readers of the files and the printed text."""
    yield from (f"printed {c!r}" for c in unprintable_in(printed))
    for path in out.rglob("*.*"):
        # programs are unchanged copies, and only the kit reads the other ones
        if path.is_file() and path.suffix not in (".py", ".cache"):
            for danger in dangers_of(path):
                yield f"{path.name} {danger}"


def dangers_of(path):
    """Yield a description of each danger to readers of one file."""
    if path.suffix == ".zip":  # the same files are checked on their own
        text = "\n".join(ZipFile(path).namelist())
    else:
        text = path.read_text(encoding="utf-8-sig")
    yield from (f"contains {c!r}" for c in unprintable_in(text))
    yield from (f"reveals {secret}" for secret in SECRETS if secret in text.lower())
    if path.suffix == ".csv":
        for separator in ",;\t|":
            for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
                yield from (f"computes {cell}" for cell in row if is_computed(cell))
    if path.name == "results.json":
        yield from (f"shows {c!r}" for c in unprintable_in("".join(outputs_in(path))))


def is_computed(cell):
    """Return whether a spreadsheet would compute a cell."""
    if cell.startswith("'"):
        return False
    bare = cell.strip(" \"'")
    return bare[:1] in tuple("=+-@") and not NUMBER.fullmatch(bare)


def outputs_in(path):
    """Return the texts of a results.json that a student reads, in order."""
    data = json.loads(path.read_text())
    outputs = [data["output"]]
    outputs += [test["output"] for test in data["tests"]]
    return outputs


def test_an_export_of_attacks_is_graded_and_harms_no_reader(grade_course, tmp_path):
    rows, printed = grade_course(write_export(tmp_path))
    assert len(rows) == len(ATTACKS) + 2, printed
    scores = [row["score"] for sid, row in rows.items() if sid.startswith("correct")]
    assert scores == ["100", "100"]
    assert rows["encoded"]["status"] == "not loaded"
    reason = "no search.py in the submission; found: ?]0;mine??[31m?axe? x"
    assert rows["nothing"]["reason"] == reason
    for name in ("forges", "formula at import", "escapes at import"):
        assert rows[name]["reason"].startswith("it raised ValueError: "), name
    assert list(dangers(tmp_path / "out", printed)) == []
    paths = list(tmp_path.glob("out/*/results.json"))
    assert len(paths) == len(ATTACKS) + 2
    for path in paths:
        text = "\n".join(outputs_in(path))
        assert text.startswith("Score: "), path
        assert "\nScore:" not in text, path


def test_every_file_of_a_folder_is_graded_or_has_a_reason(grade_course, tmp_path):
    rows, printed = grade_course(write_loose_files(tmp_path))
    scores = sorted(row["score"] for row in rows.values())
    assert scores == [""] * 5 + ["100"] * 5, printed
    assert "" not in [row["score"] or row["reason"] for row in rows.values()]
    assert list(dangers(tmp_path / "out", printed)) == []


# ---- what a submission could carry to another one


# A zygote whose workers all share one more open file, a pipe: the strongest medium.
SHARING_ZYGOTE = """
import os, runpy, sys

program = {program!r}
sys.path.insert(0, os.path.dirname(program))
import hardening

def share(plan, descriptors):
    os.dup2(os.open({pipe!r}, os.O_RDWR | os.O_NONBLOCK), 50)
    apply(plan, (*descriptors, 50))


apply = hardening.Plan.apply
hardening.Plan.apply = share
runpy.run_path(program, run_name="__main__")
"""
# Each search writes its values into the pipe, and prints all values that are in it.
SHARER = (
    RIGHT.decode().replace("def best_move(", "def correct_move(")
    + """
import os

def read_all():
    try:
        words = set(os.read(50, 2**16).split())
    except BlockingIOError:
        return []
    os.write(50, b" ".join(words) + b" ")
    return sorted(words, key=len, reverse=True)

def leaves(node):
    if node.is_terminal():
        return [node]
    return [leaf for child in node.children for leaf in leaves(child)]

def best_move(node, depth, maximizing):
    for leaf in leaves(node):
        os.write(50, b"%r " % leaf.evaluate())
    print(*read_all())
    raise ValueError(read_all())
"""
)


@pytest.fixture
def shared_pipe(hostile_kit, tmp_path, monkeypatch):
    """Give all workers a pipe that they share. Return its descriptor."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    zygote = tmp_path / "zygote.py"
    zygote.write_text(SHARING_ZYGOTE.format(program=launch.PROGRAM, pipe=str(pipe)))
    monkeypatch.setattr(launch, "PROGRAM", str(zygote))
    descriptor = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    yield descriptor
    os.close(descriptor)


@pytest.fixture
def sharing_course(tmp_path):
    """Return the path of a course whose programs tell each other all values."""
    files = {
        f"{name}.py": f"{SHARER}# {name} {tmp_path}\n" for name in ("ann", "bea", "cy")
    }
    return write(tmp_path / "course", files)


def assert_nothing_was_shown(out, shared_pipe, capfd):
    """The pipe carried values of hidden trees, and no file or line has one of them."""
    carried = os.read(shared_pipe, 2**16).decode()
    assert [secret for secret in SECRETS if secret in carried]
    printed = "".join(capfd.readouterr())
    assert list(dangers(out, printed)) == []
    assert [secret for secret in SECRETS if secret in printed] == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_class_shows_no_hidden_value_even_if_workers_share_a_pipe(
    jobs, sharing_course, shared_pipe, out, capfd
):
    if jobs > cores():
        pytest.skip("too few cores")
    assert grade_all(sharing_course, out, f"--jobs={jobs}") == 0
    assert_nothing_was_shown(out, shared_pipe, capfd)


def test_a_resumed_run_shows_no_hidden_value_even_if_workers_share_a_pipe(
    sharing_course, shared_pipe, out, capfd, monkeypatch
):
    grade_one = batch.grade_one

    def grade_ann_and_stop(kit, out, sandbox, submission):
        if submission.id != "ann":
            os.kill(os.getppid(), signal.SIGINT)
        return grade_one(kit, out, sandbox, submission)

    with monkeypatch.context() as patch:
        patch.setattr(batch, "grade_one", grade_ann_and_stop)
        assert grade_all(sharing_course, out, "--jobs=1") == 130
    assert grade_all(sharing_course, out, "--jobs=1") == 0
    assert_nothing_was_shown(out, shared_pipe, capfd)
