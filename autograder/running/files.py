"""Write files so that nobody ever reads half of one."""

from __future__ import annotations

import os
from pathlib import Path


def replace_file(path, content):
    """Write text or bytes under a temporary name, then rename it into place.

    Missing folders are made. Text is written as UTF-8 with plain line ends. Raises
    OSError, and then leaves what was there.
    """
    path = Path(path)
    data = content if isinstance(content, bytes) else content.encode("utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
