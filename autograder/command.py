"""Run a command so that every failure becomes one line and an exit status."""

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
MAX_LINE = 2000  # characters of a printed line
INTERRUPTED = 130  # as in shells: 128 plus the number of SIGINT


class Refused(Exception):
    """The command refuses its input. The text is one line with the reason and fix."""


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that refuses a wrong argument in one line."""

    def error(self, message: str) -> None:
        """Raise Refused."""
        line = re.sub(r"argument --(\w+)", lambda name: name[1].upper(), message)
        advice = "write a whole number, or omit it"
        raise Refused(re.sub("invalid int value: .*", advice, line))


def path(text: str) -> Path:
    """Return the path in a setting, where ~ is the home folder."""
    return Path(os.path.expanduser(text))


def say(line: str) -> None:
    """Print one line that may contain untrusted names."""
    print(sanitize(line, MAX_LINE), flush=True)


def announce(line: str) -> None:
    """Print one line of information to stderr."""
    print(sanitize(line, MAX_LINE), file=sys.stderr, flush=True)


def say_all(lines: Iterable[str]) -> None:
    """Print lines with say(); stop quietly if the pipe is closed, as by head."""
    try:
        for line in lines:
            say(line)
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
    if isinstance(error, _foreseen()):
        return str(error), CANNOT
    if isinstance(error, OSError):
        return f"{error.filename or folder}: {error.strerror}", CANNOT
    import traceback

    from autograder.files import replace_file

    fault = f"internal error ({type(error).__name__})"
    log = Path(folder) / "fault.txt"
    try:
        replace_file(log, "".join(traceback.format_exception(error)))
    except OSError as problem:
        return f"{fault}, and {log} cannot be written: {problem.strerror}", CANNOT
    return f"{fault}; details in {log}", CANNOT


def _foreseen():
    """Return the exceptions with a text that explains the error and its fix."""
    from autograder.mistakes.variants import VariantError
    from autograder.rubricfile import RubricError
    from autograder.sandbox import NotGradable, SandboxError
    from autograder.tasks import ReferenceFailed
    from gametree.support.saying import TextError
    from gametree.support.tree import TreeError

    errors = [Refused, NotGradable, SandboxError]
    errors += [TreeError, RubricError, TextError, ReferenceFailed, VariantError]
    return tuple(errors)
