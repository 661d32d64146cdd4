"""Whose a download is, by the names that Canvas and Moodle give to files.

Canvas makes one flat folder, `doejane_LATE_12345_678910_search-1.py`: a squeezed name,
LATE where it came late, the user's number, the submission's, and the student's own name
for the file, with -1 and so on where it was handed in again. Moodle makes a folder for
each student, `Jane Doe_12345_assignsubmission_file_`, or puts that before the file's name.
"""

from __future__ import annotations

import re
from typing import NamedTuple

CANVAS = re.compile(
    r"(?P<who>[^_]+)_(?P<late>LATE_)?(?P<user>[0-9]+)_[0-9]+_(?P<file>.+)", re.DOTALL
)
MOODLE = re.compile(
    r"(?P<who>.+?)_(?P<user>[0-9]+)_assignsubmission_[a-z]+_?(?P<file>.*)", re.DOTALL
)
PARTICIPANT = "participant "  # before a number that Canvas would not know
AGAIN = re.compile(r"(.*)-([0-9]{1,4})(\.[^.]*)", re.DOTALL)


class Download(NamedTuple):
    """Who handed a file in, as far as its name tells.

    `number` is the user's in Canvas, "participant" and a number in Moodle. `file` is the
    student's own name for it, "" for a folder; `again` counts how often it came again.
    """

    who: str
    number: str
    file: str
    late: bool = False
    again: int = 0

    @property
    def id(self) -> str:
        """What stays the same when the student hands in again."""
        return f"{self.who}_{self.number.removeprefix(PARTICIPANT)}"


def download_of(name: str) -> Download | None:
    """Return what a download's name tells, None for a name of another kind."""
    moodle = MOODLE.fullmatch(name)
    if moodle:
        number = PARTICIPANT + moodle["user"]
        return Download(moodle["who"].strip(), number, moodle["file"])
    canvas = CANVAS.fullmatch(name)
    if not canvas:
        return None
    file, again = canvas["file"], AGAIN.fullmatch(canvas["file"])
    late, times = canvas["late"] is not None, 0
    if again:
        file, times = again[1] + again[3], int(again[2])
    return Download(canvas["who"], canvas["user"], file, late, times)
