"""Let right programs silence their prints: `open(os.devnull, "w")` still works.

The filter refuses every opening for writing, as it cannot see the path. A program
that asks for /dev/null gets a copy of a descriptor that was opened before instead.
"""

from __future__ import annotations

import builtins
import io
import os


class Open:
    """The built-in `open`, with one more thing: /dev/null may be written.

    An object and not a function, because Python 3.10's pathlib keeps `io.open` in a
    class, where a function would turn into a method.
    """

    __name__ = "open"

    def __init__(self, null):
        self._null = null
        self._open = io.open

    def __call__(self, file, mode="r", *arguments, **keywords):
        """Open a file as the built-in does."""
        try:
            return self._open(file, mode, *arguments, **keywords)
        except PermissionError:
            if isinstance(file, int) or os.fspath(file) != os.devnull:
                raise
            copy = os.dup(self._null)
            return self._open(copy, mode.replace("x", "w"), *arguments, **keywords)


def install(null):
    """Put it in the place of the built-in; `null` is a descriptor of /dev/null."""
    builtins.open = io.open = Open(null)
