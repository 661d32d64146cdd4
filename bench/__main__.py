"""Measure the cost of grading and compare it with the bars: `make bench`.

The output is the second half of BENCHMARKS.md.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
import tempfile
import time
from operator import truediv
from pathlib import Path

from autograder.ground.processes import cores
from bench import gradings
from bench.bars import (
    MAX_LOOP_SECONDS,
    Bar,
    Samples,
    bars_of_commands,
    bars_of_courses,
    bars_of_gradings,
    bars_of_vast,
    compare,
    walls,
)
from bench.gradings import BARE_RUN
from bench.samples import BenchError

ROUNDS = 7  # of whole gradings
BAR_HEADS = ["figure", "bar", "measured", "holds"]
GRADING_HEADS = ["one submission, all trees", "wall ms", "CPU ms", "to bare", "peak MB"]


def main():
    """Run the benchmark; return 1 if a bar fails, or 2 if a part of it cannot run."""
    try:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            bars = measure(Path(folder))
    except BenchError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    say(table(BAR_HEADS, [bar.cells for bar in bars]))
    failed = [bar.name for bar in bars if not bar.holds]
    if failed:
        print(f"bench: bars that fail: {'; '.join(failed)}", file=sys.stderr)
        return 1
    return 0


def measure(folder: Path) -> list[Bar]:
    """Measure everything, print the table of gradings, and return the bars."""
    say(machine())
    holds, samples = gradings.measure(folder, ROUNDS)
    say("{trees} trees, {searches} searches, {queries:,} queries".format_map(holds))
    say(table_of_gradings(samples))
    for stages in gradings.stages():
        say(f"```text\n{stages}\n```")
    bars = [*bars_of_gradings(samples)]
    bars += bars_of_courses(gradings.courses(folder / "course"))
    loop = gradings.endless(folder)
    bars.append(Bar("an endless loop", MAX_LOOP_SECONDS, loop.wall, "{:.0f} s"))
    vast, found = gradings.inside("vast")
    bars += bars_of_vast(vast, found["queries"])
    bars += bars_of_commands(gradings.command_seconds(folder))
    return bars


def table_of_gradings(samples: Samples) -> str:
    """Return the table of whole gradings: times, ratios to a bare run, memory."""
    rows = []
    for name in samples:
        low, median, high = (f"{1000 * s:.0f}" for s in quartiles(walls(samples, name)))
        cpu = statistics.median(1000 * sample.cpu for sample in samples[name])
        peak = statistics.median(sample.megabytes for sample in samples[name])
        times = f"{compare(truediv, samples, name, BARE_RUN):.1f}x"
        wall = f"{median} ({low} to {high})"
        rows.append([name, wall, f"{cpu:.0f}", times, f"{peak:.0f}"])
    return table(GRADING_HEADS, rows)


def quartiles(values):
    """Return the lower quartile, the median and the upper quartile."""
    return statistics.quantiles(values, n=4, method="inclusive")


def table(heads, rows):
    """Return a Markdown table with text in the first column and figures elsewhere."""
    rule = ["---"] + ["---:"] * (len(heads) - 1)
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, rule, *rows)]
    return "\n".join(lines)


def say(text):
    """Print a text and an empty line immediately."""
    print(text, end="\n\n", flush=True)


def machine():
    """Return two lines: date and load, processor and Python."""
    load = " ".join(f"{average:.2f}" for average in os.getloadavg())
    return (
        f"{time.strftime('%d %B %Y, %H:%M UTC', time.gmtime())}; load {load}\n"
        f"{platform.machine()}, {cores()} cores; {platform.system()} {platform.release()}; "
        f"Python {platform.python_version()}"
    )


if __name__ == "__main__":
    sys.exit(main())
