"""Each layer of hardening alone: what it forbids fails, and succeeds without it.

Then: which layers a machine has. What a right submission may do under all of them is in
tests/hostile, and test_sandbox.py imports the standard library. Things are tried in two
forks, as in the grader: the first plays the zygote (as root, or as an ordinary user),
prepares the layers and forks the second, which applies them and acts.
"""

import contextlib
import ctypes
import errno
import fcntl
import functools
import os
import random
import resource
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
from pathlib import Path

import pytest

from autograder.sandbox import hardening
from autograder.sandbox.hardening import LAYERS, Plan, Settings, seccomp
from autograder.sandbox.hardening.files import Landlock, Uid, library_folders
from autograder.sandbox.hardening.layer import Missing, in_fork
from autograder.sandbox.hardening.process import ParentDeath

ROOT = os.geteuid() == 0
WORKER_UID, USER_UID = 61800, 61900  # which no account has
LIBC = ctypes.CDLL(None, use_errno=True)
GRADER = os.getpid()
NAMES = [layer.name for layer in LAYERS]

# Layers that hold only with another: root is exempt from the limit on processes, and
# may not have kept what it needs to do without the promise of no new privileges.
NEEDS = {"processes": "uid"} | dict.fromkeys(("landlock", "seccomp"), "no new privileges")

only_root = pytest.mark.skipif(not ROOT, reason="not root")
AS_EITHER = [pytest.param(True, id="root", marks=only_root), pytest.param(False, id="user")]


def become_user():
    """Be an ordinary user's program: give up root, where there is root to give up."""
    if ROOT:
        os.setgroups([])
        os.setresgid(USER_UID, USER_UID, USER_UID)
        os.setresuid(USER_UID, USER_UID, USER_UID)


def layers(*names):
    """Return the layers of these names."""
    return [layer for layer in LAYERS if layer.name in names]


def hardened(act, *, root=ROOT, only=LAYERS, **settings):
    """Return what `act()` returned, or the name of the exception it raised.

    None says that the process died. What it returns must fit JSON.
    """
    statm = Path("/proc/self/statm")  # a fork has these pages; a real zygote has few
    pages = int(statm.read_text().split()[0]) if statm.exists() else 0
    memory = Settings().memory_bytes + pages * os.sysconf("SC_PAGE_SIZE")
    settings = {"uid": WORKER_UID if root else None, "memory_bytes": memory, **settings}

    def zygote(report, pipe):
        if not root:
            become_user()
        plan = Plan(Settings(**settings), only)
        for content in in_fork(functools.partial(worker, plan, pipe)):
            report(content)

    def worker(plan, outer, report, pipe):
        plan.apply([pipe, outer])
        try:
            report(act())
        except BaseException as error:
            report(type(error).__name__)

    return (*in_fork(zygote), None)[0]


def planned(root=ROOT, uid=None):
    """Return (the names of the layers that a Plan holds, {a missing one: the reason})."""

    def zygote(report, _):
        if not root:
            become_user()
        plan = Plan(Settings(uid=uid))
        report([plan.held, dict(plan.missing)])

    return in_fork(zygote)[0]


@functools.cache
def missing(root):
    """Return {layer: reason} for the layers that this machine cannot give."""
    return planned(root, uid=WORKER_UID if root else None)[1]


def done(acts):
    """Return the names of those acts that raise no exception."""
    names = []
    for name, act in acts.items():
        with contextlib.suppress(OSError, RuntimeError, MemoryError):
            act()
            names.append(name)
    return names


def fork_and_reap():
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def start_thread():
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()


def raise_privileges():
    if LIBC.prctl(39, 0, 0, 0, 0):
        raise OSError("no new privileges")


def connect():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()


