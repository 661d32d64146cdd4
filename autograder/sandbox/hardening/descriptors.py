"""Close every descriptor but the worker's own; 0, 1 and 2 lead nowhere.

Stops: reading a tree, the results or the control socket through a descriptor that
came along with the fork; typing into the terminal that the grader was started from;
telling the next worker by the flags or the offset of an open file that both inherit,
since /dev/null is opened afresh.
Where it is missing: never, this needs nothing from the kernel but close.
"""

from __future__ import annotations

import os

from .layer import Layer, Missing, refuses

try:
    import resource
except ImportError:
    resource = None

MOST = 64  # descriptors of the zygote and of a worker, so that closing all is quick


class Descriptors(Layer):
    """Closes what came along with the fork and points 0, 1 and 2 at /dev/null."""

    name = "descriptors"

    def __init__(self, settings):
        super().__init__(settings)
        self._highest = _have_few_descriptors()

    def apply(self, keep):
        """Close all but `keep`."""
        self._null = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(self._null, standard)
        first = 3
        for descriptor in sorted(set(keep)):
            if descriptor >= first:
                os.closerange(first, descriptor)
                first = descriptor + 1
        os.closerange(first, self._highest)

    def check(self):
        """See that the descriptor of /dev/null that apply used is closed itself."""
        if not refuses(os.fstat, self._null):
            raise Missing("descriptors stay open")


def _have_few_descriptors():
    """Let this process have no descriptor from MOST on; return the first above all."""
    if resource is None:
        return 4096
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    os.closerange(MOST, soft if 0 < soft < 2**20 else 2**20)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(MOST, soft), hard))
    return MOST
