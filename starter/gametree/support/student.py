"""What the student's programs share: load search.py, run and judge it, say how it ended.

A search is right or wrong here as it is on Gradescope; hidden trees are only there. An
endless loop is stopped, and the line where it runs is said.
"""

import contextlib
import faulthandler
import linecache
import os
import shutil
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import islice
from pathlib import Path

from gametree.course import ASSIGNED
from gametree.functions import FUNCTIONS, NUMBER
from gametree.node import Node
from gametree.support.judging import Task, judge, right_trace
from gametree.support.saying import say
from gametree.support.sentences import answer, deciding, findings
from gametree.support.trace import OUT_OF_QUERIES, RETURNED, Trace, new_root, observe
from gametree.support.tree import Search, Tree, TreeError

# The functions of this course that return the value of a tree.
VALUE_FUNCTIONS = [FUNCTIONS[name] for name in ASSIGNED if FUNCTIONS[name].answer == NUMBER]
BUDGET = 200_000  # queries, so that a search of a huge tree fits in memory
MAX_LEAVES = 20_000  # of a search that is judged
SECONDS = 10
GRACE = 2  # seconds after which the whole program ends, if nothing else ends it
BOXES = "│─┌┼●○"
MIN_WIDTH = 40  # columns of a drawing


@dataclass(frozen=True)
class Checked:
    """One search that was run, and judged where it returned and the tree is small enough.

    trace: the Trace.
    right_leaves: the paths that a correct search visits, None in a tree too large.
    is_right: whether it is right, None where it was not judged.
    wrong: a line for each thing that is wrong.
    why: the sentence that decides, "" where there is none to say.
    """

    trace: Trace
    right_leaves: frozenset[tuple] | None
    is_right: bool | None = None
    wrong: tuple[str, ...] = ()
    why: str = ""

    @property
    def passed(self) -> bool:
        """Whether the search returned, and nothing is wrong with it."""
        return self.trace.ending.kind == RETURNED and not self.wrong


def check(
    function: Callable,
    name: str,
    tree: Tree,
    search: Search,
    catch: type | tuple = (),
    root: Node | None = None,
) -> Checked:
    """Run a function of search.py on a tree and judge what it does.

    `catch` and `root` are as in observe().
    """
    __tracebackhide__ = True  # pytest shows the student's lines, not these
    task = _task(name, tree, search)
    right_leaves = task.expected.visited if task else None
    trace = observe(function, name, tree, search, BUDGET, catch, root)
    if trace.ending.kind != RETURNED:
        return Checked(trace, right_leaves, wrong=_stopped(tree, trace))
    if task is None:
        return Checked(trace, None)
    verdict = judge(task, trace)
    if verdict.is_right:
        return Checked(trace, right_leaves, True)
    wrong = tuple(findings(verdict))
    return Checked(trace, right_leaves, False, wrong, deciding(verdict))


def check_twice(
    function: Callable, name: str, tree: Tree, search: Search, catch: type | tuple = ()
) -> Checked:
    """Check a search, and once more with new nodes; return the run that is wrong, if any.

    If the two runs differ, `wrong` says that the function keeps state.
    """
    root = new_root(tree)
    first = check(function, name, tree, search, catch, root)
    if first.trace.ending.kind != RETURNED:
        return first
    other_root = new_root(tree)  # while `root` stays alive, for a table by id(node)
    again = check(function, name, tree, search, catch, other_root)
    if again.trace.ending.kind == RETURNED and again.wrong == first.wrong:
        return first
    shown = first if first.is_right is False else again
    return replace(shown, wrong=(*shown.wrong, say("finding.state kept")))


def _task(name, tree, search):
    """Return the Task of a search, None in a tree too large to judge it."""
    leaves = islice(tree.root.frontier(search.depth), MAX_LEAVES + 1)
    if sum(1 for _ in leaves) > MAX_LEAVES:
        return None
    expected = right_trace(tree, name, search)
    return Task(tree, name, search, expected, tuple(ASSIGNED.get(name, ())))


def _stopped(tree, trace):
    """Return what is wrong with a search that did not return, as far as not raised."""
    if trace.ending.kind == OUT_OF_QUERIES:
        return (describe_ending(tree, trace),)
    return ()


def describe_ending(tree: Tree, trace: Trace) -> str:
    """Say how a search ended, and what it cost."""
    leaves = say("home.leaves", count=len(trace.visited))
    nodes = say("home.nodes", count=trace.node_count)
    error = trace.ending.error
    if trace.text.message:
        error += f": {trace.text.message}"
    where = ""
    if trace.text.line:
        where = say("home.where", line=trace.text.line)
    return say(
        f"search ended.{trace.ending.kind}",
        function=trace.function,
        most=BUDGET,
        where=where,
        visits=say("home.visits", leaves=leaves, nodes=nodes),
        error=error,
        result=answer(tree, trace.search, trace.answer),
    )


