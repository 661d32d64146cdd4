"""Communicate with one worker: its pipes, its clocks and its budget of queries.

A Channel sends and receives whole frames before its clocks end. A Conversation interprets
them (see protocol.py). It answers the queries of a search from the tree and logs them.

Several searches travel together, small trees as a whole. Of other trees the worker knows at
most the shape and the values that it has requested, in any search. A program that
manipulates its worker could hide an expansion below which it evaluates nothing, or a visit
of a leaf whose value it has, but no first visit.
"""

from __future__ import annotations

import io
import marshal
import os
import select
import time
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache

from autograder.sandbox import protocol
from autograder.scoring.rubric import Limits
from autograder.scoring.scores import FUNCTION_MISSING
from autograder.scoring.tasks import shares_nodes
from gametree.support.judging import Task
from gametree.support.trace import (
    BROKE_PROTOCOL,
    DIED,
    EVALUATE,
    EXPAND,
    NO_TEXT,
    OUT_OF_QUERIES,
    RAISED,
    SLEPT,
    TIMED_OUT,
    Answer,
    Ending,
    Text,
    Trace,
)
from gametree.support.tree import Position, StoredPosition

PIPE_BYTES = 2**16  # of a full pipe; more cannot be read at once
MAX_SHAPE = 3000  # positions of a tree whose shape travels with its search
MAX_DISCLOSED = 2**20  # handles that are reserved for a tree without a shape
MAX_SHAPES = 8000  # that are cached: those of the kit's trees and of all small trees
CLOCK_CHECK_MS = 100  # time to wait for a frame before the clocks are checked
QUERIES_PER_CLOCK_CHECK = 32  # number of requests between two checks of the clocks
MAX_SLOWDOWN = 50  # of a worker that does not sleep, by other processes
MAX_LINE = 10**6  # line numbers of search.py are lower
ERRORS = (*protocol.KNOWN_ERRORS, FUNCTION_MISSING)  # in the order of their numbers


class SearchFailure(Exception):
    """A search, or the load before it, did not return.

    ending: the way in which it ended.
    text: the message and the line of the exception, if it raised one.
    """

    def __init__(self, ending: Ending, text: Text = NO_TEXT):
        self.ending = ending
        self.text = text


def _breach():
    """Return the failure of a search whose worker breaks the protocol."""
    return SearchFailure(Ending(BROKE_PROTOCOL))


class Channel:
    """The grader's ends of two pipes: for replies and for requests. Neither ever blocks.

    `send` and `receive` raise SearchFailure if the worker has ended or run out of time.
    Time is the worker's CPU time. A worker that sleeps is stopped after
    `search_wall_seconds`, which are far away on a busy machine.
    """

    def __init__(self, pid: int, replies: int, requests: int, limits: Limits):
        self.pid = pid
        self.limits = limits
        self._replies = replies
        self._requests = requests
        self._unread = io.BytesIO()  # bytes of requests that were read from the pipe
        for descriptor in (replies, requests):
            os.set_blocking(descriptor, False)
        self._poll = select.poll()
        self._poll.register(requests, select.POLLIN)

    def close(self) -> None:
        """Close the grader's ends, so that the worker reads end of file and exits."""
        for descriptor in (self._replies, self._requests):
            os.close(descriptor)

    def start_clocks(self, cpu_seconds: float) -> None:
        """Start the worker's clocks, with these CPU seconds."""
        self._cpu_start = cpu_seconds_of(self.pid)
        self._cpu_deadline = self._cpu_start + cpu_seconds
        self._wall_start = time.monotonic()

    def check_clocks(self) -> None:
        """Raise SearchFailure if the worker's seconds are used up, or if it sleeps."""
        seconds = cpu_seconds_of(self.pid)
        if seconds > self._cpu_deadline:
            raise SearchFailure(Ending(TIMED_OUT))
        patience = self.limits.search_wall_seconds
        patience += MAX_SLOWDOWN * (seconds - self._cpu_start)
        if time.monotonic() - self._wall_start > patience:
            can_tell = seconds > 0  # that the worker slept
            raise SearchFailure(Ending(TIMED_OUT, reason=SLEPT if can_tell else ""))

    def receive(self, size: int) -> bytes:
        """Return exactly `size` bytes of the worker's requests."""
        data = self._unread.read(size)
        while len(data) < size:
            if data:
                self.check_clocks()
            self._unread = io.BytesIO(self._read_pipe())
            data += self._unread.read(size - len(data))
        return data

    def _read_pipe(self):
        """Wait for bytes of requests, and return them."""
        while not self._poll.poll(CLOCK_CHECK_MS):
            self.check_clocks()
        try:
            data = os.read(self._requests, PIPE_BYTES)
        except BlockingIOError:  # the worker has read its own bytes back
            self.check_clocks()
            return b""
        if not data:
            raise SearchFailure(Ending(DIED))
        return data

    def send(self, data: bytes) -> None:
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


