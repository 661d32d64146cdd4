"""Run a command so that whatever stops it is one line and an exit status."""

from __future__ import annotations

import argparse
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from autograder.rubric import RubricError
from autograder.sandbox import NotGradable, SandboxError
from autograder.tasks import ReferenceFailed
from autograder.utilities import replace_file
from gametree import TreeError

CANNOT = 2
INTERRUPTED = 130  # as shells count: 128 and the number of SIGINT


class Refused(Exception):
    """What was asked for cannot be done; str says in one line why, and what to do."""


FORESEEN = (Refused, NotGradable, TreeError, RubricError, ReferenceFailed, SandboxError)


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that refuses a wrong argument in one line."""

    def error(self, message: str) -> None:
        """Raise Refused."""
        raise Refused(re.sub(r"argument --(\w+)", lambda name: name[1].upper(), message))


def run(name: str, main: Callable[[], int]) -> None:
    """Exit with main()'s status, or with one line why it could not go on."""
    sys.exit(status_of(name, main))


def status_of(name: str, act: Callable[[], int], folder: str | Path = "build") -> int:
    """Return act()'s exit status; where it cannot go on, print why in one line.

    The line begins with the command's name. `folder` is where the command writes.
    """
    try:
        return act()
    except (Exception, KeyboardInterrupt) as error:
        line, status = line_and_status(error, folder)
        print(f"{name}: {line}", file=sys.stderr)
        return status


def line_and_status(error: BaseException, folder: str | Path) -> tuple[str, int]:
    """Return the one line that says why a command stopped, and its exit status.

    The traceback of a fault that nobody foresaw goes to fault.txt in the folder.
    """
    if isinstance(error, KeyboardInterrupt):
        return str(error) or "stopped", INTERRUPTED
    if isinstance(error, FORESEEN):
        return str(error), CANNOT
    if isinstance(error, OSError):
        return f"{error.filename or folder}: {error.strerror}", CANNOT
    fault, log = f"a fault of the kit ({type(error).__name__})", Path(folder) / "fault.txt"
    try:
        replace_file(log, "".join(traceback.format_exception(error)))
    except OSError as problem:
        return f"{fault}, and {log} cannot be written: {problem.strerror}", CANNOT
    return f"{fault}; details in {log}", CANNOT
