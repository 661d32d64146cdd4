"""Tell how far long work is: a bar on a terminal, else a plain line now and then."""

from __future__ import annotations

import shutil
import sys
import time

SECONDS_BETWEEN_LINES = 5.0
SECONDS_BETWEEN_DRAWINGS = 0.1


class Progress:
    """Counts what is done, in the words "12 graded". Use it as a context manager.

    The bar is drawn over itself; a plain line is printed for the first submission,
    every five seconds, and for the last.
    """

    def __init__(self, total, stream=None, clock=time.monotonic, done="graded"):
        self.total = total
        self.word = done
        self.done = 0
        self._stream = sys.stderr if stream is None else stream
        self._terminal = self._stream.isatty()
        self._clock = clock
        self._begun = clock()
        self._told = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._terminal and self._told is not None:
            self._draw()
            self._stream.write("\n")
            self._stream.flush()

    def step(self):
        """Count one more; tell it when it is time to."""
        self.done += 1
        pause = SECONDS_BETWEEN_DRAWINGS if self._terminal else SECONDS_BETWEEN_LINES
        now = self._clock()
        if self._told is not None and now - self._told < pause and self.done < self.total:
            return
        self._told = now
        if self._terminal:
            self._draw()
        else:
            print(self.text(), file=self._stream, flush=True)

    def text(self):
        """Return the state in words: how many, how fast, how long still."""
        seconds = max(self._clock() - self._begun, 1e-9)
        rate = self.done / seconds
        text = f"{self.done}/{self.total} {self.word}, {rate:.1f} a second"
        if self.done < self.total and self.done:
            text += f", {duration((self.total - self.done) / rate)} left"
        return text

    def _draw(self):
        text = self.text()
        room = max(shutil.get_terminal_size().columns - len(text) - 4, 0)
        width = min(room, 40)
        full = round(width * self.done / max(self.total, 1))
        bar = f"[{'#' * full}{'.' * (width - full)}] " if width > 4 else ""
        self._stream.write(f"\r{bar}{text}\x1b[K")
        self._stream.flush()


def duration(seconds):
    """Return seconds as people say them: 8 s, 3 min 20 s, 1 h 5 min."""
    seconds = round(seconds)
    if seconds < 60:
        return f"{seconds} s"
    minutes, seconds = divmod(seconds, 60)
    if minutes < 60:
        return f"{minutes} min {seconds} s"
    return f"{minutes // 60} h {minutes % 60} min"
