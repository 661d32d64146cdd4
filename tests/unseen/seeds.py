"""Does `make check` accept the sets of `make trees`, for any seed and course?

`python -m tests.unseen.seeds [COURSE ...]` makes a set from a random seed for each course
of the table, in a copy of the kit. It then checks the set and prints the time and the
outcome.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from kitcopy import copy_kit

MAX_LINES = 6  # of a command's output
POINTS = "  minimax: 25\n  alphabeta: 60\n  best_move: 15\n"


@dataclass(frozen=True)
class Course:
    """A course for which a set is made.

    trees: the number of fresh trees.
    changes: passages of the rubric -> their replacements.
    """

    trees: int = 60
    changes: dict[str, str] = field(default_factory=dict)


COURSES = {f"sixty {number}": Course() for number in range(1, 9)}
COURSES["forty"] = Course(40)
COURSES["ten"] = Course(10)
COURSES["strict"] = Course(changes={"cutoff: equality": "cutoff: strict"})
COURSES["points"] = Course(
    changes={POINTS: "  minimax: 10\n  alphabeta: 20\n  best_move: 10\n"}
)
COURSES["alphabeta alone"] = Course(changes={POINTS: "  alphabeta: 60\n"})
COURSES["two functions"] = Course(changes={POINTS: "  minimax: 25\n  alphabeta: 60\n"})


def outcome(name):
    """Return the course's name, with the time and the output of each command."""
    course = COURSES[name]
    with tempfile.TemporaryDirectory() as folder:
        kit = copy_kit(folder)
        change_rubric(kit / "autograder" / "rubric.yaml", course.changes)
        lines = [name]
        lines += run_command(kit, "generate", "--force", f"--count={course.trees}")
        lines += run_command(kit, "check")
    return "\n  ".join(lines)


def change_rubric(path, changes):
    """Replace passages of the rubric."""
    text = path.read_text(encoding="utf-8")
    for passage, replacement in changes.items():
        if passage not in text:
            raise ValueError(f"{path}: has no passage {passage!r}; change POINTS")
        text = text.replace(passage, replacement)
    path.write_text(text, encoding="utf-8")


def run_command(kit, command, *options):
    """Run a command of the workbench in the kit; return its outcome and last lines."""
    program = [sys.executable, "-m", f"autograder.workbench.{command}", *options]
    begun = time.monotonic()
    done = subprocess.run(
        program, cwd=kit, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    seconds = time.monotonic() - begun
    printed = done.stdout.strip().splitlines()
    status = f"{command}: status {done.returncode}, {seconds:.0f} s"
    return [status, *printed[-MAX_LINES:]]


if __name__ == "__main__":
    for course_name in sys.argv[1:] or COURSES:
        print(outcome(course_name), flush=True)
