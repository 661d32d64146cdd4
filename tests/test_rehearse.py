"""`make rehearse` builds and grades as Gradescope does, and reports each difference.

`make rehearse` itself needs the network and a minute. These tests run its parts, with this
Python instead of a virtual environment.
"""

import json
import os
from pathlib import Path

import pytest
from helpers import (
    CORRECT,
    ROOT,
    RUBRIC,
    cases,
    kit_text,
    refusal_of,
    run_command,
    write,
    write_program,
)
from kitcopy import add_cached, add_venv
from results_schema import problems_of_text

from autograder.kit.contents import autograder_files, content_hash, describe_kit
from autograder.scoring.scores import points_text
from autograder.workbench import rehearse
from autograder.workbench.package import pack
from autograder.workbench.rehearse import Container, lay_out, main


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Return the root of Gradescope's folders, with this Python as virtual environment."""
    folder = tmp_path_factory.mktemp("gradescope")
    (folder / "autograder.zip").write_bytes(pack(autograder_files()))
    home = lay_out(folder / "autograder.zip", folder)
    add_venv(home / "source")
    (home / "source" / ".built").touch()
    script = home / "source" / "run_autograder"
    assert script.stat().st_mode & 0o111 == 0  # until setup.sh has run
    script.chmod(0o755)
    add_cached(home / "source")
    return home


def grade_files(home, files):
    """Return the text of results.json for the files of a submission, name -> text."""
    upload = write(home.with_name("upload"), files)
    Container(home, "/usr/bin").grade(upload, "")
    text = (home / "results" / "results.json").read_text()
    assert problems_of_text(text) == []
    return text


@pytest.fixture(scope="module")
def reference_results(home):
    """Return the results of the reference."""
    return json.loads(grade_files(home, {"search.py": CORRECT}))


def test_a_correct_submission_gets_full_marks(reference_results):
    assert reference_results["score"] == RUBRIC.max_cents / 100


@pytest.mark.skipif(os.geteuid() != 0, reason="a submission runs as the same user")
def test_root_closes_the_folders_to_the_user_of_a_submission(home, reference_results):
    for name in ("source", "submission", "results", "submission_metadata.json"):
        assert (home / name).stat().st_mode & 0o077 == 0, name


def test_the_log_of_a_build_ends_with_score_and_hash(home):
    script = kit_text("autograder/setup.sh").splitlines()[-2]
    command = script.partition("  #")[0].split()
    done = run_command(command, home / "source", env=os.environ)
    assert (done.returncode, done.stderr) == (0, "")
    score, kit = done.stdout.splitlines()[-2:]
    total = points_text(RUBRIC.max_cents)
    assert score.startswith(f"preflight: the reference scores {total}/{total} on")
    assert kit == describe_kit(content_hash(ROOT))


RESULTS = json.dumps({"score": 5.0, "output": "one\ntwo"})


@cases("faults of a rehearsal")
def test_a_rehearsal_reports_a_faulty_script(script, problem, tmp_path, monkeypatch):
    if "sleep" in script:
        monkeypatch.setattr(rehearse, "MAX_SECONDS", 0.05)
    home = write(tmp_path / "home", {"text": RESULTS})
    write_program(home / "source" / "run_autograder", f'cd "$AUTOGRADER_HOME"\n{script}')
    container = Container(home, "/usr/bin")
    upload = write(tmp_path / "empty", {})
    assert container.grade(upload, RESULTS) == problem


# ---- the zip


LINE = "autograder/explaining/line.py"
FILES = {LINE: b"x", "autograder/grade.py": bytes(9000)}


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """Return the path of autograder.zip, which does not exist yet, for a kit of FILES."""
    monkeypatch.setattr(rehearse, "autograder_files", lambda: FILES)
    (tmp_path / "dist").mkdir()
    return tmp_path / "dist" / "autograder.zip"


def test_an_absent_zip_is_refused_in_one_line(archive):
    reason = "dist/autograder.zip is missing or damaged; run make dist"
    assert refusal_of(main, archive).startswith(reason)


@cases("changes of a zip")
def test_a_zip_that_differs_from_the_kit_is_refused(name, content, archive):
    packed = dict(FILES)
    packed.pop(name, None)
    if content is not None:
        packed[name] = content.encode()
    archive.write_bytes(pack(packed))
    reason = "dist/autograder.zip is not of this kit; run make dist again"
    assert refusal_of(main, archive) == reason


@pytest.mark.parametrize("cutoff", ["equality", "strict"])
def test_the_uploaded_programs_follow_the_cutoff_rule_of_the_course(tmp_path, cutoff):
    uploads = rehearse.write_uploads(tmp_path / "autograder", cutoff)
    names = [upload.name for upload in uploads]
    assert names == ["correct", "wrong", "hanging", "forging", "empty"]
    is_strict = "alpha > beta" in (uploads[0] / "search.py").read_text()
    assert is_strict == (cutoff == "strict")
    assert [*uploads[-1].iterdir()] == []


# ---- users


def test_a_command_gets_the_memory_of_a_container():
    done = Container(Path("/x"), "").run(["sh", "-c", "ulimit -v; echo $HOME"])
    assert done.stdout == f"{768 * 1024}\n/x\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_command_runs_as_its_user_and_in_no_other_group():
    done = Container(Path("/"), "", 12345).run(["sh", "-c", "id -u; id -G"])
    assert done.stdout == "12345\n12345\n"


@cases("users of a rehearsal")
def test_a_rehearsal_grades_as_every_available_user(
    euid, python, users, tmp_path, monkeypatch, capsys
):
    write(tmp_path, {"source/setup.sh": "exit 0"})
    monkeypatch.setattr(os, "geteuid", lambda: euid)
    monkeypatch.setattr(rehearse, "python_for", lambda _: python)
    monkeypatch.setattr(rehearse, "write_uploads", lambda *_: [tmp_path / "empty"])
    monkeypatch.setattr(rehearse, "results_of_make_grade", lambda _: "")
    monkeypatch.setattr(Container, "grade", lambda *_: "late")
    expected = [f"{user}: empty: late" for user in users.split(" and ")]
    assert rehearse.rehearse(tmp_path) == expected
    assert capsys.readouterr().out == f"grading {users}\n"


def test_a_build_that_fails_is_reported(tmp_path, monkeypatch):
    write(tmp_path, {"source/setup.sh": "echo one; exit 3\n"})
    assert rehearse.rehearse(tmp_path) == ["setup.sh ended with status 3: one\n"]


@cases("ends of a rehearsal")
def test_a_fault_ends_make_rehearse_with_status_1(
    faults, status, end, archive, monkeypatch, capsys
):
    archive.write_bytes(pack(FILES))
    monkeypatch.setattr(rehearse, "rehearse", lambda _: faults)
    assert main(archive) == status
    first, *others, last = capsys.readouterr().out.splitlines()
    assert first == "dist/autograder.zip: 2 files, the same as in this kit"
    assert others == [f"FAULT {fault}" for fault in faults]
    assert last.endswith(f" s, {end}")
