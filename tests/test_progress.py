"""Check the progress display: lines in a log, and a single bar on a terminal."""

import io

import pytest

from autograder.ground import command
from autograder.ground.command import Progress


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
