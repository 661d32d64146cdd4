"""Run a submission safely: its bytes and Tasks go in, and Traces come out.

A `Sandbox` has a clean process, the zygote, which forks workers. A `Session` runs one
submission in these workers, within its `Limits`. The other modules are internal:
conversation.py (the grader's end of a worker's pipes), protocol.py (the frames),
zygote.py and worker.py (the other processes), modules.py (the standard library in memory),
and hardening/ (the layers that confine them).
"""

from autograder.sandbox.sandbox import Sandbox
from autograder.sandbox.session import WALL_FACTOR, Budget, Session

__all__ = ["WALL_FACTOR", "Budget", "Sandbox", "Session"]
