"""Whatever stops a command is one line and an exit status; nobody reads a traceback."""

import io
import subprocess
from pathlib import Path

import pytest
from helpers import PYTHON, ROOT

from autograder.command import Parser, Refused, line_and_status, path, status_of
from autograder.rubricfile import RubricError
from autograder.utilities import Progress, duration


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


# ---- the progress line: now and then in a log, over itself on a terminal


class Terminal(io.StringIO):
    def isatty(self):
        return True


def progress_on(stream, seconds):
    now = [0.0]
    with Progress(len(seconds), stream, clock=lambda: now[0]) as progress:
        for now[0] in seconds:
            progress.step()
    return stream.getvalue()


def test_lines_come_at_the_first_every_five_seconds_and_at_the_last():
    lines = progress_on(io.StringIO(), [1, 2, 3, 7, 8]).splitlines()
    assert lines == [
        "1/5 graded, 1.0 a second, 4 s left",
        "4/5 graded, 0.6 a second, 2 s left",
        "5/5 graded, 0.6 a second",
    ]


def test_a_terminal_gets_one_bar_drawn_over_itself():
    drawn = progress_on(Terminal(), [1, 2])
    assert drawn.count("\n") == 1
    assert drawn.split("\r")[-1].startswith("[####")


def test_nothing_to_do_says_nothing():
    assert progress_on(Terminal(), []) == ""


def test_durations_are_said_as_people_say_them():
    said = [duration(seconds) for seconds in (0, 8.2, 200, 3900, 90000)]
    assert said == ["0 s", "8 s", "3 min 20 s", "1 h 5 min", "1 day 1 h"]
