"""Opens a hidden tree relative to a folder that it opened with O_PATH.

Expect: score 80
Expect: says "it raised PermissionError"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    folder = os.open("@HOME@", os.O_PATH | os.O_DIRECTORY)
    file = os.open("source/trees/hidden/01-large.yaml", os.O_RDONLY, dir_fd=folder)
    raise RuntimeError("BREACH " + os.read(file, 9999).decode())
