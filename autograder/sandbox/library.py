"""Hold the standard library in memory, so that a worker imports it without a path.

A worker that may name a file can leave a trace for the next one: an access time, a page in
the kernel's cache, or the kernel's note that a name does not exist. So the zygote reads all
modules before it forks, and seccomp then refuses every path. Like the zygote, this file
imports only the standard library.

The zygote also opens what C libraries would open later: the extension modules and the data
of the worker's locale. Time zones are the package `tzdata`, from which zoneinfo reads if
the system has none.
"""

from __future__ import annotations

import contextlib
import errno
import io
import locale
import marshal
import os
import sys
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    ExtensionFileLoader,
    ModuleSpec,
    SourceFileLoader,
)
from importlib.util import MAGIC_NUMBER, cache_from_source, spec_from_file_location

with contextlib.suppress(ImportError):
    import ctypes

TIME_ZONES = "/usr/share/zoneinfo"
ZONES_PACKAGE = "tzdata.zoneinfo"
PYC_HEADER_BYTES = 16
APPLICATIONS = {"idlelib", "turtledemo"}
PARTS_OF_PACKAGES = {"test", "tests", "__pycache__", "_bundled"}
COPIES_OF_TIME_ZONES = {"posix", "right"}
SKIPPED = APPLICATIONS | PARTS_OF_PACKAGES | COPIES_OF_TIME_ZONES


class Library:
    """Finds the standard modules in memory. It belongs before PathFinder in sys.meta_path.

    Packages for tests, idlelib and turtledemo are not included.
    """

    def __init__(self):
        self._files = {}  # path -> content; a .pyc replaces its .py
        self._modules = {}  # name -> (path, loader class)
        for folder in _library_folders():
            self._hold_folder(folder)
        self._zones = _read_zones()
        _open_extension_modules(self._modules.values())
        _open_locale()

    def find_spec(self, name, path=None, target=None):
        """Return the spec of a module, or None if the library does not have it."""
        if name in self._zones:
            return ModuleSpec(name, ZoneLoader(self._zones), is_package=True)
        if name not in self._modules:
            return None
        path, loader_class = self._modules[name]
        loader = loader_class(name, path)
        loader.files = self._files
        return spec_from_file_location(name, path, loader=loader)

    def _hold_folder(self, folder, package=""):
        """Hold the modules in a folder, whose names begin with `package`."""
        for entry in os.scandir(folder):
            stem, _, suffix = entry.name.partition(".")
            name = package + stem
            if stem in SKIPPED or not package and not _is_standard(stem):
                continue
            if entry.is_dir():
                self._hold_folder(entry.path, f"{name}.")
            elif suffix == "py":
                self._modules[name.removesuffix(".__init__")] = entry.path, MemoryLoader
                self._hold_source(entry.path)
            elif f".{suffix}" in EXTENSION_SUFFIXES:
                self._modules[name] = entry.path, ExtensionFileLoader
            elif suffix.endswith("pickle"):  # the grammars of lib2to3
                self._files[entry.path] = _read(entry.path)

    def _hold_source(self, path):
        """Hold a module's compiled code, or its text if there is no code."""
        compiled = cache_from_source(path)
        with contextlib.suppress(OSError):
            content = _read(compiled)
            if content.startswith(MAGIC_NUMBER):
                self._files[compiled] = content
                return
        self._files[path] = _read(path)


class MemoryLoader(SourceFileLoader):
    """Loads a module from the files in memory.

    files: path -> content.
    """

    files = {}

    def get_code(self, fullname):
        """Return the module's code."""
        compiled = self.files.get(cache_from_source(self.path))
        if compiled is None:
            return self.source_to_code(self.files[self.path], self.path)
        return marshal.loads(memoryview(compiled)[PYC_HEADER_BYTES:])

    def get_data(self, path):
        """Return the content of a file in memory."""
        if path not in self.files:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return self.files[path]


class ZoneLoader:
    """Loads the package `tzdata`, whose resources are the time zones.

    zones: package -> name -> content.
    """

    def __init__(self, zones):
        self._zones = zones

    def create_module(self, spec):
        """Return None, for an ordinary module."""

    def exec_module(self, module):
        """Do nothing, because the package has only resources."""

    def get_resource_reader(self, package):
        """Return the reader of a package's resources."""
        return ZoneReader(self._zones[package])


class ZoneReader:
    """Reads the resources of one package, as importlib.resources requires."""

    def __init__(self, resources):
        self._resources = resources

    def open_resource(self, name):
        """Return a resource as a binary file."""
        if name not in self._resources:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        return io.BytesIO(self._resources[name])


def _library_folders():
    """Return the folders on the path that contain standard modules."""
    library = os.path.dirname(os.__file__) + os.sep
    return [
        path
        for path in dict.fromkeys(sys.path)
        if (path + os.sep).startswith(library) and os.path.isdir(path)
    ]


def _is_standard(name):
    return name in sys.stdlib_module_names or name.startswith("_sysconfigdata")


def _read_zones():
    """Return package -> name -> content, as the package `tzdata` has them."""
    zones = {}
    names = []
    for folder, folders, files in os.walk(TIME_ZONES):
        folders[:] = [name for name in folders if name not in SKIPPED]
        below = folder[len(TIME_ZONES) + 1 :]
        package = f"{ZONES_PACKAGE}.{below}".rstrip(".").replace("/", ".")
        zones[package] = {}
        for file in files:
            content = _read(f"{folder}/{file}")
            if content.startswith(b"TZif"):
                zones[package][file] = content
                names.append(f"{below}/{file}".lstrip("/"))
    zones["tzdata"] = {"zones": "\n".join(names).encode()}
    return zones


def _open_extension_modules(modules):
    """Load the extension modules without initializing them.

    The C library opens a file only once, so a later import needs no path.
    """
    for path, loader_class in modules:
        if loader_class is ExtensionFileLoader:
            with contextlib.suppress(NameError, OSError):  # a Python without ctypes
                ctypes.CDLL(path, mode=os.RTLD_LAZY)


def _open_locale():
    """Load all categories of the locale that the environment names, then reset them."""
    before = locale.setlocale(locale.LC_ALL)
    with contextlib.suppress(locale.Error):
        locale.setlocale(locale.LC_ALL, "")
    locale.setlocale(locale.LC_ALL, before)


def _read(path):
    with open(path, "rb", buffering=0) as file:
        return file.read()
