"""A submission can leak few bits in addition to its points, as counted in SECURITY.md."""

import re
from functools import cache
from math import log2

import pytest
from helpers import ROOT, check_figure, copy_with, run_isolated, task_of

from autograder.sandbox import WALL_FACTOR, Sandbox
from autograder.sandbox.conversation import ERRORS
from autograder.scoring.rubric import Limits
from autograder.scoring.scores import SEVERAL_WAYS, narrow_results
from autograder.scoring.tasks import not_begun
from autograder.smalltrees.enumeration import small_trees
from gametree.functions import FUNCTIONS
from gametree.support import trace as traces
from gametree.support.judging import judge
from gametree.support.texts import load_sentences
from gametree.support.trace import Ending

SECURITY = ROOT / "SECURITY.md"
MAX_BITS = 20  # for each function
KINDS = [  # of endings of a search that was run
    traces.RETURNED,
    traces.RAISED,
    traces.TIMED_OUT,
    traces.OUT_OF_QUERIES,
    traces.DIED,
    traces.BROKE_PROTOCOL,
]
REASONS = 4  # not to run a search: the time in all (CPU, or wall), the function's, stops
CALL_SENTENCES = 8  # sentences about the calls between the three functions


def verdict_with(function, kind, error=""):
    """Return the verdict on a hidden search with this ending."""
    task = copy_with(task_of("[1, [1, 1]]", function), is_hidden=True)
    return judge(task, not_begun(task, Ending(kind, error)))


def shown_endings(*verdicts):
    """Return the endings of hidden searches as students see them."""
    return [result.ending for result in narrow_results(verdicts).values()]


def test_if_hidden_searches_of_a_function_end_differently_its_own_are_shown_alike():
    raised = verdict_with("minimax", traces.RAISED, "KeyError")
    timed_out = verdict_with("minimax", traces.TIMED_OUT)
    stub = verdict_with("alphabeta", traces.RAISED, "NotImplementedError")
    shown = shown_endings(raised, timed_out, stub)
    assert shown[:2] == [Ending(SEVERAL_WAYS)] * 2
    assert shown[2:] == [Ending(traces.RAISED, "NotImplementedError")]


def test_a_hidden_search_that_was_not_run_is_shown_as_not_run():
    not_run = verdict_with("minimax", traces.NOT_RUN)
    assert shown_endings(not_run) == [Ending(traces.NOT_RUN)]


def count_shown_endings():
    """Return how many endings students can see for all hidden searches of a function."""
    endings = {Ending(kind) for kind in KINDS}
    endings.update(Ending(traces.RAISED, error) for error in ERRORS)
    verdicts = [verdict_with("minimax", ending.kind, ending.error) for ending in endings]
    shown = {ending for verdict in verdicts for ending in shown_endings(verdict)}
    shown.update(shown_endings(*verdicts))
    return len(shown)


def bits_of_duration(limits):
    """Return the bits in the durations that can be distinguished, by SECURITY.md."""
    most = WALL_FACTOR * limits.total_seconds
    check_figure(SECURITY, r"durations up to (\d+) s", f"{most:g}")
    step = float(re.search(r"in steps of ([\d.]+) s", SECURITY.read_text())[1])
    return log2(most / step)


def bits_of_diagnosis(kit):
    """Return how many bits the diagnoses of all functions have."""
    symptoms = sum(key.startswith("symptom.") for key in load_sentences())
    bits = 0.0
    for name in FUNCTIONS:
        known = len(
            {variant.path for variant in kit.library.variants if name in variant.shows}
        )
        alike = 2 * known  # one mistake, or several that behave alike
        bits += log2(alike + symptoms + CALL_SENTENCES)
    return bits


@cache
def searches_of_small_trees():
    """Return function -> the number of searches of all small trees."""
    trees = list(small_trees())
    counts = {}
    for function in FUNCTIONS:
        counts[function] = sum(len(tree.searches_for(function)) for tree in trees)
    return counts


def bits_of_smallest_tree():
    """Return the bits in a smallest tree with its wrong aspects, or in a state leak."""
    choices = 1  # none
    for function, count in searches_of_small_trees().items():
        choices += count * (2 ** len(FUNCTIONS[function].aspects) + 1)
    return log2(choices)


