"""Communicate with one worker: its pipes, its clocks and its budget of queries.

A Channel sends and receives whole frames before a deadline. A Conversation interprets
them (see protocol.py). It answers the queries of a search from the tree and logs them.
"""

from __future__ import annotations

import marshal
import math
import os
import select
import time

from autograder.sandbox import protocol
from autograder.scoring.tasks import shares_nodes
from gametree.support.trace import (
    BROKE_PROTOCOL,
    DIED,
    EVALUATE,
    EXPAND,
    NO_TEXT,
    OUT_OF_QUERIES,
    RAISED,
    TIMED_OUT,
    Answer,
    Ending,
    Text,
    Trace,
)

PIPE_BYTES = 2**16  # of a full pipe; more cannot be read at once
CLOCK_CHECK_MS = 100  # time to wait for a frame before the clocks are checked
QUERIES_PER_CLOCK_CHECK = 32  # number of requests between two checks of the clocks
TOOL_CPU_SECONDS = 3.0  # for a tool, whatever load_cpu_seconds is
MAX_ARGUMENTS = 8  # words that are parsed in the place of an exception
MAX_NAME = 20  # characters of an argument's name
MAX_LINE = 10**6  # line numbers of search.py are lower


class SearchFailure(Exception):
    """A search, or the load before it, did not return.

    ending: the way in which it ended.
    text: the message and the line of the exception, if it raised one.
    """

    def __init__(self, ending: Ending, text: Text = NO_TEXT):
        self.ending = ending
        self.text = text


class Channel:
    """Three non-blocking pipe ends: for replies, for requests and for text.

    `send` and `receive` raise SearchFailure if the worker has ended, if its CPU or wall
    seconds are used up, or if the `deadline` has passed.
    """

    def __init__(self, pid, replies, requests, text, limits, deadline=math.inf):
        self.pid = pid
        self.deadline = deadline
        self.limits = limits
        self._replies = replies
        self._requests = requests
        self._text = text
        self._unread = b""  # bytes of requests that were received and not yet returned
        self._poll = select.poll()
        self._poll.register(requests, select.POLLIN)

    def close(self):
        """Close the grader's ends, so that the worker reads end of file and exits."""
        for descriptor in (self._replies, self._requests, self._text):
            os.close(descriptor)

    def start_clocks(self, cpu_seconds):
        """Start the worker's clocks: these CPU seconds and the usual wall seconds."""
        wall_deadline = time.monotonic() + self.limits.search_wall_seconds
        self._wall_deadline = min(wall_deadline, self.deadline)
        self._cpu_deadline = cpu_seconds_of(self.pid) + cpu_seconds

    def check_clocks(self):
        """Raise SearchFailure if the worker's seconds are used up."""
        out_of_cpu = cpu_seconds_of(self.pid) > self._cpu_deadline
        if out_of_cpu or time.monotonic() > self._wall_deadline:
            raise SearchFailure(Ending(TIMED_OUT))

    def receive(self, size):
        """Return exactly `size` bytes of the worker's requests."""
        data = self._unread
        while len(data) < size:
            if data:
                self.check_clocks()
            while not self._poll.poll(CLOCK_CHECK_MS):
                self.check_clocks()
            try:
                more = os.read(self._requests, PIPE_BYTES)
            except BlockingIOError:  # the worker has read its own bytes back
                self.check_clocks()
                continue
            if not more:
                raise SearchFailure(Ending(DIED))
            data += more
        self._unread = data[size:]
        return data[:size]

    def send(self, data):
        """Write all of `data` to the worker."""
        while data:
            try:
                written = os.write(self._replies, data)
                data = data[written:]
            except BlockingIOError:
                self.check_clocks()
                select.select([], [self._replies], [], CLOCK_CHECK_MS / 1000)
            except BrokenPipeError:
                raise SearchFailure(Ending(DIED)) from None

    def read_printed(self):
        """Return the text printed since the last call, up to MAX_PRINTED characters."""
        try:
            data = os.read(self._text, PIPE_BYTES)
        except BlockingIOError:
            return ""
        return data.decode("utf-8", "replace")[: protocol.MAX_PRINTED]


def cpu_seconds_of(pid):
    """Return the CPU seconds of a process, or 0.0 if the system cannot report them.

    On Linux the CPU clock of a process has the number (~pid << 3) | 2. See
    clock_getcpuclockid(3) and the kernel's posix-timers.h.
    """
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except (AttributeError, OSError, OverflowError):
        return 0.0


