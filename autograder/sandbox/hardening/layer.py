"""What every layer of hardening has in common, and how this machine is probed."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """What the zygote asks for. Seconds, bytes, a numeric id, names of layers.

    `uid` is the user and the group that a worker drops to; None keeps the present
    ones (only root can drop). `off` names the layers to leave out.
    """

    uid: int | None = None
    cpu_seconds: int = 61
    memory_bytes: int = 384 * 2**20
    off: frozenset = frozenset()


class Missing(Exception):
    """A layer that this machine does not give; the text is the reason, a short one."""


class Layer:
    """One kind of protection: made once in the zygote, applied in every worker.

    Making it raises Missing where the machine lacks it. The descriptors `fds` must
    stay open until it is applied. `apply` raises OSError if the kernel refuses, and
    the worker then ends unstarted: it never runs a student's code with less than was
    reported.
    """

    name = ""
    fds: tuple = ()

    def __init__(self, settings):
        self.settings = settings

    def apply(self, keep):
        """Protect this process, a fresh worker; `keep` are its open descriptors."""

    def check(self):
        """Try what the layer forbids; raise Missing if it is not forbidden."""


def need_linux():
    """Raise Missing anywhere but on Linux."""
    if not sys.platform.startswith("linux"):
        raise Missing("needs Linux")


def refuses(act, *arguments):
    """Return whether the machine refuses `act(*arguments)` with an OSError."""
    try:
        act(*arguments)
    except OSError:
        return True
    return False


def in_fork(function):
    """Run `function(report, pipe)` in a throw-away fork; return all that it reported.

    Each report must fit JSON and goes through the descriptor `pipe`. A fork that
    dies early just reports less.
    """
    reading, writing = os.pipe()

    def report(content):
        os.write(writing, json.dumps(content).encode() + b"\n")

    pid = os.fork()
    if pid == 0:
        try:
            function(report, writing)
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        reports = [json.loads(line) for line in pipe]
    os.waitpid(pid, 0)
    return reports