@pytest.fixture(scope="module")
def counted(kit):
    """Return channel -> (bits if a public tree is wrong, bits if only hidden trees are)."""
    diagnosis = bits_of_diagnosis(kit)
    smallest_tree = bits_of_smallest_tree()
    endings = len(FUNCTIONS) * log2(count_shown_endings())
    duration = bits_of_duration(kit.rubric.limits)
    always = diagnosis + endings + duration
    return {
        "the diagnosis": (diagnosis, diagnosis),
        "the smallest tree": (0, smallest_tree),
        "how hidden searches ended": (endings, endings),
        "how long it takes": (duration, duration),
        "sum": (always, always + smallest_tree),
        "the clock, by which a worker knows when another grading ended": (
            duration,
            duration,
        ),
    }


def test_security_shows_the_counted_bits(counted):
    """A new known mistake adds about 0.1 bits, which need no update."""
    text = SECURITY.read_text()
    for channel, bits in counted.items():
        row = rf"\| {channel} \| [^|]* \| ([\d.]+ \| [\d.]+) \|"
        figures = re.search(row, text)[1].split(" | ")
        if [float(figure) for figure in figures] != pytest.approx(bits, abs=0.5):
            check_figure(SECURITY, row, f"{bits[0]:.1f} | {bits[1]:.1f}")


def test_the_sum_is_at_most_twenty_bits_for_each_function(counted):
    assert max(counted["sum"]) <= MAX_BITS * len(FUNCTIONS)


def choices_of(planned):
    """Return how many results each tree or kind of limit of a row of hidden trees has."""
    if planned.row.is_public:
        return []
    aspects = len(planned.tasks[0].aspects)
    return [aspects + 2 + REASONS] * len(planned.parts)  # or correct, or not returned


def test_security_gives_the_numbers_of_searches(kit):
    small = sum(searches_of_small_trees().values())
    check_figure(SECURITY, r"which of ([\d,]+);", f"{small:,}")
    results = [choices for planned in kit.plan for choices in choices_of(planned)]
    check_figure(SECURITY, r"These are ([\d,]+) results", f"{len(results):,}")
    capacity = sum(map(log2, results))
    check_figure(SECURITY, r"capacity of ([\d,]+) bits", f"{capacity:,.0f}")


# A file or a name that a worker may use can carry information to the next grading. This
# submission prints the functions of the C library with which it can reach a path.
REACH_PATHS = """
import ctypes
libc = ctypes.CDLL(None)
room = ctypes.create_string_buffer(4096)
calls = {
    "open": (b"/", 0), "openat": (-100, b"/", 0), "creat": (b"/dev/null", 0),
    "stat": (b"/", room), "lstat": (b"/", room), "fstatat": (-100, b"/", room, 0),
    "fstat": (0, room), "statx": (-100, b"/", 0, 4095, room), "statfs": (b"/", room),
    "access": (b"/", 0), "faccessat": (-100, b"/", 0, 0), "euidaccess": (b"/", 0),
    "readlink": (b"/proc/self/exe", room, 99), "pathconf": (b"/dev/null", 99),
    "getxattr": (b"/", b"user.x", room, 0), "listxattr": (b"/", room, 0),
    "inotify_init": (), "utimes": (b".", None), "acct": (None,), "chroot": (b"/",),
    "name_to_handle_at": (-100, b"/", room, room, 0), "mkfifo": (b"x", 0),
    "sysinfo": (room,), "sched_getaffinity": (1, 128, room),
}

def minimax(*_):
    print(*[name for name in calls if getattr(libc, name)(*calls[name]) != -1])
    return 0
"""


PROCESS_NUMBERS = """
import os, threading

def minimax(*_):
    print(os.getpid(), os.getppid(), os.getpgrp(), os.getpgid(0), os.getsid(0), end=" ")
    print(threading.get_native_id())
    return 0
"""


@pytest.mark.parametrize(
    "source, printed", [(REACH_PATHS, "\n"), (PROCESS_NUMBERS, "0 0 0 0 0 0\n")]
)
def test_a_worker_can_reach_no_path_and_learns_no_process_number(source, printed):
    with Sandbox(Limits()) as sandbox:
        if "seccomp" in sandbox.missing_layers:
            pytest.skip("seccomp is missing")
        (trace,) = run_isolated(sandbox, source, [task_of("1", "minimax")])
    assert trace.ending == Ending()
    assert trace.text.printed == printed
