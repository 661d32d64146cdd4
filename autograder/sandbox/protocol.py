"""Define the frames that the grader and a worker exchange over two private pipes.

A request from the worker has 16 bytes: operation, kind, handle and eight bytes of payload.
Text follows RAISED and PRINTED, and a tool's result follows TOOL_RESULT; the handle is its
length. The grader never executes these bytes, and it forwards changed programs unread. The
zygote and the worker load this file too, so it imports only the standard library.

Orders from the grader are values as marshal writes them. For a worker that runs tools, an
order has the modules that the worker lacks, the names of a module and of its function, and
its arguments. For a worker that runs the submission, the first order is the bytes of
search.py. All others have a list with the TreeContents that the worker lacks, and a list of
searches, which are run one after another. A search is a change, the name of the function,
its arguments after the node, the handle of the tree's root, and whether it has new nodes.
If not, it has the nodes of the search before. A change is compiled definitions, which
replace those of search.py, or b"" for the program as it is.

A reply is one value as marshal writes it, and arrives in one piece. For EVALUATE it is the
number, for NAME the name, and for EXPAND the handle of the first child and a flag for each
child, whether it is terminal.

A worker knows the TreeContents of its orders, and what an earlier request disclosed. If it
knows the reply to EXPAND or EVALUATE, it only notes them, in front of its next request, and
gets no reply.
"""

import builtins
import struct
from collections.abc import Sequence
from typing import NamedTuple

# Kinds of workers; at most one of each lives. A command from the grader to the zygote is a
# kind.
SUBMISSION = b"s"  # runs the submission
TOOLS = b"t"  # runs tools, and none of the submission's code
PID = struct.Struct("<i")  # the reply: the pid of the worker, or 0

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

INT64 = struct.Struct("<q")
FLOAT64 = struct.Struct("<d")


class TreeContent(NamedTuple):
    """What a worker knows of a tree. The positions are row by row, as are their handles.

    root: the handle of the root.
    terminal: whether the root has no children.
    counts: the number of children of each position; empty if unknown.
    values: the value of each position; empty if unknown.
    """

    root: int
    terminal: bool
    counts: Sequence[int]
    values: Sequence[float]


# The exception names that may be shown for a hidden tree. The first covers all others, and
# the number after the last one says that the function is missing.
BUILT_IN_ERRORS = [
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
]
KNOWN_ERRORS = ("another exception", *BUILT_IN_ERRORS)
FUNCTION_MISSING = len(KNOWN_ERRORS)
# The kinds of answer, of which ANSWER has the index. A number is its payload, and a node is
# its handle. The first covers all others.
AN_INT = "a 64-bit int"
A_FLOAT = "a float"
A_NODE = "a node"
NUMBERS = {AN_INT: INT64, A_FLOAT: FLOAT64}
ANSWERS = (
    "object of another type",
    AN_INT,
    A_FLOAT,
    A_NODE,
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

MAX_ERROR_BYTES = 400  # of the exception's text after RAISED
MAX_PRINTED = 2000  # characters of printed text that are shown for one search
