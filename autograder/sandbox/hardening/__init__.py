"""Confine a worker in optional layers, which are tested and reported.

The zygote creates one `Plan` and applies it in every fork. A trial fork tests every layer.
Only layers that pass are applied and reported as active. Like the zygote, this package
imports only the standard library. Read layers.py first.
"""

from __future__ import annotations

import json
import os

from . import layers
from .layers import Settings, unused_uid
from .seccomp import filter_calls

# In the order in which they are applied. The uid drop clears the parent-death signal, and
# root is exempt from the limit on processes, so both follow the drop. Seccomp needs
# no_new_privs, and forbids the calls of all layers before it.
LAYERS = {
    "descriptors": layers.close_descriptors,
    "limits": layers.limit_resources,
    "memory": layers.limit_memory,
    "uid": layers.drop_root,
    "parent death": layers.die_with_zygote,
    "processes": layers.forbid_processes,
    "no new privileges": layers.disable_setuid,
    "seccomp": filter_calls,
    "closed files": layers.check_files,
}

__all__ = ["LAYERS", "Plan", "Settings", "in_fork", "unused_uid"]


class Plan:
    """The layers that work on this machine, ready to be applied in a fork.

    Create it once, in the zygote, before any fork.

    missing: the name of each missing layer -> the reason.
    """

    def __init__(self, settings, layers=LAYERS):
        self._settings = settings._replace(zygote=os.getpid())
        trials = dict(in_fork(self._try_layers, layers))
        self.missing = {}
        self._layers = []
        for name, layer in layers.items():
            reason = trials.get(name, "its trial died")
            if reason:
                self.missing[name] = reason
            else:
                self._layers.append(layer)

    def apply(self, descriptors=(), **limits):
        """Harden this process, a fresh fork, and close all other descriptors.

        limits: fields of the Settings that are different for this process.

        Raises the error of a layer that fails although it passed its test. The worker must
        then end.
        """
        settings = self._settings._replace(descriptors=descriptors, **limits)
        for layer in self._layers:
            layer(settings)

    def _try_layers(self, report, pipe, layers):
        """Apply all layers, and report the name of each, with the reason if it fails."""
        settings = self._settings._replace(descriptors=(pipe,))
        for name, layer in layers.items():
            reason = ""
            try:
                layer(settings)
            except Exception as error:  # Missing, OSError, or too little memory
                reason = str(error) or type(error).__name__
            report([name, reason])


def in_fork(function, *arguments):
    """Run `function(report, pipe, *arguments)` in a temporary fork; return its reports.

    Each report must be valid JSON data, and is sent through the descriptor `pipe`. A fork
    that dies early sends fewer reports.
    """
    reading, writing = os.pipe()

    def report(content):
        os.write(writing, json.dumps(content).encode() + b"\n")

    pid = os.fork()
    if pid == 0:
        try:
            function(report, writing, *arguments)
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        reports = [json.loads(line) for line in pipe]
    os.waitpid(pid, 0)
    return reports
