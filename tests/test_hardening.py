"""Each layer of hardening alone forbids actions that succeed without it.

As in the grader, there are two forks. The first plays the zygote, as root or as an ordinary
user: it prepares the layers and forks the second. The second plays the worker: it applies
the layers and acts. test_hostile.py and test_sandbox.py test what a correct submission may
do under all layers.
"""

import contextlib
import ctypes
import errno
import fcntl
import functools
import operator
import os
import random
import resource
import socket  # noqa: F401  the acts and calls of the tables use it
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from helpers import tables, tables_beside

from autograder.sandbox import hardening
from autograder.sandbox.hardening import LAYERS, Plan, Settings, in_fork, seccomp

TABLES = tables_beside(__file__)

IS_ROOT = os.geteuid() == 0
WORKER_UID = 61800  # no account has this number
USER_UID = 61900
LIBC = ctypes.CDLL(None, use_errno=True)
GRADER = os.getpid()

# A layer -> the layer that it needs. Root is exempt from the limit on processes. The kernel
# lets an ordinary user apply seccomp only with the flag "no new privileges".
NEEDS = {"processes": "uid", "seccomp": "no new privileges"}

only_root = pytest.mark.skipif(not IS_ROOT, reason="not root")
USERS = [pytest.param(True, id="root", marks=only_root), pytest.param(False, id="user")]


def become_user():
    """Change from root to an ordinary user. Do nothing if this is not root."""
    if IS_ROOT:
        os.setgroups([])
        os.setresgid(USER_UID, USER_UID, USER_UID)
        os.setresuid(USER_UID, USER_UID, USER_UID)


def layers_named(*names):
    """Return the layers of these names."""
    return {name: layer for name, layer in LAYERS.items() if name in names}


def address_space_bytes():
    """Return the size of this process, which a fork has too; 0 if unknown."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return 0
    pages = int(statm.read_text().split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")


def run_hardened(act, *, root=IS_ROOT, layers=LAYERS, **settings):
    """Run `act()` in a worker. Return its result, or the name of the exception it raised.

    The result is a value that marshal can write. It is None if the process died.
    """
    settings.setdefault("uid", WORKER_UID if root else None)
    memory_bytes = Settings().memory_bytes + address_space_bytes()  # a real zygote is small
    settings.setdefault("memory_bytes", memory_bytes)

    def play_zygote(report, pipe):
        if not root:
            become_user()
        plan = Plan(Settings(**settings), layers)
        for content in in_fork(functools.partial(play_worker, plan, pipe)):
            report(content)

    def play_worker(plan, outer_pipe, report, pipe):
        plan.apply([pipe, outer_pipe])
        try:
            report(act())
        except BaseException as error:
            report(type(error).__name__)

    reports = in_fork(play_zygote)
    return reports[0] if reports else None


def make_plan(root=IS_ROOT, uid=None, layers=LAYERS):
    """Make a Plan. Return {layer: reason} for the layers that it lacks."""

    def play_zygote(report, _):
        if not root:
            become_user()
        report(Plan(Settings(uid=uid), layers).missing)

    return in_fork(play_zygote)[0]


@functools.cache
def missing_layers(root):
    """Return {layer: reason} for the layers that this machine does not support."""
    return make_plan(root, uid=WORKER_UID if root else None)


@pytest.fixture
def place():
    """Return a folder that every user may write to. Only the owner may read `secret`."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        for name, mode in (("secret", 0o600), ("old", 0o666)):
            (Path(folder) / name).write_text("canary")
            (Path(folder) / name).chmod(mode)
        yield Path(folder)


ACTS = tables("forbidden")
FORBIDDEN = {name: [] for name in LAYERS}  # layer -> the names of acts
for name, act in ACTS.items():
    for layer in act["layers"]:
        FORBIDDEN[layer].append(name)


def successes(names, place, secret):
    """Do the acts of these names. Return the names of the acts that succeed."""
    succeeded = []
    for name in names:
        with contextlib.suppress(OSError, RuntimeError, MemoryError):
            exec(ACTS[name]["code"], {**globals(), "place": place, "secret": secret})
            succeeded.append(name)
    return succeeded


