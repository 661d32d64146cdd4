"""Fork workers from the zygote, run searches in them, and end what they leave behind."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterable
from functools import cached_property

from autograder.sandbox import protocol
from autograder.sandbox.conversation import Channel, Conversation, Limits
from autograder.sandbox.start import Zygote
from autograder.utilities import pin_to_one_cpu


class Sandbox:
    """Runs a submission's searches in processes that never held a tree.

    Use it as a context manager. `zygote` is one that was begun already. `worker` is the
    present worker, or None. Raises SandboxError where the zygote has ended or does not
    answer.
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
        self.worker: Conversation | None = None

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

    def fork_worker(self, limits: Limits, deadline: float = math.inf) -> Conversation:
        """Fork a worker in the place of the present one; return it, to be talked to.

        At the `deadline`, on time.monotonic()'s clock, whatever it does times out.
        """
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
        self.worker = Conversation(Channel(pid, *ours, limits, deadline))
        return self.worker

    def end_worker(self) -> None:
        """Kill the present worker, if there is one, and everything it started."""
        if self.worker is not None:
            self.worker.channel.close()
            self.worker = None
            self._zygote.ask(protocol.END)


def _close(descriptors):
    for descriptor in descriptors:
        os.close(descriptor)
