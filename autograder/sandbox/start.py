"""Start the zygote and talk to it: commands out, answers in, each with a deadline."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.sandbox.protocol import LENGTH, PID
from gametree import node

HERE = Path(__file__).resolve().parent
MOST_SECONDS = 30.0  # for an answer of the zygote, which takes milliseconds
ZYGOTE_ENDED = "the sandbox's first process ended; grade again"
ZYGOTE_SILENT = "the sandbox's first process does not answer; grade again"
ENVIRONMENT = {
    **{"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
    **{"HOME": "/home/student", "USER": "student", "LOGNAME": "student"},
}


class SandboxError(Exception):
    """The sandbox itself failed: a fault of the kit or the machine, in one line."""


class Zygote:
    """The clean process that forks workers; a context manager.

    It gets itself ready as soon as it is entered, beside this process: so begin it
    before the kit is read. It is a program of its own, with an environment of its own:
    nothing that this process holds is open there or in its memory.
    """

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self._folder = tempfile.mkdtemp(prefix="alphabeta-")
            stack.callback(shutil.rmtree, self._folder, ignore_errors=True)
            os.chmod(self._folder, 0o555)
            self._control, theirs = map(stack.enter_context, socket.socketpair())
            self._control.settimeout(MOST_SECONDS)
            self._process = subprocess.Popen(
                [sys.executable, "-s", "-S", *["-B"] * sys.dont_write_bytecode, "-Wignore",
                 HERE / "zygote.py", node.__file__],
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=self._folder,
                env=ENVIRONMENT,
                start_new_session=True,
            )  # fmt: skip
            theirs.close()
            stack.callback(self._stop)
            self._undo = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._undo.close()

    def settle(self, settings: dict) -> None:
        """Say how workers are to be confined, see hardening.Settings; do not wait.

        The zygote goes where this process runs, if that was pinned meanwhile.
        """
        with contextlib.suppress(AttributeError, OSError):
            os.sched_setaffinity(self._process.pid, os.sched_getaffinity(0))
        data = json.dumps(settings).encode()
        self._send(LENGTH.pack(len(data)) + data)

    def report(self) -> tuple[list, list]:
        """Wait until it is ready; return the layers that hold, and those missing."""
        size = LENGTH.unpack(self._receive(LENGTH.size))[0]
        held, missing = json.loads(self._receive(size))
        return held, missing

    def ask(self, command: bytes, descriptors: tuple = ()) -> int:
        """Send a command; return the pid of the worker that it is about."""
        self._send(command, descriptors)
        return PID.unpack(self._receive(PID.size))[0]

    def _stop(self):
        self._control.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _send(self, data, descriptors=()):
        try:
            socket.send_fds(self._control, [data], descriptors)
        except OSError:
            raise SandboxError(ZYGOTE_ENDED) from None

    def _receive(self, size):
        data = b""
        while len(data) < size:
            try:
                more = self._control.recv(size - len(data))
            except TimeoutError:
                raise SandboxError(ZYGOTE_SILENT) from None
            except OSError:
                more = b""
            if not more:
                raise SandboxError(ZYGOTE_ENDED)
            data += more
        return data
