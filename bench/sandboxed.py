"""Open a sandbox for a measurement: limits out of the way, one CPU, as in a grading."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import autograder  # noqa: F401  puts starter/ on the path
from autograder.kit import ROOT
from autograder.sandbox.limits import Limits
from autograder.sandbox.sandbox import Sandbox
from autograder.utilities import pin_to_one_cpu

SECONDS = 300
LIMITS = Limits(SECONDS, SECONDS, SECONDS, memory_bytes=4 * 2**30)
LOOKS = 10**9  # a budget that no measurement reaches
REFERENCE = (ROOT / "solution" / "search.py").read_bytes()


@contextlib.contextmanager
def pinned_sandbox(source=None):
    """Yield a sandbox; with `source`, one whose worker has loaded that submission."""
    unpin = pin_to_one_cpu()
    with Sandbox(LIMITS) as sandbox:
        if source is not None:
            ending = sandbox.start_worker(source)
            if ending is not None:
                raise SystemExit(f"the submission did not load: {ending}")
        yield sandbox
    unpin()


def searched(sandbox, tree, function, **changes):
    """Run the tree's first search, changed as told; return its Trace, if it returned."""
    trace = sandbox.search(tree, function, replace(tree.searches[0], **changes), LOOKS)
    if trace.ending.kind != "returned":
        raise SystemExit(f"{function} on {tree.name}: {trace.ending}")
    return trace
