"""Run the submission's bytes in a worker, and query the grader about every node.

A worker starts here after zygote.py has forked and hardened it. The queries and the
standard output of the student's code go through a pipe to the grader. This file imports
only the standard library. Each order contains the name of the function to call.

Some parts imitate a student's own machine so that honest programs run. Unlike hardening/,
they protect nothing. If a program writes a log file, the text is discarded. If it imports
more of the starter package than a search needs, it gets classes that can serve as an
annotation or a base class.
"""

import builtins
import io
import marshal
import os
import random
import sys
import types
from importlib.machinery import ModuleSpec, SourceFileLoader
from itertools import islice

import protocol
from protocol import EVALUATE, EXPAND, NAME, REQUEST

FILE = "search.py"  # the submission's name in its own tracebacks
EMPTY_PAYLOAD = bytes(8)
MAX_REPLY_BYTES = 2**12  # which a pipe passes on in one piece
MAX_NOTES = 200  # that are collected before they are sent
REAL_OPEN = open
REAL_SEED = random.Random.seed
RANDOM_BYTES = random.Random(0)
WRITING_MODES = frozenset("wax+")  # a mode with one of these letters allows writing


def serve(replies: int, requests: int, node_class: type) -> None:
    """Load the submission, and run the searches that the grader orders.

    The first two arguments are the worker's ends of the pipes. The worker ends when the
    grader kills it or closes its ends.
    """
    pipes = Pipes(replies, requests)
    printed = PrintedText(pipes)
    output = TextOutput(printed)
    for name in ("stdout", "stderr", "__stdout__", "__stderr__"):
        setattr(sys, name, output)
    module = load(pipes, pipes.receive_order())
    names = dict(module.__dict__)
    queries = {}  # handle of a root -> the Queries of its tree
    nodes = []  # roots; never deleted, so each id() in a program's tables is unique
    loaded = b""  # the change that the module has
    while True:
        trees, calls = pipes.receive_order()
        for known in map(protocol.TreeContent._make, trees):
            queries[known.root] = Queries(pipes, known)
        for change, function, arguments, root, are_new in calls:
            if change != loaded:
                change_definitions(module, names, change)
                loaded = change
            if are_new:
                nodes.append(node_class(queries[root], root, queries[root].terminal))
            printed.room = protocol.MAX_PRINTED
            run(pipes, module, function, (nodes[-1], *arguments), node_class)


def serve_tools(replies: int, requests: int) -> None:
    """Call the grader's tools on a submission's text, and send their results.

    The arguments are those of serve(). The tools run none of the submission's code.
    """
    pipes = Pipes(replies, requests)
    while True:
        modules, tool, function, arguments = pipes.receive_order()
        for name, code in modules:
            module = types.ModuleType(name)
            sys.modules[name] = module
            exec(code, module.__dict__)
        result = getattr(sys.modules[tool], function)(*arguments)
        pipes.send(protocol.TOOL_RESULT, 0, len(result), text=result)


def load(pipes, source):
    """Run search.py as the module `search`, and return the module.

    If it raises, the worker reports the exception and exits.
    """
    module = types.ModuleType("search")
    module.__file__ = FILE
    sys.modules["search"] = module
    try:
        exec(compile(source, FILE, "exec", dont_inherit=True), module.__dict__)
    except BaseException as error:
        report_error(pipes, error)
        os._exit(0)
    pipes.send(protocol.LOADED)
    return module


def change_definitions(module, names, change):
    """Give a module the names of search.py again, and then those of a change.

    A change that raises leaves no function.
    """
    module.__dict__.clear()
    module.__dict__.update(names)
    try:
        if change:
            exec(marshal.loads(change), module.__dict__)
    except BaseException:
        module.__dict__.clear()


def run(pipes, module, name, arguments, node_class):
    """Run one search and report how it ended."""
    try:
        function = getattr(module, name, None)
        if function is None:
            pipes.send(protocol.RAISED, protocol.FUNCTION_MISSING)
            return
        returned = function(*arguments)
    except BaseException as error:
        report_error(pipes, error)
        return
    report_answer(pipes, returned, node_class)


def report_answer(pipes, returned, node_class):
    """Send ANSWER with an index of ANSWERS, and a number or the handle of a node."""
    name = type(returned).__name__
    handle = 0
    payload = EMPTY_PAYLOAD
    if isinstance(returned, node_class):
        name = protocol.A_NODE
        handle = returned._key
    elif isinstance(returned, float):
        name = protocol.A_FLOAT
        payload = protocol.FLOAT64.pack(float.__pos__(returned))
    elif isinstance(returned, int) and not isinstance(returned, bool):
        try:
            payload = protocol.INT64.pack(int.__pos__(returned))
            name = protocol.AN_INT
        except protocol.struct.error:
            name = "int beyond 64 bits"
    pipes.send(protocol.ANSWER, index_in(protocol.ANSWERS, name), handle, payload)


