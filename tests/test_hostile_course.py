"""One student cannot stop a course, and nobody's text acts on whoever reads the books.

Whole courses are graded by grade-all on trees that hold canaries, in a process of its own.
"""

import csv
import importlib.util
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import pytest
from fixtures.make_class import rows_of
from helpers import ROOT
from kitcopy import copy_kit
from test_hostile import HOSTILE, SECRETS

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

RIGHT = (ROOT / "solution" / "search.py").read_bytes()
MARK = b"# a canary in a student's program\n"
FORMULA = "x;=cmd|'/C calc'!A0"
STEERS = "\x1b]0;mine\x07\x1b[31m\u202eaxe\u2066"
FORGED = "x\nScore: 100/100\r\nminimax 25/25"


def raising(text, where=""):
    """Return a program that raises an exception of this text, in a function or at once."""
    body = f"raise ValueError({text!r})\n"
    return (where and f"def {where}(*_):\n    print({text!r})\n    {body}" or body).encode()


class Kit:
    """A copy of the kit with the hostile trees."""

    def __init__(self, folder):
        self.folder = folder
        self.root, self.tmp = copy_kit(folder), folder / "tmp"
        shutil.rmtree(self.root / "trees")
        shutil.copytree(HOSTILE / "trees", self.root / "trees")
        shutil.copy(HOSTILE / "rubric.yaml", self.root / "autograder")
        for name in ("yaml", "gradescope_utils"):
            package = Path(importlib.util.find_spec(name).origin).parent
            shutil.copytree(package, folder / "site" / name)
        self.tmp.mkdir()

    def start(self, course, out):
        """Start grade-all."""
        return subprocess.Popen(
            [sys.executable, "-B", "-s", "-m", "autograder.batch",
             f"--out={out}", "--", course],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.root,
            env={"PATH": "/usr/bin:/bin", "TMPDIR": str(self.tmp), "LC_ALL": "C.UTF-8",
                 "PYTHONPATH": f"{self.folder}/site:{self.root}"},
            start_new_session=True,
        )  # fmt: skip

    def grade(self, course):
        """Grade a course; return the folder of the books, and what was printed."""
        out = self.folder / "out"
        out_text, errors = self.start(course, out).communicate(timeout=300)
        return out, (out_text + errors).decode("utf-8")


@pytest.fixture
def kit():
    with tempfile.TemporaryDirectory(prefix="course-") as folder:
        yield Kit(Path(folder))


def export(folder):
    """Write an export in which every second student is hostile; return its path."""
    nested = {
        "outside": {"..\\notes.txt": b"", "../../evil.py": b"", "/etc/evil.py": b""},
        "beside": {"a": b"", "a\\b": b"", "b": b"", "b/c": b""},
        "unicode": {"\u00e9": b"", "e\u0301": b"", "README": b"", "readme": b""},
        "grows": {"\ufb2c" * 80: b"", "n" * 60_000: b""},
        "padded": {f"{number}.txt": bytes(2**14) for number in range(3000)},
        "bomb": {"search.py": bytes(2**26)},
        "nothing": {STEERS + "\nx": b""},
        "formula at import": {"search.py": raising(FORMULA)},
        "formula": {"search.py": raising(FORMULA, "minimax")},
        "steers": {"search.py": raising(STEERS, "minimax")},
        "steers at import": {"search.py": raising(STEERS)},
        "forges": {"search.py": raising(FORGED)},
        "forges later": {"search.py": raising(FORGED, "alphabeta")},
        "forges its line": {
            "search.py": b"raise SyntaxError('x', ('search.py', 31337, 1, ''))"
        },
        "encoded": {"search.py": b"# coding: punycode\n" + b"a-" * (2**19 - 16)},
    }
    for name in ("outside", "beside", "unicode", "grows", "padded"):
        nested[name]["search.py"] = RIGHT
    students, path = [], folder / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (hostile, files) in enumerate(nested.items()):
            both = (hostile, files), ("right", {"search.py": RIGHT + MARK})
            for sid, content in both:
                submission = f"export/submission_{len(students) + 1}"
                who = f"{sid} {STEERS}{FORMULA}", f"{sid} {number}", "=a@b.edu"
                students.append((submission.removeprefix("export/"), who))
                for file, data in content.items():
                    archive.writestr(f"{submission}/{file}", data)
        archive.writestr("export/submission_metadata.yml", metadata_of(students))
    return path


def metadata_of(students):
    """Return the submission_metadata.yml of (submission, (name, sid, email)) pairs."""
    entry = "{}:\n  :submitters:\n  - :name: {}\n    :sid: {}\n    :email: {}\n"
    return "".join(entry.format(id, *map(json.dumps, who)) for id, who in students)


