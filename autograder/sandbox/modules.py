"""Hold the standard library in memory, so that a worker imports it without a path.

A worker that may name a file can leave a trace for the next one: an access time, a page in
the kernel's cache, or the kernel's note that a name does not exist. So the zygote reads all
modules before it forks, and seccomp then refuses every path. Like the zygote, this file
imports only the standard library.

The zygote also opens the extension modules, which the C library would open later. Only
time.tzset() and zoneinfo still read files, so UTC is the only time zone.
"""

from __future__ import annotations

import contextlib
import os
import sys
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    ExtensionFileLoader,
    SourceFileLoader,
    SourcelessFileLoader,
)
from importlib.util import MAGIC_NUMBER, spec_from_file_location

from hardening import LIBC

COMPILED_SUFFIX = f".{sys.implementation.cache_tag}.pyc"
MAX_PART = 2**30  # bytes of a mapped file that are read at a time
SKIPPED = {"idlelib", "turtledemo", "test", "tests", "__pycache__", "_bundled"}


CONTENTS: dict[str, bytes] = {}  # path of a file that modules read -> its content


def get_data(_, path):
    """Return the content of a file, as the method of a loader."""
    if path not in CONTENTS:
        raise FileNotFoundError(path)
    return CONTENTS[path]


class CompiledModule(SourcelessFileLoader):
    """Loads a module from its compiled code in memory."""

    get_data = get_data


class UncompiledModule(SourceFileLoader):
    """Loads a module from its text in memory."""

    get_data = get_data


class StandardModules:
    """Finds the standard modules in memory. It belongs before PathFinder in sys.meta_path.

    Packages for tests, idlelib and turtledemo are not included.
    """

    def __init__(self):
        self._loaders = {}  # name -> the loader of a module
        for folder in filter(os.path.isdir, sys.path):
            self._hold_modules(folder)

    def find_spec(self, name, path=None, target=None):
        """Return the spec of a module, or None if it is not a standard module."""
        loader = self._loaders.get(name)
        if loader is None:
            return None
        return spec_from_file_location(name, loader.path, loader=loader)

    def _hold_modules(self, folder, package=""):
        """Hold the modules in a folder, whose names begin with `package`."""
        for entry in os.scandir(folder):
            stem, _, suffix = entry.name.partition(".")
            name = package + stem
            if stem in SKIPPED or not package and not _is_standard(stem):
                continue
            if entry.is_dir():
                self._hold_modules(entry.path, f"{name}.")
            elif suffix == "py":
                compiled = f"{folder}/__pycache__/{stem}{COMPILED_SUFFIX}"
                name = name.removesuffix(".__init__")
                self._loaders[name] = _hold_module(name, entry.path, compiled)
            elif f".{suffix}" in EXTENSION_SUFFIXES:
                self._loaders[name] = ExtensionFileLoader(name, entry.path)
                _open_extension_module(entry.path)
            elif suffix.endswith("pickle"):  # the grammars of lib2to3, which has a Node too
                CONTENTS[entry.path] = _read(entry.path)


def _hold_module(name, path, compiled):
    """Return the loader of a module, whose content is in memory.

    compiled: the path of its compiled code, which may be missing or of another version.
    """
    with contextlib.suppress(OSError):
        content = _read(compiled)
        if content.startswith(MAGIC_NUMBER):
            CONTENTS[path] = content
            return CompiledModule(name, path)
    CONTENTS[path] = _read(path)
    return UncompiledModule(name, path)


def read_mapped_files() -> None:
    """Read all files that this process has mapped, so that the kernel caches every page.

    A worker could measure which pages it has to read from the disk, and so tell which
    pages an earlier worker used.
    """
    paths = set()
    with contextlib.suppress(OSError), open("/proc/self/maps") as mappings:  # not on macOS
        for mapping in mappings:
            _, slash, path = mapping.rstrip().partition("/")
            paths.add(slash + path)
    with open(os.devnull, "wb") as null:
        for path in paths:
            with contextlib.suppress(OSError), open(path, "rb") as file:
                # It reads each page, but copies none.
                while os.sendfile(null.fileno(), file.fileno(), None, MAX_PART):
                    pass


def _is_standard(name):
    return name in sys.stdlib_module_names or name.startswith("_sysconfigdata")


def _open_extension_module(path):
    """Load an extension module without initializing it.

    The C library opens a file only once, so a later import needs no path.
    """
    if LIBC is not None:
        LIBC.dlopen(os.fsencode(path), os.RTLD_LAZY)


def _read(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, os.fstat(descriptor).st_size)
    finally:
        os.close(descriptor)
