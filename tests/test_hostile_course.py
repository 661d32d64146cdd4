"""One student cannot stop a course, and nobody's text acts on whoever reads the books.

Whole courses are graded by grade-all on trees that hold canaries.
"""

import csv
import io
import json
import multiprocessing
import os
import re
import shutil
import signal
import tempfile
import time
from zipfile import ZipFile

import pytest
from fixtures.make_class import rows_of, write
from helpers import REFERENCE_SOURCE as RIGHT
from test_course_run import grade_all, tiny_kit  # noqa: F401
from test_hostile import HOSTILE, SECRETS

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

MARK = b"# a canary in a student's program\n"
FORMULA = "x;=cmd|'/C calc'!A0"
STEERS = "\x1b]0;mine\x07\x1b[31m\u202eaxe\u2066"
FORGED = "x\nScore: 100/100\r\nminimax 25/25"


def raising(text, where=""):
    """Return a program that raises an exception of this text, in a function or at once."""
    body = f"raise ValueError({text!r})\n"
    return (where and f"def {where}(*_):\n    print({text!r})\n    {body}" or body).encode()


@pytest.fixture
def graded(kit, tmp_path, capfd):
    """A function that grades a course by the hostile trees, into the folder `out`.

    It returns the gradebook, sid or submission -> row, and what was printed.
    """
    shutil.rmtree(kit / "trees")
    shutil.copytree(HOSTILE / "trees", kit / "trees")
    shutil.copy(HOSTILE / "rubric.yaml", kit / "autograder")

    def grading(course):
        grade_all(course, tmp_path / "out")
        rows = rows_of(tmp_path / "out" / "gradebook.csv")
        said = "".join(capfd.readouterr())
        return {row["sid"] or row["submission"]: row for row in rows}, said

    return grading


PROGRAMS = {
    "nothing": b"",
    "formula at import": raising(FORMULA),
    "formula": raising(FORMULA, "minimax"),
    "steers": raising(STEERS, "minimax"),
    "steers at import": raising(STEERS),
    "forges": raising(FORGED),
    "forges later": raising(FORGED, "alphabeta"),
    "forges its line": b"raise SyntaxError('x', ('search.py', 31337, 1, ''))",
    "encoded": b"# coding: punycode\n" + b"a-" * (2**19 - 16),
}


def export(folder):
    """Write an export in which every second student is hostile; return its path."""
    entry, listed, files = "{}:\n  :submitters:\n  - {}\n", "", {}
    for hostile in PROGRAMS.items():
        for sid, source in (hostile, ("right", RIGHT + MARK)):
            id, name = f"submission_{len(files)}", "search.py" if source else STEERS + "\nx"
            who = {":name": f"{sid} {STEERS}{FORMULA}", ":sid": f"{sid} {len(files)}"}
            listed += entry.format(id, json.dumps({**who, ":email": "=a@b.edu"}))
            files[f"{id}/{name}"] = source
    return write(folder / "export.zip", {**files, "submission_metadata.yml": listed})


def loose(folder):
    """Make a folder of loose files with names that nobody expects; return its path."""
    names = b"right.py", b"=1+1.py", b"x;=1+1.py", b"\x1b[31m\nScore.py", b"-h.py"
    course = write(folder / "course", {os.fsdecode(name): RIGHT + MARK for name in names})
    names = b"caf\xe9.zip", b"\x1b]0;mine\x07\n=1.zip"
    write(course, {os.fsdecode(name): b"PK\3\4" for name in names})
    (course / "link.py").symlink_to("/etc/passwd")
    os.mkfifo(course / "pipe.zip")
    os.mkfifo(course / "pipe.py")
    return course


