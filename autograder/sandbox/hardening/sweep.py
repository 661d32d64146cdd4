"""End whatever a worker left behind, and reap it.

Stops: daemons, double forks, children in sessions of their own, fork bombs that wait
for the grader to finish. The zygote is a subreaper, so that an orphan becomes its
child wherever it fled; having no child at all proves that nothing is left, at the
price of two system calls. Where there is no subreaper (macOS): the process group of
the worker is killed, and as root every process of its uid; else one that left the
group escapes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time

from . import libc
from .layer import Layer, Missing
from .uid import guard_of

PATIENCE = 2.0  # seconds until the sweeper gives up on what does not die


class Subreaper(Layer):
    """Makes the zygote the parent of every orphan below it."""

    name = "subreaper"

    def __init__(self, settings):
        super().__init__(settings)
        libc.need_libc()
        try:
            libc.prctl(libc.PR_SET_CHILD_SUBREAPER, 1)
        except OSError as error:
            raise Missing(error.strerror) from None


def sweep(pid, uid=None):
    """Kill and reap all that the worker `pid` left; return whether nothing is left.

    Call it in the zygote after the worker itself was reaped. `uid` is the worker's
    own unprivileged user id, or None where the worker ran as the grader's user.
    """
    if _reaped_all() and _adopts_orphans():
        return True
    guard = guard_of(uid) if uid is not None and os.geteuid() == 0 else None
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        _kill_group(pid)
        if guard is not None:
            _kill_user(uid, guard)
        _kill_descendants()
        if _reaped_all():
            return True
        time.sleep(0.001)
    return False


def _reaped_all():
    """Reap every child that ended; return whether no child is left."""
    while True:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                return False
        except ChildProcessError:
            return True


def _adopts_orphans():
    """Return whether this process is a subreaper."""
    if libc.LIBC is None:
        return False
    flag = libc.ctypes.c_int(0)
    libc.prctl(libc.PR_GET_CHILD_SUBREAPER, libc.ctypes.addressof(flag))
    return bool(flag.value)


def _kill_group(pid):
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)


def _kill_user(uid, guard):
    """Kill all processes of `uid` at once, from a child that took this uid.

    One kill(-1) leaves a fork bomb no gap. Its real uid is another unused one, so that
    those it kills cannot kill it first.
    """
    pid = os.fork()
    if pid == 0:
        try:
            os.setgroups([])
            os.setresuid(guard, uid, guard)
            if os.getresuid() == (guard, uid, guard):
                os.kill(-1, signal.SIGKILL)
        finally:
            os._exit(0)
    os.waitpid(pid, 0)


def _kill_descendants():
    children = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit():
            children.setdefault(_parent_of(name), []).append(int(name))
    family = [os.getpid()]
    for pid in family:
        family.extend(children.get(pid, ()))
    for pid in family[1:]:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def _parent_of(name):
    try:
        with open(f"/proc/{name}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return None