class Endless(BaseException):
    """What is still running was stopped. As text: one line that says where."""


@contextlib.contextmanager
def stopped_after(seconds: float, path: str | Path, stderr=None):
    """Raise Endless in the block if it runs longer; `path` is the student's file.

    A block that no exception reaches (it catches everything, or waits inside one
    call) ends the program GRACE seconds later, and its lines are printed to `stderr`,
    a file descriptor or sys.stderr.
    """
    thread = threading.get_ident()
    lock = threading.Lock()
    block_ended = threading.Event()
    places = []  # where the block was stopped

    def stop():
        place = _place(sys._current_frames().get(thread), path)
        with lock:
            if not block_ended.is_set():
                places.append(place)
                _raise_in(thread, Endless)

    timer = threading.Timer(seconds, stop)
    timer.daemon = True
    with contextlib.suppress(AttributeError, OSError, ValueError):  # no stderr at all
        file = sys.__stderr__ if stderr is None else stderr
        faulthandler.dump_traceback_later(seconds + GRACE, exit=True, file=file)
    timer.start()
    try:
        with contextlib.suppress(Endless):  # it is raised below, with its place
            try:
                yield
            finally:
                with lock:
                    block_ended.set()
        if places:
            _raise_in(thread, None)  # what has not reached the block shall not follow it
    finally:
        timer.cancel()
        faulthandler.cancel_dump_traceback_later()
    if places:
        raise Endless(say("home.endless", place=places[0], seconds=seconds))


def _raise_in(thread, kind):
    """Have a thread raise an exception at its next step; None takes it back."""
    with contextlib.suppress(ImportError):  # some Pythons are built without ctypes
        import ctypes

        exception = None if kind is None else ctypes.py_object(kind)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), exception)


def _place(frame, path):
    """Return the innermost line of the file that a frame is in: where and what."""
    path = Path(path).resolve()
    for caller, line in traceback.walk_stack(frame):
        if Path(caller.f_code.co_filename).resolve() == path:
            code = linecache.getline(str(path), line).strip()
            place = _line_in(path, line, caller.f_code.co_name)
            return f"{place} (`{code}`)" if code else place
    return path.name


def _line_in(path, line, name):
    """Return where in a file a line is: "search.py, line 3, in minimax"."""
    place = f"{path.name}, line {line}"
    return place if name == "<module>" else f"{place}, in {name}"


def drawing_options(stream=None):
    """Return the width, ascii and colour that suit a stream, as draw() takes them.

    Colour is for terminals only, and never where NO_COLOR is set. A stream that
    cannot encode box-drawing characters gets ASCII; one that is no terminal, 80 columns.
    """
    stream = stream or sys.stdout
    ascii = not _has_boxes(stream)
    if not stream.isatty():
        return {"width": 80, "ascii": ascii, "colour": False}
    dumb = os.environ.get("TERM", "dumb") == "dumb"
    if os.name == "nt":
        dumb = not {"WT_SESSION", "ANSICON"} & set(os.environ)
    colour = not (dumb or os.environ.get("NO_COLOR"))
    width = max(shutil.get_terminal_size().columns, MIN_WIDTH)
    return {"width": width, "ascii": ascii, "colour": colour}


def _has_boxes(stream):
    """Tell whether a stream can encode box-drawing characters."""
    try:
        BOXES.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


class CannotRun(Exception):
    """The one line that says why a program cannot go on, and what to do."""


def load_search(path):
    """Return the module at `path`, under the name search; raise CannotRun."""
    path = Path(path)
    if not path.is_file():
        raise CannotRun(say("home.no submission", file=path))
    loader = SourceFileLoader("search", str(path))
    module = module_from_spec(spec_from_loader("search", loader))
    sys.modules["search"] = module
    try:
        with stopped_after(SECONDS, path):
            loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise CannotRun(error_line(error, path)) from None
    return module


def error_line(error, path):
    """Return one line for an exception from the file at `path`: where and what."""
    path = Path(path).resolve()
    frames = traceback.extract_tb(error.__traceback__)
    own_frames = [frame for frame in frames if Path(frame.filename).resolve() == path]
    if isinstance(error, SyntaxError) and error.filename:
        return f"{path.name}, line {error.lineno}: {type(error).__name__}: {error.msg}"
    what = " ".join(f"{type(error).__name__}: {error}".split())
    if "reading from stdin" in what:  # pytest's advice would end in what cannot be graded
        what = say("home.input")
    if not own_frames:
        return f"{path.name}: {what}"
    last = own_frames[-1]
    if isinstance(error, NotImplementedError):
        rests = last.name == "best_move" and "minimax" in ASSIGNED
        key = "home.no best_move" if rests else "home.not written"
        return say(key, function=last.name, file=path.name)
    return f"{_line_in(path, last.lineno, last.name)}: {what}"


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