@pytest.mark.parametrize("root", USERS)
@pytest.mark.parametrize("layer", [name for name in FORBIDDEN if FORBIDDEN[name]])
def test_a_layer_forbids_acts_that_succeed_without_it(layer, root, place):
    if layer == "uid" and not root:
        pytest.skip("only root can do it")
    if layer in missing_layers(root):
        pytest.skip(f"{layer}: {missing_layers(root)[layer]}")
    names = FORBIDDEN[layer]
    with open(place / "secret", "r+b") as secret:
        act = functools.partial(successes, names, place, secret.fileno())
        alone = layers_named(layer, NEEDS.get(layer))
        assert run_hardened(act, root=root, layers=alone) == []
        if root == IS_ROOT:
            assert run_hardened(act, root=root, layers={}) == names


def test_input_is_empty_and_output_is_discarded():
    def read_and_write():
        written = [os.write(descriptor, b"lost") for descriptor in (1, 2)]
        return [os.read(0, 9).decode(), written]

    assert run_hardened(read_and_write) == ["", [4, 4]]


@pytest.mark.parametrize("lowest", [3, 50])
def test_no_inherited_descriptor_stays_open(lowest, place):
    with open(place / "secret", "rb") as secret:
        descriptor = fcntl.fcntl(secret, fcntl.F_DUPFD, lowest)
    read = functools.partial(os.fstat, descriptor)
    try:
        assert run_hardened(read, layers=layers_named("descriptors")) == "OSError"
    finally:
        os.close(descriptor)


def test_a_crash_leaves_no_core_dump():
    read_limit = functools.partial(resource.getrlimit, resource.RLIMIT_CORE)
    assert run_hardened(read_limit, layers=layers_named("limits")) == (0, 0)


def test_a_limit_that_is_already_lower_is_unchanged():
    def play_worker(report, _):
        resource.setrlimit(resource.RLIMIT_CPU, (10, 10))
        hardening.limit_resources(Settings(cpu_seconds=61))
        report(resource.getrlimit(resource.RLIMIT_CPU))

    assert in_fork(play_worker) == [(10, 10)]


def test_a_worker_does_not_start_if_its_zygote_has_ended():
    def play_zygote(report, pipe):
        zygote = os.getpid()

        def play_another_parent(report, pipe):
            def play_worker(*_):
                hardening.die_with_zygote(Settings(zygote=zygote))
                report("ran")

            in_fork(play_worker)

        report(in_fork(play_another_parent))

    assert in_fork(play_zygote) == [[]]


def test_a_worker_dies_with_its_zygote():
    reading, writing = os.pipe()

    def play_zygote(report, _):
        zygote = os.getpid()

        def play_worker(*_):
            hardening.die_with_zygote(Settings(zygote=zygote))
            os.write(writing, b"ready")
            time.sleep(60)
            report("the worker survived")

        def die_when_ready():
            os.read(reading, 5)
            os._exit(0)

        threading.Thread(target=die_when_ready, daemon=True).start()
        in_fork(play_worker)
        report("the worker ended first")

    assert in_fork(play_zygote) == []


@only_root
def test_two_sandboxes_on_a_machine_have_different_uids(monkeypatch):
    monkeypatch.setattr(os, "getpid", lambda: 1)

    def claim_two(report, _):
        report([hardening.unused_uid(), *in_fork(claim)])

    def claim(report, _):
        report(hardening.unused_uid())

    first, second = in_fork(claim_two)[0]
    assert first != second


@only_root
def test_a_worker_with_its_own_uid_has_no_groups():
    def play_zygote(report, pipe):
        os.setgroups([0, 61234])
        plan = Plan(Settings(uid=WORKER_UID), layers_named("uid"))

        def play_worker(report, inner_pipe):
            plan.apply([inner_pipe])
            report(os.getgroups())

        report(in_fork(play_worker))

    assert in_fork(play_zygote) == [[[]]]