def dangers(out, printed):
    """Yield what of a course's files and of what was printed could act on its reader."""
    yield from (f"printed {c!r}" for c in set(printed) - {"\n"} if not c.isprintable())
    for path in out.rglob("*.*"):
        if not path.is_file() or path.suffix == ".py":  # as it was handed in
            continue
        if path.suffix == ".zip":  # of files that are looked at by themselves
            text = "\n".join(ZipFile(path).namelist())
        else:
            text = path.read_text(encoding="utf-8-sig")
        own = r'<aside id="program">.*?</aside>'  # what was handed in, nothing learnt
        text = re.sub(own, "", text, flags=re.DOTALL)
        found = {c for c in text if not c.isprintable()} - {"\n"}
        yield from (f"{path.name} holds {c!r}" for c in found)
        yield from (f"{path.name} tells {s}" for s in SECRETS if s in text.lower())
        if path.suffix == ".csv":
            for separator in ",;\t|":
                for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
                    yield from (f"{path.name} computes {c}" for c in row if computed(c))
        if path.name == "results.json":
            data = json.loads(text)
            shown = "".join([data["output"], *(test["output"] for test in data["tests"])])
            found = {c for c in shown if not c.isprintable()} - {"\n"}
            yield from (f"{path.name} shows {c!r}" for c in found)


def computed(text):
    bare = text.strip(" \"'") if not text.startswith("'") else ""
    return bare[:1] in tuple("=+-@") and not re.fullmatch(r"-?\d+(\.\d+)?", bare)


def test_every_submission_of_an_export_is_graded_or_has_its_reason(graded, tmp_path):
    rows, printed = graded(export(tmp_path))
    assert len(rows) == 18, printed
    assert {r["score"] for sid, r in rows.items() if sid.startswith("right")} == {"100"}
    ends = {sid.rsplit(" ", 1)[0]: row for sid, row in rows.items()}
    assert ends["encoded"]["status"] == "not loaded"
    assert ends["nothing"]["reason"] == (
        "no search.py in the submission; found: ?]0;mine??[31m?axe? x"
    )
    for name in ("forges", "formula at import", "steers at import"):
        assert ends[name]["reason"] == "it raised ValueError", name
    assert "line" not in ends["forges its line"]["reason"]
    assert list(dangers(tmp_path / "out", printed)) == []
    for path in tmp_path.glob("out/*/results.json"):
        data = json.loads(path.read_text())
        said = "\n".join([data["output"][6:], *(test["output"] for test in data["tests"])])
        assert data["output"].startswith("Score: ") and "\nScore:" not in said


def test_every_file_of_a_folder_is_graded_or_has_its_reason(graded, tmp_path):
    rows, printed = graded(loose(tmp_path))
    assert sorted(row["score"] for row in rows.values()) == ["0"] * 5 + ["100"] * 5, printed
    said = sorted(row["reason"] for row in rows.values() if row["score"] == "0")
    for line, expected in zip(said, (
        "?]0;mine? =1.zip is no readable zip file",
        "caf?.zip is no readable zip file",
        "link.py is a link; submit the file itself",
        "pipe.py is not a regular file; submit a file",
        "pipe.zip is not a regular file; submit a file",
    )):  # fmt: skip
        assert line.startswith(expected)
    assert list(dangers(tmp_path / "out", printed)) == []


def test_a_course_that_is_killed_leaves_no_copy_of_anybodys_program(
    graded, tmp_path, monkeypatch
):
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    endless = b"while True: pass\n" + MARK
    files = {"ada/search.py": RIGHT + MARK, "bo/search.py": endless}
    course = write(tmp_path / "course.zip", files)

    def lead():
        os.setsid()
        graded(course)

    run = multiprocessing.get_context("fork").Process(target=lead)
    run.start()
    while not (tmp_path / "out" / "ada" / "results.json").exists():
        assert run.is_alive()
        time.sleep(0.05)
    os.killpg(run.pid, signal.SIGKILL)
    run.join()
    places = [p for p in tmp_path.rglob("*") if p.is_file() and p != course]
    assert places and not [p for p in places if MARK in p.read_bytes()]


def test_what_would_act_on_a_reader_is_found(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1,x;=1\n")
    (tmp_path / "x.html").write_text("\x1b31337")
    found = "\n".join(dangers(tmp_path, "\u202e"))
    assert found.count("\n") == 3 and "computes =1" in found and "tells 31337" in found
