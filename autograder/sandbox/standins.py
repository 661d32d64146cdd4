"""What stands in for parts of a student's own machine, so that honest programs run.

Nothing here protects anything: hardening/ does. A program that writes a log gets a file
that keeps nothing, and one that imports more of the starter than a search needs gets
names that it may use in an annotation or as a base. The standard library only.
"""

import builtins
import io
import os
import sys
import types

REAL_OPEN = open
WRITING = frozenset("wax+")


class TreeError(FileNotFoundError, ValueError, RuntimeError):
    """Says that a part of the starter's package is not here; any guard catches it."""


def open_nowhere(file, mode="r", *rest, **named):
    """Open a file as open() does; one that can be written to keeps nothing."""
    if isinstance(mode, str) and WRITING & set(mode) and not isinstance(file, int):
        named["opener"] = lambda *_: os.dup(1)  # leads nowhere, see hardening
    return REAL_OPEN(file, mode, *rest, **named)


def let_files_be_written():
    """Have every file that is opened for writing, by whatever module, keep nothing."""
    builtins.open = io.open = open_nowhere


def load_node(path):
    """Load the given Node from its file and register it as the module gametree.

    A submission may import more of the starter's package at its top, for its own
    experiments. Whatever it names is there, and says so when it is called.
    """
    gametree = types.ModuleType("gametree")
    with open(path, "rb") as file:
        exec(compile(file.read(), "gametree/node.py", "exec"), gametree.__dict__)
    gametree.Node.__module__ = "gametree"
    gametree.TreeError = TreeError
    gametree.__getattr__ = not_here
    gametree.__path__ = []
    sys.modules["gametree"] = gametree
    for name in os.listdir(os.path.dirname(path)):
        name = name.removesuffix(".py")
        sys.modules[f"gametree.{name}"] = gametree
        setattr(gametree, name, gametree)
    return gametree.Node


def not_here(name):
    """Stand in for a part of the starter's package that the autograder lacks.

    It is a class, so that it can be a base, or part of an annotation such as `Tree | None`.
    """
    if name.startswith("__"):
        raise AttributeError(name)

    def make(kind, *_, **__):
        if kind is stand_in:
            raise TreeError(f"gametree.{name} is not available in the autograder")
        return object.__new__(kind)

    def begin(self, *_, **__):
        pass

    stand_in = type(
        name, (), {"__new__": make, "__init__": begin, "__module__": "gametree"}
    )
    setattr(sys.modules["gametree"], name, stand_in)
    return stand_in