@pytest.fixture
def place():
    """A folder that everybody may write to, with files that only their owner may read."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        for name, mode in (("secret", 0o600), ("old", 0o666)):
            (Path(folder) / name).write_text("canary")
            (Path(folder) / name).chmod(mode)
        yield Path(folder)


# Layer -> what it forbids, by name: an act that is given the place above and a descriptor
# of a file in it. Without the layer the act is done.
FORBIDDEN = {
    "descriptors": {
        "read what came along": lambda place, secret: os.pread(secret, 9, 0),
        "open many": lambda *_: [os.dup(0) for _ in range(80)],
    },
    "limits": {"fill a file": lambda place, secret: os.write(secret, b"x")},
    "memory": {"take memory": lambda *_: bytes(600 * 2**20)},
    "processes": {"fork": lambda *_: fork_and_reap(), "thread": lambda *_: start_thread()},
    "no new privileges": {"run a setuid program": lambda *_: raise_privileges()},
    "uid": {
        "read root's file": lambda place, _: (place / "secret").read_text(),
        "signal the grader": lambda *_: os.kill(GRADER, 0),
        "read its environment": lambda *_: Path(f"/proc/{GRADER}/environ").read_bytes(),
        "be root": lambda *_: os.setuid(0),
        "be root for a while": lambda *_: os.seteuid(0),
        "be of root's group": lambda *_: os.setgid(0),
        "be of root's groups": lambda *_: os.setgroups([0]),
    },
    "landlock": {
        "read for all": lambda *_: Path("/etc/passwd").read_text(),
        "read /proc": lambda *_: Path("/proc/self/status").read_text(),
        "read of others": lambda *_: Path("/proc/1/stat").read_text(),
        "list /": lambda *_: os.listdir("/"),
        "list here": lambda place, _: os.listdir(place),
        "make a file": lambda place, _: (place / "new").touch(),
        "make a folder": lambda place, _: os.mkdir(place / "folder"),
        "make a link": lambda place, _: os.symlink("/etc/passwd", place / "symbolic"),
        "make a pipe": lambda place, _: os.mkfifo(place / "pipe"),
        "make a hard link": lambda place, _: os.link(place / "old", place / "hard"),
        "bind": lambda place, _: socket.socket(socket.AF_UNIX).bind(f"{place}/socket"),
        "truncate": lambda place, _: os.truncate(place / "old", 0),
        "rename": lambda place, _: os.rename(place / "old", place / "older"),
        "remove": lambda place, _: os.remove(place / "older"),
        "connect": lambda *_: connect(),
        "signal": lambda *_: os.kill(os.getppid(), 0),
    },
    "seccomp": {
        "send": lambda *_: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
        "signal": lambda *_: os.kill(os.getppid(), 0),
        "fork": lambda *_: fork_and_reap(),
        "thread": lambda *_: start_thread(),
        "start a program": lambda *_: os.posix_spawn("/bin/true", ["true"], {}),
        "make a folder": lambda place, _: os.mkdir(place / "new folder"),
        "change rights": lambda place, _: os.chmod(place / "secret", 0o600),
        "step back": lambda *_: os.nice(0),
        "write": lambda *_: Path("/dev/null").write_text(""),
    },
}


@pytest.mark.parametrize("root", AS_EITHER)
@pytest.mark.parametrize("layer", FORBIDDEN)
def test_a_layer_forbids_what_succeeds_without_it(layer, root, place):
    if layer == "uid" and not root:
        pytest.skip("only root can do it")
    if layer in missing(root):
        pytest.skip(f"{layer}: {missing(root)[layer]}")
    with open(place / "secret", "r+b") as secret:
        given = place, secret.fileno()
        acts = {n: functools.partial(a, *given) for n, a in FORBIDDEN[layer].items()}
        alone = layers(layer, NEEDS.get(layer))
        assert hardened(lambda: done(acts), root=root, only=alone) == []
        if root == ROOT:
            assert hardened(lambda: done(acts), root=root, only=()) == [*acts]


def test_standard_descriptors_lead_nowhere_and_dev_null_is_open():
    def read_and_write():
        null = os.open(os.devnull, os.O_WRONLY)
        return [os.read(0, 9).decode(), *(os.write(n, b"lost") for n in (1, 2, null))]

    all_but_seccomp = [layer for layer in LAYERS if layer is not seccomp.Seccomp]
    assert hardened(read_and_write, only=all_but_seccomp) == ["", 4, 4, 4]


def test_cpu_seconds_end_an_endless_computation_in_c():
    assert hardened(lambda: 7**10**9 % 2, cpu_seconds=1) is None


def test_the_stack_limit_may_still_be_raised_by_an_honest_deep_recursion():
    def raise_it():
        resource.setrlimit(resource.RLIMIT_STACK, resource.getrlimit(resource.RLIMIT_STACK))
        return resource.getrlimit(resource.RLIMIT_STACK)[0] >= 2**23

    assert hardened(raise_it) is True


def test_a_worker_whose_zygote_ended_before_does_not_start():
    def zygote(report, pipe):
        layer = ParentDeath(Settings())

        def start(report, _):
            in_fork(lambda *_: (layer.apply(()), report("ran")))

        report(in_fork(start))

    assert in_fork(zygote) == [[]]


@only_root
def test_the_uid_drop_leaves_no_group_and_is_not_made_to_root_itself():
    def zygote(report, pipe):
        os.setgroups([0, 61234])
        plan = Plan(Settings(uid=WORKER_UID), [Uid])
        report(in_fork(lambda report, _: (plan.apply([pipe]), report(os.getgroups()))))

    assert in_fork(zygote) == [[[]]]
    with pytest.raises(Missing, match="root's own"):
        Uid(Settings(uid=0))


def test_the_library_alone_is_opened_to_the_worker():
    home = sysconfig.get_paths()["stdlib"]
    assert library_folders()
    assert all(folder.startswith(home) for folder in library_folders())


@only_root
def test_the_library_is_no_way_into_the_folders_around_it():
    def climb():
        opened = []
        for folder in library_folders():
            for _ in range(12):
                folder += "/.."
                with contextlib.suppress(OSError):
                    opened += [f"{folder}/{name}" for name in os.listdir(folder)]
        files = [path for path in opened if os.path.isfile(path)]
        closed = [path for path in files if not os.stat(path).st_mode & 0o004]
        return [path for path in closed if os.access(path, os.R_OK)]

    assert hardened(climb, only=[Uid]) == []
    assert hardened(lambda: os.listdir("/root"), only=[Uid]) == "PermissionError"


class TestTheReport:
    def test_names_what_holds_and_why_the_rest_does_not(self):
        held, rest = planned(root=False)
        assert rest["uid"] == "only root can give the worker a user of its own"
        assert sorted([*held, *rest]) == sorted(NAMES)

    @only_root
    def test_does_not_call_held_what_root_is_exempt_from(self):
        assert planned()[1]["processes"] == "root is exempt"

    def test_believes_no_layer_that_it_did_not_see_at_work(self, monkeypatch):
        monkeypatch.setattr(seccomp.Seccomp, "apply", lambda self, keep: None)
        monkeypatch.setattr(Landlock, "apply", lambda self, keep: os._exit(1))
        held, rest = planned()
        assert rest["seccomp"] == "the filter has no effect"
        assert rest["landlock"] == "its trial died"
        assert "limits" in held and "memory" in held


def test_a_layer_that_fails_later_stops_the_worker():
    def zygote(report, pipe):
        plan = Plan(Settings())
        os.dup2 = lambda *_: os.close(-1)
        in_fork(lambda *_: (plan.apply([pipe]), report("ran on")))

    assert in_fork(zygote) == []


ELSEWHERE = """
import builtins, os, sys

