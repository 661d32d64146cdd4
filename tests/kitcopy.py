"""Copy the kit, so that a test can change the copy and run `make` in it."""

from __future__ import annotations

import io
import os
import shutil
import zipfile
from pathlib import Path

from helpers import PYTHON, ROOT, run_command, write_program

from autograder.ground.files import CACHE
from autograder.kit import prepare
from autograder.workbench.package import pack, starter_files

NOT_COPIED = (".git", ".venv", "build", "dist", "tests", "bench", "__pycache__")
ENVIRONMENT = {"COLUMNS": "77", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # of public tests
CACHES = (".mypy_cache", ".pytest_cache", ".ruff_cache")


def copy_kit(folder):
    """Copy the kit without tests and history. Return the path of the copy."""
    copy = Path(folder) / "kit"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*NOT_COPIED, *CACHES))
    return copy


def copy_small_kit(folder, trees, mistakes):
    """Copy the kit with these trees (path -> text) and these known mistakes only."""
    copy = copy_kit(folder)
    for path in (copy / "trees").glob("*/*.yaml"):
        path.unlink()
    (copy / "trees" / "hidden").mkdir(exist_ok=True)
    for name, text in trees.items():
        (copy / "trees" / name).write_text(text)
    keep_programs(copy / "solution" / "mistakes", mistakes)
    return copy


def keep_programs(folder, names):
    """Delete the programs of a folder of solution/ that have other names."""
    for path in folder.glob("*.py"):
        if path.stem not in names:
            path.unlink()


def add_venv(kit):
    """Add a .venv to the copy that looks complete and runs this Python. Return its path."""
    venv = kit / ".venv"
    write_program(venv / "bin" / "python", f'exec "{PYTHON}" "$@"')
    for name in (".ready", ".ready-dev"):
        (venv / name).touch()
    return venv


def add_cached(kit):
    """Copy the cache, which is valid as long as the copy of the kit is unchanged."""
    prepare()
    shutil.copytree(ROOT / CACHE, kit / CACHE)


def make(kit, *arguments, **more):
    """Run make in the copy, as a user would. Return the completed process.

    more: additional environment variables.
    """
    return run_command(["make", *arguments], kit, env=os.environ | more)


def unpack_starter(kit, folder):
    """Unpack starter.zip of a kit into a folder. Return the folder."""
    with zipfile.ZipFile(io.BytesIO(pack(starter_files(kit)))) as archive:
        archive.extractall(folder)
    return folder


def run_public_tests(starter, source, *arguments):
    """Return the output of the public tests of a starter on a search.py."""
    (starter / "search.py").write_text(source)
    command = [PYTHON, "-m", "pytest", *arguments]
    done = run_command(command, starter, env=ENVIRONMENT)
    output = done.stdout + done.stderr
    assert "Traceback" not in output
    return output


def files_in(folder):
    """Return relative path -> bytes of every file below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