class TestMissingLayers:
    def test_have_reasons(self):
        missing = make_plan(root=False)
        assert missing["uid"] == "only root can run the worker as another user"
        assert set(missing) < set(LAYERS)

    def test_are_missing_from_this_kernel_too(self):
        """A layer that does not work must not count as one that the machine lacks."""
        lacking = set() if IS_ROOT else {"uid"}
        PR_GET_SECCOMP = 21
        if LIBC.prctl(PR_GET_SECCOMP, 0, 0, 0, 0) < 0:
            lacking.add("seccomp")
        assert set(missing_layers(IS_ROOT)) <= lacking

    @only_root
    def test_include_the_layer_that_root_is_exempt_from(self):
        missing = make_plan()
        assert missing["processes"] == "the limit has no effect, as for root"

    def test_include_seccomp_on_a_processor_without_a_policy(self, monkeypatch):
        monkeypatch.setattr(hardening, "MACHINES", {})
        reason = f"no policy for the processor {os.uname().machine}"
        assert make_plan(layers=layers_named("seccomp")) == {"seccomp": reason}

    def test_include_limits_that_have_no_effect(self, monkeypatch):
        monkeypatch.setattr(hardening, "_limit", lambda *_: None)
        limits = layers_named("memory", "processes")
        assert set(make_plan(layers=limits)) == set(limits)

    def test_include_all_layers_from_one_whose_trial_died_on(self):
        dies = LAYERS | {"uid": lambda settings: os._exit(1)}
        missing = make_plan(layers=dies)
        assert list(missing) == list(LAYERS)[list(LAYERS).index("uid") :]
        assert set(missing.values()) == {"its trial died"}

    @pytest.mark.parametrize("root", USERS)
    @pytest.mark.parametrize("mode, is_open", [(0o644, True), (0o600, False)])
    def test_include_the_kits_files_if_a_worker_can_read_them(
        self, mode, is_open, root, place, monkeypatch
    ):
        monkeypatch.setattr(hardening, "__file__", str(place / "secret"))
        (place / "secret").chmod(mode)
        without_seccomp = layers_named("uid", "closed files")
        missing = make_plan(root, WORKER_UID if root else None, without_seccomp)
        assert ("closed files" in missing) == (is_open or (not IS_ROOT and not root))


def test_a_layer_that_fails_in_the_worker_stops_it():
    def play_zygote(report, pipe):
        plan = Plan(Settings())
        os.dup2 = lambda *_: os.close(-1)

        def play_worker(*_):
            plan.apply([pipe])
            report("ran on")

        in_fork(play_worker)

    assert in_fork(play_zygote) == []


LIST_MISSING_LAYERS = """
import builtins, os, sys

def import_without_ctypes(name, *rest, real=builtins.__import__):
    if name == "ctypes":
        raise ImportError(name)
    return real(name, *rest)

folder, sys.platform, *names = sys.argv[1:]
for name in names:
    delattr(os, name)
builtins.__import__ = import_without_ctypes
sys.path.insert(0, folder)
from hardening import Plan, Settings
print(", ".join(Plan(Settings(uid=61802)).missing))
"""


@pytest.mark.parametrize("system", [("darwin", "setresuid"), ("linux",)])
def test_a_system_without_ctypes_has_the_other_layers(system):
    folder = Path(hardening.__file__).parent.parent
    program = [sys.executable, "-s", "-S", "-c", LIST_MISSING_LAYERS, folder, *system]
    output = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    missing = set(output.strip().split(", "))
    assert not {"descriptors", "limits"} & missing
    assert {"seccomp", "no new privileges"} <= missing


KILL = 0x80000000
ALLOW = 0x7FFF0000
CALLS_OF_LINUX_6_2 = 452
COMPARISONS = {seccomp.IF_EQUAL: operator.eq, seccomp.IF_AT_LEAST: operator.ge}


