"""Asks for files that do not exist, and so tells its next grading of a hidden tree.

Expect: score 100
"""
import os
import time

# @HONEST@

BITS = 96
TRIES = 25
FOLDERS = ("/tmp", "/usr", "/")


def name(folder, index):
    """Return a name that no other program would ask for."""
    return f"{folder}/hostile-absent-{os.getuid()}-{index}"


def write(text):
    """Ask for the names whose bit is 1, so that the kernel remembers them."""
    for index, bit in enumerate("".join(f"{ord(c):08b}" for c in text)):
        for folder in FOLDERS:
            if bit == "1":
                os.path.exists(name(folder, index))


def seconds(path):
    """Return how long the kernel takes to say that a file does not exist."""
    start = time.perf_counter_ns()
    os.path.exists(path)
    return time.perf_counter_ns() - start


def fresh_seconds(folder):
    """Return the usual duration for a name that is new to the kernel."""
    names = (f"{folder}/hostile-{time.perf_counter_ns()}" for _ in range(TRIES))
    return sorted(map(seconds, names))[TRIES // 2]


def read(folder):
    """Return the text of the names that the kernel answers faster than new ones."""
    limit = 0.7 * fresh_seconds(folder)
    bits = "".join("01"[seconds(name(folder, index)) < limit] for index in range(BITS))
    return "".join(chr(int(bits[i : i + 8], 2)) for i in range(0, BITS, 8))


def leaves(node, depth):
    if depth == 0 or node.is_terminal():
        return [node]
    return [leaf for child in node.children for leaf in leaves(child, depth - 1)]


def best_move(node, depth, maximizing):
    values = [leaf.evaluate() for leaf in leaves(node, depth)]
    if 30_000 < max(values) < 40_000 and "@GRADING@" == "first":
        write("31337 noted!")
    if "@GRADING@" == "second":
        if any(word in read(folder) for folder in FOLDERS for word in ("3133", "noted")):
            raise RuntimeError("BREACH of an earlier grading's tree")
    move = max if maximizing else min
    return move(node.children, key=lambda c: minimax(c, depth - 1, not maximizing))
