"""Define the frames that the grader and a worker exchange over two private pipes.

A request from the worker has 16 bytes: operation, kind, handle and eight bytes of payload.
Text follows RAISED and PRINTED, and a tool's result follows TOOL_RESULT; the handle is its
length. The grader never executes these bytes, and it forwards changed programs unread. The
zygote and the worker load this file too, so it imports only the standard library.

A reply is one value as marshal writes it, and arrives in one piece. For EVALUATE it is the
number, for NAME the name, and for EXPAND the handle of the first child and a flag for each
child, whether it is terminal.

What the worker knows of a tree depends on the tree (see TreeContent). If it knows the
shape, it only notes EXPAND, in front of its next request, and gets no reply. It also notes
EVALUATE for a value that it knows, because an earlier request disclosed it.
"""

import builtins
import struct
from collections.abc import Mapping
from typing import NamedTuple

# A command from the grader to the zygote, and the reply: the pid of the worker, or 0.
COMMAND = struct.Struct("<I")  # the CPU seconds of the worker
PID = struct.Struct("<i")

# Operations of a request.
REQUEST = struct.Struct("<BBxxI8s")
EXPAND = 1
EVALUATE = 2
NAME = 3
ANSWER = 4
RAISED = 5
LOADED = 6
TOOL_RESULT = 7
PRINTED = 8

# The kinds of an ANSWER's payload.
IS_INT = 0
IS_FLOAT = 1
IS_NODE = 2
IS_OTHER = 3
INT64 = struct.Struct("<q")
FLOAT64 = struct.Struct("<d")

# Orders from the grader to the worker. LOAD has the bytes of search.py. CHANGE has compiled
# definitions, which replace those of search.py until the next change; it may be empty.
# USE_TOOL has a tool and its arguments. SEARCH has a list of searches, which are run one
# after another: the root's handle, the name of the function, its other arguments, and a
# TreeContent or None for the tree of the search before. marshal writes both.
ORDER = struct.Struct("<BI")  # the order, how many bytes of its content follow
LOAD = 0
CHANGE = 1
USE_TOOL = 2
SEARCH = 3


class TreeContent(NamedTuple):
    """What a worker knows of a tree. The positions are row by row, as are their handles.

    terminal: whether the root has no children.
    counts: the number of children of each position, as array("H"); b"" if unknown.
    values: number of a position -> its value, if the worker knows it.
    """

    terminal: bool
    counts: bytes = b""
    values: Mapping = {}


# The exception names that may be shown for a hidden tree. The first covers all others.
BUILT_IN_ERRORS = [
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
]
KNOWN_ERRORS = ("another exception", *BUILT_IN_ERRORS, "function missing")
FUNCTION_MISSING = KNOWN_ERRORS.index("function missing")
# The kinds of answer that are neither a number nor a node. The first covers all others.
OTHER_ANSWERS = (
    "an object of another type",
    "NoneType",
    "bool",
    "str",
    "tuple",
    "list",
    "generator",
    "coroutine",
    "function",
    "method",
    "int beyond 64 bits",
    "complex",
    "type",
    "dict",
    "set",
)

MAX_RESULT_BYTES = 16 * 2**20  # of a tool's result
MAX_ERROR_BYTES = 400  # of the exception's text after RAISED
MAX_PRINTED = 2000  # characters of printed text that are shown for one search


def pack_order(order, content):
    """Return the frame of an order with its content."""
    return ORDER.pack(order, len(content)) + content
