"""Confine a worker in layers: each optional, detected by trying it, and reported.

The zygote makes one `Plan` and applies it in every fork. Everything costly happens in
the zygote: loading ctypes, building the filter, opening the folders of the rules, and a
throw-away fork in which every layer is applied and then tried. Only what held there is
applied and reported as held. This package imports the standard library only, since the
zygote holds nothing else. Read layer.py first. Each other module has one family of layers.
"""

from __future__ import annotations

from .files import Landlock, Uid, create_rules, unused_uid
from .layer import Missing, Settings, in_fork
from .process import Descriptors, Limits, Memory, NoNewPrivileges, ParentDeath, Processes
from .seccomp import Seccomp

# In the order of applying. The uid drop clears the parent-death signal, and root is
# exempt from the limit on processes, so these follow it; Landlock and seccomp need
# no_new_privs; seccomp forbids what the others do.
LAYERS = (
    Descriptors,
    Limits,
    Memory,
    Uid,
    ParentDeath,
    Processes,
    NoNewPrivileges,
    Landlock,
    Seccomp,
)

__all__ = ["LAYERS", "Missing", "Plan", "Settings", "create_rules", "unused_uid"]


class Plan:
    """The layers that hold here, ready to be applied in a fork of this process.

    Make it once, in the zygote, before any fork.

    held: the names of the layers that hold, in the order of applying.
    missing: (name, reason) of each other layer.
    """

    def __init__(self, settings, layers=LAYERS):
        self.missing = []
        self._layers = []
        for layer_class in layers:
            try:
                self._layers.append(layer_class(settings))
            except (Missing, OSError) as error:
                self.missing.append((layer_class.name, str(error)))
        self._drop_layers_that_fail()
        self.held = [layer.name for layer in self._layers]

    def apply(self, descriptors=()):
        """Harden this process, a fresh fork; only these descriptors stay open.

        Raises OSError if a layer that held in its trial fails: the worker must end.
        """
        descriptors = self._with_descriptors_of_layers(descriptors)
        for layer in self._layers:
            layer.apply(descriptors)

    def _with_descriptors_of_layers(self, descriptors):
        needed = set(descriptors)
        for layer in self._layers:
            needed.update(layer.fds)
        return needed

    def _drop_layers_that_fail(self):
        """Try all layers in throw-away forks until a fork gets through all of them."""
        while self._layers:
            trials = in_fork(self._try_layers)
            failed = {name: reason for name, reason in trials if reason}
            if len(trials) < len(self._layers):
                died_in = self._layers[len(trials)].name
                failed[died_in] = "its trial died"
            if not failed:
                return
            self._layers = [layer for layer in self._layers if layer.name not in failed]
            self.missing.extend(failed.items())

    def _try_layers(self, report, pipe):
        descriptors = self._with_descriptors_of_layers([pipe])
        for layer in self._layers:
            report([layer.name, _why_missing(layer, descriptors)])


def _why_missing(layer, descriptors):
    """Apply a layer and try it; return why it does not hold, or None."""
    try:
        layer.apply(descriptors)
        layer.check()
    except (Missing, OSError) as error:
        return str(error)
    return None
