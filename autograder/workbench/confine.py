"""A process as Gradescope's default container would have it, as far as this machine can.

Half a CPU and 768 MB by control groups (version 1 or 2), the capabilities of a default
container by setpriv, another user by setuid. What cannot be had is said in words.

Run as a program, this file puts bounds on itself and then becomes the command that it
is given: nothing of Python runs between fork and exec, where a thread's lock could hang.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
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
        self.uid = uid
        self.words = []
        self._groups = []
        self._prefix = []
        self._most_memory = None

    def __enter__(self):
        self._make_groups()
        if os.geteuid() == 0 and self.uid is None:
            self._drop_capabilities()
        return self

    def __exit__(self, *_):
        for group in self._groups:
            with contextlib.suppress(OSError):
                group.rmdir()

    def run(self, command, **options):
        """Run a command within the bounds; return its CompletedProcess, with text."""
        bounds = {
            "groups": list(map(str, self._groups)),
            "most_memory": self._most_memory,
            "uid": self.uid,
        }
        launcher = [sys.executable, "-I", "-S", __file__, json.dumps(bounds)]
        return subprocess.run(
            [*launcher, *self._prefix, *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            **options,
        )

    def _make_groups(self):
        name = f"rehearse-{os.getpid()}-{self.uid}"
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
                return
            self.__exit__()
            self._groups = []
        self._most_memory = MEMORY
        self.words.append("768 MB of address space; no control groups for half a CPU")

    def _drop_capabilities(self):
        kept = ",".join(["-all", *(f"+{name}" for name in CAPABILITIES)])
        prefix = ["setpriv", f"--bounding-set={kept}", "--inh-caps=-all"]
        if shutil.which("setpriv") and not subprocess.run([*prefix, "true"]).returncode:
            self._prefix = prefix
            self.words.append("a default container's capabilities")
        else:
            self.words.append("all of root's capabilities, as setpriv is not here")


def python_for(uid):
    """Return the folder of a python3 from 3.10 on that this user may run, or None."""
    base = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    for folder in (os.path.dirname(base), "/usr/bin", "/usr/local/bin"):
        code = "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 10))"
        user = {} if uid is None else {"user": uid, "group": uid, "extra_groups": []}
        with contextlib.suppress(OSError):
            tried = subprocess.run([os.path.join(folder, "python3"), "-c", code], cwd="/",
                                   env={}, stderr=subprocess.DEVNULL, **user)  # fmt: skip
            if tried.returncode == 0:
                return folder
    return None


def become(command, groups, most_memory, uid):
    """Replace this process by the command, in the groups, with the limit, as the user."""
    for group in groups:
        Path(group, "cgroup.procs").write_text(str(os.getpid()))
    if most_memory is not None:
        resource.setrlimit(resource.RLIMIT_AS, (most_memory, most_memory))
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    os.execvp(command[0], command)


if __name__ == "__main__":
    become(sys.argv[2:], **json.loads(sys.argv[1]))
