"""Start the sandbox's first process, the zygote, before the other modules are imported.

The zygote takes about as long to start as the modules take to import. So a command may
start it first, and pass it to the Sandbox later. This module imports little, because the
zygote waits for it.
"""

from __future__ import annotations

import os
import socket
import sys

import autograder

PROGRAM = os.path.join(autograder.ROOT, "autograder", "sandbox", "zygote.py")
NODE = os.path.join(autograder.ROOT, "starter", "gametree", "node.py")
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "LC_CTYPE": "C.UTF-8",  # other categories would need files
    # Large pages for the standard library: it then starts 5 ms earlier.
    "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1",
    "PATH": "/usr/bin:/bin",
    "HOME": "/home/student",
    "USER": "student",
    "LOGNAME": "student",
}
# The process number of a zygote that has been started, and the socket for commands to it.
# The zygote exits when the socket is closed.
Zygote = tuple[int, socket.socket]


def start_zygote() -> Zygote:
    """Start a zygote with an environment of its own; its descriptor 0 is a socket."""
    control, zygote_end = socket.socketpair()
    options = ["-s", "-S", "-Wignore"]
    if sys.dont_write_bytecode:
        options.append("-B")
    with zygote_end:
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, *options, PROGRAM, NODE],
            ENVIRONMENT,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, zygote_end.fileno(), 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
        )
    return pid, control
