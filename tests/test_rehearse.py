"""The rehearsal of Gradescope, and the script that Gradescope runs.

The whole of it needs the network and a minute: `make rehearse`. Here stand its parts, with
this Python in the place of the virtual environment.
"""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import Future

import pytest
from helpers import REFERENCE_SOURCE, ROOT
from kitcopy import add_known
from results_schema import problems_of_text

from autograder.kit import content_hash
from autograder.workbench import confine
from autograder.workbench import rehearse as module
from autograder.workbench.confine import Box, python_for
from autograder.workbench.package import package
from autograder.workbench.rehearse import (
    SECRET,
    Rehearsal,
    lay_out,
    processes_of,
    submissions,
)

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can do this")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Gradescope's folders, with this Python as the virtual environment's."""
    folder = tmp_path_factory.mktemp("dist")
    package(ROOT, folder)
    home = lay_out(folder / "autograder.zip")
    python = home / "source" / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    add_known(home / "source")
    yield home
    shutil.rmtree(home)


def graded(home, files):
    """Run run_autograder, which has no execute bit, on these files; return the text."""
    shutil.rmtree(home / "submission")
    (home / "submission").mkdir()
    for name, content in files.items():
        (home / "submission" / name).write_bytes(content)
    script = home / "source" / "run_autograder"
    env = {**os.environ, "AUTOGRADER_HOME": str(home)}
    done = subprocess.run(
        ["bash", script], cwd=home, env=env, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    return (home / "results" / "results.json").read_text()


def test_a_right_submission_scores_100_though_the_zip_lost_its_execute_bits(home):
    assert (home / "source" / "run_autograder").stat().st_mode & 0o111 == 0
    text = graded(home, {"search.py": REFERENCE_SOURCE})
    assert problems_of_text(text) == []
    assert json.loads(text)["score"] == 100
    assert SECRET not in text


def test_without_its_venv_a_result_says_that_the_build_is_at_fault(home, tmp_path):
    shutil.copytree(home, tmp_path / "home", symlinks=True)
    shutil.rmtree(tmp_path / "home" / "source" / ".venv")
    data = json.loads(text := graded(tmp_path / "home", {"search.py": REFERENCE_SOURCE}))
    assert problems_of_text(text) == []
    assert data["score"] == 0 and "tests" not in data
    assert "not about your code: tell the course staff" in data["output"]


def test_the_builds_log_ends_with_the_score_the_hash_of_make_dist_and_the_rubric(home):
    script = (ROOT / "autograder" / "setup.sh").read_text().splitlines()[-1]
    command = script.partition("  #")[0].split()
    done = subprocess.run(
        command, cwd=home / "source", env=os.environ, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    score, kit, rubric = done.stdout.splitlines()[-3:]
    assert score.startswith("preflight: the reference scores 100/100 on")
    assert kit == f"kit: {content_hash(ROOT)[:16]}, as make dist has printed"
    assert rubric == (
        "rubric: minimax 25, alphabeta 60, best_move 15; cutoff equality; hints line"
    )


def test_an_empty_and_a_misnamed_submission_are_told_so_on_every_row(home):
    rows = len(json.loads(graded(home, {"search.py": REFERENCE_SOURCE}))["tests"])
    for files, found in (({}, "nothing"), ({"Search.py": b""}, "Search.py")):
        text = graded(home, files)
        assert problems_of_text(text) == []
        data = json.loads(text)
        assert (data["score"], len(data["tests"])) == (0, rows)
        said = f"no search.py in the submission; found: {found}"
        assert said in data["output"]


@as_root
def test_as_root_the_folders_are_closed_to_the_submissions_user(home):
    graded(home, {"search.py": b""})
    for name in ("source", "submission", "results"):
        assert (home / name).stat().st_mode & 0o077 == 0
    assert (home / "submission_metadata.json").stat().st_mode & 0o077 == 0


def faults_of_rehearsal(home, text, status=0):
    """Rehearse `right` with a run_autograder that writes the text; return its faults."""
    script = home / "source" / "run_autograder"
    script.parent.mkdir(parents=True)
    (home / "submission").mkdir()
    (home / "results").mkdir()
    (home / "text").write_text(text)
    results = home / "results" / "results.json"
    script.write_text(f"#!/bin/sh\ncp {home}/text {results}\nexit {status}\n")
    script.chmod(0o755)
    made = Future()
    made.set_result(GOOD)
    rehearsal = Rehearsal(home, ROOT, None, "user", {"right": made})
    rehearsal.grade(Box(), dict(os.environ), "right", {}, lambda score: score == 5)
    return rehearsal.faults


ROW = {"name": "a", "number": "1", "score": 5.0, "max_score": 5.0, "status": "passed",
       "output": ""}  # fmt: skip
GOOD = json.dumps({"score": 5.0, "tests": [ROW]})


def test_a_rehearsal_without_fault_finds_none(tmp_path):
    assert faults_of_rehearsal(tmp_path, GOOD) == []


@pytest.mark.parametrize(
    "text, status, fault",
    [
        (GOOD, 3, "status 3"),
        ("", 0, "not strict JSON"),
        (GOOD.replace("5.0", "4.0"), 0, "scored 4.0"),
        (GOOD.replace("passed", "skipped"), 0, "status is 'skipped'"),
        (GOOD.replace('"a"', f'"{SECRET}"'), 0, "the metadata or a forgery shows"),
        (GOOD.replace('"a"', '"b"'), 0, "not the bytes of make grade"),
    ],
)
def test_whatever_goes_wrong_in_a_rehearsal_is_said(text, status, fault, tmp_path):
    assert fault in " ".join(faults_of_rehearsal(tmp_path, text, status))


def test_a_process_that_is_left_is_found(tmp_path):
    # Its command line reads as empty until exec is over, so it says when it runs.
    code = "import time; print('running', flush=True); time.sleep(60)"
    left = subprocess.Popen(
        [sys.executable, "-c", code, f"{tmp_path}/source/zygote.py"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert left.stdout.readline() == "running\n"
        assert [line for line in processes_of(tmp_path) if str(left.pid) in line]
    finally:
        left.kill()
        left.communicate()
    assert processes_of(tmp_path) == []


def test_six_submissions_are_rehearsed_by_some_python(tmp_path):
    assert python_for(None)
    named = submissions(ROOT, tmp_path)
    assert list(named) == ["right", "wrong", "hanging", "forging", "empty", "misnamed"]
    assert str(tmp_path) in named["forging"][0]["search.py"]


def test_no_python_runs_between_fork_and_exec_where_other_threads_may_hold_a_lock(
    monkeypatch,
):
    options = {}
    run = subprocess.run
    monkeypatch.setattr(
        subprocess, "run", lambda *a, **k: options.update(k) or run(*a, **k)
    )
    with Box() as box:
        assert box.words
        assert box.run(["echo", "inside"]).stdout == "inside\n"
    assert "preexec_fn" not in options


@as_root
def test_a_boxs_command_runs_as_its_user_and_in_no_group_of_roots():
    assert Box(uid=12345).run(["id", "-u"]).stdout == "12345\n"
    assert Box(uid=12345).run(["id", "-G"]).stdout == "12345\n"


def test_a_fault_ends_make_rehearse_with_status_1_and_a_line(monkeypatch, capsys):
    def play(rehearsal):
        rehearsal.faults.append("right: scored 0")

    monkeypatch.setattr(Rehearsal, "play", play)
    monkeypatch.setattr(Rehearsal, "hand_over", lambda _: None)
    monkeypatch.setattr(module, "lay_out", lambda _: ROOT / "build" / "nothing")
    monkeypatch.setattr(module, "package", lambda *_: None)
    monkeypatch.setattr(module, "made_by_grade", lambda *_: "")
    assert module.rehearse() is False
    assert "rehearse: as root, right: scored 0" in capsys.readouterr().err


def test_a_folder_that_is_no_control_group_is_not_taken_for_one(tmp_path, monkeypatch):
    monkeypatch.setattr(confine, "GROUPS", tmp_path)
    (tmp_path / "cpu").mkdir()
    (tmp_path / "memory").mkdir()
    with Box() as box:
        assert box.words[0] == "768 MB of address space; no control groups for half a CPU"
        done = box.run(["sh", "-c", "ulimit -v"])
        assert done.stdout == f"{768 * 1024}\n"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["cpu", "memory"]
