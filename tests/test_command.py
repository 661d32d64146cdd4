"""Whatever stops a command is one line and an exit status; nobody reads a traceback."""

import subprocess
from pathlib import Path

import pytest
from helpers import PYTHON, ROOT

from autograder.command import Parser, Refused, line_and_status, path, status_of
from autograder.rubricfile import RubricError


@pytest.mark.parametrize(
    "error, line, status",
    [
        (Refused("COUNT: write a number"), "COUNT: write a number", 2),
        (RubricError("rubric.yaml: points"), "rubric.yaml: points", 2),
        (FileNotFoundError(2, "No such file", "x"), "x: No such file", 2),
        (OSError(28, "No space left"), "out: No space left", 2),
        (KeyboardInterrupt(), "stopped", 130),
        (KeyboardInterrupt("stopped; go on"), "stopped; go on", 130),
    ],
)
def test_what_stops_a_command_is_one_line_and_a_status(error, line, status):
    assert line_and_status(error, "out") == (line, status)


def test_a_fault_that_nobody_foresaw_is_told_in_a_file(tmp_path, capsys):
    assert status_of("check", lambda: 1 // 0, tmp_path) == 2
    log = tmp_path / "fault.txt"
    line = f"check: a fault of the kit (ZeroDivisionError); details in {log}\n"
    assert capsys.readouterr().err == line
    assert "1 // 0" in log.read_text()


def test_a_fault_whose_file_cannot_be_written_is_one_line_too(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert status_of("check", lambda: 1 // 0, tmp_path / "file") == 2
    line = capsys.readouterr().err
    assert "fault.txt cannot be written: " in line and line.count("\n") == 1


def test_a_wrong_argument_is_refused_by_its_setting():
    parser = Parser()
    parser.add_argument("--seed", type=int)
    with pytest.raises(Refused, match="^SEED: write a whole number, or leave it out$"):
        parser.parse_args(["--seed", "x"])


def test_a_tilde_is_the_home_folder(monkeypatch):
    monkeypatch.setenv("HOME", "/home/ada")
    assert path("~/hw.py") == Path("/home/ada/hw.py")


@pytest.mark.parametrize("closed", ["", ">&-", "2>&-", ">&- 2>&-"])
def test_leaving_says_what_there_was_to_say_wherever_that_goes(closed):
    code = "import sys; from autograder.command import leave; print('said'); leave(3)"
    command = f'"{PYTHON}" -c "{code}" {closed}'
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
    told = "" if closed.startswith(">") else "said\n"
    assert (done.returncode, done.stdout, done.stderr) == (3, told, "")
