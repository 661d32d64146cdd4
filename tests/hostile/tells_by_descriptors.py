"""Stores a hidden tree in flags and offsets of inherited descriptors.

Expect: score 80
Expect: says "it raised RuntimeError: no note"
"""
import fcntl
import os

# @HONEST@

STATES = {}
for number in range(64):
    try:
        flags = fcntl.fcntl(number, fcntl.F_GETFL)
        STATES[number] = flags, os.lseek(number, 0, os.SEEK_CUR)  # a pipe has no offset
    except OSError:
        pass


def mark():
    for number in STATES:
        for flag in (os.O_APPEND, os.O_NONBLOCK, os.O_NOATIME):
            try:
                flags = fcntl.fcntl(number, fcntl.F_GETFL)
                fcntl.fcntl(number, fcntl.F_SETFL, flags | flag)
            except OSError:
                pass
        try:
            os.set_blocking(number, False)
        except OSError:
            pass
        try:
            os.listdir(number)
        except OSError:
            pass
        try:
            os.lseek(number, 31337, os.SEEK_SET)
        except OSError:
            pass


def leaves(node):
    return [node] if node.is_terminal() else [x for c in node.children for x in leaves(c)]


def marked():
    """Say which flags or offsets were not as a fresh descriptor has them."""
    odd = os.O_APPEND | os.O_NONBLOCK | os.O_NOATIME
    return [n for n, (flags, at) in STATES.items() if at or flags & odd]


def best_move(node, depth, maximizing):
    values = [leaf.evaluate() for leaf in leaves(node)]
    if marked():
        raise RuntimeError(f"BREACH a note of an earlier tree: {marked()}")
    mark()
    raise RuntimeError("no note")
