"""Layers that confine a worker: each optional, detected by trying it, and reported.

The zygote makes one `Plan` and applies it in every fork. Everything costly happens in
the zygote: loading ctypes, making the filter, opening the rules' folders, and a
throw-away fork in which every layer is applied and then tried. Only what held there is
applied and reported as held. The standard library only, as the zygote holds nothing
else. Read layer.py first; every other module holds the layers of one family.
"""

from __future__ import annotations

from .files import Landlock, Uid, unused_uid
from .layer import Missing, Settings, in_fork
from .process import Descriptors, Limits, Memory, NoNewPrivileges, ParentDeath, Processes
from .seccomp import Seccomp

# In the order of applying. The uid drop clears the parent-death signal, and root is
# exempt from the limit on processes, so these follow it; Landlock and seccomp need
# no_new_privs; seccomp forbids what the others do.
LAYERS = (
    *(Descriptors, Limits, Memory, Uid, ParentDeath),
    *(Processes, NoNewPrivileges, Landlock, Seccomp),
)

__all__ = ["LAYERS", "Plan", "Settings", "unused_uid"]


class Plan:
    """The layers that hold here, ready to be applied in a fork of this process.

    Make it once, in the zygote, before any fork. `held` are their names in order;
    `missing` are (name, reason) pairs of the others.
    """

    def __init__(self, settings, layers=LAYERS):
        self.missing, self._layers = [], []
        for kind in layers:
            try:
                self._layers.append(kind(settings))
            except (Missing, OSError) as error:
                self.missing.append((kind.name, str(error)))
        self._probe()
        self.held = [layer.name for layer in self._layers]

    def apply(self, keep_fds=()):
        """Harden this process, a fresh fork; only these descriptors stay open.

        Raises OSError if a layer that held in the probe fails: the worker must end.
        """
        keep = self._kept(keep_fds)
        for layer in self._layers:
            layer.apply(keep)

    def _kept(self, keep_fds):
        return set(keep_fds).union(*(layer.fds for layer in self._layers))

    def _probe(self):
        """Apply and check in throw-away forks until one gets through all of it."""
        while self._layers:
            trials = in_fork(self._try_each)
            untried = self._layers[len(trials) :]
            trials += [[layer.name, "its trial died"] for layer in untried[:1]]
            failed = {name: reason for name, reason in trials if reason}
            if not failed:
                return
            self._layers = [each for each in self._layers if each.name not in failed]
            self.missing.extend(failed.items())

    def _try_each(self, report, pipe):
        keep = self._kept([pipe])
        for layer in self._layers:
            report([layer.name, _shortfall(layer, keep)])


def _shortfall(layer, keep):
    """Apply a layer and try it; return why it does not hold, or None."""
    try:
        layer.apply(keep)
        layer.check()
    except (Missing, OSError) as error:
        return str(error)
    return None