def cpu_seconds_of(pid: int) -> float:
    """Return the CPU seconds of a process, or 0.0 if the system cannot report them.

    On Linux the CPU clock of a process has the number (~pid << 3) | 2. See
    clock_getcpuclockid(3) and the kernel's posix-timers.h.
    """
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except (AttributeError, OSError, OverflowError):
        return 0.0


class DisclosedTree:
    """What the worker may name and knows of a tree. A handle is the number of a position.

    content: the TreeContent that the worker receives.
    """

    def __init__(self, root_handle: int, task: Task):
        self._root = task.tree.root
        counts, values = _shape_of(self._root, task.is_small)
        terminal = self._root.terminal
        self.content = protocol.TreeContent(root_handle, terminal, counts, values)
        self._next_handle = root_handle + 1
        self._first_child = {}  # handle -> the handle of its first child, if it is known
        for handle, count in enumerate(counts, root_handle):
            self._first_child[handle] = self._next_handle
            self._next_handle += count
        self._known = set(range(root_handle, root_handle + len(values)))  # their values

    def hide_all_but_root(self) -> None:
        """Begin a search with new nodes: the worker may name the root only."""
        self._disclosed = {self.content.root: self._root}

    def position(self, handle: int) -> Position:
        """Return the position of a handle. Raises SearchFailure if it is not disclosed."""
        if handle not in self._disclosed:
            raise _breach()
        return self._disclosed[handle]

    def expand(self, handle: int, events: list) -> tuple[int, bytes] | None:
        """Log an expansion; return the reply, or None if the worker knows the children."""
        position = self.position(handle)
        events.append((EXPAND, position.path))
        children = position.children
        is_known = handle in self._first_child
        if not is_known:
            self._first_child[handle] = self._next_handle
            self._next_handle += len(children)
        first = self._first_child[handle]
        self._disclosed.update(enumerate(children, first))
        if is_known:
            return None
        return first, bytes([child.terminal for child in children])

    def evaluate(self, handle: int, events: list) -> float | None:
        """Log a visit of a leaf; return its value, or None if the worker knows it."""
        position = self.position(handle)
        events.append((EVALUATE, position.path))
        if handle in self._known:
            return None
        self._known.add(handle)
        return position.static_value()


@lru_cache(maxsize=MAX_SHAPES)
def _shape_of(root, is_small):
    """Return the counts and the values of a TreeContent.

    A lazy tree, a game, or a tree of more than MAX_SHAPE positions has no counts. Only a
    small tree has values.
    """
    if not isinstance(root, StoredPosition):
        return [], []
    positions = [root]
    for position in positions:  # the list grows during the loop
        positions += position.children
        if len(positions) > MAX_SHAPE:
            return [], []
    counts = [len(position.children) for position in positions]
    values = [position.static_value() for position in positions] if is_small else []
    return counts, values


