"""Confine a worker in optional layers, which are tested and reported.

The zygote creates one `Plan` and applies it in every fork. The zygote does all expensive
work: loading ctypes, building the filter, and testing every layer in a trial fork. Only
layers that pass this test are applied and reported as active. Like the zygote, this package
imports only the standard library. Read layers.py first.
"""

from __future__ import annotations

from .layers import (
    ClosedFiles,
    Descriptors,
    Limits,
    Memory,
    Missing,
    NoNewPrivileges,
    ParentDeath,
    Processes,
    Settings,
    Uid,
    in_fork,
    unused_uid,
)
from .seccomp import Seccomp

# In the order in which they are applied. The uid drop clears the parent-death signal, and
# root is exempt from the limit on processes, so both follow the drop. Seccomp needs
# no_new_privs, and forbids the calls of all layers before it.
LAYERS = (
    Descriptors,
    Limits,
    Memory,
    Uid,
    ParentDeath,
    Processes,
    NoNewPrivileges,
    Seccomp,
    ClosedFiles,
)

__all__ = ["LAYERS", "Plan", "Settings", "unused_uid"]


class Plan:
    """The layers that work on this machine, ready to be applied in a fork.

    Create it once, in the zygote, before any fork.

    missing: the name of each missing layer -> the reason.
    """

    def __init__(self, settings, layers=LAYERS):
        self.missing = {}
        self._layers = []
        for layer_class in layers:
            try:
                self._layers.append(layer_class(settings))
            except (Missing, OSError) as error:
                self.missing[layer_class.name] = str(error)
        self._drop_layers_that_fail()

    def apply(self, descriptors=()):
        """Harden this process, a fresh fork, and close all other descriptors.

        Raises OSError if a layer fails although it passed its test. The worker must then
        end.
        """
        for layer in self._layers:
            layer.apply(descriptors)

    def _drop_layers_that_fail(self):
        """Test all layers in trial forks, and remove each layer that fails."""
        while self._layers:
            trials = in_fork(self._try_layers)
            failed = {name: reason for name, reason in trials if reason}
            if len(trials) < len(self._layers):
                died_in = self._layers[len(trials)].name
                failed[died_in] = "its trial died"
            if not failed:
                return
            self._layers = [layer for layer in self._layers if layer.name not in failed]
            self.missing |= failed

    def _try_layers(self, report, pipe):
        for layer in self._layers:
            report([layer.name, _why_missing(layer, [pipe])])


def _why_missing(layer, descriptors):
    """Apply and test a layer; return the reason if it fails, or None."""
    try:
        layer.apply(descriptors)
        layer.check()
    except (Missing, OSError) as error:
        return str(error)
    return None
