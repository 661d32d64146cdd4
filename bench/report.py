"""Turn what was measured into tables."""

from __future__ import annotations

import math

from bench.gradings import BARE_RUN, PYTHON_ALONE
from bench.samples import spread
from bench.tables import milliseconds, table, times

WALL, CPU, MEMORY = "wall", "cpu", "megabytes"
FEWEST_LOOKS = 1000  # of a search that counts for the slope; below, the start weighs more


def middle(samples, name, of=WALL):
    """Return the Spread of one figure of a command's samples."""
    return spread([getattr(sample, of) for sample in samples[name]])


def ratio(samples, name, other, of=WALL):
    """Return the Spread of the ratio of two commands, taken round by round."""
    pairs = zip(samples[name], samples[other])
    return spread([getattr(one, of) / getattr(two, of) for one, two in pairs])


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


def queries(found):
    """Return the table of the cost of one query."""
    rows = [[kind, f"{at['median']:.1f}", f"{at['p99']:.1f}"] for kind, at in found.items()]
    return table("One query", ["a round trip", "median us", "99th percentile us"], rows)


def starts(found):
    """Return the table of starts and loads, in milliseconds."""
    rows = [[name, f"{figure:.1f}"] for name, figure in found.items()]
    return table("Starts", ["what", "ms"], rows)


def slope(points):
    """Return the slope of log y over log x by least squares: 1 means in proportion."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs))
    above = sum((x - mean_x) * (y - mean_y) for x, y in logs)
    return above / sum((x - mean_x) ** 2 for x, _ in logs)


def growth(runs):
    """Return the table of searches by size; `runs` are (name, how, figures)."""
    rows = []
    for name, how, found in runs:
        rows.append(
            [
                name,
                how,
                f"{found['queries']:,}",
                f"{found['cpu']:.2f}",
                f"{found['queries'] / found['cpu']:,.0f}",
                f"{found['grader']:.0f}",
                f"{found['worker']:.0f}" if how == "sandbox" else "",
            ]
        )
    heads = ["a search", "where", "queries", "CPU s", "queries per CPU s", "grader MB",
             "worker MB"]  # fmt: skip
    return table("By size of the tree", heads, rows)


def growth_slopes(runs):
    """Return a line with the slope of CPU time over queries on random trees."""
    found = {}
    for name, how, figures in runs:
        if "minimax, 10^" in name and figures["queries"] > FEWEST_LOOKS:
            found.setdefault(how, []).append((figures["queries"], figures["cpu"]))
    parts = (f"{slope(points):.2f} {how}" for how, points in found.items())
    title = "Slope of CPU time over queries on log-log, 10^3 leaves and up"
    return f"{title}: {', '.join(parts)}."


def trees(seconds):
    """Return the table of a grading by number of trees."""
    points = [(int(count), each) for count, each in seconds.items()]
    rows = [
        [count, f"{1000 * each:.0f}", f"{1000 * each / count:.1f}"]
        for count, each in points
    ]
    title = f"By number of trees (slope {slope(points):.2f} on log-log)"
    return table(title, ["trees", "ms", "ms a tree"], rows)


def courses(found):
    """Return the table of courses."""
    rows = [
        [title, f"{at['a second']:.1f}", f"{100 * at['core use']:.0f} %",
         f"{1000 * at['cpu']:.0f}", f"{at['megabytes']:.0f}"]
        for title, at in found.items()
    ]  # fmt: skip
    heads = ["a course", "a second", "of all cores", "CPU ms each", "peak MB of a process"]
    return table("A course", heads, rows)
