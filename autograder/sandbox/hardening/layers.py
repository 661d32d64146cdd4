"""Provide the base class of all layers, and the layers without a policy.

`descriptors` prevents reading a tree, the results or the control socket through inherited
descriptors, and typing into the grader's terminal. It opens /dev/null again, so that
workers cannot signal to each other by the flags or the offset of an inherited file. It
also limits the kernel's memory for descriptors.

`limits` ends endless loops in C that survive the grader's clock. It prevents writing to
files if seccomp is missing. It also prevents the core dump of a crash, which a handler
outside all layers would write.

`memory` prevents using up the machine's memory, which would end the grader on Gradescope.

`uid` prevents reading private files of root, such as results and metadata. It also prevents
signaling the grader, and reading the grader's memory and /proc entries. Only root can apply
it, as on Gradescope.

`parent death` ends a worker that still sleeps after the zygote was killed.

`processes` prevents fork bombs, daemons and late threads. Root is exempt, so the limit
works only after the uid drop. It counts all processes of the user, but a limit of zero
affects only this process.

`no new privileges` disables the rights of setuid programs. Seccomp needs it.

`closed files` applies nothing. It tests whether the other layers close the kit's files,
such as the trees. With seccomp no file can be opened. Without seccomp, `uid` closes a
folder that only root may read, as on Gradescope.

On macOS `no new privileges`, `parent death` and `memory` are missing. There the grader's
own clock ends the search, and killing the worker frees its resources.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import resource
import signal
import socket
import sys
from itertools import pairwise
from typing import NamedTuple

try:
    import ctypes

    LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
    if LIBC is not None:
        LIBC.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4
        LIBC.syscall.argtypes = [ctypes.c_long] + [ctypes.c_ulong] * 6
        LIBC.syscall.restype = ctypes.c_long
except (ImportError, OSError, AttributeError):
    LIBC = None

MAX_DESCRIPTORS = 64  # of the zygote and of a worker, so that closing all is fast
MAX_CLOSED = 2**20  # descriptors that are closed if the system's limit is higher
STACK_BYTES = 64 * 2**20  # for deep recursion in Python 3.10, which uses the C stack
# No distribution assigns the user IDs 60706 to 61183.
FIRST_UNUSED_UID = 60706
UNUSED_UIDS = 478
# From linux/prctl.h, the same on every processor.
PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38


class Settings(NamedTuple):
    """The settings for confining workers.

    uid: the ID of the user and group to which root's workers drop, or None.
    cpu_seconds: the maximum CPU time of a worker.
    memory_bytes: the maximum address space of a worker.
    """

    uid: int | None = None
    cpu_seconds: int = 61
    memory_bytes: int = 384 * 2**20


class Missing(Exception):
    """This machine lacks a layer. The text is a short reason."""


class Layer:
    """One kind of protection, created once in the zygote and applied in every worker.

    Each method may raise Missing or OSError if the machine lacks the layer. The zygote
    calls all methods before it reports the layer. If `apply` fails later, the worker ends.
    It never runs a student's code with fewer layers than reported.

    name: the name of the layer in reports.
    """

    name = ""

    def __init__(self, settings):
        self.settings = settings

    def apply(self, descriptors):
        """Protect this process, a fresh worker, but leave these descriptors open."""

    def check(self):
        """Try an action that the layer forbids, and raise Missing if it succeeds."""


def prctl(option, *arguments):
    """Call prctl(2) and return its result. Raises OSError, or Missing without Linux."""
    return _call("prctl", option, *arguments)


def syscall(number, *arguments):
    """Make the system call with this number and return its result.

    Arguments are integers. A pointer is the address() of a buffer that must stay alive.
    Raises the same errors as prctl().
    """
    return _call("syscall", number, *arguments)


def need_libc():
    """Raise Missing if Linux's C library cannot be called."""
    if LIBC is None:
        raise Missing("needs Linux, and a Python with ctypes")


def _call(name, *arguments):
    """Call a function of the C library with zeros for the missing arguments."""
    need_libc()
    function = getattr(LIBC, name)
    zeros = [0] * (len(function.argtypes) - len(arguments))
    result = function(*arguments, *zeros)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def buffer(data):
    """Return a copy of bytes that has an address()."""
    return ctypes.create_string_buffer(data, len(data))


def address(data):
    """Return the address of a buffer in memory."""
    return ctypes.addressof(data)


def refuses(act, *arguments):
    """Return whether the machine refuses `act(*arguments)` with an OSError."""
    try:
        act(*arguments)
    except OSError:
        return True
    return False


def in_fork(function):
    """Run `function(report, pipe)` in a temporary fork and return its reports.

    Each report must be valid JSON data, and is sent through the descriptor `pipe`. A fork
    that dies early sends fewer reports.
    """
    reading, writing = os.pipe()

    def report(content):
        os.write(writing, json.dumps(content).encode() + b"\n")

    pid = os.fork()
    if pid == 0:
        try:
            function(report, writing)
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        reports = [json.loads(line) for line in pipe]
    os.waitpid(pid, 0)
    return reports


