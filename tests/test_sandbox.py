"""The sandbox runs a submission, returns its traces and ends its searches at the limits.

test_hostile.py tests the scores of honest and hostile files.
"""

import _ctypes
import marshal
import os
import pickle
import re
import signal
import sys
import textwrap
import time
from contextlib import ExitStack
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers import (
    CORRECT,
    REFERENCE_SOURCE,
    cases,
    copy_with,
    run_isolated,
    tables_beside,
    tasks_of,
    tree_of,
    variants_in,
)

from autograder.explaining.explain import read_text
from autograder.explaining.explanation import Reading
from autograder.ground.launch import ENVIRONMENT
from autograder.sandbox import Budget, Sandbox, Session, protocol
from autograder.sandbox import session as session_module
from autograder.sandbox.conversation import Conversation, SearchFailure
from autograder.scoring.rubric import Limits
from autograder.scoring.tasks import not_begun
from autograder.showing.wording import ending
from gametree.support import trace as traces
from gametree.support.errors import InputError
from gametree.support.judging import judge
from gametree.support.trace import Ending, Text, observe

TABLES = tables_beside(__file__)

AIMA = tree_of("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", name="aima")
TIE = tree_of("[1, [1, 1]]", name="tie")
ALL = tasks_of(AIMA, TIE)
MINIMAX = [task for task in ALL if task.function == "minimax"]


def minimax(body, head=""):
    """Return a submission whose minimax has the given body."""
    lines = textwrap.indent(textwrap.dedent(body), "    ")
    return f"{textwrap.dedent(head)}\ndef minimax(node, depth, maximizing):\n{lines}\n"


@pytest.fixture(scope="module")
def sandbox():
    """Return a sandbox that gives each search 0.2 seconds."""
    with Sandbox(Limits(search_cpu_seconds=0.2)) as opened:
        yield opened


def kinds_of_endings(found):
    """Return the kind of each search's ending."""
    return [trace.ending.kind for trace in found]


def printed_by(sandbox, source):
    """Return the text that each search of minimax printed."""
    return [trace.text.printed for trace in run_isolated(sandbox, source, MINIMAX)]


def test_the_printed_text_of_each_search_is_kept_up_to_a_limit(sandbox):
    source = minimax("print('at', node.name)\nprint('x' * 9000)\nreturn 1")
    text = f"at A\n{'x' * 9000}"[: protocol.MAX_PRINTED]
    assert printed_by(sandbox, source) == [text] * len(MINIMAX)


def test_a_correct_program_may_import_every_standard_module():
    unusual = TABLES["modules that no program imports"]
    if find_spec("tkinter") is None:  # some systems have it in another package
        unusual = [*unusual, "turtle"]
    modules = filter(find_spec, sys.stdlib_module_names.difference(unusual))
    with Sandbox(Limits(load_cpu_seconds=30)) as sandbox:
        session = Session(sandbox, REFERENCE_SOURCE)
        for module in (*modules, *TABLES["modules inside packages"]):
            code = compile_changed(f"import {module}\n{CORRECT}")
            searches = [(code, task) for task in ALL]
            found = session.run_changed(searches, session.budget)
            assert unmet(ALL, found) == [], module


@cases("what a program without paths may do")
def test_a_program_needs_no_path_for_what_it_may_do(statements, sandbox):
    source = minimax(f"{statements}\nreturn 1")
    (trace,) = run_isolated(sandbox, source, MINIMAX[:1])
    assert trace.ending == Ending(), trace.text.message


def test_a_file_that_fails_to_load_is_loaded_once(sandbox, monkeypatch):
    loads = []
    load = Conversation.load

    def load_and_log(self, *program):
        loads.append(program)
        return load(self, *program)

    monkeypatch.setattr(Conversation, "load", load_and_log)
    found = run_isolated(sandbox, "raise ValueError", ALL)
    assert {trace.ending.error for trace in found} == {"ValueError"}
    assert len(loads) == 1


@cases("lines of exceptions")
def test_the_line_of_an_exception_is_the_innermost_of_the_file(source, line, sandbox):
    lines = {trace.text.line for trace in run_isolated(sandbox, source, MINIMAX)}
    assert lines == {line}


