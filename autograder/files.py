"""Write files and folders atomically, so that none is ever incomplete."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path


def replace_file(path: str | Path, content: str | bytes, mode: int = 0o666) -> None:
    """Write text or bytes to a temporary file, then rename it into place.

    Missing folders are created. Text is written as UTF-8 with plain line ends. Characters
    that UTF-8 cannot encode are escaped, such as \\udcff. `mode` contains the permissions
    before the umask is applied. Raises OSError, and then the existing file is unchanged.
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
    """Restrict files that are written within the context to their owner."""
    mask = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(mask)


def replace_folder(folder: Path, files: dict[str, bytes]) -> None:
    """Replace a folder by a new one with these files: name -> bytes.

    If the process is killed, the old folder or the new one is still complete. Between two
    renames neither has its proper name. finish_replacing() then renames the new folder.
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
    """Finish a replace_folder() that was killed between its two renames."""
    new, old = _beside(folder)
    if new.is_dir() and old.is_dir() and not folder.exists():
        with contextlib.suppress(FileNotFoundError):  # another process was faster
            os.replace(new, folder)
        shutil.rmtree(old, ignore_errors=True)


def _beside(folder):
    return [folder.with_name(f".{folder.name}.{state}") for state in ("new", "old")]
