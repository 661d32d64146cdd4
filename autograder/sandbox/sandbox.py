"""Start the zygote, have it fork workers, and end what they leave behind."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from autograder.sandbox import hardening
from autograder.sandbox.conversation import Channel, Conversation, Limits
from autograder.sandbox.protocol import END, FORK, LENGTH, PID
from autograder.tasks import Task
from gametree import node
from gametree.trace import RAISED, RETURNED, Ending, Trace

HERE = Path(__file__).resolve().parent
MOST_SECONDS = 30.0  # for an answer of the zygote, which takes milliseconds
ZYGOTE_ENDED = "the sandbox's first process ended; grade again"
ZYGOTE_SILENT = "the sandbox's first process does not answer; grade again"
ENVIRONMENT = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}


class SandboxError(Exception):
    """The sandbox itself failed: a fault of the kit or the machine, in one line."""


class Sandbox:
    """Runs a submission's searches in processes that never held a tree.

    Use it as a context manager. `held` and `missing` tell which layers of
    hardening this machine gives: names, and (name, reason) pairs. Raises
    SandboxError where the zygote has ended or does not answer.
    """

    def __init__(self, limits: Limits | None = None, layers_off: Iterable[str] = ()):
        self.limits = limits or Limits()
        self.layers_off = tuple(layers_off)
        self.held: list[str] = []
        self.missing: list[tuple[str, str]] = []
        self._conversation = None
        self._source = self._code = None  # of the submission that was compiled last

    def __enter__(self):
        hardening.shield()
        as_root = hasattr(os, "geteuid") and os.geteuid() == 0
        with contextlib.ExitStack() as stack:
            self._uid = hardening.ClaimedUid() if as_root else None
            if self._uid:
                stack.callback(self._uid.release)
            self._folder = tempfile.mkdtemp(prefix="alphabeta-")
            stack.callback(shutil.rmtree, self._folder, ignore_errors=True)
            os.chmod(self._folder, 0o555)
            self._start_zygote(stack)
            stack.callback(self.end_worker)
            self._undo = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._undo.close()

    def _settings(self):
        return {
            "uid": self._uid.number if self._uid else None,
            "memory_bytes": self.limits.memory_bytes,
            "cpu_seconds": int(self.limits.total_seconds) + 1,
            "off": list(self.layers_off),
        }

    def _start_zygote(self, stack):
        self._control, theirs = map(stack.enter_context, socket.socketpair())
        command = [sys.executable, "-s", "-S", "-B", "-Wignore", str(HERE / "zygote.py")]
        command += [node.__file__, json.dumps(self._settings())]
        self._zygote = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
            env=ENVIRONMENT,
            start_new_session=True,
        )
        stack.callback(self._stop_zygote)
        theirs.close()
        self._control.settimeout(MOST_SECONDS)
        size = LENGTH.unpack(self._from_zygote(LENGTH.size))[0]
        self.held, self.missing = json.loads(self._from_zygote(size))

    def _stop_zygote(self):
        self._control.close()
        try:
            self._zygote.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._zygote.kill()
            self._zygote.wait()

    def _ask_zygote(self, command, descriptors=()):
        """Send a command; return the pid of the worker that it is about."""
        try:
            socket.send_fds(self._control, [command], descriptors)
        except OSError:
            raise SandboxError(ZYGOTE_ENDED) from None
        return PID.unpack(self._from_zygote(PID.size))[0]

    def _from_zygote(self, size):
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

    def start_worker(self, source: bytes) -> Ending | None:
        """Fork a worker and have it load `source`; return None or the load's Ending.

        The first time, another worker compiles it before, which runs nothing of it and
        sees no tree: so what it makes tells the workers of later trees nothing.
        """
        if source != self._source:
            self._fork_worker()
            code, ending = self._conversation.compile(source)
            if ending is not None:
                self.end_worker()
                return ending
            self._source, self._code = source, code
        self._fork_worker()
        ending = self._conversation.load(source, self._code)
        if ending is not None:
            self.end_worker()
        return ending

    def _fork_worker(self):
        self.end_worker()
        replies_out, replies = os.pipe()
        requests, requests_in = os.pipe()
        text, text_in = os.pipe()
        ours, theirs = (replies, requests, text), (replies_out, requests_in, text_in)
        for descriptor in (*ours, text_in):
            os.set_blocking(descriptor, False)
        try:
            pid = self._ask_zygote(FORK, theirs)
        except BaseException:
            _close(ours)
            raise
        finally:
            _close(theirs)
        self._conversation = Conversation(Channel(pid, *ours, self.limits))

    @property
    def has_worker(self) -> bool:
        """Whether a worker that loaded a submission is there to search."""
        return self._conversation is not None

    def search(self, task: Task) -> Trace:
        """Run a task's search in the present worker; return its Trace.

        A worker that neither returned nor raised is ended.
        """
        trace = self._conversation.search(task)
        if trace.ending.kind not in (RETURNED, RAISED):
            self.end_worker()
        return trace

    def end_worker(self) -> None:
        """Kill the present worker, if there is one, and everything it started."""
        if self._conversation is not None:
            self._conversation.channel.close()
            self._conversation = None
            self._ask_zygote(END)

    @contextlib.contextmanager
    def limited(self, search_cpu_seconds: float) -> Iterator[None]:
        """Allow a search no more than these CPU seconds while the context lasts.

        The worker is ended with it.
        """
        usual = self.limits
        seconds = min(search_cpu_seconds, usual.search_cpu_seconds)
        self.limits = replace(usual, search_cpu_seconds=seconds)
        try:
            yield
        finally:
            self.limits = usual
            self.end_worker()


def _close(descriptors):
    for descriptor in descriptors:
        os.close(descriptor)