class Conversation:
    """Makes a worker load a submission and run searches.

    Handles increase during the life of the worker, so a handle from an earlier search is
    refused. If a search neither returns nor raises, the caller must end the worker.
    """

    def __init__(self, channel):
        self.channel = channel
        self._first_handle = 0  # of this search
        self._disclosed = []  # position of each handle of this search, in order
        self._children_replies = {}  # handle -> the reply that disclosed its children
        self._task_before = None  # the task of the current program's last search

    def use_tool(self, program):
        """Run a tool in the worker and return its result, or b"" if it failed."""
        try:
            size = self._send_program(protocol.USE_TOOL, program, protocol.TOOL_RESULT)
            if size > protocol.MAX_RESULT_BYTES:
                return b""
            return self.channel.receive(size)
        except SearchFailure:
            return b""

    def load(self, order, program):
        """Load search.py or a change to it. Raises SearchFailure if it fails.

        A change may use the time of one search.
        """
        self._task_before = None
        try:
            self._send_program(order, program, protocol.LOADED)
        except SearchFailure as failure:
            failure.ending = failure.ending._replace(loading=True)
            raise
        self.channel.read_printed()  # otherwise the first search would show it

    def _send_program(self, order, program, expected_operation):
        """Send an order and its program; return the handle in the expected answer."""
        seconds = self.channel.limits.load_cpu_seconds
        if order == protocol.USE_TOOL:
            seconds = TOOL_CPU_SECONDS
        elif order == protocol.CHANGE:
            seconds = self.channel.limits.search_cpu_seconds
        self.channel.start_clocks(seconds)
        self.channel.send(protocol.pack_order(order, program))
        operation, kind, handle, payload = self._receive_request()
        if operation == protocol.RAISED:
            raise self._failure_raised(kind, handle, payload)
        if operation != expected_operation:
            raise SearchFailure(Ending(BROKE_PROTOCOL))
        return handle

    def search(self, task):
        """Run a task's search in the worker and return its Trace."""
        root = task.tree.root
        arguments = task.search.arguments(task.function)
        if not shares_nodes(task, self._task_before):
            self._first_handle += len(self._disclosed)
            self._disclosed = [root]
            self._children_replies = {}
        self._task_before = task
        handle = self._first_handle
        call = marshal.dumps((handle, root.terminal, task.function, arguments))
        self.channel.start_clocks(self.channel.limits.search_cpu_seconds)
        budget = self.channel.limits.query_budget(task)
        events = []
        answer = Answer()
        ending = Ending()
        text = Text()
        try:
            self.channel.send(protocol.pack_order(protocol.SEARCH, call))
            answer = self._serve(events, budget)
        except SearchFailure as failure:
            ending = failure.ending
            text = failure.text
        text = text._replace(printed=self.channel.read_printed())
        return Trace(task.function, task.search, events, answer, ending, text)

    def _serve(self, events, budget):
        """Answer queries and append them to `events`; return the search's Answer."""
        send = self.channel.send
        requests = 0
        while True:
            requests += 1
            if requests % QUERIES_PER_CLOCK_CHECK == 0:
                self.channel.check_clocks()
            operation, kind, handle, payload = self._receive_request()
            if operation == protocol.EVALUATE:
                position = self._position(handle)
                events.append((EVALUATE, position.path))
                number = protocol.pack_number(position.static_value())
                send(protocol.VALUE.pack(*number))
            elif operation == protocol.EXPAND:
                position = self._position(handle)
                events.append((EXPAND, position.path))
                send(self._disclose_children(handle, position))
            elif operation == protocol.ANSWER:
                return self._unpack_answer(kind, handle, payload)
            elif operation == protocol.RAISED:
                raise self._failure_raised(kind, handle, payload)
            elif operation == protocol.NAME:
                name = self._position(handle).name.encode()
                send(protocol.LENGTH.pack(len(name)) + name)
            else:
                raise SearchFailure(Ending(BROKE_PROTOCOL))
            if requests > budget:
                raise SearchFailure(Ending(OUT_OF_QUERIES))

    def _receive_request(self):
        """Return (operation, kind, handle, payload) of the next request."""
        return protocol.REQUEST.unpack(self.channel.receive(protocol.REQUEST.size))

    def _position(self, handle):
        """Return the position of a handle; raise SearchFailure if it was not disclosed."""
        index = handle - self._first_handle
        if not 0 <= index < len(self._disclosed):
            raise SearchFailure(Ending(BROKE_PROTOCOL))
        return self._disclosed[index]

    def _disclose_children(self, handle, position):
        """Return the reply with the handles of the position's children."""
        reply = self._children_replies.get(handle)
        if reply is None:
            first_child = self._first_handle + len(self._disclosed)
            children = position.children
            self._disclosed.extend(children)
            flags = bytes([child.terminal for child in children])
            reply = protocol.CHILDREN.pack(first_child, len(flags)) + flags
            self._children_replies[handle] = reply
        return reply

    def _unpack_answer(self, kind, handle, payload):
        if kind in (protocol.IS_INT, protocol.IS_FLOAT):
            return Answer("number", number=protocol.unpack_number(kind, payload))
        if kind == protocol.IS_NODE:
            return Answer("node", path=self._position(handle).path)
        if kind != protocol.IS_OTHER or handle >= len(protocol.OTHER_ANSWERS):
            raise SearchFailure(Ending(BROKE_PROTOCOL))
        return Answer(protocol.OTHER_ANSWERS[handle])

    def _failure_raised(self, code, length, payload):
        """Receive an exception's text and return the SearchFailure for it."""
        if code >= len(protocol.KNOWN_ERRORS) or length > protocol.MAX_ERROR_BYTES:
            return SearchFailure(Ending(BROKE_PROTOCOL))
        text = self.channel.receive(length).decode("utf-8", "replace")
        place, _, message = text.partition("\n")
        line = protocol.INT64.unpack(payload)[0]
        if not 0 < line < MAX_LINE:
            line = None
        ending = Ending(RAISED, protocol.KNOWN_ERRORS[code])
        path, arguments = self._unpack_place(place)
        text = Text(message=message, line=line, path=path, arguments=arguments)
        return SearchFailure(ending, text)

    def _unpack_place(self, place):
        """Return the node's path and the arguments in a place, or (None, ())."""
        handle, *words = place.split()[:MAX_ARGUMENTS] or [""]
        arguments = []
        try:
            path = self._position(int(handle)).path
            for word in words:
                name, _, value = word.partition("=")
                if name.isidentifier() and len(name) <= MAX_NAME:
                    arguments.append((name, float(value)))
        except (ValueError, SearchFailure):
            return None, ()
        return path, tuple(arguments)
