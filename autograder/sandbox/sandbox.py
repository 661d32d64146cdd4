"""The grader's end of the sandbox: the zygote, commands to it, and the present worker."""

from __future__ import annotations

import contextlib
import json
import math
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from functools import cached_property
from pathlib import Path

from autograder.processes import pin_to_one_cpu
from autograder.sandbox import protocol
from autograder.sandbox.conversation import Channel, Conversation, Limits
from gametree import node

HERE = Path(__file__).resolve().parent
MAX_SECONDS = 30.0  # for an answer of the zygote, which takes milliseconds
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
    nothing that this process holds is open there or in its memory. Its methods raise
    SandboxError where it has ended or does not answer.
    """

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self._folder = tempfile.mkdtemp(prefix="alphabeta-")
            stack.callback(shutil.rmtree, self._folder, ignore_errors=True)
            os.chmod(self._folder, 0o555)
            self._control, theirs = map(stack.enter_context, socket.socketpair())
            self._control.settimeout(MAX_SECONDS)
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

    def settle(self, **settings: object) -> None:
        """Say how workers are to be confined, see hardening.Settings; do not wait.

        The zygote goes where this process runs, if that was pinned meanwhile.
        """
        with contextlib.suppress(AttributeError, OSError):
            os.sched_setaffinity(self._process.pid, os.sched_getaffinity(0))
        data = json.dumps(settings).encode()
        self._send(protocol.LENGTH.pack(len(data)) + data)

    @cached_property
    def layers(self) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """The layers that hold on this machine, and (name, reason) of the others."""
        size = protocol.LENGTH.unpack(self._receive(protocol.LENGTH.size))[0]
        held, missing = json.loads(self._receive(size))
        return tuple(held), tuple(map(tuple, missing))

    def ask(self, command: bytes, descriptors: tuple = ()) -> int:
        """Send a command; return the pid of the worker that it is about."""
        _ = self.layers  # its first answer is about these
        self._send(command, descriptors)
        return protocol.PID.unpack(self._receive(protocol.PID.size))[0]

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


class Sandbox:
    """Runs a submission's searches in processes that never held a tree.

    Use it as a context manager. `zygote` may be one that was begun already. `worker` is
    the present worker, or None. Raises SandboxError where the zygote has ended or does not
    answer.
    """

    def __init__(self, limits: Limits, zygote: Zygote | None = None):
        self.limits = limits
        self.worker: Conversation | None = None
        self.zygote = zygote

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            if self.zygote is None:
                stack.callback(pin_to_one_cpu())
                self.zygote = stack.enter_context(Zygote())
            self.zygote.settle(
                memory_bytes=self.limits.memory_bytes,
                cpu_seconds=int(self.limits.total_seconds) + 1,
            )
            stack.callback(self.end_worker)
            self._undo = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._undo.close()

    def fork_worker(self, limits: Limits, deadline: float = math.inf) -> Conversation:
        """Fork a worker in the place of the present one; return it, to be talked to.

        At the `deadline`, on time.monotonic()'s clock, whatever it does times out.
        """
        self.end_worker()
        replies_out, replies = os.pipe()
        requests, requests_in = os.pipe()
        text, text_in = os.pipe()
        ours, theirs = (replies, requests, text), (replies_out, requests_in, text_in)
        for descriptor in (*ours, text_in):
            os.set_blocking(descriptor, False)
        try:
            pid = self.zygote.ask(protocol.FORK, theirs)
        except BaseException:
            _close(ours)
            raise
        finally:
            _close(theirs)
        self.worker = Conversation(Channel(pid, *ours, limits, deadline))
        return self.worker

    def end_worker(self) -> None:
        """Kill the present worker, if there is one, and everything it started."""
        if self.worker is not None:
            self.worker.channel.close()
            self.worker = None
            self.zygote.ask(protocol.END)


def _close(descriptors):
    for descriptor in descriptors:
        os.close(descriptor)