def without(name, *rest, real=builtins.__import__):
    if name == "ctypes":
        raise ImportError(name)
    return real(name, *rest)

folder, sys.platform, *names = sys.argv[1:]
for name in names:
    delattr(os, name)
builtins.__import__ = without
sys.path.insert(0, folder)
from hardening import Plan, Settings
print(", ".join(Plan(Settings(uid=61802)).held))
"""


@pytest.mark.parametrize("elsewhere", [("darwin", "setresuid"), ("linux",)])
def test_other_systems_get_what_they_have(elsewhere):
    folder = Path(hardening.__file__).parent.parent
    program = [sys.executable, "-s", "-S", "-c", ELSEWHERE, folder, *elsewhere]
    output = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    assert output.startswith("descriptors, limits")
    assert not any(n in output for n in ("landlock", "seccomp", "no new privileges"))


KILL = 0x80000000
ALLOW = 0x7FFF0000
HIGHER = 1 << 32  # in the upper half of an argument
AT_FDCWD = HIGHER - 100
STREAM_SOCKET = socket.SOCK_STREAM | socket.SOCK_CLOEXEC | socket.SOCK_NONBLOCK
FOR_READING = os.O_RDONLY | os.O_CLOEXEC | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_PATH
TCGETS = 0x5401  # for isatty
TIOCSTI = 0x5412  # types for the user
F_SETPIPE_SZ = 1031

ALLOWED = [
    ("openat", 0, 0, FOR_READING),
    ("openat", AT_FDCWD, 0, 0),
    ("fcntl", 3, fcntl.F_DUPFD),
    ("fcntl", 3, fcntl.F_DUPFD_CLOEXEC),
    ("fcntl", 3, fcntl.F_GETFD),
    ("fcntl", 3, fcntl.F_SETFD),
    ("fcntl", 3, fcntl.F_GETFL),
    ("ioctl", 0, TCGETS),
    ("prlimit64", 0),  # of this process
    ("socketpair", socket.AF_UNIX, STREAM_SOCKET),
    ("sendto", 3, 1, 1, 0, 0),
]
REFUSED = [
    ("fcntl", 3, fcntl.F_SETFL),
    ("fcntl", 3, fcntl.F_SETOWN),
    ("fcntl", 3, fcntl.F_SETSIG),
    ("fcntl", 3, fcntl.F_SETLK),
    ("fcntl", 3, fcntl.F_SETLKW),
    ("fcntl", 3, fcntl.F_NOTIFY),
    ("fcntl", 3, fcntl.F_SETLEASE),
    ("fcntl", 3, F_SETPIPE_SZ),
    ("ioctl", 0, TIOCSTI),
    ("ioctl", 0, TIOCSTI | HIGHER),
    ("prlimit64", 1),
    ("socketpair", socket.AF_UNIX, socket.SOCK_DGRAM),
    ("socketpair", socket.AF_INET, STREAM_SOCKET),
    ("sendto", 3, 1, 1, 0, 1),
    ("sendto", 3, 1, 1, 0, HIGHER),
    ("sendto", 3, 1, 1, 0, HIGHER | 1),
]
WRITING_FLAGS = (
    os.O_WRONLY,
    os.O_RDWR,
    os.O_CREAT,
    os.O_TRUNC,
    os.O_APPEND,
    os.O_TMPFILE,
)
FOR_WRITING = [
    ("openat", 0, 0, flag | noise)
    for flag in WRITING_FLAGS
    for noise in (0, HIGHER, os.O_CLOEXEC)
]

# Calls that no machine's worker may make, whatever the arguments.
NEVER = [
    "kill",
    "tkill",
    "fork",
    "vfork",
    "clone3",
    "execve",
    "execveat",
    "ptrace",
    "prctl",
    "process_vm_readv",
    "pidfd_open",
    "unlink",
    "rename",
    "mkdir",
    "chmod",
    "truncate",
    "flock",
    "memfd_create",
    "io_uring_setup",
    "bpf",
    "userfaultfd",
    "keyctl",
    "shmget",
    "mq_open",
    "setpriority",
    "sched_setaffinity",
    "personality",
    "unshare",
    "mount",
    "inotify_init1",
    "setsid",
    "perf_event_open",
    "openat2",
    "sendmsg",
    "setuid",
    "chroot",
    "timer_create",
]


class Kernel:
    """Runs a machine's filter as its kernel would."""

    def __init__(self, machine):
        self.machine = seccomp.MACHINES[machine]
        self.instructions = seccomp.build_filter(machine)

    def answer(self, number, arguments=(), architecture=None):
        """Return what the kernel answers to a call of this number."""
        words = self._words_of_call(number, arguments, architecture)
        position = 0
        accumulator = None
        while True:
            instruction = self.instructions[position]
            operation, value, if_true, if_false = instruction
            position += 1
            if operation == seccomp.RETURN:
                return value
            if operation == seccomp.LOAD:
                accumulator = words[value]
            elif operation == seccomp.AND:
                accumulator &= value
            elif operation == seccomp.IF_EQUAL:
                position += if_true if accumulator == value else if_false
            elif operation == seccomp.IF_AT_LEAST:
                position += if_true if accumulator >= value else if_false
            else:
                raise ValueError(f"{instruction} is not an instruction")

    def _words_of_call(self, number, arguments, architecture):
        """Return offset -> word of struct seccomp_data."""
        if architecture is None:
            architecture = self.machine.architecture
        words = {0: number, 4: architecture}
        for index in range(6):
            argument = arguments[index] if index < len(arguments) else 0
            words[16 + 8 * index] = argument & 0xFFFFFFFF
            words[20 + 8 * index] = argument >> 32
        return words

    def call(self, name, *arguments):
        """Return what the kernel answers to an allowed call, by its name."""
        return self.answer(self.machine.calls[name], arguments)


