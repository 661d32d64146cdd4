"""Fork workers from the zygote, run searches in them, and end what they leave behind."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from autograder.sandbox import protocol
from autograder.sandbox.conversation import (
    Channel,
    Conversation,
    Ended,
    Limits,
    cpu_seconds_of,
)
from autograder.sandbox.start import Zygote
from autograder.tasks import Task
from autograder.utilities import pin_to_one_cpu
from gametree.trace import Trace


class Sandbox:
    """Runs a submission's searches in processes that never held a tree.

    Use it as a context manager. `zygote` is one that was begun already. Raises
    SandboxError where the zygote has ended or does not answer.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        layers_off: Iterable[str] = (),
        zygote: Zygote | None = None,
    ):
        self.limits = limits or Limits()
        self.layers_off = tuple(layers_off)
        self._zygote = zygote
        self._conversation = None

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            if self._zygote is None:
                stack.callback(pin_to_one_cpu())
                self._zygote = stack.enter_context(Zygote())
            self._zygote.settle(self._settings())
            stack.callback(self.end_worker)
            self._undo = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._undo.close()

    def _settings(self):
        return {
            "memory_bytes": self.limits.memory_bytes,
            "cpu_seconds": int(self.limits.total_seconds) + 1,
            "off": list(self.layers_off),
        }

    @cached_property
    def layers(self) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
        """The layers that hold on this machine, and (name, reason) of the others."""
        held, missing = self._zygote.report()
        return tuple(held), tuple(map(tuple, missing))

    def start_worker(self, source: bytes, deadline: float = math.inf) -> Ended | None:
        """Fork a worker and have it load `source`; return None or how that ended.

        At the `deadline`, on time.monotonic()'s clock, whatever it does times out.
        """
        self._fork_worker(deadline)
        return self._load(protocol.RUN_SOURCE, source)

    def use_tool(self, program: bytes, deadline: float = math.inf) -> bytes | None:
        """Return what a tool makes of a text in a worker that runs nothing of it.

        `program` is what worker.use_tool() reads. None where it made nothing in time.
        """
        self._fork_worker(deadline)
        made, _ = self._conversation.use_tool(program)
        self.end_worker()
        return made

    def load_code(self, code: bytes, deadline: float = math.inf) -> Ended | None:
        """Have a worker, the present one if there is one, load a changed submission."""
        if self._conversation is None:
            self._fork_worker(deadline)
        return self._load(protocol.RUN_CODE, code)

    def _load(self, order, program):
        """Have the present worker load a program, and end it where that fails."""
        ended = self._conversation.load(order, program)
        if ended is not None:
            self.end_worker()
        return ended

    def _fork_worker(self, deadline):
        self.end_worker()
        _ = self.layers  # the zygote's first answer is about these
        replies_out, replies = os.pipe()
        requests, requests_in = os.pipe()
        text, text_in = os.pipe()
        ours, theirs = (replies, requests, text), (replies_out, requests_in, text_in)
        for descriptor in (*ours, text_in):
            os.set_blocking(descriptor, False)
        try:
            pid = self._zygote.ask(protocol.FORK, theirs)
        except BaseException:
            _close(ours)
            raise
        finally:
            _close(theirs)
        self._conversation = Conversation(Channel(pid, *ours, self.limits, deadline))

    @property
    def has_worker(self) -> bool:
        """Whether a worker that loaded a submission is there to search."""
        return self._conversation is not None

    def worker_cpu_seconds(self) -> float:
        """Return the CPU seconds that the present worker has used."""
        return cpu_seconds_of(self._conversation.channel.pid)

    def search(self, task: Task) -> Trace:
        """Run a task's search in the present worker; return its Trace.

        A worker that neither returned nor raised is ended.
        """
        trace = self._conversation.search(task)
        if not trace.ending.by_itself:
            self.end_worker()
        return trace

    def end_worker(self) -> None:
        """Kill the present worker, if there is one, and everything it started."""
        if self._conversation is not None:
            self._conversation.channel.close()
            self._conversation = None
            self._zygote.ask(protocol.END)

    @contextlib.contextmanager
    def limited(self, **limits: float) -> Iterator[None]:
        """Have tighter Limits hold while the context lasts. The worker is ended with it."""
        usual = self.limits
        tighter = {name: min(most, getattr(usual, name)) for name, most in limits.items()}
        self.limits = replace(usual, **tighter)
        try:
            yield
        finally:
            self.limits = usual
            self.end_worker()


def _close(descriptors):
    for descriptor in descriptors:
        os.close(descriptor)
