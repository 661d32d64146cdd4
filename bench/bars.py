"""The bars of the design, beside what was measured."""

from __future__ import annotations

from bench.gradings import BARE_RUN, OURS, WRONG
from bench.report import CPU, middle, ratio
from bench.tables import table, times

MOST_TIMES, MOST_MICROSECONDS = 5, 10
RATE, CORE_USE = 15, 0.85
MOST_SECONDS, MOST_EXTRA_SECONDS = 60, 2
MOST_MEGABYTES = 250  # the design says "what it visits": 144,433 queries, 2 kB each


def bars(samples, query, courses, lazy, endless):
    """Return the table: each figure, its bar, what was measured, whether it holds.

    `query` is in microseconds; `courses`, `lazy` and `endless` are as `course`,
    `growth` and the endless submission's wall seconds have them.
    """
    bare = ratio(samples, OURS, BARE_RUN).median
    rate = max(one["a second"] for one in courses.values())
    use = max(one["core use"] for one in courses.values())
    usual = middle(samples, OURS, CPU).median
    extra = max(middle(samples, name, CPU).median for name in WRONG) - usual
    memory = lazy["grader"] + lazy["worker"]
    leaves = f"10^9 leaves, {lazy['queries']:,} queries"
    rows = [
        _row("a right submission, beside a bare run", MOST_TIMES, bare, times),
        _row("a query, median", MOST_MICROSECONDS, query, "{:.1f} us".format),
        _row("a course: submissions a second", RATE, rate, "{:.1f}".format, least=True),
        _row("a course: cores in use", CORE_USE, use, "{:.0%}".format, least=True),
        _row("an endless loop in every search", MOST_SECONDS, endless, "{:.1f} s".format),
        _row("a wrong submission, more CPU", MOST_EXTRA_SECONDS, extra, "{:.2f} s".format),
        _row(leaves, MOST_MEGABYTES, memory, "{:.0f} MB".format),
    ]
    return table("The bars of the design", ["figure", "bar", "measured", "holds"], rows)


def _row(name, bar, figure, text, least=False):
    holds = figure >= bar if least else figure <= bar
    return [name, text(bar), text(figure), "yes" if holds else "no"]
