"""Show the progress of a long command, and write counts and durations in words."""

from __future__ import annotations

import math
import shutil
import sys
import time
from collections.abc import Callable
from typing import TextIO

SECONDS_BETWEEN_LINES = 5.0
SECONDS_BETWEEN_DRAWINGS = 0.1
MAX_BAR = 40  # characters
MIN_BAR = 5
ERASE_TO_END_OF_LINE = "\x1b[K"
UNITS = ((86400, "day"), (3600, "h"), (60, "min"), (1, "s"))  # seconds, name


class Progress:
    """Counts finished items, as in "12 graded". Use it as a context manager.

    A terminal shows a bar that is redrawn in place. Any other output gets a line for the
    first item, a line every five seconds, and a line for the last item.

    total: the number of items.
    word: the word for a finished item, such as "graded".
    """

    def __init__(
        self,
        total: int,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
        word: str = "graded",
    ):
        self.total = total
        self.word = word
        self.done = 0
        self._stream = sys.stderr if stream is None else stream
        self._terminal = self._stream.isatty()
        self._clock = clock
        self._begun = clock()
        self._shown_at = -math.inf

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._terminal and self.done:
            self._show()
            print(file=self._stream, flush=True)

    def step(self) -> None:
        """Count one more item, and show the progress if enough time has passed."""
        self.done += 1
        pause = SECONDS_BETWEEN_DRAWINGS if self._terminal else SECONDS_BETWEEN_LINES
        if self.done == self.total or self._clock() - self._shown_at >= pause:
            self._shown_at = self._clock()
            self._show()

    def text(self) -> str:
        """Return the progress in words: the count, the rate and the time left."""
        rate = self.done / max(self._clock() - self._begun, 1e-9)
        text = f"{self.done}/{self.total} {self.word}, {rate:.1f} a second"
        if 0 < self.done < self.total:
            text += f", {duration((self.total - self.done) / rate)} left"
        return text

    def _show(self):
        text = self.text()
        if not self._terminal:
            print(text, file=self._stream, flush=True)
            return
        bar = ""
        width = min(shutil.get_terminal_size().columns - len(text) - 4, MAX_BAR)
        if width >= MIN_BAR:
            full = "#" * round(width * self.done / self.total)
            bar = f"[{full:.<{width}}] "
        line = f"\r{bar}{text}{ERASE_TO_END_OF_LINE}"
        print(line, end="", file=self._stream, flush=True)


def counted(number: int, word: str) -> str:
    """Return a count with its noun, such as "1 student" or "2 students"."""
    if number == 1:
        return f"1 {word}"
    return f"{number} {word}s"


def duration(seconds: float) -> str:
    """Return seconds in readable units: 8 s, 3 min 20 s, 1 h 5 min, 2 days 4 h."""
    remaining = round(seconds)
    parts = []
    for size, unit in UNITS:
        count, remaining = divmod(remaining, size)
        if count and unit == "day":
            parts.append(counted(count, unit))
        elif count:
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2]) or "0 s"
