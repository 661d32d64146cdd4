"""End what does not end: an endless loop is stopped, and the line where it runs is said."""

from __future__ import annotations

import contextlib
import faulthandler
import linecache
import sys
import threading
from pathlib import Path

from gametree.saying import say

SECONDS = 10
GRACE = 2  # seconds after which the whole program ends, if nothing else ends it


class Endless(BaseException):
    """What is still running was stopped. As text: one line that says where."""


@contextlib.contextmanager
def stopped_after(seconds: float, path: str | Path, stderr=None):
    """Raise Endless in the block if it runs longer; `path` is the student's file.

    A block that no exception reaches (it catches everything, or waits inside one
    call) ends the program GRACE seconds later, and its lines are printed to `stderr`,
    a file descriptor or sys.stderr.
    """
    running = threading.get_ident()
    lock, where, over = threading.Lock(), [], []

    def strike():
        place = _place(sys._current_frames().get(running), path)
        with lock:
            if not over:
                where.append(place)
                _raise_in(running, Endless)

    timer = threading.Timer(seconds, strike)
    timer.daemon = True
    with contextlib.suppress(AttributeError, OSError, ValueError):  # no stderr at all
        file = sys.__stderr__ if stderr is None else stderr
        faulthandler.dump_traceback_later(seconds + GRACE, exit=True, file=file)
    timer.start()
    with contextlib.suppress(Endless):  # it is raised below, with its place
        try:
            yield
        finally:
            with lock:
                over.append(True)
    timer.cancel()
    if where:
        _raise_in(running, None)  # what has not reached the block shall not follow it
    faulthandler.cancel_dump_traceback_later()
    if where:
        raise Endless(say("home.endless", place=where[0], seconds=seconds))


def _raise_in(thread, kind):
    """Have a thread raise an exception at its next step; None takes it back."""
    with contextlib.suppress(ImportError):  # some Pythons are built without ctypes
        import ctypes

        exception = None if kind is None else ctypes.py_object(kind)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), exception)


def _place(frame, path):
    """Return the innermost line of the file that a frame is in: where and what."""
    path = Path(path).resolve()
    while frame and Path(frame.f_code.co_filename).resolve() != path:
        frame = frame.f_back
    if frame is None:
        return path.name
    name = frame.f_code.co_name
    text = f"{path.name}, line {frame.f_lineno}"
    if name != "<module>":
        text += f", in {name}"
    code = linecache.getline(str(path), frame.f_lineno).strip()
    return f"{text} (`{code}`)" if code else text
