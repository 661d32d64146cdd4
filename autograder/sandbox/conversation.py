"""The grader's end of one worker: its pipes, its clocks and its budget of queries.

A Channel moves whole frames, each with a deadline. A Conversation knows what they mean
(see protocol.py): it answers the queries of a search from the tree and logs them.
"""

from __future__ import annotations

import math
import os
import select
import time
from typing import NamedTuple

from autograder.sandbox import protocol
from autograder.tasks import Task
from gametree.support.trace import (
    BROKE_PROTOCOL,
    DIED,
    EVALUATE,
    EXPAND,
    OUT_OF_QUERIES,
    RAISED,
    TIMED_OUT,
    Answer,
    Ending,
    Text,
    Trace,
)

MAX_READ = 2**16  # bytes that are read of requests at once
CLOCK_CHECK_MS = 100  # how long to wait for a frame before looking at the clocks
TOOL_CPU_SECONDS = 3.0  # that a tool may take, whatever loading may
QUERIES_PER_CLOCK_CHECK = 32  # how many requests may pass before the clocks are looked at


class Limits(NamedTuple):
    """Bounds on one submission. Seconds, bytes, and counts of queries.

    The query budget of a search is `queries_base` plus `queries_factor` times what
    the reference needs: the same on every machine, however slow. CPU seconds are
    the worker's own, so a busy machine does not fail anybody; wall seconds end a
    search or a load that sleeps. Loading search.py has CPU seconds of its own. After
    `most_timeouts` searches of a function have timed out, its others are not run.
    """

    search_cpu_seconds: float = 2.0
    search_wall_seconds: float = 10.0
    load_cpu_seconds: float = 2.0
    total_seconds: float = 60.0
    most_timeouts: int = 3
    memory_bytes: int = 384 * 2**20
    queries_base: int = 1000
    queries_factor: int = 100

    def query_budget(self, task: Task) -> int:
        """Return how many queries a search of the task may take."""
        return self.queries_base + self.queries_factor * len(task.expected.events)


class Ended(Exception):
    """Carries the ending of a search or a load that did not return, and its text."""

    def __init__(self, kind, error="", reason="", text=None, undecided=False):
        self.ending = Ending(kind, error, reason, undecided=undecided)
        self.text = text or Text()


class Channel:
    """Three non-blocking pipe ends: replies are written, requests and text read.

    `send` and `receive` raise Ended where the worker is gone, or has used up the
    CPU or wall seconds that it had since `start_clocks`, or where `deadline` has passed.
    """

    def __init__(self, pid, replies, requests, text, limits, deadline=math.inf):
        self.pid = pid
        self.deadline = deadline
        self.limits = limits
        self._replies = replies
        self._requests = requests
        self._text = text
        self._read = b""  # what came with the requests before
        self._poll = select.poll()
        self._poll.register(requests, select.POLLIN)

    def close(self):
        """Close the grader's ends; the worker reads end of file and leaves."""
        for descriptor in (self._replies, self._requests, self._text):
            os.close(descriptor)

    def start_clocks(self, cpu_seconds):
        """Give the worker so many CPU seconds from now on, and its wall seconds anew."""
        wall_deadline = time.monotonic() + self.limits.search_wall_seconds
        self._wall_deadline = min(wall_deadline, self.deadline)
        self._cpu_deadline = cpu_seconds_of(self.pid) + cpu_seconds

    def check_clocks(self):
        """Raise Ended where the worker's seconds are used up."""
        out_of_cpu = cpu_seconds_of(self.pid) > self._cpu_deadline
        if out_of_cpu or time.monotonic() > self._wall_deadline:
            raise Ended(TIMED_OUT)

    def receive(self, size):
        """Return exactly `size` bytes of the worker's requests."""
        data = self._read
        while len(data) < size:
            if data:
                self.check_clocks()
            while not self._poll.poll(CLOCK_CHECK_MS):
                self.check_clocks()
            try:
                more = os.read(self._requests, MAX_READ)
            except BlockingIOError:  # the worker took back what it had written
                self.check_clocks()
                continue
            if not more:
                raise Ended(DIED)
            data += more
        self._read = data[size:]
        return data[:size]

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
            data = os.read(self._text, protocol.MAX_TEXT_BYTES)
        except BlockingIOError:
            return ""
        return data.decode("utf-8", "replace")[: protocol.MAX_TEXT]


def cpu_seconds_of(pid):
    """Return the CPU seconds that a process has used, or 0.0 where unknowable.

    On Linux the clock of a process is numbered (~pid << 3) | 2: see
    clock_getcpuclockid(3) and the kernel's posix-timers.h.
    """
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except (AttributeError, OSError, OverflowError):
        return 0.0


