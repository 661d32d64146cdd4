"""Run an instructor's command so that no traceback reaches anybody."""

from __future__ import annotations

import argparse
import re
import sys

from autograder.grade import FAULTS_OF_THE_KIT


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
