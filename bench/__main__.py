"""Measure what grading costs and print the tables: `make bench [PEERS=1]`."""

from __future__ import annotations

import argparse
import contextlib
import os
import platform
import sys
import tempfile
import time
from pathlib import Path

from autograder.utilities import cores
from bench import gradings, peers, report
from bench.samples import BenchError, figures

ROUNDS = 7  # of whole gradings
TURNS = 5  # of a grading with stopwatches
PLIES = (2, 3, 4, 5, 6)  # of ten children each: 10^2 to 10^6 leaves
RANDOM = "root: max\nrandom: {{branching: 10, depth: {}, values: [0, 100], seed: 7{}}}\n"
TICTACTOE = "game: {name: tictactoe, board: '... ... ...'}\n"
SEARCHES = [
    *((f"minimax, 10^{each} leaves", "minimax", RANDOM.format(each, "")) for each in PLIES),
    ("minimax, tic-tac-toe", "minimax", TICTACTOE),
    ("alphabeta, 10^9 leaves, best", "alphabeta", RANDOM.format(9, ", order: best")),
]


def main():
    """Run the benchmark; exit 2 with one line where a part of it fails."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--peers", action="store_true", help="measure otter-grader too")
    options = parser.parse_args()
    begun = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            measure(Path(folder))
            if options.peers:
                say(peers.compare(Path(folder)))
    except BenchError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    print(f"took {time.monotonic() - begun:.0f} s; load now {os.getloadavg()[0]:.2f}")
    return 0


def measure(folder):
    """Measure everything, printing each table as it is known."""
    say(machine())
    kit, samples = gradings.measure(folder, ROUNDS)
    count = "{trees} trees, {searches} searches, {queries:,} queries".format_map(kit)
    say(f"{count}; each search is run once by the bare graders.")
    say(report.gradings(samples))
    say(report.shares("a right submission", shares(folder, gradings.RIGHT)))
    wrong = gradings.write_wrong(folder, gradings.UNKNOWN)
    say(report.shares("an unknown mistake", shares(folder, wrong)))
    queries = figures("probes", "queries")
    say(report.queries(queries))
    say(report.starts(figures("probes", "starts")))
    searches = [
        (name, where, figures("probes", "search", where, function, text))
        for name, function, text in SEARCHES
        for where in ("here", "sandbox")
    ]
    say(report.searches(searches))
    say(report.slopes(searches))
    say(report.trees(figures("probes", "trees")))
    courses = gradings.grade_course(folder / "course")
    say(report.courses(courses))
    query = queries["evaluate, at the worker"]["median"]
    lazy = searches[-1][2]
    say(report.bars(samples, query, courses, lazy, gradings.endless(folder)))


def say(text):
    """Print now, with an empty line after it."""
    print(text, end="\n\n", flush=True)


def shares(folder, submission):
    """Return the parts of a few gradings of one submission."""
    arguments = ("shares", str(submission), str(folder / "out"))
    return [figures(*arguments, str(time.monotonic())) for _ in range(TURNS)]


def machine():
    """Return two lines: date and load, processor and Python."""
    load = " ".join(f"{each:.2f}" for each in os.getloadavg())
    return (
        f"{time.strftime('%d %B %Y, %H:%M UTC', time.gmtime())}; load {load}\n"
        f"{_processor()}, {cores()} cores; {platform.system()} {platform.release()}; "
        f"Python {platform.python_version()}"
    )


def _processor():
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


if __name__ == "__main__":
    sys.exit(main())
