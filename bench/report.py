"""What was measured, as tables that read well in a terminal and are Markdown."""

from __future__ import annotations

import math

from bench.gradings import (
    BARE_RUN,
    KNOWN,
    MIXED,
    OURS,
    PAGED,
    PYTHON_ALONE,
    RIGHT_ONES,
    RIGHT_PAGED,
    UNKNOWN,
    WITHOUT,
)
from bench.samples import spread

WALL, CPU, MEMORY = "wall", "cpu", "megabytes"
FEWEST_QUERIES = 1000  # of a search that counts for the slope; below, the start weighs more

# The bars of the design.
MOST_TIMES = {OURS: 1.6, PAGED: 2, KNOWN + WITHOUT: 4, UNKNOWN + WITHOUT: 4}  # a bare run
RATES = {RIGHT_ONES: 15, RIGHT_PAGED: 12, MIXED: 8}  # submissions a second
MOST_MICROSECONDS, CORE_USE, MOST_SECONDS, MOST_FOR_THE_LINE = 10, 0.85, 60, 4
MOST_MEGABYTES = 250  # the design says "what it visits": 144,433 queries, 2 kB each


def table(title, heads, rows):
    """Return a titled Markdown table; the first column is text, others are figures."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *rows)]

    def line(cells):
        padded = [cells[0].ljust(widths[0])]
        padded += [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:])]
        return "| " + " | ".join(padded) + " |"

    rule = ["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]]
    return "\n".join([f"### {title}", "", line(list(heads)), line(rule), *map(line, rows)])


def milliseconds(spread):
    """Return "123 (120 to 130)" for a Spread of seconds."""
    low, high = round(1000 * spread.low), round(1000 * spread.high)
    return f"{1000 * spread.median:.0f} ({low} to {high})"


def times(ratio):
    """Return a ratio as text: 4.2x."""
    return f"{ratio:.1f}x" if ratio < 100 else f"{ratio:.0f}x"


def middle(samples, name, of=WALL):
    """Return the Spread of one figure of a command's samples."""
    return spread([getattr(sample, of) for sample in samples[name]])


def ratio(samples, name, other, of=WALL):
    """Return the Spread of the ratio of two commands, taken round by round."""
    pairs = zip(samples[name], samples[other])
    return spread([getattr(sample, of) / getattr(base, of) for sample, base in pairs])


