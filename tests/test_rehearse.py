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
from kitcopy import add_cached
from results_schema import problems_of_text

from autograder.command import Refused
from autograder.kit import content_hash
from autograder.workbench import rehearse
from autograder.workbench.package import autograder_files, pack
from autograder.workbench.rehearse import SECRET, lay_out, main, python_for, run_as


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Gradescope's folders, with this Python as the virtual environment's."""
    archive = tmp_path_factory.mktemp("dist") / "autograder.zip"
    archive.write_bytes(pack(autograder_files()))
    home = lay_out(archive)
    python = home / "source" / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    (home / "source" / ".built").touch()
    add_cached(home / "source")
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


def test_a_right_submission_scores_100_and_an_empty_one_is_told_so_on_every_row(home):
    assert (home / "source" / "run_autograder").stat().st_mode & 0o111 == 0  # lost
    right, empty = (graded(home, files) for files in ({"search.py": REFERENCE_SOURCE}, {}))
    assert problems_of_text(right) == problems_of_text(empty) == []
    assert SECRET not in right
    right, empty = json.loads(right), json.loads(empty)
    assert (right["score"], empty["score"]) == (100, 0)
    assert len(right["tests"]) == len(empty["tests"])
    assert "no search.py in the submission; found: nothing" in empty["output"]
    for name in ("source", "submission", "results", "submission_metadata.json"):
        # As root, all is closed to the user that the submission runs as.
        assert os.geteuid() or (home / name).stat().st_mode & 0o077 == 0, name


def test_without_its_venv_a_result_says_that_the_build_is_at_fault(home, tmp_path):
    shutil.copytree(home, tmp_path / "home", symlinks=True)
    shutil.rmtree(tmp_path / "home" / "source" / ".venv")
    data = json.loads(text := graded(tmp_path / "home", {"search.py": REFERENCE_SOURCE}))
    assert problems_of_text(text) == []
    assert data["score"] == 0 and "tests" not in data
    assert "not about your code: contact the course staff" in data["output"]


def test_the_builds_log_ends_with_the_score_the_hash_of_make_dist_and_the_rubric(home):
    script = (ROOT / "autograder" / "setup.sh").read_text().splitlines()[-2]
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


GOOD = json.dumps({"score": 5.0})
FAULTS = (  # what run_autograder writes, its status, and what is said of it
    (GOOD, 0, ""),
    (GOOD, 3, "status 3"),
    ("", 0, "not what make grade writes"),
    (GOOD.replace("5.0", "4.0"), 0, "not what make grade writes"),
    (GOOD.replace("score", SECRET), 0, "the metadata or a forgery shows"),
)


def test_whatever_goes_wrong_in_a_rehearsal_is_said(tmp_path):
    for folder in ("source", "submission", "results"):
        (tmp_path / folder).mkdir()
    script = tmp_path / "source" / "run_autograder"
    results = tmp_path / "results" / "results.json"
    made = Future()
    made.set_result(GOOD)
    for text, status, fault in FAULTS:
        (tmp_path / "text").write_text(text)
        script.write_text(f"#!/bin/sh\ncp {tmp_path}/text {results}\nexit {status}\n")
        script.chmod(0o755)
        faults = rehearse.faults_of(dict(os.environ), tmp_path, None, {}, made)
        assert fault in " ".join(faults) and bool(fault) == bool(faults), text


def test_a_zip_that_is_absent_or_damaged_is_refused_in_one_line(tmp_path):
    archive = tmp_path / "dist" / "autograder.zip"
    with pytest.raises(Refused, match="^there is no dist/autograder.zip: run make dist$"):
        main(archive)
    archive.parent.mkdir()
    whole = pack(autograder_files())
    middle = len(whole) // 2
    broken = whole[:middle] + bytes(200) + whole[middle + 200 :]
    for data in (whole[:-100], whole[:middle], broken, b"", pack({"x": b"y"})):
        archive.write_bytes(data)
        with pytest.raises(Refused, match="^dist/autograder.zip is damaged: run make dist"):
            main(archive)


def test_a_command_has_a_containers_memory_and_runs_as_its_user_in_no_other_group():
    assert python_for(None)
    assert run_as(None, ["sh", "-c", "ulimit -v"]).stdout == f"{768 * 1024}\n"
    if os.geteuid() == 0:
        assert run_as(12345, ["sh", "-c", "id -u; id -G"]).stdout == "12345\n12345\n"


def test_a_fault_ends_make_rehearse_with_status_1_and_a_line(monkeypatch, capsys):
    monkeypatch.setattr(rehearse, "check", lambda _: None)
    monkeypatch.setattr(rehearse, "rehearse", lambda *_: ["a line", "right: FAULT: none"])
    monkeypatch.setattr(rehearse, "results_by_grade", lambda _: "")
    assert main() == 1
    assert "\n  right: FAULT: none\n" in capsys.readouterr().out
