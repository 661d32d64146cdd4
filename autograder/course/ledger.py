"""The ledger: one line of JSON for each outcome, appended as it comes.

A line is never changed, so that a stop at any moment costs at most the last one.
Where an id comes twice, the later line holds.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict, fields, replace
from pathlib import Path

from autograder.course.outcome import Outcome

NAME = "ledger.jsonl"


def read_ledger(folder):
    """Return id -> Outcome of the ledger in a folder; a broken line is skipped."""
    outcomes = {}
    known = {field.name for field in fields(Outcome)}
    try:
        lines = (Path(folder) / NAME).read_bytes().splitlines()
    except (FileNotFoundError, NotADirectoryError):
        return outcomes
    for line in lines:
        with contextlib.suppress(ValueError, TypeError, AttributeError):
            data = json.loads(line)
            outcome = Outcome(**{k: v for k, v in data.items() if k in known})
            outcomes[outcome.id] = replace(outcome, diagnoses=tuple(outcome.diagnoses))
    return outcomes


class Ledger:
    """The ledger of a folder, open for appending. Use it as a context manager."""

    def __init__(self, folder):
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self._file = open(folder / NAME, "a+b")  # noqa: SIM115
        self._begin_a_line()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()

    def add(self, outcome):
        """Append an outcome; once this returns, no crash of the grader loses it."""
        line = json.dumps(asdict(outcome), ensure_ascii=True, separators=(",", ":"))
        self._file.write(line.encode() + b"\n")
        self._file.flush()

    def _begin_a_line(self):
        """End what a crash may have left half written."""
        if self._file.tell() == 0:
            return
        self._file.seek(-1, 2)
        if self._file.read(1) != b"\n":
            self._file.write(b"\n")
