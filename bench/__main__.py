"""Measure what grading costs, and hold it against the bars: `make bench`."""

from __future__ import annotations

import os
import platform
import statistics
import sys
import tempfile
import time
from pathlib import Path

from autograder.processes import cores
from bench import gradings
from bench.gradings import BARE_RUN, KNOWN, MIXED, OURS, PAGED, RIGHT_ONES, UNKNOWN, WITHOUT
from bench.samples import BenchError

ROUNDS = 7  # of whole gradings
# The bars of DESIGN.md, section 9.
MAX_TIMES = {OURS: 2.0, PAGED: 2.3, KNOWN + WITHOUT: 3.0, UNKNOWN + WITHOUT: 3.0}
MAX_FOR_THE_LINE = 2  # seconds
RATES = {RIGHT_ONES: 10, MIXED: 5}  # submissions a second
MAX_SECONDS = {"make test": 150, "make check": 40, "make trees": 60}
LOOP_SECONDS = 70  # the total budget and ten
# The design says "what the search visits": 144,433 queries of 70 us and 2 kB each.
VAST_SECONDS, VAST_MEGABYTES = 10, 250


def main():
    """Run the benchmark; return 2 with one line where a part of it fails."""
    try:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            measure(Path(folder))
    except BenchError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    return 0


def measure(folder):
    """Measure everything, printing the table of gradings, then that of the bars."""
    say(machine())
    holds, samples = gradings.measure(folder, ROUNDS)
    say("{trees} trees, {searches} searches, {queries:,} queries".format_map(holds))
    say(table_of_gradings(samples))
    rows = [
        *(
            bar(f"{name}, to bare", most, ratio(samples, name, BARE_RUN), "{:.1f}x")
            for name, most in MAX_TIMES.items()
        ),
        *(
            bar(f"the line of {name}", MAX_FOR_THE_LINE, line, "{:.1f} s")
            for name, line in seconds_of_lines(samples).items()
        ),
        *(
            bar(f"{title}, a second", RATES[title], rate, "{:.1f}", least=True)
            for title, rate in gradings.courses(folder / "course").items()
        ),
        bar("an endless loop", LOOP_SECONDS, gradings.endless(folder).wall, "{:.0f} s"),
        *rows_of_vast(*gradings.inside("vast")),
        *(
            bar(name, MAX_SECONDS[name], seconds, "{:.0f} s")
            for name, seconds in gradings.command_seconds(folder).items()
        ),
    ]
    say(table(["figure", "bar", "measured", "holds"], rows))


def rows_of_vast(sample, found):
    """Return the rows of the bars of a lazily made tree."""
    name = f"10^9 leaves, {found['queries']:,} queries"
    return [
        bar(name, VAST_SECONDS, sample.wall, "{:.1f} s"),
        bar(name, VAST_MEGABYTES, sample.megabytes, "{:.0f} MB"),
    ]


def table_of_gradings(samples):
    """Return the table of whole gradings: seconds, ratios to a bare run, memory."""
    rows = []
    for name in samples:
        low, median, high = (f"{1000 * s:.0f}" for s in quartiles(walls(samples, name)))
        cpu = statistics.median(1000 * sample.cpu for sample in samples[name])
        peak = statistics.median(sample.megabytes for sample in samples[name])
        times = f"{ratio(samples, name, BARE_RUN):.1f}x"
        rows.append(
            [name, f"{median} ({low} to {high})", f"{cpu:.0f}", times, f"{peak:.0f}"]
        )
    heads = ["one submission, all trees", "wall ms", "CPU ms", "to bare", "peak MB"]
    return table(heads, rows)


def walls(samples, name):
    """Return the wall seconds of a command, round by round."""
    return [sample.wall for sample in samples[name]]


def quartiles(values):
    """Return the lower quartile, the median and the upper one."""
    return statistics.quantiles(values, n=4, method="inclusive")


def ratio(samples, name, other):
    """Return the median, over the rounds, of the ratio of two commands' wall times."""
    pairs = zip(walls(samples, name), walls(samples, other))
    return statistics.median(one / base for one, base in pairs)


def seconds_of_lines(samples):
    """Return wrong submission -> the seconds that the search for its line takes."""
    return {
        name: statistics.median(
            whole - without
            for whole, without in zip(walls(samples, name), walls(samples, name + WITHOUT))
        )
        for name in (KNOWN, UNKNOWN)
    }


def bar(name, bar, figure, text, least=False):
    """Return a row of the table of bars; `text` is how a figure is written."""
    holds = figure >= bar if least else figure <= bar
    return [name, text.format(bar), text.format(figure), "yes" if holds else "no"]


def table(heads, rows):
    """Return a Markdown table; the first column is text, others are figures."""
    widths = [max(map(len, column)) for column in zip(heads, *rows)]

    def line(cells):
        padded = [cells[0].ljust(widths[0])]
        padded += [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:])]
        return "| " + " | ".join(padded) + " |"

    rule = ["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]]
    return "\n".join(map(line, [heads, rule, *rows]))


def say(text):
    """Print now, with an empty line after it."""
    print(text, end="\n\n", flush=True)


def machine():
    """Return two lines: date and load, processor and Python."""
    load = " ".join(f"{each:.2f}" for each in os.getloadavg())
    return (
        f"{time.strftime('%d %B %Y, %H:%M UTC', time.gmtime())}; load {load}\n"
        f"{platform.machine()}, {cores()} cores; {platform.system()} {platform.release()}; "
        f"Python {platform.python_version()}"
    )


if __name__ == "__main__":
    sys.exit(main())
