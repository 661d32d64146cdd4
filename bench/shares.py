"""Where the time of one grading goes: `python -m bench.shares SUBMISSION OUT BEGUN`.

A real grading, with stopwatches around its parts. BEGUN is the time on the monotonic
clock at which this process was started. Prints JSON: part -> seconds of wall time.
"""

from __future__ import annotations

import time

FIRST_LINE = time.monotonic()

import functools  # noqa: E402
import json  # noqa: E402
import sys  # noqa: E402

import autograder.grade as grade  # noqa: E402
import autograder.grading as grading  # noqa: E402
import autograder.kit as kit  # noqa: E402
import autograder.results as results  # noqa: E402
from autograder.sandbox import Sandbox, Zygote  # noqa: E402

IMPORTED = time.monotonic()

# What only a wrong submission imports: not counted here, a few milliseconds.
import autograder.counterexample as counterexample  # noqa: E402
import autograder.mistakes.diagnosis as diagnosis  # noqa: E402

PARTS = (
    ("the kit", kit, "known_kit"),
    ("sandbox", Zygote, "__enter__"),
    ("sandbox", Zygote, "report"),
    ("sandbox", Zygote, "__exit__"),
    ("workers, one a tree", Sandbox, "start_worker"),
    ("workers, one a tree", Sandbox, "end_worker"),
    ("searches", Sandbox, "search"),
    ("judging", grading, "verdict_on"),
    ("judging", grading, "make_rows"),
    ("diagnosis", diagnosis, "diagnose"),
    ("counterexample", counterexample, "find_counterexample"),
    ("writing", results, "results_text"),
    ("writing", results, "write_unfinished"),
)


class Stopwatch:
    """Gives each moment to the innermost part that is under way."""

    def __init__(self):
        self.seconds = {}
        self._open = ["everything else"]
        self._since = time.monotonic()

    def _switch(self):
        now = time.monotonic()
        part = self._open[-1]
        self.seconds[part] = self.seconds.get(part, 0.0) + now - self._since
        self._since = now

    def around(self, part, owner, name):
        """Replace `owner.name` by the same function with its time taken."""
        function = getattr(owner, name)

        @functools.wraps(function)
        def timed(*arguments, **named):
            self._switch()
            self._open.append(part)
            try:
                return function(*arguments, **named)
            finally:
                self._switch()
                self._open.pop()

        setattr(owner, name, timed)

    def stop(self):
        """Return part -> seconds."""
        self._switch()
        return self.seconds


def main(submission, out, begun):
    """Grade with stopwatches and print."""
    watch = Stopwatch()
    for part, owner, name in PARTS:
        watch.around(part, owner, name)
    grade.grade_into(out, submission)
    start = {"Python's start": FIRST_LINE - float(begun), "imports": IMPORTED - FIRST_LINE}
    print(json.dumps({**start, **watch.stop()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
