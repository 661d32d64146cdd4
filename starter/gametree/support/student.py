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
from dataclasses import dataclass
from functools import wraps
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from itertools import islice
from pathlib import Path

from gametree.course import ASSIGNED
from gametree.support.judging import Task, judge, right_trace
from gametree.support.saying import say
from gametree.support.sentences import answer, deciding, findings
from gametree.support.trace import OUT_OF_QUERIES, RETURNED, Trace, observe
from gametree.support.tree import Search, Tree, TreeError

BUDGET = 200_000  # queries, so that a search of a huge tree fits in memory
MAX_LEAVES = 20_000  # of a search that is judged
SECONDS = 10
GRACE = 2  # seconds after which the whole program ends, if nothing else ends it
BOXES = "│─┌┼●○"
NARROWEST = 40


@dataclass(frozen=True)
class Checked:
    """One search that was run, and judged where it returned and the tree is small enough.

    `right` says whether it is, None where it was not judged. `wrong` has a line for each
    thing that is wrong, `why` is the sentence that decides, "" where there is none to say.
    `right_leaves` are the paths that a right search visits, None in a tree too large.
    """

    trace: Trace
    right_leaves: frozenset[tuple] | None
    right: bool | None = None
    wrong: tuple[str, ...] = ()
    why: str = ""


def check(
    function: Callable, name: str, tree: Tree, search: Search, catch: type | tuple = ()
) -> Checked:
    """Run a function of search.py on a tree, twice, and return what came of it.

    The second run has new nodes, as on Gradescope, and shows whether anything was kept
    from the first one. `catch` is as in observe().
    """
    __tracebackhide__ = True  # pytest shows the student's lines, not these
    nodes = []  # kept, so that a table by id(node) is not led astray

    @wraps(function)
    def searched(node, *arguments):
        __tracebackhide__ = True
        nodes.append(node)
        return function(node, *arguments)

    task, leaves = None, islice(tree.root.frontier(search.depth), MAX_LEAVES + 1)
    if sum(1 for _ in leaves) <= MAX_LEAVES:
        expected, aspects = right_trace(tree, name, search), tuple(ASSIGNED.get(name, ()))
        task = Task(tree, name, search, expected, aspects)
    right_leaves = task and task.expected.visited
    verdicts, kept = [], say("finding.state kept")
    for _ in range(2):
        trace = observe(searched, name, tree, search, BUDGET, catch)
        if trace.ending.kind != RETURNED:
            stopped = [ended(tree, trace)] * (trace.ending.kind == OUT_OF_QUERIES)
            wrong = (*stopped, *[kept] * len(verdicts))
            return Checked(trace, right_leaves, None, wrong)
        verdicts.append(task and judge(task, trace))
    first, again = verdicts
    if task is None:
        return Checked(trace, None)
    if first.right:
        wrong = () if again.right else (kept,)
        return Checked(again.trace, right_leaves, again.right, wrong)
    changed = (kept,) * (first.findings != again.findings)
    wrong = (*findings(first), *changed)
    return Checked(first.trace, right_leaves, False, wrong, deciding(first))


def ended(tree: Tree, trace: Trace) -> str:
    """Say how a search ended, and what it cost."""
    leaves = say("home.leaves", count=len(trace.visited))
    nodes = say("home.nodes", count=trace.node_count)
    error, line = f"{trace.ending.error}: {trace.text.message}", trace.text.line
    return say(
        f"search ended.{trace.ending.kind}",
        function=trace.function,
        most=BUDGET,
        where=say("home.where", line=line) if line else "",
        visits=say("home.visits", leaves=leaves, nodes=nodes),
        error=error.removesuffix(": "),
        result=answer(tree, trace.answer),
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
    try:
        with contextlib.suppress(Endless):  # it is raised below, with its place
            try:
                yield
            finally:
                with lock:
                    over.append(True)
        if where:
            _raise_in(running, None)  # what has not reached the block shall not follow it
    finally:
        timer.cancel()
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
    for caller, line in traceback.walk_stack(frame):
        if Path(caller.f_code.co_filename).resolve() == path:
            code = linecache.getline(str(path), line).strip()
            place = _line_in(path, line, caller.f_code.co_name)
            return f"{place} (`{code}`)" if code else place
    return path.name


def _line_in(path, line, name):
    return f"{path.name}, line {line}" + (f", in {name}" if name != "<module>" else "")


def drawing_options(stream=None):
    """Return the width, ascii and colour that suit a stream, as draw() takes them.

    Colour is for terminals only, and never where NO_COLOR is set. A stream that
    cannot encode box-drawing characters gets ASCII; one that is no terminal, 80 columns.
    """
    stream, ascii = stream or sys.stdout, False
    try:
        BOXES.encode(getattr(stream, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        ascii = True
    if not stream.isatty():
        return {"width": 80, "ascii": ascii, "colour": False}
    dumb = os.environ.get("TERM", "dumb") == "dumb"
    if os.name == "nt":
        dumb = not {"WT_SESSION", "ANSICON"} & set(os.environ)
    colour = not (dumb or os.environ.get("NO_COLOR"))
    width = max(shutil.get_terminal_size().columns, NARROWEST)
    return {"width": width, "ascii": ascii, "colour": colour}


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
    own = [frame for frame in frames if Path(frame.filename).resolve() == path]
    if isinstance(error, NotImplementedError) and own:
        name, rests = own[-1].name, "minimax" in ASSIGNED
        key = "home.no best_move" if name == "best_move" and rests else "home.not written"
        return say(key, function=name, file=path.name)
    what = " ".join(f"{type(error).__name__}: {error}".split())
    if "reading from stdin" in what:  # pytest's advice would end in what cannot be graded
        what = say("home.input")
    if isinstance(error, SyntaxError) and error.filename:
        return f"{path.name}, line {error.lineno}: {type(error).__name__}: {error.msg}"
    if not own:
        return f"{path.name}: {what}"
    return f"{_line_in(path, own[-1].lineno, own[-1].name)}: {what}"


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
