"""Send commands to the zygote, and track its workers."""

from __future__ import annotations

import contextlib
import marshal
import os
import signal
import socket
import time
from functools import cached_property

from autograder.ground.launch import Zygote, start_zygote
from autograder.ground.processes import pin_to_one_cpu
from autograder.sandbox import protocol
from autograder.sandbox.conversation import Channel, Conversation, cpu_seconds_of
from autograder.sandbox.protocol import SUBMISSION, TOOLS
from autograder.scoring.rubric import Limits
from gametree.support.errors import InputError

ANSWER_SECONDS = 30.0  # for an answer of the zygote, which usually takes milliseconds
MAX_ANSWER_BYTES = 2**14
ZYGOTE_ENDED = "the sandbox's first process ended or does not answer; grade again"


class Sandbox:
    """Forks workers from a clean process, the zygote. Use it as a context manager.

    This process and the zygote run on one CPU from then on. The zygote is a separate
    program, which shares neither memory nor open files with this process. The methods raise
    InputError if it has ended or does not answer.

    limits: the Limits of a submission.
    zygote: a zygote that has been started, or None to start one.
    workers: kind of worker -> the Conversation with the living one; see protocol.py.
    """

    def __init__(self, limits: Limits, zygote: Zygote | None = None):
        self.limits = limits
        self.workers: dict[bytes, Conversation] = {}
        self._zygote = zygote
        self._seconds_of_ended = 0.0  # CPU seconds of the workers that have ended

    def __enter__(self):
        self._pid, self._control = self._zygote or start_zygote()
        self._control.settimeout(ANSWER_SECONDS)
        pin_to_one_cpu()
        with contextlib.suppress(AttributeError, OSError):
            os.sched_setaffinity(self._pid, os.sched_getaffinity(0))
        return self

    def __exit__(self, *_):
        """End the workers and the zygote."""
        with contextlib.suppress(InputError):
            self.end_worker()
            self.end_worker(TOOLS)
        self._control.close()
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)

    @cached_property
    def missing_layers(self) -> dict[str, str]:
        """Each missing layer, with the reason."""
        return marshal.loads(self._receive())

    def fork_worker(self, limits: Limits, kind: bytes = SUBMISSION) -> Conversation:
        """Replace the worker of a kind by a new fork; return the Conversation with it."""
        self.end_worker(kind)
        replies_out, replies_in = os.pipe()
        requests_out, requests_in = os.pipe()
        grader_ends = (replies_in, requests_out)
        worker_ends = (replies_out, requests_in)
        try:
            pid = self._command(kind, worker_ends)
        except BaseException:
            _close(grader_ends)
            raise
        finally:
            _close(worker_ends)
        self.workers[kind] = Conversation(Channel(pid, *grader_ends, limits))
        return self.workers[kind]

    def end_worker(self, kind: bytes = SUBMISSION) -> None:
        """Kill the worker of a kind, if there is one, and all its children."""
        worker = self.workers.pop(kind, None)
        if worker is not None:
            self._seconds_of_ended += cpu_seconds_of(worker.channel.pid)
            worker.channel.close()
            self._command(kind)

    def cpu_seconds(self) -> float:
        """Return the CPU seconds of all workers so far, and of this process."""
        seconds = time.process_time() + self._seconds_of_ended
        for worker in self.workers.values():
            seconds += cpu_seconds_of(worker.channel.pid)
        return seconds

    def _command(self, kind, descriptors=()):
        """Make the zygote end a kind of worker and start another, and return its pid.

        Without descriptors, no other worker starts.
        """
        _ = self.missing_layers  # the zygote reports them before its first answer
        try:
            socket.send_fds(self._control, [kind], descriptors)
        except OSError:
            raise InputError(ZYGOTE_ENDED) from None
        return protocol.PID.unpack(self._receive())[0]

    def _receive(self):
        """Return the zygote's next answer, which arrives in one piece."""
        answer = b""
        with contextlib.suppress(OSError):
            answer = self._control.recv(MAX_ANSWER_BYTES)
        if not answer:
            raise InputError(ZYGOTE_ENDED)
        return answer


def _close(descriptors):
    for descriptor in descriptors:
        os.close(descriptor)
