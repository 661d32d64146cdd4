"""On a system that lacks some layers, or all of them, the others hold."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from autograder.sandbox import hardening

RUNNING = Path(hardening.__file__).parent.parent

ELSEWHERE = """
    import builtins, os, sys
    real = builtins.__import__

    def without(name, *rest):
        if name in GONE:
            raise ImportError(name)
        return real(name, *rest)

    GONE, sys.platform = sys.argv[2].split(), sys.argv[3]
    for name in sys.argv[4].split():
        delattr(os, name)
    builtins.__import__ = without
    sys.path.insert(0, sys.argv[1])
    import hardening
    plan = hardening.prepare(hardening.Settings(uid=61802))
    print(", ".join(plan.held))
"""


@pytest.mark.parametrize(
    "platform, modules, functions, held",
    [
        ("darwin", "ctypes", "setresuid", "descriptors, session, limits"),
        ("linux", "ctypes", "", "descriptors, session, limits"),
        ("win32", "ctypes resource", "fork setsid setresuid", ""),
    ],
)
def test_other_systems_get_what_they_have(platform, modules, functions, held):
    command = [sys.executable, "-s", "-S", "-B", "-c", textwrap.dedent(ELSEWHERE)]
    command += [RUNNING, modules, platform, functions]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert done.stderr == ""
    assert done.stdout.strip().startswith(held)
    for layer in ("landlock", "seccomp", "no new privileges"):
        assert layer not in done.stdout