def test_a_query_that_raises_recursion_error_is_not_sent_later(sandbox):
    head = """
        def descend(node):
            try:
                descend(node)
            except RecursionError:  # raised at each place of a query, the deepest first
                node.evaluate()
    """
    source = minimax("descend(node)\nreturn 7", head)
    (task,) = [task for task in tasks_of(tree_of("7")) if task.function == "minimax"]
    (trace,) = run_isolated(sandbox, source, [task])
    assert trace.events == [(traces.EVALUATE, ())]


@pytest.fixture(scope="module")
def five_sandboxes():
    """Return five sandboxes, each with its own zygote, as in five gradings."""
    with ExitStack() as stack:
        yield [stack.enter_context(Sandbox(Limits())) for _ in range(5)]


@cases("programs in an order of their own")
def test_a_program_does_the_same_in_each_grading(head, expression, five_sandboxes):
    source = minimax(
        f"""
        if depth == 0 or node.is_terminal(): return node.evaluate()
        choose = max if maximizing else min
        children = {expression}
        return choose(minimax(child, depth - 1, not maximizing) for child in children)
    """,
        head,
    )
    gradings = [run_isolated(sandbox, source, MINIMAX) for sandbox in five_sandboxes]
    orders = {tuple(tuple(trace.events) for trace in found) for found in gradings}
    assert len(orders) == 1
    assert {trace.ending for trace in gradings[0]} == {Ending()}


def test_a_set_of_children_has_one_order_everywhere_and_not_from_left_to_right(
    sandbox,
):
    source = minimax("for child in set(node.children): child.evaluate()\nreturn 1")
    program = {}
    exec(source, program)
    found = run_isolated(sandbox, source, MINIMAX)
    orders = [
        observe(program["minimax"], "minimax", task.tree, task.search).events
        for task in MINIMAX
    ]
    assert [trace.events for trace in found] == orders
    visited = [path for kind, path in orders[0] if kind == traces.EVALUATE]
    assert visited != sorted(visited)


def test_a_file_that_fails_to_load_after_a_hidden_tree_reveals_no_name_or_text(sandbox):
    hidden = [copy_with(task, is_hidden=True) for task in MINIMAX]
    session = Session(sandbox, minimax("import os; os._exit(1)").encode())
    found = session.run(hidden, sealed=True)
    next(found)
    session.source = b"raise ValueError(31337)"  # as one that fails in its second load
    trace = next(found)
    assert (trace.ending, trace.text) == (Ending(traces.RAISED), Text())


def compile_changed(source):
    """Return the code of a source text, as a tool returns it."""
    return marshal.dumps(compile(source, "search.py", "exec"))


def run_changed(sandbox, source, tasks, change=b""):
    """Return the traces of a submission in which a change replaces definitions."""
    session = Session(sandbox, source)
    searches = [(change, task) for task in tasks]
    return list(session.run_changed(searches, session.budget))


def unmet(tasks, found):
    """Return the keys of the tasks whose trace differs from that of a correct search."""
    wrong = []
    for task, trace in zip(tasks, found, strict=True):
        if not task.is_met_by(trace) or trace.ending != Ending():
            wrong.append(task.key)
    return wrong


STYLES = variants_in("correct")


@pytest.mark.parametrize("style", STYLES, ids=[style.name for style in STYLES])
def test_a_correct_style_is_correct_in_the_sandbox(sandbox, style):
    verdicts = map(judge, ALL, run_isolated(sandbox, style.source, ALL))
    assert [verdict.task.key for verdict in verdicts if not verdict.is_right] == []


def test_a_submission_that_cannot_be_loaded_cannot_be_changed(sandbox):
    change = compile_changed(REFERENCE_SOURCE)
    endings = {trace.ending for trace in run_changed(sandbox, b"wrong(", ALL, change)}
    assert [ending.error for ending in endings] == ["SyntaxError"]


def test_a_second_change_replaces_the_first_and_the_file_is_loaded_once(sandbox):
    once = "import itertools\nloads = itertools.count(7)\nbonus = next(loads)\n"
    session = Session(sandbox, minimax("return 0", head=once).encode())
    changes = {
        "the first": ("return bonus", "bonus = 31", 31),
        "the second": ("return bonus", "", 7),
        "the third": ("return next(loads)", "", 8),
    }
    for name, (body, head, answer) in changes.items():
        change = compile_changed(minimax(body, head))
        (trace,) = session.run_changed([(change, MINIMAX[0])], session.budget)
        assert trace.answer.number == answer, name
    (trace,) = session.run_changed([(b"", MINIMAX[0])], session.budget)
    assert trace.answer.number == 0, "without a change"