class Conversation:
    """Has a worker load a submission and run searches.

    Handles go up over the life of the worker, so that one from an earlier search is
    refused. After a search whose trace did not end well the worker is finished.
    """

    def __init__(self, channel):
        self.channel = channel
        self._base = 0  # the first handle of this search
        self._disclosed = []  # position of each handle of this search, from the base
        self._children = {}  # handle -> the reply that disclosed its children
        self._loaded = False

    def use_tool(self, program):
        """Have a tool look at the submission; return what it made, b"" for nothing."""
        try:
            seconds = TOOL_CPU_SECONDS
            size = self._send_program(protocol.USE_TOOL, program, protocol.MADE, seconds)
            return self.channel.receive(size) if size <= protocol.MAX_MADE else b""
        except Ended:
            return b""

    def load(self, order, program):
        """Have a program loaded; return None or how that ended.

        In a worker that has loaded one before, the new one takes its place.
        """
        try:
            seconds = self.channel.limits.load_cpu_seconds
            if self._loaded:
                self.channel.start_clocks(seconds)
                self.channel.send(protocol.pack_task(0, False, "", ()))
            self._send_program(order, program, protocol.LOADED, seconds)
        except Ended as ended:
            ended.ending = ended.ending._replace(loading=True)
            return ended
        self._loaded = True
        return None

    def _send_program(self, order, program, done, seconds):
        """Send an order and its program; return the handle that comes with its `done`.

        It may take so many CPU seconds.
        """
        self.channel.start_clocks(seconds)
        self.channel.send(protocol.PROGRAM.pack(order, len(program)) + program)
        operation, kind, handle, payload = self._request()
        if operation == protocol.RAISED:
            raise self._raised(kind, handle, payload)
        if operation != done:
            raise Ended(BROKE_PROTOCOL)
        return handle

    def search(self, task):
        """Have the worker run a task's search on fresh nodes; return its Trace."""
        root, arguments = task.tree.root, task.search.arguments(task.function)
        self._base += len(self._disclosed)
        self._disclosed, self._children = [root], {}
        self.channel.start_clocks(self.channel.limits.search_cpu_seconds)
        events = []
        answer, ending, text = Answer(), Ending(), Text()
        try:
            self.channel.send(
                protocol.pack_task(self._base, root.terminal, task.function, arguments)
            )
            answer = self._serve(events, self.channel.limits.query_budget(task))
        except Ended as ended:
            ending, text = ended.ending, ended.text
        text = text._replace(printed=self.channel.printed())
        return Trace(task.function, task.search, events, answer, ending, text)

    def _serve(self, events, budget):
        """Answer and log queries until there is an Answer to return."""
        frames, send = 0, self.channel.send
        while True:
            frames += 1
            if frames % QUERIES_PER_CLOCK_CHECK == 0:
                self.channel.check_clocks()
            operation, kind, handle, payload = self._request()
            if operation == protocol.EVALUATE:
                position = self._position(handle)
                events.append((EVALUATE, position.path))
                send(protocol.pack_value(position.static_value()))
            elif operation == protocol.EXPAND:
                position = self._position(handle)
                events.append((EXPAND, position.path))
                send(self._disclose(handle, position))
            elif operation == protocol.ANSWER:
                return self._answer(kind, handle, payload)
            elif operation == protocol.RAISED:
                raise self._raised(kind, handle, payload)
            elif operation == protocol.NAME:
                name = self._position(handle).name.encode()
                send(protocol.LENGTH.pack(len(name)) + name)
            else:
                raise Ended(BROKE_PROTOCOL)
            if frames > budget:
                raise Ended(OUT_OF_QUERIES)

    def _request(self):
        return protocol.REQUEST.unpack(self.channel.receive(protocol.REQUEST.size))

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
            flags = bytes([child.terminal for child in children])
            reply = protocol.CHILDREN.pack(first, len(flags)) + flags
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

    def _raised(self, code, length, payload):
        if code >= len(protocol.KNOWN_ERRORS) or length > protocol.MAX_ERROR_TEXT:
            return Ended(BROKE_PROTOCOL)
        message = self.channel.receive(length).decode("utf-8", "replace")
        line = protocol.INT64.unpack(payload)[0]
        text = Text(message=message, line=line if 0 < line < 10**6 else None)
        return Ended(RAISED, protocol.KNOWN_ERRORS[code], text=text)
