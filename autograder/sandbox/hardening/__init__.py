"""Confine a worker in optional layers, which are tested and reported.

The zygote creates one `Plan` and applies it in every fork. A trial fork tests every layer.
Only layers that pass are applied and reported as active. Like the zygote, this package
imports only the standard library.

A layer is a function of the Settings. It protects this process, a fresh worker, and tests
its effect. It raises Missing or OSError if the machine lacks it.

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

`seccomp` refuses all system calls that the policy in seccomp.py does not allow.

`closed files` applies nothing. It tests whether the other layers close the kit's files,
such as the trees. With seccomp no file can be opened. Without seccomp, `uid` closes a
folder that only root may read, as on Gradescope.

On macOS `no new privileges`, `parent death` and `memory` are missing. There the grader's
own clock ends the search, and killing the worker frees its resources.
"""

from __future__ import annotations

import contextlib
import marshal
import mmap
import os
import resource
import signal
import socket
import struct
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

from .seccomp import FILTERS, INSTRUCTION, MACHINES

try:
    import ctypes

    LIBC = ctypes.CDLL(None, use_errno=True)
except ImportError:  # a Python without this module
    LIBC = None  # type: ignore[assignment]

MAX_DESCRIPTORS = 64  # of a worker; the zygote has fewer
# No distribution assigns the user IDs 60706 to 61183.
FIRST_UNUSED_UID = 60706
UNUSED_UIDS = 478
# From linux/prctl.h, the same on every processor.
PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
# From linux/seccomp.h.
SET_MODE_FILTER = 1
# Without it, kernels before 5.16 slow down the whole worker to prevent Spectre attacks on
# its own process, which has nothing to steal.
SPEC_ALLOW = 4


class Settings(NamedTuple):
    """The settings for confining workers.

    uid: the ID of the user and group to which root's workers drop, or None.
    zygote: the process that forks the workers.
    descriptors: those that stay open.
    cpu_seconds: the maximum CPU time of a worker, far above the limits of a submission.
    memory_bytes: the maximum address space of a worker.
    """

    uid: int | None = None
    zygote: int = 0
    descriptors: tuple[int, ...] = ()
    cpu_seconds: int = 3600
    memory_bytes: int = 384 * 2**20


class Missing(Exception):
    """This machine lacks a layer. The text is a short reason."""


def call_libc(name, *arguments):
    """Call a function of the C library with integers, and zeros after them; return an int.

    Raises OSError, or Missing without Linux.
    """
    if LIBC is None or sys.platform != "linux":
        raise Missing("needs Linux, and a Python with ctypes")
    numbers = [ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0)]
    result = LIBC[name](*numbers)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def fork() -> int:
    """Fork as os.fork() does, but without a record of the process number in memory.

    The C library and Python would note the number, by which a worker could count the
    workers before it. A fork that they do not know of has the numbers of the zygote.
    """
    machine = MACHINES.get(os.uname().machine)
    if machine is not None:
        with contextlib.suppress(Missing):
            return call_libc("syscall", machine.clone_call, signal.SIGCHLD)
    return os.fork()


