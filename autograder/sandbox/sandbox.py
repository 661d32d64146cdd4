"""Start the zygote, send it commands, and track the current worker."""

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
ANSWER_SECONDS = 30.0  # for an answer of the zygote, which usually takes milliseconds
STOP_SECONDS = 5.0  # for the zygote to exit before it is killed
ZYGOTE_ENDED = "the sandbox's first process ended; grade again"
ZYGOTE_SILENT = "the sandbox's first process does not answer; grade again"
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "LC_ALL": "C.UTF-8",
    "PATH": "/usr/bin:/bin",
    "HOME": "/home/student",
    "USER": "student",
    "LOGNAME": "student",
}


class SandboxError(Exception):
    """The sandbox itself failed. The text is one line for the terminal."""


class Zygote:
    """The clean process that forks workers. Use it as a context manager.

    The zygote starts in parallel, so enter the context before you load the kit. It is a
    separate program with its own environment, and shares neither memory nor open files
    with this process. The methods raise SandboxError if it has ended or does not answer.
    """

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self._folder = tempfile.mkdtemp(prefix="alphabeta-")
            stack.callback(shutil.rmtree, self._folder, ignore_errors=True)
            os.chmod(self._folder, 0o555)
            self._control, zygote_end = socket.socketpair()
            stack.enter_context(self._control)
            stack.enter_context(zygote_end)
            self._control.settimeout(ANSWER_SECONDS)
            self._process = subprocess.Popen(
                _zygote_command(),
                stdin=zygote_end,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=self._folder,
                env=ENVIRONMENT,
                start_new_session=True,
            )
            zygote_end.close()
            stack.callback(self._stop)
            self._undo = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._undo.close()

    def configure(self, **settings: object) -> None:
        """Send the settings of workers (hardening.Settings) without waiting.

        Also move the zygote to the CPUs of this process, which may now be pinned.
        """
        with contextlib.suppress(AttributeError, OSError):
            os.sched_setaffinity(self._process.pid, os.sched_getaffinity(0))
        data = json.dumps(settings).encode()
        self._send(protocol.LENGTH.pack(len(data)) + data)

    @cached_property
    def layers(self) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """The names of the active layers, and (name, reason) of each missing layer."""
        size = protocol.LENGTH.unpack(self._receive(protocol.LENGTH.size))[0]
        held, missing = json.loads(self._receive(size))
        return tuple(held), tuple(map(tuple, missing))

    def command(self, command: bytes, descriptors: tuple = ()) -> int:
        """Send a command of protocol.py and return the pid in the reply."""
        _ = self.layers  # the zygote reports them before its first answer
        self._send(command, descriptors)
        return protocol.PID.unpack(self._receive(protocol.PID.size))[0]

    def _stop(self):
        self._control.close()
        try:
            self._process.wait(timeout=STOP_SECONDS)
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


def _zygote_command():
    options = ["-s", "-S", "-Wignore"]
    if sys.dont_write_bytecode:
        options.append("-B")
    return [sys.executable, *options, HERE / "zygote.py", node.__file__]


class Sandbox:
    """Runs a submission's searches in processes that never held a tree.

    Use it as a context manager. Raises SandboxError if the zygote has ended or does not
    answer.

    limits: the Limits of a submission.
    zygote: the process that forks workers; by default the sandbox starts its own.
    worker: the Conversation with the current worker, or None.
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
            self.zygote.configure(
                memory_bytes=self.limits.memory_bytes,
                cpu_seconds=int(self.limits.total_seconds) + 1,
            )
            stack.callback(self.end_worker)
            self._undo = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._undo.close()

    def fork_worker(self, limits: Limits, deadline: float = math.inf) -> Conversation:
        """Replace the current worker by a new fork; return the Conversation with it.

        The worker times out at the `deadline`, in seconds of time.monotonic().
        """
        self.end_worker()
        replies_out, replies_in = os.pipe()
        requests_out, requests_in = os.pipe()
        text_out, text_in = os.pipe()
        grader_ends = (replies_in, requests_out, text_out)
        worker_ends = (replies_out, requests_in, text_in)
        for descriptor in (*grader_ends, text_in):
            os.set_blocking(descriptor, False)
        try:
            pid = self.zygote.command(protocol.FORK, worker_ends)
        except BaseException:
            _close(grader_ends)
            raise
        finally:
            _close(worker_ends)
        self.worker = Conversation(Channel(pid, *grader_ends, limits, deadline))
        return self.worker

    def end_worker(self) -> None:
        """Kill the current worker, if there is one, and all its children."""
        if self.worker is not None:
            self.worker.channel.close()
            self.worker = None
            self.zygote.command(protocol.END)


def _close(descriptors):
    for descriptor in descriptors:
        os.close(descriptor)
