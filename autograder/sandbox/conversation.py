"""A worker's pipes from the grader's end: whole frames, each with a deadline."""

from __future__ import annotations

import os
import select
import time
from dataclasses import replace

from autograder.sandbox import protocol
from autograder.sandbox.limits import cpu_seconds_of
from gametree.trace import (
    BROKE_PROTOCOL,
    DIED,
    EVALUATE,
    EXPAND,
    OUT_OF_QUERIES,
    RAISED,
    TIMED_OUT,
    Answer,
    Ending,
    Trace,
)

CLOCK_CHECK_MS = 100  # how long to wait for a frame before looking at the clocks


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

    def check_clocks(self):
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
            while not self._poll.poll(CLOCK_CHECK_MS):
                self.check_clocks()
            try:
                more = os.read(self._requests, size - len(data))
            except BlockingIOError:  # the worker took back what it had written
                self.check_clocks()
                continue
            if not more:
                raise Ended(DIED)
            data += more
            if len(data) < size:
                self.check_clocks()
        return data

    def send(self, data):
        """Write all of `data` to the worker."""
        while data:
            try:
                data = data[os.write(self._replies, data) :]
            except BlockingIOError:
                self.check_clocks()
                select.select([], [self._replies], [], CLOCK_CHECK_MS / 1000)
            except BrokenPipeError:
                raise Ended(DIED) from None

    def printed(self):
        """Return what the code printed since the last call, capped."""
        try:
            data = os.read(self._text, protocol.MOST_TEXT_BYTES)
        except BlockingIOError:
            return ""
        return data.decode("utf-8", "replace")[: protocol.MOST_TEXT]


QUERIES_PER_CLOCK_CHECK = 32  # how many requests may pass before the clocks are looked at


class Conversation:
    """Has a worker compile a submission, or load it and run searches, over a Channel.

    Handles go up over the life of the worker, so that one from an earlier run is
    refused. After a search whose trace did not end well the worker is finished.
    """

    def __init__(self, channel):
        self.channel = channel
        self._base = 0  # the first handle of this run
        self._disclosed = []  # position of each handle of this run, from the base
        self._children = {}  # handle -> the reply that disclosed its children

    def compile(self, source):
        """Have the submission's bytes compiled; return (code, None) or (None, Ending).

        The code is b"" where it has no form that another worker could run. Nobody but
        a worker may touch it.
        """
        try:
            size = self._program(protocol.COMPILE_SOURCE, source, protocol.COMPILED)
            if size > protocol.MOST_CODE:
                raise Ended(BROKE_PROTOCOL)
            return self.channel.receive(size), None
        except Ended as ended:
            return None, replace(ended.ending, loading=True)

    def load(self, source, code=b""):
        """Have the submission loaded, from its code if any; return None or the Ending."""
        try:
            if code:
                self._program(protocol.RUN_CODE, code, protocol.LOADED)
            else:
                self._program(protocol.RUN_SOURCE, source, protocol.LOADED)
        except Ended as ended:
            return replace(ended.ending, loading=True)
        return None

    def _program(self, wanted, program, done):
        """Send the program; return the number that comes with the worker's `done`."""
        self.channel.start_clocks()
        self.channel.send(protocol.PROGRAM.pack(wanted, len(program)) + program)
        operation, kind, handle, payload = self._request()
        if operation == protocol.RAISED:
            raise self._raised(kind, handle, payload)
        if operation != done:
            raise Ended(BROKE_PROTOCOL)
        return handle

    def _request(self):
        return protocol.REQUEST.unpack(self.channel.receive(protocol.REQUEST.size))

    def _raised(self, code, length, payload):
        if code >= len(protocol.KNOWN_ERRORS) or length > protocol.MOST_ERROR_TEXT:
            return Ended(BROKE_PROTOCOL)
        message = self.channel.receive(length).decode("utf-8", "replace")
        line = protocol.INT64.unpack(payload)[0]
        return Ended(
            RAISED,
            error=protocol.KNOWN_ERRORS[code],
            message=message,
            line=line if 0 < line < 10**6 else None,
        )

    def search(self, tree, function, search, budget):
        """Have the worker run one search on fresh nodes; return its Trace."""
        self.channel.start_clocks()
        self._base += len(self._disclosed)
        self._disclosed = [tree.root]
        self._children = {}
        events = []
        answer, ending = Answer(), Ending()
        try:
            self.channel.send(self._task(tree, function, search))
            answer = self._serve(events, budget)
        except Ended as ended:
            ending = ended.ending
        return Trace(function, search, events, answer, ending, self.channel.printed())

    def _task(self, tree, function, search):
        return protocol.TASK.pack(
            protocol.FUNCTIONS.index(function),
            search.maximizing,
            search.depth,
            *protocol.pack_number(search.alpha),
            *protocol.pack_number(search.beta),
            self._base,
            tree.root.terminal,
        )

    def _serve(self, events, budget):
        frames = 0
        while True:
            frames += 1
            if frames % QUERIES_PER_CLOCK_CHECK == 0:
                self.channel.check_clocks()
            operation, kind, handle, payload = self._request()
            if operation == protocol.EVALUATE:
                position = self._position(handle)
                events.append((EVALUATE, position.path))
                number = protocol.pack_number(position.static_value())
                self.channel.send(protocol.VALUE.pack(*number))
            elif operation == protocol.EXPAND:
                position = self._position(handle)
                events.append((EXPAND, position.path))
                self.channel.send(self._disclose(handle, position))
            elif operation == protocol.ANSWER:
                return self._answer(kind, handle, payload)
            elif operation == protocol.RAISED:
                raise self._raised(kind, handle, payload)
            elif operation == protocol.NAME:
                name = self._position(handle).name.encode()
                self.channel.send(protocol.LENGTH.pack(len(name)) + name)
            else:
                raise Ended(BROKE_PROTOCOL)
            if frames > budget:
                raise Ended(OUT_OF_QUERIES)

    def _position(self, handle):
        index = handle - self._base
        if not 0 <= index < len(self._disclosed):
            raise Ended(BROKE_PROTOCOL)
        return self._disclosed[index]

    def _disclose(self, handle, position):
        reply = self._children.get(handle)
        if reply is None:
            first = self._base + len(self._disclosed)
            children = position.children
            self._disclosed.extend(children)
            reply = protocol.CHILDREN.pack(first, len(children)) + bytes(
                child.terminal for child in children
            )
            self._children[handle] = reply
        return reply

    def _answer(self, kind, handle, payload):
        if kind in (protocol.IS_INT, protocol.IS_FLOAT):
            return Answer("number", number=protocol.unpack_number(kind, payload))
        if kind == protocol.IS_NODE:
            return Answer("node", path=self._position(handle).path)
        if kind != protocol.IS_OTHER or handle >= len(protocol.OTHER_ANSWERS):
            raise Ended(BROKE_PROTOCOL)
        return Answer(protocol.OTHER_ANSWERS[handle])
