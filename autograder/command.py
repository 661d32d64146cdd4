"""Run an instructor's command so that no traceback reaches anybody."""

from __future__ import annotations

import argparse
import re
import sys
import traceback
from pathlib import Path

from autograder.rubric import RubricError
from autograder.sandbox import SandboxError
from autograder.tasks import ReferenceFailed
from autograder.utilities import replace_file
from gametree import TreeError

FAULTS_OF_THE_KIT = (TreeError, RubricError, ReferenceFailed, SandboxError)


class Refused(Exception):
    """What was asked for cannot be done; str says in one line why, and what to do."""


class Parser(argparse.ArgumentParser):
    """An ArgumentParser that refuses a wrong argument in one line."""

    def error(self, message):
        """Raise Refused."""
        setting = re.sub(r"argument --(\w+)", lambda found: found[1].upper(), message)
        raise Refused(setting)


def run(name, main):
    """Exit with main()'s status; with 2 and one line where the kit or a path is wrong."""
    try:
        sys.exit(main())
    except (Refused, *FAULTS_OF_THE_KIT) as error:
        reason = str(error)
    except OSError as error:
        reason = f"{error.filename}: {error.strerror}"
    except KeyboardInterrupt:
        reason = "stopped"
    print(f"{name}: {reason}", file=sys.stderr)
    sys.exit(2)


def why_not(error, folder):
    """Return the line that says why nothing was graded.

    The traceback of a fault that nobody foresaw goes to fault.txt in the folder.
    """
    if isinstance(error, OSError):
        return f"{error.filename or folder}: {error.strerror}"
    if isinstance(error, FAULTS_OF_THE_KIT):
        return f"the kit could not grade: {error}"
    log = Path(folder) / "fault.txt"
    replace_file(log, "".join(traceback.format_exception(error)))
    return f"a fault of the kit ({type(error).__name__}); details in {log}"