class Kernel:
    """Run the filter of a machine as its kernel would."""

    def __init__(self, machine):
        self.machine = seccomp.MACHINES[machine]
        program = seccomp.FILTERS[machine]
        self.instructions = list(seccomp.INSTRUCTION.iter_unpack(program))

    def answer(self, number, arguments=(), architecture=None):
        """Return the filter's answer to a system call with this number."""
        architecture = architecture or self.machine.architecture
        registers = [*arguments, 0, 0, 0, 0, 0, 0][:6]
        call = struct.pack("=IIQ6Q", number, architecture, 0, *registers)  # seccomp_data
        position = 0
        accumulator = None
        while True:
            operation, if_true, if_false, value = self.instructions[position]
            position += 1
            if operation == seccomp.RETURN:
                return value
            if operation == seccomp.LOAD:
                (accumulator,) = struct.unpack_from("=I", call, value)
            else:
                is_true = COMPARISONS[operation](accumulator, value)
                position += if_true if is_true else if_false

    def numbers(self, table):
        """Return name -> number of the calls in a table, on this machine."""
        return seccomp.call_numbers(table, self.machine.column)


@pytest.fixture(params=seccomp.MACHINES, scope="module")
def kernel(request):
    """Return the Kernel of each machine that has a filter."""
    return Kernel(request.param)


def refused(error=errno.EPERM):
    """Return the kernel's answer that has a call fail with this error."""
    return 0x50000 | error


def test_the_filter_allows_the_calls_of_the_table_and_no_others(kernel):
    calls = kernel.numbers(seccomp.CALLS)
    unconditional = {
        number for name, number in calls.items() if name not in seccomp.CONDITIONS
    }
    conditional = {calls.get(name) for name in seccomp.CONDITIONS}
    others = set()
    for table in (seccomp.PATH_CALLS, seccomp.EMPTY_CALLS):
        others.update(kernel.numbers(table).values())
    any_arguments = [random.getrandbits(64) for _ in range(6)]
    allowed = set()
    answers = set()
    for number in set(range(CALLS_OF_LINUX_6_2)) - conditional - others:
        answer = kernel.answer(number, any_arguments)
        if answer == ALLOW:
            allowed.add(number)
        else:
            answers.add(answer)
    assert allowed == unconditional
    assert answers == {refused()}


def test_the_filter_allows_about_a_sixth_of_the_calls(kernel):
    allowed = len(kernel.numbers(seccomp.CALLS)) / CALLS_OF_LINUX_6_2
    assert allowed == pytest.approx(1 / 6, abs=0.03)


def test_the_filter_never_allows_calls_that_no_worker_needs(kernel):
    assert set(TABLES["calls of no worker"]).isdisjoint(kernel.numbers(seccomp.CALLS))


@pytest.mark.parametrize(
    "number, architecture, answer",
    [
        (CALLS_OF_LINUX_6_2, None, refused(errno.ENOSYS)),
        (2**30 - 1, None, refused(errno.ENOSYS)),
        (2**30, None, KILL),  # by the x32 convention
        (2**32 - 1, None, KILL),
        (0, 0x40000003, KILL),  # of i386
        (0, 0xFFFFFFFF, KILL),
    ],
)
def test_a_call_that_no_table_has_never_succeeds(number, architecture, answer, kernel):
    assert kernel.answer(number, architecture=architecture) == answer


def test_a_call_with_a_path_finds_no_file(kernel):
    numbers = kernel.numbers(seccomp.PATH_CALLS).values()
    answers = {kernel.answer(number) for number in numbers}
    assert answers == {refused(errno.ENOENT)}


def test_a_call_for_the_number_of_a_process_returns_zero(kernel):
    numbers = kernel.numbers(seccomp.EMPTY_CALLS).values()
    answers = {kernel.answer(number) for number in numbers}
    assert answers == {refused(seccomp.SUCCESS)}


def answer_to(call, kernel):
    """Return the filter's answer to a call such as "fcntl(3, fcntl.F_GETFD)"."""
    name, _, arguments = call.rstrip(")").partition("(")
    return kernel.answer(kernel.numbers(seccomp.CALLS)[name], eval(f"[{arguments}]"))


@pytest.mark.parametrize("verb, answer", [("allows", ALLOW), ("refuses", refused())])
def test_the_filter_gives_the_expected_answer(verb, answer, kernel):
    for call in TABLES[f"calls that the filter {verb}"]:
        assert answer_to(call, kernel) == answer, call