class Conversation:
    """Makes a worker load a submission and run searches.

    Each tree has handles of its own, so a handle of an earlier tree is refused. If a search
    neither returns nor raises, the caller must end the worker.
    """

    def __init__(self, channel: Channel):
        self.channel = channel
        self._change = b""  # the change of the last search
        self._trees: dict[Position, DisclosedTree] = {}  # by root; the worker has them
        self._next_handle = 0
        self._task_before: Task | None = None  # of the last search, with the same change
        # (task, DisclosedTree, whether its nodes are new) of each order without a result
        self._ordered = deque()
        self._printed = b""  # by the current search
        self.modules: set[str] = set()  # the tools' modules that the worker has

    def use_tool(self, program: bytes) -> bytes:
        """Run a tool in the worker and return its result, or b"" if it failed."""
        try:
            size = self._start(program, protocol.TOOL_RESULT)
            return self.channel.receive(size)
        except SearchFailure:
            return b""

    def load(self, source: bytes) -> None:
        """Load search.py. Raises SearchFailure if it fails."""
        try:
            self._start(marshal.dumps(source), protocol.LOADED)
        except SearchFailure as failure:
            failure.ending = failure.ending._replace(loading=True)
            raise

    def _start(self, order, expected_operation):
        """Send an order; return the handle in the expected answer."""
        self.channel.start_clocks(self.channel.limits.load_cpu_seconds)
        self.channel.send(order)
        operation, kind, handle, payload = self._receive_request()
        if operation == protocol.RAISED:
            failure, _ = self._receive_failure(kind, handle, payload)
            raise failure
        if operation != expected_operation:
            raise _breach()
        return handle

    def search(self, searches: Sequence[tuple[bytes, Task]]) -> Iterator[Trace]:
        """Run searches in the worker, and yield their Traces.

        searches: (change, task) of each search. A change is code that replaces definitions
            of search.py, or b"".
        """
        order = self._pack_order(searches)
        while self._ordered:
            yield self._run_next(order)
            order = b""

    def drain(self) -> bool:
        """Skip all missing results, and return whether the worker can continue."""
        while self._ordered:
            if not self._run_next().ending.by_itself:
                return False
        return True

    def _pack_order(self, searches):
        """Return the order for searches, and note that they have no result."""
        new_trees = []
        calls = []
        for change, task in searches:
            if change != self._change:
                self._task_before = None
            self._change = change
            are_new = not shares_nodes(task, self._task_before)
            if task.tree.root not in self._trees:
                tree = DisclosedTree(self._next_handle, task)
                self._trees[task.tree.root] = tree
                self._next_handle += len(tree.content.counts) or MAX_DISCLOSED
                new_trees.append(tuple(tree.content))
            tree = self._trees[task.tree.root]
            arguments = task.search.arguments(task.function)
            calls.append((change, task.function, arguments, tree.content.root, are_new))
            self._ordered.append((task, tree, are_new))
            self._task_before = task
        return marshal.dumps((new_trees, calls))

    def _run_next(self, order=b""):
        """Send the order, and return the Trace of the first search without a result."""
        task, tree, are_new = self._ordered.popleft()
        if are_new:
            tree.hide_all_but_root()
        self._printed = b""
        limits = self.channel.limits
        self.channel.start_clocks(limits.search_cpu_seconds)
        events = []
        answer = Answer()
        ending = Ending()
        text = Text()
        try:
            self.channel.send(order)
            answer = self._serve(tree, events, limits.query_budget(task))
        except SearchFailure as failure:
            ending = failure.ending
            text = failure.text
        if self._printed:
            text = text._replace(printed=self._printed.decode("utf-8", "replace"))
        return Trace(task.function, task.search, events, answer, ending, text)

    def _serve(self, tree, events, budget):
        """Answer queries about a tree and log them as events; return the Answer."""
        for count in range(1, budget + 2):  # the last request may be the answer
            if count % QUERIES_PER_CLOCK_CHECK == 0:
                self.channel.check_clocks()
            operation, kind, handle, payload = self._receive_request()
            if operation == protocol.EVALUATE:
                reply = tree.evaluate(handle, events)
            elif operation == protocol.EXPAND:
                reply = tree.expand(handle, events)
            elif operation == protocol.NAME:
                reply = tree.position(handle).name
            elif operation == protocol.ANSWER:
                return _unpack_answer(tree, kind, handle, payload)
            elif operation == protocol.RAISED:
                failure, place = self._receive_failure(kind, handle, payload)
                path, arguments = _unpack_place(tree, place)
                failure.text = failure.text._replace(path=path, arguments=arguments)
                raise failure
            else:
                raise _breach()
            if reply is not None:
                self.channel.send(marshal.dumps(reply))
        raise SearchFailure(Ending(OUT_OF_QUERIES))

    def _receive_request(self):
        """Return (operation, kind, handle, payload) of the next request.

        Printed text before it is collected.
        """
        while True:
            request = self.channel.receive(protocol.REQUEST.size)
            operation, kind, handle, payload = protocol.REQUEST.unpack(request)
            if operation != protocol.PRINTED:
                return operation, kind, handle, payload
            if not 0 < handle <= protocol.MAX_PRINTED - len(self._printed):
                raise _breach()
            self._printed += self.channel.receive(handle)

    def _receive_failure(self, code, length, payload):
        """Receive an exception; return (SearchFailure, its place as the worker sent it)."""
        if code >= len(ERRORS) or length > protocol.MAX_ERROR_BYTES:
            return _breach(), ""
        content = self.channel.receive(length).decode("utf-8", "replace")
        place, _, message = content.partition("\n")
        line = protocol.INT64.unpack(payload)[0]
        if not 0 < line < MAX_LINE:
            line = None
        ending = Ending(RAISED, ERRORS[code])
        return SearchFailure(ending, Text(message=message, line=line)), place


def _unpack_answer(tree, kind, handle, payload):
    if kind >= len(protocol.ANSWERS):
        raise _breach()
    name = protocol.ANSWERS[kind]
    if name == protocol.A_NODE:
        return Answer("node", path=tree.position(handle).path)
    if name in protocol.NUMBERS:
        (number,) = protocol.NUMBERS[name].unpack(payload)
        return Answer("number", number=number)
    return Answer(name)


def _unpack_place(tree, place):
    """Return the node's path and the arguments in a place, or (None, ())."""
    handle, *words = place.split() or [""]
    arguments = []
    try:
        path = tree.position(int(handle)).path
        for word in words:
            name, _, value = word.partition("=")
            arguments.append((name, float(value)))
    except (ValueError, SearchFailure):
        return None, ()
    return path, tuple(arguments)
