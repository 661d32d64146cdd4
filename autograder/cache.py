"""Store computed results on disk, and load them only if they are valid and current.

A file is a pickle, and loading a pickle can run code. So a file is loaded only if this
user or root wrote it, no other user may write it, and its checksum is correct. It must
also come from this version of Python and from the current kit. The files are next to the
kit's own code, which is trusted in the same way. A worker can neither read nor write them
(SECURITY.md).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import stat
import sys
from collections.abc import Callable
from pathlib import Path

from autograder.files import replace_file

OWNER_ONLY = 0o600
DIGEST_BYTES = hashlib.sha256().digest_size


def store(path: Path, key: str, content: object) -> None:
    """Store `content` under a key. If this fails, it is computed again next time."""
    with contextlib.suppress(OSError, RecursionError):
        data = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
        replace_file(path, _head(key) + hashlib.sha256(data).digest() + data, OWNER_ONLY)


def load_or_make(path: Path, key: str, make: Callable[[], object]) -> object:
    """Return the content stored under this key, or else store the result of make()."""
    content = load(path, key)
    if content is None:
        content = make()
        store(path, key, content)
    return content


def load(path: Path, key: str) -> object:
    """Return the content under this key, or None if missing, stale or damaged."""
    data = _private_bytes(path)
    head = _head(key)
    if data is None or not data.startswith(head):
        return None
    body = data[len(head) :]
    digest = body[:DIGEST_BYTES]
    content = body[DIGEST_BYTES:]
    if hashlib.sha256(content).digest() != digest:
        return None
    return pickle.loads(content)


def _head(key):
    return f"{sys.version}\n{key}\n".encode()


def _private_bytes(path):
    """Return the bytes of a file that only this user or root can access, or None."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(path, flags), "rb") as file:
            if _is_private(os.fstat(file.fileno())):
                return file.read()
    except OSError:
        pass
    return None


def _is_private(status):
    """Return whether a file belongs to this user or root and is closed to others."""
    if not stat.S_ISREG(status.st_mode) or status.st_mode & 0o077:
        return False
    return not hasattr(os, "geteuid") or status.st_uid in (0, os.geteuid())
