"""Files and folders that are never half written."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path


def replace_file(path: str | Path, content: str | bytes, mode: int = 0o666) -> None:
    """Write text or bytes under a temporary name, then rename it into place.

    Missing folders are made. Text is written as UTF-8 with plain line ends, and what has
    no form in it (half of a name that is not UTF-8) as \\udc and so on. `mode` are the
    file's permissions, before the umask. Raises OSError, and then leaves what was there.
    """
    path = Path(path)
    if isinstance(content, str):
        content = content.encode("utf-8", "backslashreplace")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(temporary, "wb", opener=partial(os.open, mode=mode)) as file:
            file.write(content)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def private() -> Iterator[None]:
    """Make what is written within the context its owner's alone."""
    mask = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(mask)


def replace_folder(folder: Path, files: dict[str, bytes]) -> None:
    """Replace a folder by one that holds these files: name -> bytes.

    Killed at any moment, this leaves the old folder or the new one. Between two renames
    neither is in its place: there finish_replacing() puts the new one.
    """
    new, old = _beside(folder)
    finish_replacing(folder)
    for leftover in (new, old):
        shutil.rmtree(leftover, ignore_errors=True)
    new.mkdir(parents=True)
    for name, data in files.items():
        (new / name).write_bytes(data)
    if folder.exists():
        os.replace(folder, old)
        finish_replacing(folder)
    else:
        os.replace(new, folder)


def finish_replacing(folder: Path) -> None:
    """Finish a replace_folder() that was killed between its renames, if one was."""
    new, old = _beside(folder)
    if new.is_dir() and old.is_dir() and not folder.exists():
        with contextlib.suppress(FileNotFoundError):  # another process was quicker
            os.replace(new, folder)
        shutil.rmtree(old, ignore_errors=True)


def _beside(folder):
    return [folder.with_name(f".{folder.name}.{state}") for state in ("new", "old")]
