"""Run a command: every failure becomes one line and an exit status; show the progress."""

from __future__ import annotations

import contextlib
import gc
import math
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from autograder.ground.plaintext import sanitize
from gametree.support.errors import InputError

if TYPE_CHECKING:  # importing it takes 5 ms, and a grading does not need it
    from argparse import ArgumentParser

CANNOT = 2
MAX_LINE = 2000  # characters of a printed line
INTERRUPTED = 130  # as in shells: 128 plus the number of SIGINT
SECONDS_BETWEEN_LINES = 5.0
SECONDS_BETWEEN_DRAWINGS = 0.1
BAR = 16  # characters
ERASE_TO_END_OF_LINE = "\x1b[K"


def make_parser(prog: str, description: str) -> ArgumentParser:
    """Return an ArgumentParser that raises InputError if an argument is wrong."""
    from argparse import ArgumentParser

    class Parser(ArgumentParser):
        def error(self, message: str) -> NoReturn:
            line = re.sub(r"argument --(\w+)", lambda name: name[1].upper(), message)
            advice = "write a whole number, or omit it"
            raise InputError(re.sub("invalid int value: .*", advice, line))

    return Parser(prog=prog, description=description)


def path(text: str) -> Path:
    """Return the path in a setting, where ~ is the home folder."""
    return Path(os.path.expanduser(text))


def say(line: str) -> None:
    """Print one line that may contain untrusted names.

    If the pipe is closed, as by head, this line and all later ones are dropped.
    """
    try:
        print(sanitize(line, MAX_LINE), flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(name: str, main: Callable[[], int]) -> None:
    """Run main() and exit with its status; print one line if it fails."""
    sys.exit(status_of(name, main))


def leave(status: int) -> NoReturn:
    """Exit at once, because Python's own exit takes a tenth of a grading's time."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def status_of(name: str, act: Callable[[], int], folder: str | Path = "build") -> int:
    """Return the exit status of act(); print one line if it fails.

    The line starts with the command's name. `folder` is the folder to which the command
    writes. Characters that the terminal cannot show are printed as "?".
    """
    # A command keeps most of what it makes, and collection costs 5 % otherwise.
    gc.set_threshold(100_000)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        return act()
    except (Exception, KeyboardInterrupt) as error:
        line, status = line_and_status(error, folder)
        print(f"{name}: {sanitize(line, MAX_LINE)}", file=sys.stderr)
        return status


def line_and_status(error: BaseException, folder: str | Path) -> tuple[str, int]:
    """Return the line that explains a command's failure, and its exit status.

    The traceback of an internal error is written to fault.txt in the folder.
    """
    if isinstance(error, KeyboardInterrupt):
        return str(error) or "stopped", INTERRUPTED
    if isinstance(error, InputError):
        return str(error), CANNOT
    if isinstance(error, OSError):
        return f"{error.filename or folder}: {error.strerror}", CANNOT
    import traceback

    from autograder.ground.files import replace_file

    fault = f"internal error ({type(error).__name__})"
    log = Path(folder) / "fault.txt"
    try:
        replace_file(log, "".join(traceback.format_exception(error)))
    except OSError as problem:
        return f"{fault}, and {log} cannot be written: {problem.strerror}", CANNOT
    return f"{fault}; details in {log}", CANNOT


class Progress:
    """Counts finished items, as in "12 graded". Use it as a context manager.

    A terminal shows a bar that is redrawn in place. Any other output gets a line for the
    first item, a line every five seconds, and a line for the last item.

    total: the number of items.
    word: the word for a finished item, such as "graded".
    """

    def __init__(self, total: int, word: str = "graded"):
        self.total = total
        self.word = word
        self.done = 0
        self._terminal = sys.stderr.isatty()
        self._begun = time.monotonic()
        self._shown_at = -math.inf

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._terminal and self.done:
            self._show()
            print(file=sys.stderr)

    def count_one(self) -> None:
        """Count one more item, and show the progress if enough time has passed."""
        self.done += 1
        pause = SECONDS_BETWEEN_DRAWINGS if self._terminal else SECONDS_BETWEEN_LINES
        now = time.monotonic()
        if self.done == self.total or now - self._shown_at >= pause:
            self._shown_at = now
            self._show()

    def text(self) -> str:
        """Return the progress in words: the count, the rate and the time left."""
        rate = self.done / max(time.monotonic() - self._begun, 1e-9)
        text = f"{self.done}/{self.total} {self.word}, {rate:.1f} a second"
        if 0 < self.done < self.total:
            minutes, seconds = divmod(round((self.total - self.done) / rate), 60)
            text += f", {minutes}:{seconds:02} left"
        return text

    def _show(self):
        text = self.text()
        if not self._terminal:
            print(text, file=sys.stderr)
            return
        full = "#" * round(BAR * self.done / self.total)
        line = f"\r[{full:.<{BAR}}] {text}{ERASE_TO_END_OF_LINE}"
        print(line, end="", file=sys.stderr)


def counted(number: int, word: str) -> str:
    """Return a count with its noun, such as "1 student" or "2 students"."""
    if number == 1:
        return f"1 {word}"
    return f"{number} {word}s"
