"""Start the sandbox's first process, the zygote, before the other modules are imported.

The zygote takes about as long to start as the modules take to import. So a command may
start it first, and pass it to the Sandbox later.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from typing import NamedTuple

import autograder

PROGRAM = os.path.join(autograder.ROOT, "autograder", "sandbox", "zygote.py")
NODE = os.path.join(autograder.ROOT, "starter", "gametree", "node.py")
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "LC_CTYPE": "C.UTF-8",  # other categories would need files
    "PATH": "/usr/bin:/bin",
    "HOME": "/home/student",
    "USER": "student",
    "LOGNAME": "student",
}


class Zygote(NamedTuple):
    """A zygote that has been started; it exits when its control socket is closed.

    process: the process.
    control: the socket for commands to the zygote.
    """

    process: subprocess.Popen
    control: socket.socket


def start_zygote() -> Zygote:
    """Start a zygote with an environment of its own, which shares no open files."""
    control, zygote_end = socket.socketpair()
    options = ["-s", "-S", "-Wignore"]
    if sys.dont_write_bytecode:
        options.append("-B")
    with zygote_end:
        process = subprocess.Popen(
            [sys.executable, *options, PROGRAM, NODE],
            stdin=zygote_end.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env=ENVIRONMENT,
            start_new_session=True,
        )
    return Zygote(process, control)
