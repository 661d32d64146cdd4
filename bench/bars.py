"""Define the bars of the benchmark: the maximum cost and the minimum speed of grading."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import sub, truediv
from typing import NamedTuple

from bench.gradings import BARE_RUN, KNOWN, MIXED, OURS, PAGED, RIGHT_ONES, UNKNOWN, WITHOUT
from bench.samples import Sample

# Times the wall time of a bare run.
MAX_TIMES = {OURS: 1.6, PAGED: 1.9, KNOWN + WITHOUT: 2.3, UNKNOWN + WITHOUT: 2.3}
MAX_LINE_SECONDS = 0.3
MIN_RATES = {RIGHT_ONES: 13, MIXED: 6}  # submissions a second
MAX_COMMAND_SECONDS = {
    "make test": 75,
    "make check": 10,
    "make dist": 3,  # right after make check
    "make trees": 8,
}
MAX_LOOP_SECONDS = 70  # ten more than the total budget
# A search of the vast tree makes 144,433 queries of 70 us and 2 kB each.
MAX_VAST_SECONDS = 10
MAX_VAST_MEGABYTES = 250
Samples = Mapping[str, Sequence[Sample]]


class Bar(NamedTuple):
    """A bar and the measured figure.

    name: the name of the figure.
    limit: the maximum of the figure, or its minimum.
    figure: the measured value.
    form: the format of both numbers, such as "{:.1f} s".
    is_minimum: whether `limit` is the minimum.
    """

    name: str
    limit: float
    figure: float
    form: str
    is_minimum: bool = False

    @property
    def holds(self) -> bool:
        """Whether the figure is within the bar."""
        if self.is_minimum:
            return self.figure >= self.limit
        return self.figure <= self.limit

    @property
    def cells(self) -> list[str]:
        """The bar's row in the table."""
        outcome = "yes" if self.holds else "no"
        limit = self.form.format(self.limit)
        return [self.name, limit, self.form.format(self.figure), outcome]


def walls(samples: Samples, name: str) -> list[float]:
    """Return the wall seconds of a command, round by round."""
    return [sample.wall for sample in samples[name]]


def compare(
    operation: Callable[[float, float], float], samples: Samples, name: str, base: str
) -> float:
    """Return the median of an operation on two commands' wall times in each round."""
    return statistics.median(map(operation, walls(samples, name), walls(samples, base)))


def bars_of_gradings(samples: Samples) -> Iterable[Bar]:
    """Yield the bars of whole gradings that ran side by side."""
    for name, limit in MAX_TIMES.items():
        figure = compare(truediv, samples, name, BARE_RUN)
        yield Bar(f"{name}, to bare", limit, figure, "{:.1f}x")
    for name in (KNOWN, UNKNOWN):
        figure = compare(sub, samples, name, name + WITHOUT)
        yield Bar(f"the line of {name}", MAX_LINE_SECONDS, figure, "{:.1f} s")


def bars_of_courses(rates: Mapping[str, float]) -> Iterable[Bar]:
    """Yield the bars of courses; `rates` are submissions a second."""
    for title, rate in rates.items():
        yield Bar(f"{title}, a second", MIN_RATES[title], rate, "{:.1f}", is_minimum=True)


def bars_of_vast(sample: Sample, queries: int) -> Iterable[Bar]:
    """Yield the bars of a search of a lazily generated tree."""
    name = f"10^9 leaves, {queries:,} queries"
    yield Bar(name, MAX_VAST_SECONDS, sample.wall, "{:.1f} s")
    yield Bar(name, MAX_VAST_MEGABYTES, sample.megabytes, "{:.0f} MB")


def bars_of_commands(seconds: Mapping[str, float]) -> Iterable[Bar]:
    """Yield the bars of whole commands."""
    for name, figure in seconds.items():
        yield Bar(name, MAX_COMMAND_SECONDS[name], figure, "{:.0f} s")
