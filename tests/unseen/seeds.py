"""Does `make check` take the sets that `make trees` makes, whatever the seed and course?

`python -m tests.unseen.seeds [COURSE ...]` makes a set of each course of the table below in
a copy of the kit, from a seed that is drawn, checks it, and prints seconds and outcomes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from kitcopy import copy_kit

MAX_LINES = 6  # of what a command says
POINTS = "  minimax: 25\n  alphabeta: 60\n  best_move: 15\n"
COURSES = {  # name -> (fresh trees, passages of the rubric and what stands there instead)
    **{f"sixty {number}": (60, {}) for number in range(1, 9)},
    "forty": (40, {}),
    "ten": (10, {}),
    "strict": (60, {"cutoff: equality": "cutoff: strict"}),
    "points": (60, {POINTS: "  minimax: 10\n  alphabeta: 20\n  best_move: 10\n"}),
    "alphabeta alone": (60, {POINTS: "  alphabeta: 60\n"}),
    "two functions": (60, {POINTS: "  minimax: 25\n  alphabeta: 60\n"}),
}


def outcome(name):
    """Return one line: how long each command took for a course, and what it said."""
    count, changes = COURSES[name]
    with tempfile.TemporaryDirectory() as folder:
        kit = copy_kit(folder)
        rubric = kit / "autograder" / "rubric.yaml"
        text = rubric.read_text(encoding="utf-8")
        for passage, instead in changes.items():
            assert passage in text, passage
            text = text.replace(passage, instead)
        rubric.write_text(text, encoding="utf-8")
        said = [name]
        for command in (["generate", "--force", f"--count={count}"], ["check"]):
            begun, program = time.monotonic(), f"autograder.workbench.{command[0]}"
            words = [sys.executable, "-m", program, *command[1:]]
            told = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
            done = subprocess.run(words, cwd=kit, **told)
            seconds = f"{time.monotonic() - begun:.0f} s"
            lines = done.stdout.strip().splitlines()[-MAX_LINES:]
            said += [f"{command[0]}: status {done.returncode}, {seconds}", *lines]
    return "\n  ".join(said)


if __name__ == "__main__":
    for course in sys.argv[1:] or COURSES:
        print(outcome(course), flush=True)
