"""Run a submission where it can do no harm: its bytes and Tasks in, Traces out.

`stage` finds the bytes of a search.py. A `Sandbox` has a clean process, the `Zygote`,
fork workers; a `Session` runs one submission in them, within `Limits`. The other modules
are internal: conversation.py (the grader's end of a worker's pipes), protocol.py (the
frames), zygote.py and worker.py (the other processes) and hardening/ (what confines them).
"""

from autograder.sandbox.conversation import Limits
from autograder.sandbox.sandbox import Sandbox, SandboxError, Zygote
from autograder.sandbox.session import Session
from autograder.sandbox.submission import NotGradable, stage

__all__ = [
    "Limits",
    "NotGradable",
    "Sandbox",
    "SandboxError",
    "Session",
    "Zygote",
    "stage",
]
