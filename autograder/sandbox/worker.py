"""A worker: it runs the submission's bytes and asks the grader about every node.

It begins where zygote.py has forked and hardened it. What the student's code talks to,
the queries of its nodes and its standard output, ends at pipes to the grader. This file
imports the standard library only, and knows no function's name: a task brings it.

Some things stand in for parts of a student's own machine, so that honest programs run;
they protect nothing, as hardening/ does. A program that writes a log gets a file that
keeps nothing, and one that imports more of the starter than a search needs gets names
that it may use in an annotation or as a base.
"""

import builtins
import io
import marshal
import os
import sys
import types

import protocol
from protocol import CHILDREN, EVALUATE, EXPAND, REQUEST, VALUE, unpack_value

FILE = "search.py"  # what the submission is called in its own tracebacks
NOTHING = bytes(8)
MAX_READ = 2**16  # bytes that are read of replies at once
REAL_OPEN = open
WRITING = frozenset("wax+")


def serve(replies, requests, text, node_class):
    """Load the submission, then run the searches that the grader asks for.

    Takes the worker's ends of the three pipes. It does not return: the grader kills the
    worker, or goes, and then reading ends it.
    """
    queries = Queries(replies, requests)
    PRINTED.descriptor = text
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = STDOUT
    module = load(queries)
    kept_alive = []
    while True:
        handle, terminal, function, arguments = protocol.unpack_task(queries.receive)
        if not function:
            module = load(queries)
            continue
        root = node_class(queries, handle, terminal)
        kept_alive.append(root)
        PRINTED.left = protocol.MAX_TEXT_BYTES
        run(queries, module, function, (root, *arguments), node_class)


def load(queries):
    """Do what the grader orders with the program that it sends.

    Returns the module `search` that has run. A worker that has a tool look at the program
    hands on what comes of it and leaves; so does one whose program raises, which it says.
    """
    order, size = protocol.PROGRAM.unpack(queries.receive(protocol.PROGRAM.size))
    program = queries.receive(size)
    try:
        if order == protocol.USE_TOOL:
            made = use_tool(program)
            queries.send(protocol.MADE, 0, len(made), text=made)
            os._exit(0)
        if order == protocol.RUN_CODE:
            code = marshal.loads(program)
        else:
            code = compile(program, FILE, "exec", dont_inherit=True)
        module = types.ModuleType("search")
        module.__file__ = FILE
        sys.modules["search"] = module
        exec(code, module.__dict__)
    except BaseException as error:
        report_error(queries, error)
        os._exit(0)
    queries.send(protocol.LOADED)
    return module


def use_tool(program):
    """Return the bytes that a tool of the grader's makes of a text, of which nothing runs.

    The tool is a module, by name and code, and the name of its function to call.
    """
    name, code, function, arguments = marshal.loads(program)
    tool = types.ModuleType(name)
    sys.modules[name] = tool
    exec(code, tool.__dict__)
    return getattr(tool, function)(*arguments)


def run(queries, module, name, arguments, node_class):
    """Run one search and report how it ended."""
    try:
        function = getattr(module, name, None)
        if function is None:
            queries.send(protocol.RAISED, protocol.FUNCTION_MISSING)
            return
        returned = function(*arguments)
    except BaseException as error:
        report_error(queries, error)
        return
    report_answer(queries, returned, node_class)


def report_answer(queries, returned, node_class):
    """Send ANSWER: a number, a handle, or the number of another kind of answer."""
    if isinstance(returned, node_class):
        queries.send(protocol.ANSWER, protocol.IS_NODE, returned._key)
        return
    kind = type(returned).__name__
    if isinstance(returned, (int, float)) and not isinstance(returned, bool):
        base = int if isinstance(returned, int) else float
        number = base.__pos__(returned)
        if base is float or -(2**63) <= number < 2**63:
            number_kind, payload = protocol.pack_number(number)
            queries.send(protocol.ANSWER, number_kind, 0, payload)
            return
        kind = "int beyond 64 bits"
    queries.send(protocol.ANSWER, protocol.IS_OTHER, place_of(kind, protocol.OTHER_ANSWERS))


def report_error(queries, error):
    """Send RAISED: the known name's number, the line, and the error's own text."""
    name = type(error).__name__
    line = line_in_submission(error)
    try:
        message = str(error.msg if isinstance(error, SyntaxError) else error)
        text = f"{name}: {message}" if message else name
    except BaseException:
        text = name
    encoded = text.encode("utf-8", "replace")[: protocol.MAX_ERROR_TEXT]
    code = place_of(name, protocol.KNOWN_ERRORS)
    queries.send(protocol.RAISED, code, len(encoded), protocol.INT64.pack(line), encoded)