@pytest.fixture(params=seccomp.MACHINES, scope="module")
def kernel(request):
    return Kernel(request.param)


def refused(error=errno.EPERM):
    """Return the kernel's answer that has a call fail with this error."""
    return 0x50000 | error


def test_the_filter_allows_the_calls_of_the_table_and_no_others(kernel):
    unconditional = {
        number
        for name, number in kernel.machine.calls.items()
        if name not in seccomp.CONDITIONS
    }
    conditional = {kernel.machine.calls.get(name) for name in seccomp.CONDITIONS}
    any_arguments = [random.getrandbits(64) for _ in range(6)]
    allowed = set()
    others = set()
    for number in set(range(seccomp.NEWEST_CALL + 1)) - conditional:
        answer = kernel.answer(number, any_arguments)
        if answer == ALLOW:
            allowed.add(number)
        else:
            others.add(answer)
    assert allowed == unconditional
    assert others == {refused()}


@pytest.mark.parametrize("name", NEVER)
def test_the_filter_allows_under_no_condition(name, kernel):
    assert name not in kernel.machine.calls


@pytest.mark.parametrize("number", [seccomp.NEWEST_CALL + 1, 460, 2**20, 2**30 - 1])
def test_a_call_newer_than_the_table_does_not_exist(number, kernel):
    assert kernel.answer(number) == refused(errno.ENOSYS)