def report_error(pipes, error):
    """Send RAISED with the error's index in KNOWN_ERRORS, its line and its text.

    The line is the last one of search.py in the traceback, or 0. The first line of the text
    is the result of place_of().
    """
    name = type(error).__name__
    entry = last_entry(error)
    line = entry.tb_lineno if entry else 0
    if isinstance(error, SyntaxError) and error.filename == FILE:
        line = error.lineno or 0
    place = ""
    try:
        place = place_of(entry)
        message = str(error.msg if isinstance(error, SyntaxError) else error)
        text = f"{name}: {message}" if message else name
    except BaseException:
        text = name
    encoded = f"{place}\n{text}".encode("utf-8", "replace")[: protocol.MAX_ERROR_BYTES]
    code = index_in(protocol.KNOWN_ERRORS, name)
    pipes.send(protocol.RAISED, code, len(encoded), protocol.INT64.pack(line), encoded)


def last_entry(error):
    """Return the last entry of the traceback that is in search.py, or None."""
    last = None
    entry = error.__traceback__
    while entry is not None:
        if entry.tb_frame.f_code.co_filename == FILE:
            last = entry
        entry = entry.tb_next
    return last


def place_of(entry):
    """Return the handle of the searched node and the numeric arguments, in one line.

    An example is "7 depth=1 alpha=2". The result is "" if no argument of the function in
    this entry of a traceback is a node.
    """
    if entry is None:
        return ""
    code = entry.tb_frame.f_code
    handle = None
    words = []
    for name in code.co_varnames[: code.co_argcount]:
        value = entry.tb_frame.f_locals.get(name)
        key = getattr(value, "_key", None)
        if type(key) is int:
            handle = key
        elif type(value) in (int, float):
            words.append(f"{name}={value}")
    return "" if handle is None else " ".join([str(handle), *words])


def index_in(table, name):
    """Return the index of a name in a table of the protocol, or 0 if it is missing."""
    return table.index(name) if name in table else 0


class Pipes:
    """The worker's ends of the pipes: for replies, and for requests."""

    def __init__(self, replies, requests):
        self._replies = replies
        self._requests = requests
        self._orders = io.BufferedReader(io.FileIO(replies))
        self._notes = []  # requests without a reply, in front of the next request

    def receive_order(self):
        """Return the grader's next order. Raises EOFError if the grader has ended."""
        return marshal.load(self._orders)

    def ask(self, operation, handle):
        """Send a request, and return the grader's reply, or exit if it has ended."""
        self.send(operation, 0, handle)
        reply = os.read(self._replies, MAX_REPLY_BYTES)
        if not reply:
            os._exit(0)
        return marshal.loads(reply)

    def note(self, operation, handle):
        """Send a request that needs no reply, together with a later request."""
        self._notes.append(REQUEST.pack(operation, 0, handle, EMPTY_PAYLOAD))
        if len(self._notes) >= MAX_NOTES:
            self._send_notes()

    def send(self, operation, kind=0, handle=0, payload=EMPTY_PAYLOAD, text=b""):
        """Send all notes, one request, and the text that follows it."""
        self._send_notes(REQUEST.pack(operation, kind, handle, payload) + text)

    def _send_notes(self, request=b""):
        """Send all notes and the request.

        RecursionError is raised before anything is sent. Then the request is forgotten,
        because a later reply to it would be taken for the reply to another request.
        """
        frames = b"".join(self._notes) + request
        while frames:
            written = os.write(self._requests, frames)
            frames = frames[written:]
        self._notes.clear()


class Queries:
    """Answers the queries of a tree's nodes. It requests and notes, as protocol.py says.

    tree: the handle of the root.
    terminal: whether the root has no children.
    """

    keeps_nodes = True

    def __init__(self, pipes, known):
        self.tree = known.root
        self.terminal = known.terminal
        self._pipes = pipes
        self._names = {}  # handle -> name
        self._values = dict(enumerate(known.values, known.root))  # by handle
        nodes = [(handle, n == 0) for handle, n in enumerate(known.counts, known.root)]
        below = iter(nodes[1:])
        self._children = {}  # handle -> (handle, whether terminal) of each child
        for handle, count in enumerate(known.counts, known.root):
            self._children[handle] = list(islice(below, count))

    def expand(self, handle: int) -> list[tuple[int, bool]]:
        """Return a list of (handle, whether terminal) of the children."""
        if handle in self._children:
            self._pipes.note(EXPAND, handle)
        else:
            first, flags = self._pipes.ask(EXPAND, handle)
            children = [(child, flag == 1) for child, flag in enumerate(flags, first)]
            self._children[handle] = children
        return self._children[handle]

    def evaluate(self, handle: int) -> float:
        """Return the value of a leaf."""
        if handle in self._values:
            self._pipes.note(EVALUATE, handle)
        else:
            self._values[handle] = self._pipes.ask(EVALUATE, handle)
        return self._values[handle]

    def name(self, handle: int) -> str:
        """Return a node's label in drawings. It is requested only once."""
        if handle not in self._names:
            self._names[handle] = self._pipes.ask(NAME, handle)
        return self._names[handle]