def slope(points):
    """Return the slope of log y over log x by least squares: 1 means in proportion."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs))
    above = sum((x - mean_x) * (y - mean_y) for x, y in logs)
    return above / sum((x - mean_x) ** 2 for x, _ in logs)


def gradings(samples):
    """Return the table of whole gradings."""
    rows = []
    for name in samples:
        wall, cpu = (ratio(samples, name, BARE_RUN, of) for of in (WALL, CPU))
        rows.append(
            [
                name,
                milliseconds(middle(samples, name)),
                milliseconds(middle(samples, name, CPU)),
                times(wall.median),
                f"{times(cpu.median)} ({cpu.low:.1f} to {cpu.high:.1f})",
                times(ratio(samples, name, PYTHON_ALONE).median),
                f"{middle(samples, name, MEMORY).median:.0f}",
            ]
        )
    heads = ["a grading", "wall ms", "CPU ms", "to bare, wall", "to bare, CPU",
             "to python -c pass", "peak MB"]  # fmt: skip
    return table("One submission, all trees", heads, rows)


def shares(what, runs):
    """Return the table of the parts of a grading; `runs` are their JSON figures."""
    parts = list(dict.fromkeys(part for run in runs for part in run))
    medians = {part: spread([run.get(part, 0.0) for run in runs]).median for part in parts}
    whole = sum(medians.values())
    rows = [
        [part, f"{1000 * seconds:.0f}", f"{100 * seconds / whole:.0f} %"]
        for part, seconds in sorted(medians.items(), key=lambda item: -item[1])
    ]
    title = f"Where the {1000 * whole:.0f} ms go of {what}"
    return table(title, ["part", "ms", "share"], rows)


def queries(costs):
    """Return the table of the cost of one query."""
    rows = [[kind, f"{us['median']:.1f}", f"{us['p99']:.1f}"] for kind, us in costs.items()]
    return table("One query", ["a round trip", "median us", "99th percentile us"], rows)


def starts(spans):
    """Return the table of starts and loads, in milliseconds."""
    rows = [[name, f"{span:.1f}"] for name, span in spans.items()]
    return table("Starts", ["what", "ms"], rows)


def searches(runs):
    """Return the table of searches by size; `runs` are (name, where, figures)."""
    rows = [
        [
            name,
            where,
            f"{figures['queries']:,}",
            f"{figures['cpu']:.2f}",
            f"{figures['queries'] / figures['cpu']:,.0f}",
            f"{figures['grader']:.0f}",
            f"{figures['worker']:.0f}" if where == "sandbox" else "",
        ]
        for name, where, figures in runs
    ]
    heads = ["a search", "where", "queries", "CPU s", "queries per CPU s", "grader MB",
             "worker MB"]  # fmt: skip
    return table("By size of the tree", heads, rows)


def slopes(runs):
    """Return a line with the slope of CPU time over queries on random trees."""
    points = {}
    for name, where, figures in runs:
        if "minimax, 10^" in name and figures["queries"] > FEWEST_QUERIES:
            points.setdefault(where, []).append((figures["queries"], figures["cpu"]))
    parts = ", ".join(f"{slope(each):.2f} {where}" for where, each in points.items())
    return f"Slope of CPU time over queries on log-log, 10^3 leaves and up: {parts}."


def trees(seconds):
    """Return the table of a grading by number of trees."""
    points = [(int(count), each) for count, each in seconds.items()]
    rows = [
        [count, f"{1000 * each:.0f}", f"{1000 * each / count:.1f}"]
        for count, each in points
    ]
    title = f"By number of trees (slope {slope(points):.2f} on log-log)"
    return table(title, ["trees", "ms", "ms a tree"], rows)


def courses(figures):
    """Return the table of courses."""
    rows = [
        [title, f"{at['a second']:.1f}", f"{100 * at['core use']:.0f} %",
         f"{1000 * at['cpu']:.0f}", f"{at['megabytes']:.0f}"]
        for title, at in figures.items()
    ]  # fmt: skip
    heads = ["a course", "a second", "of all cores", "CPU ms each", "peak MB of a process"]
    return table("A course", heads, rows)


def bars(samples, query, courses, lazy, endless):
    """Return the table: each figure, its bar, what was measured, whether it holds.

    `query` is in microseconds, `endless` in seconds. The search for the line of a
    mistake has a bar of its own. `courses` and `lazy` are as grade_course() and the probe
    of a search have them.
    """
    to_bare = {name: ratio(samples, name, BARE_RUN) for name in MOST_TIMES}
    lines = {
        name: middle(samples, name).median - middle(samples, name + WITHOUT).median
        for name in (KNOWN, UNKNOWN)
    }
    use = max(figures["core use"] for figures in courses.values())
    memory = lazy["grader"] + lazy["worker"]
    leaves = f"10^9 leaves, {lazy['queries']:,} queries"
    rows = [
        *(
            bar_row(f"{name}, to bare", most, to_bare[name].median, "{:.1f}x")
            for name, most in MOST_TIMES.items()
        ),
        *(
            bar_row(f"the line of {name[6:]}", MOST_FOR_THE_LINE, seconds, "{:.1f} s")
            for name, seconds in lines.items()
        ),
        bar_row("a query, median", MOST_MICROSECONDS, query, "{:.1f} us"),
        *(
            bar_row(f"{title}, a second", least, courses[title]["a second"], "{:.1f}", True)
            for title, least in RATES.items()
        ),
        bar_row("a course: cores in use", CORE_USE, use, "{:.0%}", least=True),
        bar_row("an endless loop in every search", MOST_SECONDS, endless, "{:.1f} s"),
        bar_row(leaves, MOST_MEGABYTES, memory, "{:.0f} MB"),
    ]  # fmt: skip
    return table("The bars of the design", ["figure", "bar", "measured", "holds"], rows)


def bar_row(name, bar, figure, text, least=False):
    """Return a row of the table of bars; `text` is how a figure is written."""
    holds = figure >= bar if least else figure <= bar
    return [name, text.format(bar), text.format(figure), "yes" if holds else "no"]
