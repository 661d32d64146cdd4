"""Find out once which layers this machine gives; then apply them in each worker.

Everything costly happens in the zygote: loading ctypes, making the filter, opening
the rules' folders, and a throw-away fork in which every layer is applied and then
tried. Only what held there is applied and reported as held.
"""

from __future__ import annotations

import os

from .descriptors import Descriptors
from .landlock import Landlock
from .layer import Missing, in_fork
from .process import Dumpable, FirstToGo, NoNewPrivileges, ParentDeath, Session, Shield
from .rlimits import Memory, Processes, ResourceLimits
from .seccomp import Seccomp
from .sweep import Subreaper
from .uid import Uid

# In the order of applying. The uid drop clears the parent-death signal and the flag
# of dumping, and root is exempt from the limit on processes, so these follow it;
# Landlock and seccomp need no_new_privs; seccomp forbids what the others do.
LAYERS = (
    Descriptors,
    Session,
    ResourceLimits,
    Memory,
    Uid,
    ParentDeath,
    Dumpable,
    Processes,
    NoNewPrivileges,
    Landlock,
    Seccomp,
)
# What the zygote does to itself, once; a worker inherits it or is swept by it. A shielded
# process of an ordinary user may not write its own score, so that comes first.
ZYGOTE_LAYERS = (FirstToGo, Subreaper, Shield)
NAMES = tuple(layer.name for layer in (*LAYERS, *ZYGOTE_LAYERS))


class Plan:
    """The layers that hold here, ready to be applied in a fork of this process.

    Make it once, in the zygote, before any fork. `held` are their names in order;
    `missing` are (name, reason) pairs of the others.
    """

    def __init__(self, settings):
        unknown = sorted(set(settings.off) - set(NAMES))
        if unknown:
            raise ValueError(f"no such layer: {unknown[0]}; there are {', '.join(NAMES)}")
        self.settings = settings
        self.missing = []
        self._around = self._made(ZYGOTE_LAYERS)
        self._layers = self._made(LAYERS)
        self._probe()

    @property
    def held(self):
        """The names of the layers that hold, in the order of applying."""
        return [layer.name for layer in (*self._layers, *self._around)]

    def apply(self, keep_fds=()):
        """Harden this process, a fresh fork; only these descriptors stay open.

        Raises OSError if a layer that held in the probe fails: the worker must end.
        """
        keep = self._kept(keep_fds)
        for layer in self._layers:
            layer.apply(keep)

    def _made(self, kinds):
        made = []
        for kind in kinds:
            try:
                if kind.name in self.settings.off:
                    raise Missing("switched off")
                if not hasattr(os, "fork"):
                    raise Missing("this system cannot fork")
                made.append(kind(self.settings))
            except Missing as missing:
                self.missing.append((kind.name, str(missing)))
            except OSError as error:
                self.missing.append((kind.name, f"cannot be prepared: {error}"))
        return made

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
