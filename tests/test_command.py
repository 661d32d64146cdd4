"""Every error of a command is one line and an exit status, not a traceback."""

import io
from pathlib import Path

import pytest
from helpers import PYTHON, ROOT, run_command

from autograder.ground import command
from autograder.ground.command import (
    MAX_LINE,
    Progress,
    line_and_status,
    make_parser,
    path,
    say,
    status_of,
)
from gametree.support.errors import InputError

WRITE = "COUNT: write a number"


@pytest.mark.parametrize(
    "error, line, status",
    [
        (InputError(WRITE), WRITE, 2),
        (FileNotFoundError(2, "No such file", "x"), "x: No such file", 2),
        (OSError(28, "No space left"), "out: No space left", 2),
        (KeyboardInterrupt(), "stopped", 130),
        (KeyboardInterrupt("stopped; go on"), "stopped; go on", 130),
    ],
)
def test_each_error_has_its_line_and_its_status(error, line, status):
    assert line_and_status(error, "out") == (line, status)


def test_an_internal_error_is_one_line_and_has_a_file_with_details(tmp_path, capsys):
    assert status_of("check", lambda: 1 // 0, tmp_path) == 2
    log = tmp_path / "fault.txt"
    line = f"check: internal error (ZeroDivisionError); details in {log}\n"
    assert capsys.readouterr().err == line
    assert "1 // 0" in log.read_text()


def test_an_internal_error_is_one_line_if_its_file_cannot_be_written(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert status_of("check", lambda: 1 // 0, tmp_path / "file") == 2
    line = capsys.readouterr().err
    assert "fault.txt cannot be written: " in line
    assert line.count("\n") == 1


def test_a_command_runs_without_a_terminal(monkeypatch):
    monkeypatch.setattr("sys.stdout", None)
    assert status_of("check", lambda: 1) == 1


def test_the_line_of_a_wrong_argument_begins_with_the_setting():
    parser = make_parser("make trees", "")
    parser.add_argument("--seed", type=int)
    with pytest.raises(InputError, match="^SEED: write a whole number, or omit it$"):
        parser.parse_args(["--seed", "x"])


def test_a_tilde_is_the_home_folder(monkeypatch):
    monkeypatch.setenv("HOME", "/home/ada")
    assert path("~/hw.py") == Path("/home/ada/hw.py")


# ---- printed lines


def test_a_line_is_printed_without_terminal_escapes_and_a_long_one_is_cut(capsys):
    say("\x1b[31m" + "x" * MAX_LINE)
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert out.endswith("xx ...\n")


def test_a_character_that_the_terminal_cannot_show_is_a_question_mark(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), "ascii")
    monkeypatch.setattr("sys.stdout", stream)
    status_of("check", lambda: say("caf\xe9"))
    assert stream.buffer.getvalue() == b"caf?\n"


@pytest.mark.parametrize("closed", ["", ">&- 2>&-"])
def test_leave_prints_pending_text_and_accepts_closed_streams(closed):
    code = (
        "import sys; from autograder.ground.command import leave; print('said'); leave(3)"
    )
    line = f'"{PYTHON}" -c "{code}" {closed}'
    finished = run_command(line, ROOT, shell=True)
    expected = "" if closed.startswith(">") else "said\n"
    assert (finished.returncode, finished.stdout, finished.stderr) == (3, expected, "")


# ---- progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


def progress_on(stream, seconds):
    """Return the text of a progress whose steps end after these seconds."""
    now = [0.0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command.sys, "stderr", stream)
        patch.setattr(command.time, "monotonic", lambda: now[0])
        with Progress(len(seconds)) as progress:
            for now[0] in seconds:
                progress.count_one()
    return stream.getvalue()


def test_a_log_has_a_line_at_the_first_step_every_five_seconds_and_at_the_end():
    lines = progress_on(io.StringIO(), [1, 2, 3, 7, 8]).splitlines()
    assert lines == [
        "1/5 graded, 1.0 a second, 0:04 left",
        "4/5 graded, 0.6 a second, 0:02 left",
        "5/5 graded, 0.6 a second",
    ]


def test_a_terminal_has_one_bar_that_is_redrawn():
    drawn = progress_on(Terminal(), [1, 2])
    assert drawn.count("\n") == 1
    assert drawn.split("\r")[-1].startswith("[####")