def test_a_changed_submission_must_not_run_after_a_hidden_tree(sandbox):
    session = Session(sandbox, REFERENCE_SOURCE)
    list(session.run(ALL[:1], sealed=True))
    with pytest.raises(ValueError, match="must not run after a hidden tree"):
        list(session.run_changed([(b"", ALL[0])], session.budget))


def test_a_worker_has_limits_on_time_and_memory(sandbox):
    source = minimax("""
        import resource
        for limit in (resource.RLIMIT_CPU, resource.RLIMIT_AS):
            print(resource.getrlimit(limit)[0])
        return 1
    """)
    (trace,) = run_isolated(sandbox, source, MINIMAX[:1])
    assert trace.text.printed.split() == ["3600", str(384 * 2**20)]


@pytest.mark.parametrize("seconds, text", [(2.5, "time of 2 s"), (0, "time of 200 s")])
def test_a_budget_names_the_cpu_time_or_the_time_that_was_used_up(seconds, text):
    clock = iter([0.0, seconds]).__next__
    budget = Budget(Limits(), 2.0, clock)
    budget.wall_deadline = time.monotonic() - 1
    budget.start_clock()
    assert text in budget.refusal_of("minimax").reason


def test_a_program_that_sleeps_is_stopped_between_two_searches_and_finally(
    sandbox, monkeypatch
):
    source = minimax(
        """
        calls.append(node)
        if len(calls) == 2: time.sleep(0.3)
        return 1
    """,
        head="import time\ncalls = []",
    )
    session = Session(sandbox, source.encode())
    monkeypatch.setattr(session.budget, "_wall_seconds", 0.2)
    session.budget.wall_deadline = time.monotonic() + 0.2
    found = list(session.run([SMALL[0]] * 9, sealed=True))  # the second batch has two
    assert kinds_of_endings(found) == [traces.RETURNED] * 2 + [traces.NOT_RUN] * 7
    assert not found[-1].ending.undecided


@cases("searches that take long")
def test_searches_for_which_a_machine_had_no_time_are_undecided(
    cpu_seconds, wall_seconds, undecided, monkeypatch
):
    clocks = SimpleNamespace(cpu=0.0, wall=0.0)
    monkeypatch.setattr(session_module, "WALL_FACTOR", 4)
    monkeypatch.setattr(
        session_module, "time", SimpleNamespace(monotonic=lambda: clocks.wall)
    )
    budget = Budget(Limits(), 60, lambda: clocks.cpu)
    budget.start_clock()
    while clocks.wall < 240:
        clocks.cpu += cpu_seconds
        clocks.wall += wall_seconds
        budget.count(not_begun(MINIMAX[0], Ending()))
    assert budget.refusal_of("alphabeta").undecided == undecided


def test_a_budget_that_is_paused_keeps_its_time():
    budget = Budget(Limits(), 0.01)
    budget.pause()
    stored = pickle.dumps(budget)
    time.sleep(0.05)
    budget = pickle.loads(stored)
    budget.resume(time.process_time)
    assert not budget.is_used_up()


def test_a_budget_has_its_own_limits_and_its_own_count_of_timeouts(sandbox):
    session = Session(sandbox, minimax("while True: pass").encode())
    tighter = session.budget.tighter(search_cpu_seconds=0.05)
    assert tighter.wall_deadline == session.budget.wall_deadline
    kinds = kinds_of_endings(session.run(MINIMAX * 2, tighter, sealed=False))
    assert kinds == [traces.TIMED_OUT] * 3 + [traces.NOT_RUN]
    (trace,) = session.run(MINIMAX[:1], sealed=False)
    assert trace.ending.kind == traces.TIMED_OUT


SMALL = [copy_with(task, is_small=True) for task in ALL]