class PrintedText(io.RawIOBase):
    """Sends printed text to the grader. It discards all text after MAX_PRINTED bytes.

    It cannot be closed, so that a program may wrap it and delete the wrapper.

    room: how many bytes may still be sent.
    """

    room = protocol.MAX_PRINTED
    name = "<stdout>"

    def __init__(self, pipes):
        super().__init__()
        self._pipes = pipes

    def write(self, data):
        """Accept all bytes, and send as many as fit."""
        text = bytes(data)[: self.room]
        if text:
            self.room -= len(text)
            self._pipes.send(protocol.PRINTED, 0, len(text), text=text)
        return len(data)

    def writable(self):
        """Return True, as a file that may be written."""
        return True

    def fileno(self):
        """Return the descriptor of standard output, which is /dev/null."""
        return 1

    def close(self):
        """Do nothing."""


class TextOutput(io.TextIOWrapper):
    """Encodes only as much of a text as its PrintedText may still send."""

    def __init__(self, printed):
        super().__init__(printed, "utf-8", "replace", write_through=True)
        self._printed = printed

    def write(self, text):
        """Accept the whole text."""
        super().write(text[: self._printed.room])
        return len(text)


class NotAvailable(FileNotFoundError, ValueError, RuntimeError):
    """A name of the starter package is not available in the autograder.

    Its base classes match the usual except clauses of students' programs.
    """


def open_and_discard(file, mode="r", *rest, **named):
    """Open a file as open() does, but discard all data written to it."""
    is_path = not isinstance(file, int)
    is_writing = isinstance(mode, str) and WRITING_MODES & set(mode)
    if file == os.devnull or (is_path and is_writing):
        named["opener"] = open_nowhere
    return REAL_OPEN(file, mode, *rest, **named)


def open_nowhere(*_):
    """Return a copy of standard output's descriptor, which is /dev/null."""
    return os.dup(1)


def refuse_debugger(*_, **__):
    """Raise RuntimeError in place of breakpoint(): no terminal reads its commands."""
    raise RuntimeError("breakpoint() is not available in the autograder")


def draw_bytes(size, flags=0):
    """Return random bytes as os.urandom() and os.getrandom() do, but from a fixed seed."""
    return RANDOM_BYTES.randbytes(size)


def seed_from_zero(generator, a=None, version=2):
    """Seed a random.Random, with 0 in place of the system's random numbers."""
    REAL_SEED(generator, 0 if a is None else a, version)


REPLACEMENTS = (
    (builtins, "open", open_and_discard),
    (io, "open", open_and_discard),
    (sys, "breakpointhook", refuse_debugger),
    (os, "urandom", draw_bytes),
    (os, "getrandom", draw_bytes),
    (random, "_urandom", draw_bytes),
    (random.Random, "seed", seed_from_zero),
)


def replace_functions() -> None:
    """Replace open() and breakpoint(), and give all random numbers one seed.

    With other random numbers, the same submission could have another score next time.
    """
    for owner, name, function in REPLACEMENTS:
        setattr(owner, name, function)
    random.seed = random._inst.seed


def load_node(path: str) -> type:
    """Load the class Node from its file and register it as the module gametree.

    A submission may import other parts of the starter package for its own experiments.
    Every module and name of the package can be imported, but a call raises NotAvailable.
    """
    gametree = types.ModuleType("gametree")
    with open(path, "rb") as file:
        exec(compile(file.read(), "gametree/node.py", "exec"), gametree.__dict__)
    gametree.Node.__module__ = "gametree"
    stand_ins = {"TreeError": NotAvailable, "__getattr__": create_stand_in, "__path__": []}
    gametree.__dict__.update(stand_ins)
    sys.modules["gametree"] = gametree
    sys.meta_path.append(StarterModules("gametree", path))
    return gametree.Node


class StarterModules(SourceFileLoader):
    """Imports any module of the starter package as the package itself."""

    def find_spec(self, name, path, target=None):
        """Return the spec of a module below gametree, or None."""
        if name.startswith("gametree."):
            return ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        """Return the module gametree."""
        return sys.modules["gametree"]

    def exec_module(self, module):
        """Do nothing, because the module has been loaded."""


class StandIn:
    """Replaces a name of the starter package, as a subclass of that name.

    It can be a base class, or part of an annotation such as `Tree | None`. Creating an
    instance raises NotAvailable, because the autograder lacks the real class.
    """

    def __new__(cls, *_, **__):
        """Create an instance of a class that a submission derives from the name."""
        if StandIn in cls.__bases__:
            name = f"gametree.{cls.__name__}"
            raise NotAvailable(f"{name} is not available in the autograder")
        return object.__new__(cls)

    def __init__(self, *_, **__):
        """Accept any arguments, because the real class may accept them."""


def create_stand_in(name):
    """Return the StandIn of a name."""
    if name.startswith("__"):
        raise AttributeError(name)
    stand_in = type(name, (StandIn,), {"__module__": "gametree"})
    setattr(sys.modules["gametree"], name, stand_in)
    return stand_in
