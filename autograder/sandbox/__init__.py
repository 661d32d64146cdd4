"""Run a submission where it can do no harm: its bytes and Tasks in, RunPairs out.

`stage` finds the bytes of a search.py. A `Sandbox` starts a clean process, the zygote,
which forks workers; `run_tasks` runs a whole submission in them, within `Limits`. What
else lies here is the sandbox's own: conversation.py (the grader's end of a worker's
pipes), protocol.py (the frames), zygote.py and worker.py (the other processes) and
hardening/ (what confines them).
"""

from autograder.sandbox.conversation import Limits
from autograder.sandbox.runs import run_tasks
from autograder.sandbox.sandbox import Sandbox, SandboxError
from autograder.sandbox.submission import NotGradable, stage

__all__ = ["Limits", "NotGradable", "Sandbox", "SandboxError", "run_tasks", "stage"]
