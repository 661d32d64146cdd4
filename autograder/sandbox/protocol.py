"""The frames that grader and worker exchange over two private pipes.

A request (worker to grader) is 16 bytes: operation, kind, handle and eight bytes of
payload, followed for RAISED by the error's text and for MADE by what a tool made. A reply
is a fixed head, followed for EXPAND by one flag a child and for NAME by the name. The
grader evaluates nothing of it, and hands changed programs on unread. This file is loaded
by zygote and worker too, so it needs the standard library only.
"""

import marshal
import struct

# What the grader wants of the zygote; the answer is the pid of the worker concerned.
FORK, END = b"F", b"E"
PID = struct.Struct("<i")

REQUEST = struct.Struct("<BBxxI8s")
INT64 = struct.Struct("<q")
FLOAT64 = struct.Struct("<d")

EXPAND, EVALUATE, NAME, ANSWER, RAISED, LOADED, MADE = range(1, 8)

# What the payload of an ANSWER, or a value on its way to the worker, holds.
IS_INT, IS_FLOAT, IS_NODE, IS_OTHER = range(4)

CHILDREN = struct.Struct("<II")  # handle of the first child, number of children
VALUE = struct.Struct("<B8s")  # IS_INT or IS_FLOAT; the number
LENGTH = struct.Struct("<I")  # how many bytes of a name, or of the zygote's report, follow
PROGRAM = struct.Struct("<BI")  # one of the three below, how many bytes follow
RUN_SOURCE, RUN_CODE, USE_TOOL = range(3)
# root's handle, root is terminal, how many bytes of the function's name and its further
# arguments follow. A task without a function stands before another PROGRAM, which the
# worker goes on with.
TASK = struct.Struct("<I?I")

# fmt: off
# The exception names that may be shown for a hidden tree; 0 stands for any other.
KNOWN_ERRORS = (
    "another exception", "ArithmeticError", "AssertionError", "AttributeError",
    "BlockingIOError", "BrokenPipeError", "EOFError", "Exception", "FileNotFoundError",
    "FloatingPointError", "GeneratorExit", "ImportError", "IndentationError", "IndexError",
    "KeyError", "KeyboardInterrupt", "LookupError", "MemoryError", "ModuleNotFoundError",
    "NameError", "NotImplementedError", "OSError", "OverflowError", "PermissionError",
    "RecursionError", "RuntimeError", "StopIteration", "SyntaxError", "SystemExit",
    "TabError", "TypeError", "UnboundLocalError", "UnicodeDecodeError", "ValueError",
    "ZeroDivisionError", "function missing",
)
FUNCTION_MISSING = KNOWN_ERRORS.index("function missing")
# The kinds of answer that are neither a number nor a node; 0 stands for any other.
OTHER_ANSWERS = (
    "an object of another type", "NoneType", "bool", "str", "tuple", "list", "generator",
    "coroutine", "function", "method", "int beyond 64 bits", "complex", "type", "dict",
    "set",
)
# fmt: on

MAX_MADE = 16 * 2**20  # bytes of what a tool made that may follow it
MAX_ERROR_TEXT = 400  # bytes of exception text that may follow RAISED
MAX_TEXT = 2000  # characters of printed text that are kept of one search
MAX_TEXT_BYTES = 4 * MAX_TEXT  # the most that these take in UTF-8


def pack_number(number):
    """Return (IS_INT or IS_FLOAT, eight bytes) of an int64 or a float."""
    if isinstance(number, int):
        return IS_INT, INT64.pack(number)
    return IS_FLOAT, FLOAT64.pack(number)


def unpack_number(kind, payload):
    """Return the number that `pack_number` made (kind, payload) of."""
    return (INT64 if kind == IS_INT else FLOAT64).unpack(payload)[0]


def pack_value(number):
    """Return the VALUE of an int64 or a float."""
    return VALUE.pack(*pack_number(number))


def unpack_value(data):
    """Return the number that `pack_value` made the data of."""
    return unpack_number(*VALUE.unpack(data))


def pack_task(handle, terminal, function, arguments):
    """Return the frame that asks for a call of `function` with root and arguments."""
    call = marshal.dumps((function, arguments))
    return TASK.pack(handle, terminal, len(call)) + call


def unpack_task(receive):
    """Return (handle, terminal, function, arguments) of the next frame.

    `receive(size)` returns so many bytes of it.
    """
    handle, terminal, size = TASK.unpack(receive(TASK.size))
    return handle, terminal, *marshal.loads(receive(size))
