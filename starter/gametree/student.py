"""What the student's programs share: load search.py, say what is wrong with it, exit."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import traceback
from pathlib import Path

from gametree.course import ASKED
from gametree.saying import say
from gametree.tree import TreeError
from gametree.watch import SECONDS, Endless, stopped_after

BOXES = "│─┌┼●○"
NARROWEST = 40


def drawing_options(stream=None):
    """Return the width, ascii and colour that suit a stream, as draw() takes them.

    Colour is for terminals only, and never where NO_COLOR is set. A stream that
    cannot encode box-drawing characters gets ASCII; one that is no terminal, 80 columns.
    """
    stream = stream or sys.stdout
    terminal = stream.isatty()
    width = shutil.get_terminal_size().columns if terminal else 80
    return {
        "width": max(width, NARROWEST),
        "ascii": not _encodes_boxes(stream),
        "colour": terminal and not os.environ.get("NO_COLOR") and _knows_colours(),
    }


def _encodes_boxes(stream):
    try:
        BOXES.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _knows_colours():
    if os.name == "nt":
        return "WT_SESSION" in os.environ or "ANSICON" in os.environ
    return os.environ.get("TERM", "dumb") != "dumb"


class CannotRun(Exception):
    """The one line that says why a program cannot go on, and what to do."""


def load_search(path):
    """Return the module at `path`, under the name search; raise CannotRun."""
    path = Path(path)
    if not path.is_file():
        raise CannotRun(f"{path}: there is no such file; run this beside your search.py")
    spec = importlib.util.spec_from_file_location("search", path)
    if spec is None:
        raise CannotRun(f"{path}: this is not a Python file; name your search.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["search"] = module
    try:
        with stopped_after(SECONDS, path):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise CannotRun(error_line(error, path)) from None
    return module


def error_line(error, path):
    """Return one line for an exception from the file at `path`: where and what."""
    path = Path(path).resolve()
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).resolve() == path]
    if isinstance(error, NotImplementedError) and own:
        name = own[-1].name
        if name == "best_move" and "minimax" in ASKED:
            return say("home.no best_move", file=path.name)
        return say("home.not written", function=name, file=path.name)
    what = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, SyntaxError) and error.filename:
        return f"{path.name}, line {error.lineno}: {type(error).__name__}: {error.msg}"
    if not own:
        return f"{path.name}: {what}"
    place = "" if own[-1].name == "<module>" else f", in {own[-1].name}"
    return f"{path.name}, line {own[-1].lineno}{place}: {what}"


def run(program):
    """Run `program()` and exit: with 2 and one line, no traceback, where it cannot go on.

    What the terminal cannot encode is printed as question marks.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace", line_buffering=True)
    status = 0
    try:
        program()
        sys.stdout.flush()
    except (CannotRun, Endless, TreeError) as problem:
        print(problem, file=sys.stderr)
        status = 2
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        status = 130
    except BrokenPipeError:
        sys.stdout = None
        status = 1
    sys.exit(status)
