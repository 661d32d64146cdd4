"""A copy of the kit to change, and `make` in it with a virtual environment that stands."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from helpers import ROOT

from autograder.kit import CACHE, prepare

LEFT_OUT = (".git", ".venv", "build", "dist", "tests", "bench", "__pycache__")
CACHES = (".hypothesis", ".pytest_cache", ".ruff_cache")


def copy_kit(folder):
    """Copy the kit, without its tests and its history, and return the copy's path."""
    copy = Path(folder) / "kit"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT, *CACHES))
    return copy


def copy_small_kit(folder, trees, mistakes):
    """Copy the kit with these trees (path -> text) and these known mistakes only."""
    copy = copy_kit(folder)
    for path in (copy / "trees").glob("*/*.yaml"):
        path.unlink()
    for name, text in trees.items():
        (copy / "trees" / name).write_text(text)
    for path in (copy / "solution" / "mistakes").glob("*.py"):
        if path.stem not in mistakes:
            path.unlink()
    return copy


def add_venv(kit):
    """Put a .venv into the copy that looks set up and runs this Python; return it."""
    venv = kit / ".venv"
    (venv / "bin").mkdir(parents=True)
    program = venv / "bin" / "python"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    for name in (".ready", ".ready-dev"):
        (venv / name).touch()
    return venv


def add_cached(kit):
    """Put the cache beside the copy, which is current while the copy is unchanged."""
    prepare()
    shutil.copytree(ROOT / CACHE, kit / CACHE)


def make(kit, *arguments, **more):
    """Run make in the copy, as a user would; return the finished process.

    more: what else is in its environment.
    """
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")} | more
    command = ["make", *arguments]
    return subprocess.run(
        command, cwd=kit, env=environment, capture_output=True, text=True, timeout=120
    )


def files_of(folder):
    """Return relative path -> bytes of every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
