"""Keep the standard library importable after the uid drop.

A Python under a home directory (pyenv, uv, conda) is closed to the worker's uid, and
`import statistics` in a right submission would fail. The zygote therefore opens the
library's folders before the drop and puts /proc/self/fd/N in their place on the path:
the kernel lets a process walk on from a folder that it holds. What such a folder
opens to the worker is what everybody may read beneath it, and its parents up to the
closed one; Landlock narrows it to the library.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder

from .layer import Missing, in_fork

DESCRIPTORS = "/proc/self/fd/"


def library_folders():
    """Return the folders of standard modules; nothing else that is on the path."""
    home = os.path.dirname(os.__file__)
    places = (home + os.sep, DESCRIPTORS)
    return [
        path
        for path in dict.fromkeys(sys.path)
        if (path + os.sep).startswith(places) and os.path.isdir(path)
    ]


def reach_library(drop):
    """Make imports work after `drop()`; return the descriptors that must stay open.

    Raises Missing where they cannot be made to work.
    """
    if _importable_after(drop):
        return ()
    descriptors = tuple(_walk_from_descriptors())
    if not _importable_after(drop):
        raise Missing(
            f"the dropped user cannot read Python's library in {sys.base_prefix}; "
            "install Python outside of home directories"
        )
    return descriptors


def _walk_from_descriptors():
    for folder in library_folders():
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        yield descriptor
        place = f"{DESCRIPTORS}{descriptor}"
        sys.path[sys.path.index(folder)] = place
        for module in list(sys.modules.values()):
            path = getattr(module, "__path__", None)
            if isinstance(path, list):
                path[:] = [_moved(entry, folder, place) for entry in path]
    sys.path_importer_cache.clear()
    PathFinder.find_spec("a name that lists every folder once")


def _moved(entry, folder, place):
    inside = entry == folder or entry.startswith(folder + os.sep)
    return place + entry[len(folder) :] if inside else entry


def _importable_after(drop):
    """Return whether each folder's modules can be read after `drop()`."""
    folders = library_folders()

    def try_reading(tell, pipe):
        drop()
        for folder in folders:
            with os.scandir(folder) as entries:
                names = [entry.name for entry in entries if entry.is_file()]
            for name in names[:1]:
                open(os.path.join(folder, name), "rb").close()
        tell("readable")

    return in_fork(try_reading) == ["readable"]