class Descriptors(Layer):
    """Closes inherited descriptors and redirects 0, 1 and 2 to /dev/null."""

    name = "descriptors"

    def __init__(self, settings):
        super().__init__(settings)
        soft_limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        is_usual = 0 < soft_limit < MAX_CLOSED
        os.closerange(MAX_DESCRIPTORS, soft_limit if is_usual else MAX_CLOSED)
        _limit("NOFILE", MAX_DESCRIPTORS)

    def apply(self, descriptors):
        """Close all other descriptors."""
        null = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(null, standard)
        for below, above in pairwise([2, *sorted(descriptors), MAX_DESCRIPTORS]):
            os.closerange(below + 1, above)

    def check(self):
        """Open descriptors until the system refuses another."""
        opened = []
        try:
            for _ in range(MAX_DESCRIPTORS):
                opened.append(os.dup(0))
        except OSError:
            return
        finally:
            for descriptor in opened:
                os.close(descriptor)
        raise Missing("the limit on descriptors has no effect")


class Limits(Layer):
    """Limits CPU seconds, allows only empty files, and allows deep recursion."""

    name = "limits"

    def apply(self, descriptors):
        """Set the limits. The student's code may still raise the stack's limit."""
        _limit("CPU", self.settings.cpu_seconds)
        _limit("FSIZE", 0)
        _limit("CORE", 0)
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        soft = _within(hard, STACK_BYTES)
        resource.setrlimit(resource.RLIMIT_STACK, (soft, hard))


class Memory(Layer):
    """Limits the size of the address space."""

    name = "memory"

    def apply(self, descriptors):
        """Set the limit."""
        _limit("AS", self.settings.memory_bytes)

    def check(self):
        """Try to map as many bytes as the whole address space may have."""
        if not refuses(mmap.mmap, -1, self.settings.memory_bytes):
            raise Missing("the limit on the address space has no effect")


def _limit(name, value):
    """Lower the hard and the soft resource limit RLIMIT_{name}."""
    number = getattr(resource, f"RLIMIT_{name}", None)
    if number is None:
        raise Missing(f"this system has no limit {name}")
    hard = resource.getrlimit(number)[1]
    value = _within(hard, value)
    resource.setrlimit(number, (value, value))


def _within(hard_limit, value):
    """Return the value, or the hard limit if that is lower."""
    if hard_limit == resource.RLIM_INFINITY:
        return value
    return min(value, hard_limit)


def unused_uid():
    """Return the ID of a user that owns nothing, or None if this user is not root.

    While this process runs, no other sandbox gets the same ID, so their workers cannot
    signal each other. The ID is claimed by a socket of its name, which stays open.
    """
    if os.geteuid() != 0:
        return None
    claim = socket.socket(socket.AF_UNIX)
    for number in range(os.getpid(), os.getpid() + UNUSED_UIDS):
        uid = FIRST_UNUSED_UID + number % UNUSED_UIDS
        with contextlib.suppress(OSError):
            claim.bind(f"\0alphabeta-{uid}")
            claim.detach()
            break
    return uid


class Uid(Layer):
    """Switches from root to an unused uid and gid, without any other groups."""

    name = "uid"

    def __init__(self, settings):
        super().__init__(settings)
        if settings.uid is None:
            raise Missing("only root can run the worker as another user")

    def apply(self, descriptors):
        """Drop root permanently."""
        uid = self.settings.uid
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)

    def check(self):
        """Try to regain root's user ID, group ID and other groups."""
        if not (refuses(os.setuid, 0) and refuses(os.setgid, 0)):
            raise Missing("root can be regained")
        if os.getgroups() or not refuses(os.setgroups, [0]):
            raise Missing("root's groups can be regained")


class ParentDeath(Layer):
    """Makes the kernel kill the worker when the zygote ends.

    A change of uid clears this setting, so this layer is applied after `uid`.
    """

    name = "parent death"

    def __init__(self, settings):
        super().__init__(settings)
        self._zygote = os.getpid()

    def apply(self, descriptors):
        """Request the signal, then check whether the zygote has already ended."""
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != self._zygote:
            os._exit(71)


class Processes(Layer):
    """Forbids further processes and threads."""

    name = "processes"

    def apply(self, descriptors):
        """Set the limit to 0."""
        _limit("NPROC", 0)

    def check(self):
        """Try to fork a process."""
        if refuses(in_fork, _report_nothing):
            return
        if os.geteuid() == 0:
            raise Missing("root is exempt")
        raise Missing("the limit on processes has no effect")


def _report_nothing(report, pipe):
    """Do nothing in a fork."""


class NoNewPrivileges(Layer):
    """Disables setuid programs permanently, for this process and its children."""

    name = "no new privileges"

    def apply(self, descriptors):
        """Set the flag."""
        prctl(PR_SET_NO_NEW_PRIVS, 1)


class ClosedFiles(Layer):
    """Tests whether the other layers close the kit's files to a worker."""

    name = "closed files"

    def check(self):
        """Try to open a file of the kit."""
        if not refuses(os.open, __file__, os.O_RDONLY):
            raise Missing("a submission can read the kit's files, such as the trees")
