"""A process as Gradescope's default container would have it, as far as this machine can.

Half a CPU and 768 MB by control groups (version 1 or 2); another user, and a default
container's capabilities, by setpriv. What cannot be had is said in words.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

CPU_SHARE, MEMORY = 0.5, 768 * 2**20
PERIOD = 100_000  # microseconds
GROUPS = Path("/sys/fs/cgroup")
CAPABILITIES = (
    *("chown", "dac_override", "fowner", "fsetid", "kill", "setgid", "setuid", "setpcap"),
    *("net_bind_service", "net_raw", "sys_chroot", "mknod", "audit_write", "setfcap"),
)


class Box:
    """Bounds for the processes that it starts; a context manager.

    `uid` is the user that they run as, None for the present one. `words` say which bounds
    hold, in a list of short phrases. Outside of its context only the user is changed.
    """

    def __init__(self, uid=None):
        self.words = []
        self._groups, self._bounds, self._prefix = [], "", []
        if uid is not None:
            self._prefix = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]

    def __enter__(self):
        self._make_groups()
        if os.geteuid() == 0 and not self._prefix:
            kept = ",".join(["-all", *(f"+{name}" for name in CAPABILITIES)])
            self._prefix = ["setpriv", f"--bounding-set={kept}", "--inh-caps=-all"]
            if self.run(["true"]).returncode:
                self._prefix = []
                self.words.append("all of root's capabilities, as setpriv takes none away")
            else:
                self.words.append("a default container's capabilities")
        return self

    def __exit__(self, *_):
        for group in self._groups:
            with contextlib.suppress(OSError):
                group.rmdir()

    def run(self, command, **options):
        """Run a command within the bounds; return its CompletedProcess, with text.

        A shell binds itself and becomes the command: nothing of Python runs between fork
        and exec, where a lock of another thread could hang.
        """
        launcher = ["sh", "-c", f'{self._bounds} exec "$@"', "sh", *self._prefix]
        return subprocess.run(
            [*launcher, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            **options,
        )

    def _make_groups(self):
        name = f"rehearse-{os.getpid()}-{id(self)}"
        quota = int(PERIOD * CPU_SHARE)
        version_1 = {
            GROUPS / "cpu" / name: {"cpu.cfs_quota_us": quota, "cpu.cfs_period_us": PERIOD},
            GROUPS / "memory" / name: {"memory.limit_in_bytes": MEMORY},
        }
        version_2 = {GROUPS / name: {"cpu.max": f"{quota} {PERIOD}", "memory.max": MEMORY}}
        for version in (version_2, version_1):
            with contextlib.suppress(OSError):
                for group, bounds in version.items():
                    group.mkdir()
                    self._groups.append(group)
                    for file, bound in bounds.items():
                        # Only a real control group has the file, so none is made.
                        with open(group / file, "r+b", buffering=0) as stream:
                            stream.write(str(bound).encode())
                self.words.append("half a CPU and 768 MB by control groups")
                joins = (f"echo $$ > {group}/cgroup.procs &&" for group in version)
                self._bounds = " ".join(joins)
                return
            self.__exit__()
            self._groups = []
        self._bounds = f"ulimit -v {MEMORY // 1024} &&"
        self.words.append("768 MB of address space; no control groups for half a CPU")


def python_for(uid):
    """Return the folder of a python3 from 3.10 on that this user may run, or None."""
    base = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    code = "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 10))"
    for folder in (os.path.dirname(base), "/usr/bin", "/usr/local/bin"):
        python = os.path.join(folder, "python3")
        if Box(uid).run([python, "-c", code], cwd="/", env={}).returncode == 0:
            return folder
    return None