def close_descriptors(settings):
    """Close all other descriptors, and redirect 0, 1 and 2 to /dev/null."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    kept = sorted(settings.descriptors)
    for below, above in pairwise([2, *kept, MAX_DESCRIPTORS]):
        os.closerange(below + 1, above)
    _limit("NOFILE", MAX_DESCRIPTORS)


def limit_resources(settings):
    """Limit CPU seconds, and allow only empty files."""
    _limit("CPU", settings.cpu_seconds)
    _limit("FSIZE", 0)
    _limit("CORE", 0)


def limit_memory(settings):
    """Limit the size of the address space."""
    _limit("AS", settings.memory_bytes)
    with contextlib.suppress(OSError):
        mmap.mmap(-1, settings.memory_bytes)
        raise Missing("the limit on the address space has no effect")


def _limit(name, value):
    """Lower the hard and the soft resource limit RLIMIT_{name}."""
    number = getattr(resource, f"RLIMIT_{name}")
    hard = resource.getrlimit(number)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(number, (value, value))


def unused_uid() -> int | None:
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


def drop_root(settings):
    """Switch permanently from root to an unused uid and gid, without any other groups."""
    uid = settings.uid
    if uid is None:
        raise Missing("only root can run the worker as another user")
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def die_with_zygote(settings):
    """Make the kernel kill the worker when the zygote ends, or end it if that is past.

    A change of uid clears this setting, so this layer is applied after `uid`.
    """
    call_libc("prctl", PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != settings.zygote:
        os._exit(71)


def forbid_processes(settings):
    """Forbid further processes and threads."""
    _limit("NPROC", 0)
    try:
        pid = os.fork()
    except OSError:
        return
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    raise Missing("the limit has no effect, as for root")


def disable_setuid(settings):
    """Disable setuid programs permanently, for this process and its children."""
    call_libc("prctl", PR_SET_NO_NEW_PRIVS, 1)


def filter_calls(settings):
    """Make the kernel refuse all calls that the policy does not allow, permanently."""
    machine = os.uname().machine
    if machine not in MACHINES or sys.maxsize < 2**32:
        raise Missing(f"no policy for the processor {machine}")
    instructions = FILTERS[machine]
    program = ctypes.create_string_buffer(instructions)
    count = len(instructions) // INSTRUCTION.size
    head = struct.pack("@HP", count, ctypes.addressof(program))
    filter_ = ctypes.create_string_buffer(head, len(head))
    call = MACHINES[machine].seccomp_call
    call_libc("syscall", call, SET_MODE_FILTER, SPEC_ALLOW, ctypes.addressof(filter_))


def check_files(settings):
    """Test whether the other layers close the kit's files."""
    with contextlib.suppress(OSError):
        os.close(os.open(__file__, os.O_RDONLY))
        raise Missing("a submission can read the kit's files, such as the trees")


Layer = Callable[[Settings], None]
# In the order in which they are applied. The uid drop clears the parent-death signal, and
# root is exempt from the limit on processes, so both follow the drop. Seccomp needs
# no_new_privs, and forbids the calls of all layers before it.
LAYERS = {
    "descriptors": close_descriptors,
    "limits": limit_resources,
    "memory": limit_memory,
    "uid": drop_root,
    "parent death": die_with_zygote,
    "processes": forbid_processes,
    "no new privileges": disable_setuid,
    "seccomp": filter_calls,
    "closed files": check_files,
}


class Plan:
    """The layers that work on this machine, ready to be applied in a fork.

    Create it once, in the zygote, before any fork.

    missing: the name of each missing layer -> the reason.
    """

    def __init__(self, settings: Settings, layers: dict[str, Layer] = LAYERS):
        self._settings = settings._replace(zygote=os.getpid())
        trials = dict(in_fork(self._try_layers, layers))
        self.missing = {}
        self._layers = []
        for name, layer in layers.items():
            reason = trials.get(name, "its trial died")
            if reason:
                self.missing[name] = reason
            else:
                self._layers.append(layer)

    def apply(self, descriptors: tuple[int, ...]) -> None:
        """Harden this process, a fresh fork, and close all other descriptors.

        Raises the error of a layer that fails although it passed its test. The worker must
        then end.
        """
        settings = self._settings._replace(descriptors=descriptors)
        for layer in self._layers:
            layer(settings)

    def _try_layers(self, report, pipe, layers):
        """Apply all layers, and report the name of each, with the reason if it fails."""
        settings = self._settings._replace(descriptors=(pipe,))
        for name, layer in layers.items():
            reason = ""
            try:
                layer(settings)
            except Exception as error:  # Missing, OSError, or too little memory
                reason = str(error) or type(error).__name__
            report([name, reason])


def in_fork(function: Callable, *arguments: object) -> list:
    """Run `function(report, pipe, *arguments)` in a temporary fork; return its reports.

    Each report is a value that marshal can write, and is sent through the descriptor
    `pipe`. A fork that dies early sends fewer reports.
    """
    reading, writing = os.pipe()

    def report(content):
        os.write(writing, marshal.dumps(content))

    pid = os.fork()
    if pid == 0:
        try:
            function(report, writing, *arguments)
        finally:
            os._exit(0)
    os.close(writing)
    reports = []
    with open(reading, "rb") as pipe, contextlib.suppress(EOFError):
        while True:
            reports.append(marshal.load(pipe))
    os.waitpid(pid, 0)
    return reports