class TestSmallTrees:
    """Their searches are sent ahead, with the same traces as one by one."""

    def test_have_the_traces_of_a_correct_search(self, sandbox):
        tasks = SMALL * 20
        assert unmet(tasks, run_isolated(sandbox, REFERENCE_SOURCE, tasks)) == []

    def test_have_the_traces_of_trees_that_are_not_small(self, sandbox):
        source = minimax("""
            print(node.name, flush=True)
            [child.name for child in node.children]
            return node.children[-1] if maximizing else node.children[5]
        """)
        small = [copy_with(task, is_small=True) for task in MINIMAX]
        one_by_one = run_isolated(sandbox, source, MINIMAX * 5)
        ahead = run_isolated(sandbox, source, small * 5)
        for found, expected in zip(ahead, one_by_one, strict=True):
            assert vars(found) == vars(expected)

    def test_after_a_worker_died_run_in_a_new_one(self, sandbox):
        source = minimax(
            """
            calls.append(node)
            if len(calls) == 3: os._exit(1)
            return len(calls)
        """,
            head="import os\ncalls = []",
        ).encode()
        found = list(Session(sandbox, source).run([SMALL[0]] * 8, sealed=False))
        assert [trace.answer.number for trace in found] == [1, 2, None] * 2 + [1, 2]

    def test_that_the_caller_did_not_wait_for_may_end_the_worker(self, sandbox):
        head = "import os\ncalls = []"
        body = "calls.append(1)\nif len(calls) == 3: os._exit(1)\nreturn len(calls)"
        session = Session(sandbox, minimax(body, head).encode())
        for _ in range(2):
            found = session.run_changed([(b"", SMALL[0])] * 8, session.budget)
            assert [trace.answer.number for trace in islice(found, 2)] == [1, 2]
            found.close()


class TestAWorkerForTools:
    def test_lives_beside_the_submission_until_the_next_session(self, sandbox):
        session = Session(sandbox, minimax("return 1").encode())
        found = session.run_changed([(b"", SMALL[0])] * 2, session.budget)
        next(found)
        assert read_text(session, session.budget) != Reading()
        workers = dict(sandbox.workers)
        assert read_text(session, session.budget) != Reading()
        assert sandbox.workers == workers
        pids = {worker.channel.pid for worker in workers.values()}
        assert len(pids) == 2
        Session(sandbox, b"")
        assert not any(Path(f"/proc/{pid}").exists() for pid in pids)

    def test_is_replaced_after_a_tool_failed(self, sandbox):
        session = Session(sandbox, b"def f(")
        assert read_text(session, session.budget) == Reading()
        session.source = b"def minimax(node, depth, maximizing): return 1"
        assert read_text(session, session.budget) != Reading()


class TestTheZygote:
    def test_has_its_own_session_folder_and_environment(self, sandbox):
        """So no Ctrl-C reaches it, it keeps no folder open, and it knows no secret."""
        sandbox.fork_worker(Limits())  # by then, the zygote has started
        pid = sandbox._pid
        assert os.getsid(pid) == pid
        assert os.readlink(f"/proc/{pid}/cwd") == "/"
        variables = Path(f"/proc/{pid}/environ").read_text().rstrip("\0").split("\0")
        assert dict(variable.split("=", 1) for variable in variables) == ENVIRONMENT

    def test_has_no_open_file_but_its_socket_null_and_libraries(self, tmp_path):
        with open(tmp_path / "tree.yaml", "w") as tree:
            os.set_inheritable(tree.fileno(), True)
            with Sandbox(Limits()) as opened:
                opened.fork_worker(Limits())  # by then, the zygote has read all its files
                folder = f"/proc/{opened._pid}/fd"
                files = {os.readlink(f"{folder}/{name}") for name in os.listdir(folder)}
        others = {name for name in files if ".so" not in name}  # libffi keeps itself open
        assert {name.partition(":")[0] for name in others} == {"socket", "/dev/null"}

    def test_has_read_every_library_that_it_maps_to_its_end(self, tmp_path, monkeypatch):
        """Otherwise a worker could tell which pages an earlier worker used.

        The kernel may drop a page from its cache at any time, so the bytes are counted.
        """
        library = tmp_path / "library.so"
        library.write_bytes(Path(_ctypes.__file__).read_bytes() + bytes(2**24))
        without = bytes_read_by_a_zygote()
        monkeypatch.setitem(ENVIRONMENT, "LD_PRELOAD", str(library))
        assert bytes_read_by_a_zygote() > without + 2**24

    def test_forks_workers_without_a_record_of_their_number(self, sandbox):
        """By a number in its thread's block, a worker could count the workers before it."""
        source = minimax("""
            import ctypes, zlib
            libc = ctypes.CDLL(None)
            libc.pthread_self.restype = ctypes.c_ulong
            block = ctypes.string_at(libc.pthread_self(), 2048)
            print(zlib.crc32(block))
            return 1
        """)
        first, second = [printed_by(sandbox, source)[0] for _ in range(2)]
        assert first == second


