"""Measure what grading costs and print the tables: `make bench [PEERS=1]`."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from bench import course, gradings, peers, report
from bench.bars import bars
from bench.machine import machine
from bench.samples import BenchError, figures, run

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
ENDLESS = "def minimax(*_):\n    while True: pass\n\n\nalphabeta = best_move = minimax\n"


def say(text):
    """Print now, with an empty line behind."""
    print(text, end="\n\n", flush=True)


def shares(folder, submission):
    """Return the parts of a few gradings of one submission."""
    fixed = ("shares", str(submission), str(folder / "out"))
    return [figures(*fixed, str(time.monotonic())) for _ in range(TURNS)]


def growth():
    """Return (name, how, figures) of searches of ever larger trees."""
    return [
        (name, how, figures("growth", how, function, text))
        for name, function, text in SEARCHES
        for how in ("here", "sandbox")
    ]


def endless(folder):
    """Return the wall seconds of a submission that loops for ever in every search."""
    path = folder / "endless" / "search.py"
    path.parent.mkdir()
    path.write_text(ENDLESS)
    grade = [sys.executable, "-m", "autograder.grade", path, "--out", folder / "out"]
    return run(grade).wall


def measure(folder, rounds):
    """Measure everything, printing each table as it is known."""
    say(machine())
    kit, samples = gradings.measure(folder, rounds)
    count = "{trees} trees, {searches} searches, {queries:,} queries".format_map(kit)
    say(f"{count}; each search is run once by the bare graders and twice by ours.")
    say(report.gradings(samples))
    say(report.shares("a right submission", shares(folder, gradings.RIGHT)))
    wrong = gradings.write_wrong(folder, gradings.UNKNOWN)
    say(report.shares("an unknown mistake", shares(folder, wrong)))
    queries = figures("queries")
    say(report.queries(queries))
    say(report.starts(figures("starts")))
    sizes = growth()
    say(report.growth(sizes))
    say(report.growth_slopes(sizes))
    say(report.trees(figures("manytrees")))
    courses = course.grade_course(folder / "course")
    say(report.courses(courses))
    query = queries["evaluate, at the worker"]["median"]
    say(bars(samples, query, courses, sizes[-1][2], endless(folder)))


def main():
    """Run the benchmark; exit 2 with one line where a part of it fails."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of whole gradings")
    parser.add_argument("--peers", action="store_true", help="measure otter-grader too")
    options = parser.parse_args()
    begun = time.monotonic()
    try:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            measure(Path(folder), options.rounds)
            if options.peers:
                say(peers.compare(Path(folder)))
    except BenchError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    print(f"took {time.monotonic() - begun:.0f} s; load now {os.getloadavg()[0]:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
