"""Shared code of the student's programs: load search.py, run it, judge it.

The verdict on a search is the same as on Gradescope, which also has hidden trees. An
endless loop is stopped, and the message names its line.
"""

import contextlib
import inspect
import os
import shutil
import signal
import sys
import textwrap
import threading
import traceback
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, TextIO

from gametree.assignment import ASSIGNED
from gametree.functions import FUNCTIONS, NUMBER
from gametree.support.correct import CorrectSearch
from gametree.support.drawing import ASCII
from gametree.support.errors import InputError
from gametree.support.judging import Task, Verdict, judge
from gametree.support.sentences import write_answer
from gametree.support.texts import sentence
from gametree.support.trace import Recorder, observe
from gametree.support.tree import Search, Tree
from gametree.support.treefile import load_trees

TREES = Path(__file__).resolve().parents[2] / "trees"
# The functions of this course that return the value of a tree.
VALUE_FUNCTIONS = [FUNCTIONS[name] for name in ASSIGNED if FUNCTIONS[name].answer == NUMBER]
BUDGET = 200_000  # queries, so that a search of a huge tree fits in memory
SECONDS = 10
GRACE = 2  # seconds after which the whole program ends, if the loop cannot be stopped
EXCEPTIONS = (Exception, SystemExit)  # that a student's code may raise
MIN_WIDTH = 40  # columns of a drawing


def check(
    function: Callable,
    name: str,
    tree: Tree,
    search: Search,
    catch: type | tuple = (),
    recorder: Recorder | None = None,
) -> Verdict:
    """Run a function of search.py on a tree and judge the search.

    `catch` and `recorder` are as in observe().
    """
    __tracebackhide__ = True  # pytest shows the student's lines, not these
    expected = CorrectSearch(tree, name, search).trace()
    task = Task(tree, name, search, expected, tuple(ASSIGNED[name]))
    return judge(task, observe(function, name, tree, search, BUDGET, catch, recorder))


def fails_in_public(function: Callable, name: str, seconds: float, path: Path) -> bool:
    """Tell whether a function of the file at `path` is written, and wrong in public.

    Raises Endless after some seconds.
    """
    trees = load_trees(TREES)
    with stopped_after(seconds, path):
        for tree in trees:
            for search in tree.searches_for(name):
                verdict = check(function, name, tree, search, EXCEPTIONS)
                if not verdict.is_right:
                    return verdict.trace.ending.error != "NotImplementedError"
    return False


def describe_ending(verdict: Verdict) -> str:
    """Return a sentence on the ending of a search and its cost."""
    trace = verdict.trace
    leaves = sentence("home.leaves", count=len(trace.visited))
    nodes = sentence("home.nodes", count=trace.node_count)
    error = trace.ending.error
    if trace.text.message:
        error += f": {trace.text.message}"
    where = ""
    if trace.text.line:
        where = sentence("home.where", line=trace.text.line)
    return sentence(
        f"search ended.{trace.ending.kind}",
        function=trace.function,
        most=BUDGET,
        where=where,
        visits=sentence("home.visits", leaves=leaves, nodes=nodes),
        error=error,
        result=write_answer(verdict.task.tree.root, trace),
    )


def describe_order(function: Callable, name: str) -> str:
    """Return a sentence if a function's arguments are in another order, or ""."""
    needed = ["node", *FUNCTIONS[name].arguments]
    own = list(inspect.signature(function).parameters)
    if all(word not in needed or needed.index(word) == own.index(word) for word in own):
        return ""
    listed = ", ".join(needed)
    return sentence("home.arguments", function=name, own=", ".join(own), needed=listed)


class Endless(BaseException):
    """Raised to stop an endless loop. As text it is one line with the place."""


