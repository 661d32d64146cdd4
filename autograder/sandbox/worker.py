"""Run the submission's bytes in a worker, and ask the grader about every node.

A worker starts here after zygote.py has forked and hardened it. What the student's code
talks to, the queries of its nodes and its standard output, ends at pipes to the grader.
This file imports the standard library only. It knows no function's name: a task brings it.

Some parts replace what a student's own machine has, so that honest programs run; they
protect nothing, unlike hardening/. A program that writes a log gets a file that discards
it, and one that imports more of the starter than a search needs gets classes that it may
use in an annotation or as a base.
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
EMPTY_PAYLOAD = bytes(8)
MAX_READ_BYTES = 2**16  # of replies that are read at once
REAL_OPEN = open
WRITING_MODES = frozenset("wax+")  # a file's mode has one of them if it can be written to


def serve(replies, requests, text, node_class):
    """Load the submission, then run the searches that the grader asks for.

    Takes the worker's ends of the three pipes. It does not return: the grader kills the
    worker, or goes, and then reading ends it.
    """
    queries = Queries(replies, requests)
    PRINTED.descriptor = text
    sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = STDOUT
    module = load(queries)
    roots = {}  # by handle; all live on, so that each id() in a program's tables is unique
    while True:
        handle, terminal, function, arguments = protocol.unpack_task(queries.receive)
        if not function:
            module = load(queries)
            continue
        if handle not in roots:
            roots[handle] = node_class(queries, handle, terminal)
        root = roots[handle]
        PRINTED.remaining_bytes = protocol.MAX_PRINTED_BYTES
        run(queries, module, function, (root, *arguments), node_class)


def load(queries):
    """Run the program that the grader sends; return it as the module `search`.

    If the program is a tool, or raises, the worker reports the result, or the exception,
    and exits.
    """
    order, size = protocol.PROGRAM.unpack(queries.receive(protocol.PROGRAM.size))
    program = queries.receive(size)
    try:
        if order == protocol.USE_TOOL:
            result = use_tool(program)
            queries.send(protocol.TOOL_RESULT, 0, len(result), text=result)
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
    """Call one of the grader's tools on a submission's text; return its bytes.

    The tool is a module, by name and code, and the name of its function to call. It runs
    none of the text.
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
    queries.send(protocol.ANSWER, protocol.IS_OTHER, index_in(protocol.OTHER_ANSWERS, kind))


def report_error(queries, error):
    """Send RAISED: the number of the known name, the line, the place, the error's own text.

    The place is the first line of the text.
    """
    name = type(error).__name__
    line = line_in_submission(error)
    place = ""
    try:
        place = place_in_submission(error)
        message = str(error.msg if isinstance(error, SyntaxError) else error)
        text = f"{name}: {message}" if message else name
    except BaseException:
        text = name
    encoded = f"{place}\n{text}".encode("utf-8", "replace")[: protocol.MAX_ERROR_BYTES]
    code = index_in(protocol.KNOWN_ERRORS, name)
    queries.send(protocol.RAISED, code, len(encoded), protocol.INT64.pack(line), encoded)


def line_in_submission(error):
    """Return the last line of search.py in the traceback, or 0."""
    if isinstance(error, SyntaxError) and error.filename == FILE:
        return error.lineno or 0
    step = last_step(error)
    return step.tb_lineno if step else 0


def last_step(error):
    """Return the last step of the traceback that is in search.py, or None."""
    last = None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == FILE:
            last = step
        step = step.tb_next
    return last


def place_in_submission(error):
    """Return the handle of the node that was searched, and the arguments that are numbers.

    As in "7 depth=1 alpha=2"; "" where the last function in search.py was given no node.
    """
    step = last_step(error)
    if step is None:
        return ""
    code = step.tb_frame.f_code
    handle = None
    words = []
    for name in code.co_varnames[: code.co_argcount]:
        value = step.tb_frame.f_locals.get(name)
        key = getattr(value, "_key", None)
        if type(key) is int:
            handle = key
        elif type(value) in (int, float):
            words.append(f"{name}={value}")
    return "" if handle is None else " ".join([str(handle), *words])


def index_in(table, name):
    """Return the index of a name in a table of the protocol; 0 stands for any other."""
    return table.index(name) if name in table else 0


