"""Write files atomically, load data files, and store computed results.

A stored result is a pickle, and loading a pickle can run code. So a file is loaded only if
this user wrote it, no other user may access it, and its checksum is correct. It must also
come from this version of Python and from the current kit. The files are next to the kit's
own code, which is trusted in the same way. A worker can neither read nor write them
(SECURITY.md).
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import pickle
import stat
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

import autograder
from gametree.support.errors import InputError

T = TypeVar("T")
ROOT = Path(autograder.ROOT)
CACHE = "build/cache"  # the folder of cached results, below the root of a kit
OWNER_ONLY = 0o600
LOCK = "run.lock"


@cache
def load_data(name: str, module: str) -> Any:
    """Return the content of a YAML file beside a module, which is given by its file.

    Call it in the function that needs the content, so that importing a module reads no
    file.
    """
    import yaml  # takes 25 ms, and most gradings do not need it

    text = Path(module).with_name(name).read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast, in C
    return yaml.load(text, loader)


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
    except OSError as error:
        error.filename = str(path)  # a full disk has none
        raise
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Lock a folder, so that only one run of a command writes in it. Raises InputError.

    The lock ends with this process, even after a crash. Files that are written under the
    lock are readable only by their owner, because they contain grades and hidden trees.
    """
    import fcntl  # Windows does not have it

    mask = os.umask(0o077)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / LOCK, "w") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except (BlockingIOError, PermissionError):
                raise InputError(
                    f"{folder} is in use by another run; wait, or give another OUT"
                ) from None
            yield
    finally:
        os.umask(mask)


def store(path: Path, key: str, content: object) -> None:
    """Store `content` under a key, for its owner only. Raises OSError."""
    data = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
    replace_file(path, _head(key, data) + data, OWNER_ONLY)


def load_or_make(path: Path, key: str, make: Callable[[], T]) -> T:
    """Return the content stored under this key, or else store the result of make().

    If it cannot be stored, it is made again next time.
    """
    content = load(path, key)
    if content is None:
        content = make()
        with contextlib.suppress(OSError, RecursionError):
            store(path, key, content)
    return content


def load(path: Path, key: str) -> Any:
    """Return the content under this key, or None if missing, stale or damaged."""
    stored = _private_bytes(path)
    data = stored[len(_head(key, b"")) :]
    if not stored.startswith(_head(key, data)):
        return None
    gc.disable()  # it would visit every new object several times and find no garbage
    try:
        return pickle.loads(data)
    finally:
        gc.freeze()
        gc.enable()


def _head(key, data):
    """Return the lines in front of stored data."""
    return f"{sys.version}\n{key}\n{hashlib.sha256(data).hexdigest()}\n".encode()


def _private_bytes(path):
    """Return the bytes of a file that only this user can access, or b""."""
    flags = os.O_RDONLY | os.O_NOFOLLOW
    with contextlib.suppress(OSError), open(os.open(path, flags), "rb") as file:
        status = os.fstat(file.fileno())
        is_closed = stat.S_ISREG(status.st_mode) and not status.st_mode & 0o077
        if is_closed and status.st_uid == os.geteuid():
            return file.read()
    return b""