@contextlib.contextmanager
def stopped_after(
    seconds: float, path: str | Path, stderr: TextIO | None = None
) -> Iterator[None]:
    """Raise Endless in the block if it runs longer; `path` is the student's file.

    If the exception has no effect, because the block catches everything or waits inside one
    call, the program ends GRACE seconds later, with the same line on `stderr`, by default
    sys.stderr. Only a call that lets no other thread run, such as max(itertools.count()),
    is not stopped. The block must run in the main thread.
    """
    thread = threading.get_ident()
    expired = threading.Event()
    block_ended = threading.Event()
    raised = []

    def expire():
        expired.set()
        signal.raise_signal(signal.SIGINT)  # on Windows, this also ends time.sleep()
        if not block_ended.wait(GRACE):
            frame = sys._current_frames()[thread]
            problem = _describe_loop(frame, path, seconds + GRACE)
            print(f"\n{problem}", file=stderr or sys.stderr, flush=True)
            os._exit(2)

    def stop(signal_number, frame):
        if not expired.is_set():  # somebody has pressed Ctrl-C
            signal.default_int_handler(signal_number, frame)
        if not block_ended.is_set():
            raised.append(Endless(_describe_loop(frame, path, seconds)))
            raise raised[0]

    timer = threading.Timer(seconds, expire)
    timer.daemon = True
    earlier_handler = signal.signal(signal.SIGINT, stop)
    timer.start()
    try:
        yield
    finally:
        block_ended.set()
        timer.cancel()
        timer.join()  # so that a late signal meets this handler
        signal.signal(signal.SIGINT, earlier_handler)
    if raised:  # the block has caught it
        raise raised[0]


def _describe_loop(frame, path, seconds):
    """Return a sentence with the innermost line of the file on a frame's stack."""
    path = Path(path).resolve()
    innermost = _innermost(traceback.extract_stack(frame), path)
    place = path.name
    if innermost:
        place = f"{_line_of(innermost, path)} (`{innermost.line}`)"
    return sentence("home.endless", place=place, seconds=seconds)


def _innermost(frames, path):
    """Return the last of these frames that is in the file at `path`, or None."""
    own = [frame for frame in frames if Path(frame.filename).resolve() == path]
    return own[-1] if own else None


def _line_of(frame, path):
    """Return the place of a frame, such as "search.py, line 3, in minimax"."""
    place = f"{path.name}, line {frame.lineno}"
    return place if frame.name == "<module>" else f"{place}, in {frame.name}"


def drawing_options() -> dict[str, Any]:
    """Return the arguments width and ascii of draw() for the output of this program.

    The width is that of the terminal, or 80 columns in a file. Output that cannot have all
    characters of the drawings gets ASCII.
    """
    width = max(shutil.get_terminal_size().columns, MIN_WIDTH)
    stream = sys.__stdout__ or sys.stdout  # pytest replaces sys.stdout
    encoded = "".join(map(chr, ASCII)).encode(stream.encoding, "replace")
    return {"width": width, "ascii": b"?" in encoded}


def wrapped(text: str) -> str:
    """Return a sentence in lines that fit the output of this program."""
    return textwrap.fill(text, drawing_options()["width"], subsequent_indent="  ")


def load_search(path: str | Path) -> ModuleType:
    """Return the module at `path`, under the name search; raise InputError."""
    path = Path(path)
    if not path.is_file():
        raise InputError(sentence("home.no submission", file=path))
    loader = SourceFileLoader("search", str(path))
    module = module_from_spec(ModuleSpec("search", loader))
    module.__file__ = str(path)
    sys.modules["search"] = module
    try:
        with stopped_after(SECONDS, path):
            loader.exec_module(module)
    except EXCEPTIONS as error:
        raise InputError(error_line(error, path)) from None
    return module


def error_line(error: BaseException, path: str | Path) -> str:
    """Return one line for an exception from the file at `path`: place and message."""
    path = Path(path).resolve()
    innermost = _innermost(traceback.extract_tb(error.__traceback__), path)
    if isinstance(error, SyntaxError) and Path(error.filename or "").resolve() == path:
        return f"{path.name}, line {error.lineno}: {type(error).__name__}: {error.msg}"
    what = " ".join(f"{type(error).__name__}: {error}".split())
    if "reading from stdin" in what:  # pytest's advice does not help on Gradescope
        what = sentence("home.input")
    if innermost is None:
        return f"{path.name}: {what}"
    if isinstance(error, NotImplementedError):
        return sentence("home.not written", function=innermost.name)
    return f"{_line_of(innermost, path)}: {what}"


def run(program: Callable[[], None]) -> NoReturn:
    """Run `program()` and exit. If it cannot continue, print one line and exit with 2.

    Characters that the terminal cannot encode are printed as question marks.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace", line_buffering=True)
    status = 0
    try:
        program()
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stdout = None
        status = 1
    except (InputError, Endless) as problem:
        print(problem, file=sys.stderr)
        status = 2
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        status = 2
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        status = 130
    sys.exit(status)
