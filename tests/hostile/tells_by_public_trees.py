"""Stores a hidden tree, and fails on every public tree that is run later.

Expect: score 82
Expect: says "it raised"
"""
import os
import time

# @HONEST@

BORN = time.time() 
NOTED = []
_honest = best_move


def files(most=20):
    """Return some files whose access time is old enough to be set, or was set by us."""
    found, first = [], os.getuid() % 40 * most
    for folder, _, names in os.walk("/usr/share/zoneinfo"):
        found += [os.path.join(folder, name) for name in sorted(names)]
    states = [(path, os.lstat(path)) for path in found[first : first + most]]
    old = time.time() - 86400
    return [p for p, s in states if s.st_atime < max(s.st_mtime, s.st_ctime, old)
            or s.st_atime > BORN]


def note():
    NOTED.append(1)
    for path in files():
        with open(path, "rb") as file:
            file.read(1)


def noted():
    return NOTED or any(os.lstat(path).st_atime > BORN for path in files())


def leaves(node):
    return [node] if node.is_terminal() else [x for c in node.children for x in leaves(c)]


def best_move(node, depth, maximizing):
    hidden = max(leaf.evaluate() for leaf in leaves(node)) > 30_000
    if noted():  # from another process, or from this one
        raise RuntimeError("BREACH")
    if hidden:
        note()
        return node.children[-1]
    return _honest(node, depth, maximizing)
