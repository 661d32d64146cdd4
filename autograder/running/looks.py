"""What the student's code talks to in the worker: looks at nodes, and stdout.

Both end at pipes to the grader. Standard library only.
"""

import io
import os

from protocol import (
    CHILDREN,
    EVALUATE,
    EXPAND,
    LENGTH,
    MOST_TEXT_BYTES,
    NAME,
    REQUEST,
    VALUE,
    unpack_number,
)

NOTHING = bytes(8)


class Looks:
    """Answers a Node's looks by asking the grader over the pipes."""

    keeps_nodes = True

    def __init__(self, replies, requests):
        self._replies = replies
        self._requests = requests
        self._names = {}

    def receive(self, size):
        """Read exactly `size` bytes of a reply; leave when the grader has gone."""
        data = os.read(self._replies, size)
        while len(data) < size:
            more = os.read(self._replies, size - len(data))
            if not more:
                os._exit(0)
            data += more
        return data

    def send(self, operation, kind=0, handle=0, payload=NOTHING, text=b""):
        """Send one request."""
        os.write(self._requests, REQUEST.pack(operation, kind, handle, payload) + text)

    def expand(self, handle):
        """Ask for the children: a list of (handle, whether terminal)."""
        self.send(EXPAND, 0, handle)
        first, count = CHILDREN.unpack(self.receive(CHILDREN.size))
        flags = self.receive(count) if count else b""
        return list(zip(range(first, first + count), map(bool, flags)))

    def evaluate(self, handle):
        """Ask for the value of a leaf."""
        self.send(EVALUATE, 0, handle)
        return unpack_number(*VALUE.unpack(self.receive(VALUE.size)))

    def name(self, handle):
        """Ask for the label that drawings show, once for each node."""
        if handle not in self._names:
            self.send(NAME, 0, handle)
            size = LENGTH.unpack(self.receive(LENGTH.size))[0]
            self._names[handle] = self.receive(size).decode() if size else ""
        return self._names[handle]


class Capped(io.RawIOBase):
    """Passes on the first bytes of each search's text and drops the rest.

    `left` is how many more are passed on, to `descriptor`. It cannot be closed, so that
    a program may wrap it and let go of the wrapping.
    """

    descriptor = None
    left = MOST_TEXT_BYTES

    def write(self, data):
        """Accept all bytes, whether they are passed on or not."""
        data = bytes(data)
        if self.left > 0:
            try:
                os.write(self.descriptor, data[: self.left])
            except OSError:
                self.left = 0
        self.left -= len(data)
        return len(data)

    def writable(self):
        """Say that this can be written."""
        return True

    def fileno(self):
        """Return the descriptor of standard output, which leads nowhere."""
        return 1

    def close(self):
        """Do nothing."""

    def text(self):
        """Return a text stream on top, as sys.stdout is one."""
        return io.TextIOWrapper(self, "utf-8", "replace", write_through=True)
