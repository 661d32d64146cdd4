"""Run processes in turn and measure their wall time, CPU time and peak memory.

This module uses little memory, because a process starts with its parent's peak.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
# Compiled code stays between runs, as it does on Gradescope and after `make grade`.
NOT_PASSED_ON = ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX")


class BenchError(Exception):
    """A measured process failed. The text is one line with the command and reason."""


class Sample(NamedTuple):
    """One run of a process and its children.

    wall, cpu: the wall time and the CPU time, in seconds.
    megabytes: the peak memory of the largest single process.
    output: the text on standard output.
    """

    wall: float
    cpu: float
    megabytes: float
    output: str = ""


def run(command: Sequence[str | Path], cwd: Path = ROOT) -> Sample:
    """Run a command and return its Sample. Raises BenchError if the command fails."""
    words = list(map(str, command))
    environment = {k: v for k, v in os.environ.items() if k not in NOT_PASSED_ON}
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as errors:
        begun = time.monotonic()
        process = subprocess.Popen(
            words,
            cwd=cwd,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=errors,
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        output = _text_of(printed)
        lines = _text_of(errors).splitlines()
    if process.returncode:
        reason = lines[-1] if lines else f"exit status {process.returncode}"
        raise BenchError(f"{' '.join(words)}: {reason}")
    cpu = usage.ru_utime + usage.ru_stime
    return Sample(wall, cpu, usage.ru_maxrss / 1024, output)


def _text_of(stream):
    stream.seek(0)
    return stream.read().decode("utf-8", "replace").strip()


def interleaved(
    commands: Mapping[str, Sequence[str | Path]], rounds: int
) -> dict[str, list[Sample]]:
    """Run all commands in turn in each round; return name -> list of Samples.

    An uncounted round at the start fills the caches. Each round starts with a different
    command, so that the order of the commands has less effect.
    """
    names = list(commands)
    samples: dict[str, list[Sample]] = {name: [] for name in names}
    for index in range(rounds + 1):
        start = index % len(names)
        for name in names[start:] + names[:start]:
            sample = run(commands[name])
            if index:
                samples[name].append(sample)
    return samples