@pytest.mark.parametrize("number", [2**30, 2**30 + 63, 2**32 - 1])
def test_a_call_by_the_x32_convention_kills(number, kernel):
    assert kernel.answer(number) == KILL


OTHER_MACHINES = {"i386": 0x40000003, "arm": 0x40000028, "unknown": 1, "all": 0xFFFFFFFF}


@pytest.mark.parametrize("architecture", OTHER_MACHINES)
def test_a_call_in_another_machines_way_kills(architecture, kernel):
    number = kernel.machine.calls["read"]
    answer = kernel.answer(number, architecture=OTHER_MACHINES[architecture])
    assert answer == KILL


def call_id(call):
    """Return how a test's name shows a call."""
    name, *arguments = call
    return f"{name}({', '.join(map(hex, arguments))})"


@pytest.mark.parametrize("call", ALLOWED, ids=call_id)
def test_the_filter_allows(call, kernel):
    assert kernel.call(*call) == ALLOW


@pytest.mark.parametrize("call", REFUSED, ids=call_id)
def test_the_filter_refuses(call, kernel):
    assert kernel.call(*call) == refused()


@pytest.mark.parametrize("call", FOR_WRITING, ids=call_id)
def test_the_filter_refuses_to_open_for_writing(call, kernel):
    assert kernel.call(*call) == refused(errno.EACCES)
