"""What a submission may use before its search is ended."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Bounds on one submission. Seconds, bytes, and counts of queries.

    The query budget of a search is `queries_base` plus `queries_factor` times what
    the reference needs: the same on every machine, however slow. CPU seconds are
    the worker's own, so a busy machine does not fail anybody; wall seconds end a
    search that sleeps. After `most_timeouts` searches of a function have timed out,
    its others are not run.
    """

    search_cpu_seconds: float = 2.0
    search_wall_seconds: float = 10.0
    total_seconds: float = 60.0
    most_timeouts: int = 3
    memory_bytes: int = 384 * 2**20
    queries_base: int = 1000
    queries_factor: int = 100

    def query_budget(self, expected_queries):
        """Return how many queries a search may take, given what the reference took."""
        return self.queries_base + self.queries_factor * expected_queries


def cpu_seconds_of(pid):
    """Return the CPU seconds that a process has used, or None where unknowable.

    On Linux the clock of a process is numbered (~pid << 3) | 2: see
    clock_getcpuclockid(3) and the kernel's posix-timers.h.
    """
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except (AttributeError, OSError, OverflowError):
        return None
