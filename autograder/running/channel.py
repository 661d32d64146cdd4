"""A worker's pipes from the grader's end: whole frames, each with a deadline."""

from __future__ import annotations

import os
import select
import time

from autograder.running import protocol
from autograder.running.limits import cpu_seconds_of
from gametree.trace import DIED, TIMED_OUT, Ending

GLANCE_MS = 100  # how long to wait for a frame before looking at the clocks


class Ended(Exception):
    """Carries the ending of a search that did not return."""

    def __init__(self, kind, **details):
        super().__init__(kind)
        self.ending = Ending(kind, **details)


class Channel:
    """Three non-blocking pipe ends: replies are written, requests and text read.

    `send` and `receive` raise Ended where the worker is gone, or has used up the
    CPU or wall seconds that it had since `start_clocks`.
    """

    def __init__(self, pid, replies, requests, text, limits):
        self.pid = pid
        self.limits = limits
        self._replies = replies
        self._requests = requests
        self._text = text
        self._poll = select.poll()
        self._poll.register(requests, select.POLLIN)

    def close(self):
        """Close the grader's ends; the worker reads end of file and leaves."""
        for descriptor in (self._replies, self._requests, self._text):
            os.close(descriptor)

    def start_clocks(self):
        """Give the worker its seconds anew."""
        self._deadline = time.monotonic() + self.limits.search_wall_seconds
        used = cpu_seconds_of(self.pid)
        self._cpu_deadline = (used or 0.0) + self.limits.search_cpu_seconds

    def look_at_clocks(self):
        """Raise Ended where the worker's seconds are used up."""
        used = cpu_seconds_of(self.pid)
        if used is not None and used > self._cpu_deadline:
            raise Ended(TIMED_OUT)
        if time.monotonic() > self._deadline:
            raise Ended(TIMED_OUT)

    def receive(self, size):
        """Return exactly `size` bytes of the worker's requests."""
        data = b""
        while len(data) < size:
            while not self._poll.poll(GLANCE_MS):
                self.look_at_clocks()
            try:
                more = os.read(self._requests, size - len(data))
            except BlockingIOError:  # the worker took back what it had written
                self.look_at_clocks()
                continue
            if not more:
                raise Ended(DIED)
            data += more
            if len(data) < size:
                self.look_at_clocks()
        return data

    def send(self, data):
        """Write all of `data` to the worker."""
        while data:
            try:
                data = data[os.write(self._replies, data) :]
            except BlockingIOError:
                self.look_at_clocks()
                select.select([], [self._replies], [], GLANCE_MS / 1000)
            except BrokenPipeError:
                raise Ended(DIED) from None

    def printed(self):
        """Return what the code printed since the last call, capped."""
        try:
            data = os.read(self._text, protocol.MOST_TEXT_BYTES)
        except BlockingIOError:
            return ""
        return data.decode("utf-8", "replace")[: protocol.MOST_TEXT]