def line_in_submission(error):
    """Return the last line of search.py that the traceback passes, or 0."""
    if isinstance(error, SyntaxError) and error.filename == FILE:
        return error.lineno or 0
    line, step = 0, error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == FILE:
            line = step.tb_lineno
        step = step.tb_next
    return line


def place_of(name, known):
    """Return the name's number in a table of the protocol; 0 stands for any other."""
    return known.index(name) if name in known else 0


class Queries:
    """Answers a Node's queries by asking the grader over the pipes."""

    keeps_nodes = True

    def __init__(self, replies, requests):
        self._replies = replies
        self._requests = requests
        self._names = {}
        self._read = b""  # what came with the reply before

    def receive(self, size):
        """Return the next `size` bytes of replies; leave when the grader has gone."""
        data = self._read
        while len(data) < size:
            more = os.read(self._replies, MAX_READ)
            if not more:
                os._exit(0)
            data += more
        self._read = data[size:]
        return data[:size]

    def send(self, operation, kind=0, handle=0, payload=NOTHING, text=b""):
        """Send one request, with what comes after it."""
        request = REQUEST.pack(operation, kind, handle, payload)
        os.write(self._requests, request + text)

    def expand(self, handle):
        """Ask for the children: a list of (handle, whether terminal)."""
        self.send(EXPAND, 0, handle)
        first, count = CHILDREN.unpack(self.receive(CHILDREN.size))
        flags = self.receive(count) if count else b""
        return [(handle, flag == 1) for handle, flag in enumerate(flags, first)]

    def evaluate(self, handle):
        """Ask for the value of a leaf."""
        self.send(EVALUATE, 0, handle)
        return unpack_value(self.receive(VALUE.size))

    def name(self, handle):
        """Ask for the label that drawings show, once for each node."""
        if handle not in self._names:
            self.send(protocol.NAME, 0, handle)
            size = protocol.LENGTH.unpack(self.receive(protocol.LENGTH.size))[0]
            self._names[handle] = self.receive(size).decode() if size else ""
        return self._names[handle]


class Capped(io.RawIOBase):
    """Passes on the first bytes of each search's text and drops the rest.

    `left` is how many more are passed on, to `descriptor`. It cannot be closed, so that
    a program may wrap it and let go of the wrapping.
    """

    descriptor = None
    left = protocol.MAX_TEXT_BYTES

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


PRINTED = Capped()
# Made before the fork, since each worker needs one.
STDOUT = io.TextIOWrapper(PRINTED, "utf-8", "replace", write_through=True)


class TreeError(FileNotFoundError, ValueError, RuntimeError):
    """Says that a part of the starter's package is not here; any guard catches it."""


def open_nowhere(file, mode="r", *rest, **named):
    """Open a file as open() does; one that can be written to keeps nothing."""
    if isinstance(mode, str) and WRITING & set(mode) and not isinstance(file, int):
        named["opener"] = lambda *_: os.dup(1)  # leads nowhere, see hardening
    return REAL_OPEN(file, mode, *rest, **named)


def let_files_be_written():
    """Have every file that is opened for writing, by whatever module, keep nothing."""
    builtins.open = io.open = open_nowhere


def load_node(path):
    """Load the given Node from its file and register it as the module gametree.

    A submission may import more of the starter's package at its top, for its own
    experiments. Whatever it names is there, and says so when it is called.
    """
    gametree = types.ModuleType("gametree")
    with open(path, "rb") as file:
        exec(compile(file.read(), "gametree/node.py", "exec"), gametree.__dict__)
    gametree.Node.__module__ = "gametree"
    gametree.TreeError = TreeError
    gametree.__getattr__ = not_here
    gametree.__path__ = []
    sys.modules["gametree"] = gametree
    folder = os.path.dirname(path)
    for place in ("", "support"):
        for name in os.listdir(os.path.join(folder, place)):
            name = name.removesuffix(".py")
            module = f"{place}.{name}" if place else name
            sys.modules[f"gametree.{module}"] = gametree
            setattr(gametree, name, gametree)
    return gametree.Node


def not_here(name):
    """Stand in for a part of the starter's package that the autograder lacks.

    It is a class, so that it can be a base, or part of an annotation such as `Tree | None`.
    """
    if name.startswith("__"):
        raise AttributeError(name)

    def make(kind, *_, **__):
        if kind is stand_in:
            raise TreeError(f"gametree.{name} is not available in the autograder")
        return object.__new__(kind)

    def begin(self, *_, **__):
        pass

    stand_in = type(
        name, (), {"__new__": make, "__init__": begin, "__module__": "gametree"}
    )
    setattr(sys.modules["gametree"], name, stand_in)
    return stand_in