def loose(folder):
    """Make a folder of loose files with names that nobody expects; return its path."""
    course = folder / "course"
    course.mkdir()
    for name in (b"right.py", b"=1+1.py", b"x;=1+1.py", b"\x1b[31m\nScore.py", b"-h.py"):
        (Path(os.fsdecode(os.fsencode(course) + b"/" + name))).write_bytes(RIGHT + MARK)
    for name in (b"caf\xe9.zip", b"\x1b]0;mine\x07\n=1.zip"):
        Path(os.fsdecode(os.fsencode(course) + b"/" + name)).write_bytes(b"PK\3\4")
    with zipfile.ZipFile(course / "liar.zip", "w") as archive:  # hands in for others
        claim = metadata_of([("right", ["R", "1", "@"])])
        archive.writestr("submission_metadata.yml", claim)
        archive.writestr("right/search.py", b"x = 1\n")
        archive.writestr("other/search.py", b"x = 1\n")
    os.mkfifo(course / "pipe.zip")
    os.mkfifo(course / "pipe.py")
    return course


def books(out):
    """Return sid or submission -> row of the gradebook."""
    rows = rows_of(out / "gradebook.csv")
    return {row["sid"] or row["submission"]: row for row in rows}


def dangers(out, printed):
    """Yield what of a course's files and of what was printed could act on its reader."""
    yield from (f"printed {c!r}" for c in set(printed) - {"\n"} if not c.isprintable())
    for path in out.rglob("*.*"):
        if not path.is_file() or path.suffix == ".py":  # as it was handed in
            continue
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


def test_every_submission_of_an_export_is_graded_or_has_its_reason(kit):
    out, printed = kit.grade(export(kit.folder))
    rows = books(out)
    assert len(rows) == 30, printed
    ends = {sid.rsplit(" ", 1)[0]: row for sid, row in rows.items()}
    for name in ("right", "outside", "beside", "unicode", "grows", "padded"):
        scores = {r["score"] for sid, r in rows.items() if sid.startswith(name)}
        assert scores == {"100"}, name
    assert "67,108,864 bytes; at most" in ends["bomb"]["reason"]
    assert ends["encoded"]["status"] == "not loaded"
    assert ends["nothing"]["reason"] == (
        "no search.py in the submission; found: ?]0;mine??[31m?axe? x"
    )
    for name in ("forges", "formula at import", "steers at import"):
        assert ends[name]["reason"] == "it raised ValueError", name
    assert "line" not in ends["forges its line"]["reason"]
    assert list(dangers(out, printed)) == []
    for path in out.glob("*/results.json"):
        data = json.loads(path.read_text())
        said = "\n".join([data["output"][6:], *(test["output"] for test in data["tests"])])
        assert data["output"].startswith("Score: ") and "\nScore:" not in said
    assert not list(kit.folder.rglob("evil.py")) and not list(kit.folder.rglob("notes.txt"))


def test_every_file_of_a_folder_is_graded_or_has_its_reason(kit):
    out, printed = kit.grade(loose(kit.folder))
    rows = books(out)
    assert sorted(row["score"] for row in rows.values()) == ["0"] * 5 + ["100"] * 5, printed
    assert rows["liar"]["reason"].startswith("more than one search.py")
    assert "1" not in rows
    reasons = {row["submission"]: row["reason"] for row in rows.values()}
    assert reasons["pipe"] == reasons["pipe-2"].replace(".zip", ".py")
    broken = "?]0;mine? =1.zip is no readable zip file", "caf?.zip is no readable zip file"
    assert all(any(said.startswith(b) for said in reasons.values()) for b in broken)
    assert list(dangers(out, printed)) == []


def test_a_course_that_is_killed_leaves_no_copy_of_anybodys_program(kit):
    course = kit.folder / "course.zip"
    with zipfile.ZipFile(course, "w") as archive:
        archive.writestr("ada/search.py", RIGHT + MARK)
        archive.writestr("bo/search.py", b"while True: pass\n" + MARK)
    run = kit.start(course, kit.folder / "out")
    while not (kit.folder / "out" / "ada" / "results.json").exists():
        assert run.poll() is None, run.communicate()
        time.sleep(0.05)
    os.killpg(run.pid, signal.SIGKILL)
    run.communicate()
    places = [p for p in (kit.folder / "out", kit.tmp) for p in p.rglob("*") if p.is_file()]
    assert places and not [p for p in places if MARK in p.read_bytes()]
    copies = [p for p in kit.folder.rglob("search.py") if MARK in p.read_bytes()]
    assert copies == []


def test_what_would_act_on_a_reader_is_found(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1,x;=1\n")
    (tmp_path / "x.html").write_text("\x1b31337")
    found = "\n".join(dangers(tmp_path, "\u202e"))
    assert found.count("\n") == 3 and "computes =1" in found and "tells 31337" in found