class Queries:
    """Answers a Node's queries by asking the grader over the pipes."""

    keeps_nodes = True

    def __init__(self, replies, requests):
        self._replies = replies
        self._requests = requests
        self._names = {}  # handle -> name
        self._unread = b""  # bytes of replies that were received and not yet returned

    def receive(self, size):
        """Return the next `size` bytes of replies; exit when the grader has gone."""
        data = self._unread
        while len(data) < size:
            more = os.read(self._replies, MAX_READ_BYTES)
            if not more:
                os._exit(0)
            data += more
        self._unread = data[size:]
        return data[:size]

    def send(self, operation, kind=0, handle=0, payload=EMPTY_PAYLOAD, text=b""):
        """Send one request, and the text that follows it."""
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


class CappedText(io.RawIOBase):
    """Passes on the first bytes of each search's text and drops the rest.

    It cannot be closed, so that a program may wrap it and drop the wrapper.

    descriptor: where the bytes go.
    remaining_bytes: how many more are passed on.
    """

    descriptor = None
    remaining_bytes = protocol.MAX_PRINTED_BYTES

    def write(self, data):
        """Accept all bytes, whether they are passed on or not."""
        data = bytes(data)
        if self.remaining_bytes > 0:
            try:
                os.write(self.descriptor, data[: self.remaining_bytes])
            except OSError:
                self.remaining_bytes = 0
        self.remaining_bytes -= len(data)
        return len(data)

    def writable(self):
        """Return True: a text wrapper asks."""
        return True

    def fileno(self):
        """Return the descriptor of standard output, which leads nowhere."""
        return 1

    def close(self):
        """Do nothing."""


PRINTED = CappedText()
# Created before the fork, since each worker needs one.
STDOUT = io.TextIOWrapper(PRINTED, "utf-8", "replace", write_through=True)


class TreeError(FileNotFoundError, ValueError, RuntimeError):
    """Says that the autograder lacks a part of the starter's package; any guard matches."""


def open_and_discard(file, mode="r", *rest, **named):
    """Open a file as open() does, but discard what is written to it."""
    is_path = not isinstance(file, int)
    if is_path and isinstance(mode, str) and WRITING_MODES & set(mode):
        named["opener"] = open_nowhere
    return REAL_OPEN(file, mode, *rest, **named)


def open_nowhere(*_):
    """Return a copy of standard output's descriptor, which leads nowhere."""
    return os.dup(1)


def discard_written_files():
    """Discard what any module writes to a file that it opens."""
    builtins.open = open_and_discard
    io.open = open_and_discard


def load_node(path):
    """Load the given Node from its file and register it as the module gametree.

    A submission may import more of the starter's package, for its own experiments. Every
    module and name of it can be imported; a call of one raises TreeError.
    """
    gametree = types.ModuleType("gametree")
    with open(path, "rb") as file:
        exec(compile(file.read(), "gametree/node.py", "exec"), gametree.__dict__)
    gametree.Node.__module__ = "gametree"
    gametree.TreeError = TreeError
    gametree.__getattr__ = create_stand_in
    gametree.__path__ = []
    sys.modules["gametree"] = gametree
    for parts in starter_modules(os.path.dirname(path)):
        sys.modules[".".join(["gametree", *parts])] = gametree
        setattr(gametree, parts[-1], gametree)
    return gametree.Node


def starter_modules(folder):
    """Yield the parts of each module's name, such as ["support", "tree"], in a package."""
    for path, _, files in os.walk(folder):
        parts = path.removeprefix(folder).split(os.sep)[1:]
        for file in files:
            name, extension = os.path.splitext(file)
            module = parts if name == "__init__" else [*parts, name]
            if extension == ".py" and module:
                yield module


def create_stand_in(name):
    """Return a class in the place of a name of the starter's package.

    It can be a base, or part of an annotation such as `Tree | None`. Creating an instance
    raises TreeError, since the autograder lacks what the name stands for.
    """
    if name.startswith("__"):
        raise AttributeError(name)

    def create(kind, *_, **__):
        if kind is stand_in:
            raise TreeError(f"gametree.{name} is not available in the autograder")
        return object.__new__(kind)

    def ignore(self, *_, **__):
        """Accept any arguments, as the class that a student's class extends may."""

    members = {"__new__": create, "__init__": ignore, "__module__": "gametree"}
    stand_in = type(name, (), members)
    setattr(sys.modules["gametree"], name, stand_in)
    return stand_in
