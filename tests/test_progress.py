"""The progress line: now and then in a log, over itself on a terminal."""

import io

from autograder.command import Progress, duration


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