def bytes_read_by_a_zygote():
    """Return how many bytes a zygote has read when it forks its first worker."""
    with Sandbox(Limits()) as opened:
        opened.fork_worker(Limits())
        counts = Path(f"/proc/{opened._pid}/io").read_text()
    return int(re.match(r"rchar: (\d+)", counts)[1])


class TestTime:
    def test_is_the_cpu_time_of_workers_and_grader(self, sandbox):
        session = Session(sandbox, minimax("while True: pass").encode())
        budget = session.new_budget(0.1 / 60)
        stopped, not_run = session.run(MINIMAX[:2], budget, sealed=False)
        assert stopped.ending == Ending(traces.TIMED_OUT), "by its own limit"
        assert not_run.ending.undecided
        assert budget.is_used_up()

    def test_does_not_pass_while_a_program_sleeps(self, sandbox):
        session = Session(sandbox, minimax("import time; time.sleep(0.3)").encode())
        budget = session.new_budget(0.2 / 60)
        (trace,) = session.run(MINIMAX[:1], budget, sealed=False)
        assert trace.ending == Ending()
        assert not budget.is_used_up()

    def test_of_a_program_that_sleeps_too_long_has_its_own_message(self):
        source = minimax("import time; time.sleep(60)")
        with Sandbox(Limits(search_wall_seconds=0.2)) as sandbox:
            (trace,) = run_isolated(sandbox, source, MINIMAX[:1])
        assert trace.ending == Ending(traces.TIMED_OUT, reason=traces.SLEPT)
        assert ending(trace.ending).startswith("it waited too long without searching")

    def test_of_a_slow_function_is_its_own(self):
        source = (
            REFERENCE_SOURCE
            + b"""
def minimax(node, depth, maximizing):
    for _ in range(2_000_000): pass
"""
        )
        tasks = [task for task in ALL if task.function != "best_move"] * 9
        with Sandbox(Limits(total_seconds=0.3)) as sandbox:
            found = list(Session(sandbox, source).run(tasks, sealed=False))
        by_function = {"minimax": set(), "alphabeta": set()}
        for trace in found:
            by_function[trace.function].add(trace.ending.kind)
        assert by_function["alphabeta"] == {traces.RETURNED}
        assert by_function["minimax"] == {traces.RETURNED, traces.NOT_RUN}

    def test_of_a_function_ends_after_three_searches_that_were_stopped(self, sandbox):
        found = run_isolated(sandbox, minimax("while True: node.children"), MINIMAX * 3)
        kinds = kinds_of_endings(found)
        assert kinds == [traces.OUT_OF_QUERIES] * 3 + [traces.NOT_RUN] * (len(kinds) - 3)
        assert "minimax was stopped in 3 searches" in found[3].ending.reason


@pytest.fixture
def no_descriptor_is_left():
    """Fail a test that leaves a file descriptor open."""
    before = sorted(os.listdir("/proc/self/fd"))
    yield
    assert sorted(os.listdir("/proc/self/fd")) == before


@pytest.mark.usefixtures("no_descriptor_is_left")
class TestASandboxThatFails:
    @pytest.mark.parametrize("has_answered", [False, True])
    def test_because_the_zygote_was_killed_says_so(self, has_answered):
        with pytest.raises(InputError, match="grade again"), Sandbox(Limits()) as opened:
            if has_answered:
                assert opened.missing_layers is not None
            os.kill(opened._pid, signal.SIGKILL)
            opened.fork_worker(Limits())

    def test_because_the_zygote_was_killed_ends_the_worker(self):
        with Sandbox(Limits()) as opened:
            worker = opened.fork_worker(Limits())
            os.kill(opened._pid, signal.SIGKILL)
            with pytest.raises(SearchFailure) as caught:
                worker.load(b"import time; time.sleep(9)")
        assert caught.value.ending.kind == traces.DIED

    def test_because_the_zygote_is_stopped_does_not_wait_for_it(self, monkeypatch):
        monkeypatch.setattr("autograder.sandbox.sandbox.ANSWER_SECONDS", 0.1)
        with pytest.raises(InputError, match="grade again"), Sandbox(Limits()) as opened:
            os.kill(opened._pid, signal.SIGSTOP)
            opened.fork_worker(Limits())

    def test_to_start_says_so(self, monkeypatch):
        monkeypatch.setattr("sys.executable", "/bin/false")
        with pytest.raises(InputError, match="grade again"), Sandbox(Limits()) as opened:
            opened.fork_worker(Limits())
