"""Run a command so that whatever stops it is one line and an exit status."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NoReturn

from autograder.plaintext import sanitize

CANNOT = 2
MAX_LINE = 2000  # characters that a command prints
INTERRUPTED = 130  # as shells count: 128 and the number of SIGINT


class Refused(Exception):
    """The command cannot do what was asked; str says in one line why, and what to do."""


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that refuses a wrong argument in one line."""

    def error(self, message: str) -> None:
        """Raise Refused."""
        line = re.sub(r"argument --(\w+)", lambda name: name[1].upper(), message)
        advice = "write a whole number, or leave it out"
        raise Refused(re.sub("invalid int value: .*", advice, line))


def path(text: str) -> Path:
    """Return the path that a setting names; ~ is the home folder."""
    return Path(os.path.expanduser(text))


def say(line: str) -> None:
    """Print one line that may hold names which strangers gave."""
    print(sanitize(line, MAX_LINE), flush=True)


def announce(line: str) -> None:
    """Print one line for people on stderr, beside what the command prints."""
    print(sanitize(line, MAX_LINE), file=sys.stderr, flush=True)


def say_all(lines: Iterable[str]) -> None:
    """Print lines as say() does; stop quietly when the pipe is closed, as by head."""
    try:
        for line in lines:
            say(line)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run(name: str, main: Callable[[], int]) -> None:
    """Exit with main()'s status, or with one line why it could not go on."""
    sys.exit(status_of(name, main))


def leave(status: int) -> NoReturn:
    """Exit at once: Python's own way out of a grading would take a tenth of its time."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(status)


def status_of(name: str, act: Callable[[], int], folder: str | Path = "build") -> int:
    """Return act()'s exit status; where it cannot go on, print why in one line.

    The line begins with the command's name. `folder` is where the command writes. What
    the terminal has no letters for is printed as a "?".
    """
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
    """Return the one line that says why a command stopped, and its exit status.

    The traceback of a fault that nobody foresaw goes to fault.txt in the folder.
    """
    if isinstance(error, KeyboardInterrupt):
        return str(error) or "stopped", INTERRUPTED
    if isinstance(error, _foreseen()):
        return str(error), CANNOT
    if isinstance(error, OSError):
        return f"{error.filename or folder}: {error.strerror}", CANNOT
    import traceback

    from autograder.files import replace_file

    fault = f"a fault of the kit ({type(error).__name__})"
    log = Path(folder) / "fault.txt"
    try:
        replace_file(log, "".join(traceback.format_exception(error)))
    except OSError as problem:
        return f"{fault}, and {log} cannot be written: {problem.strerror}", CANNOT
    return f"{fault}; details in {log}", CANNOT


def _foreseen():
    """Return the exceptions whose text says why, and what to do."""
    from autograder.mistakes.variants import VariantError
    from autograder.rubricfile import RubricError
    from autograder.sandbox import NotGradable, SandboxError
    from autograder.tasks import ReferenceFailed
    from gametree.support.saying import TextError
    from gametree.support.tree import TreeError

    errors = [Refused, NotGradable, SandboxError]
    errors += [TreeError, RubricError, TextError, ReferenceFailed, VariantError]
    return tuple(errors)
