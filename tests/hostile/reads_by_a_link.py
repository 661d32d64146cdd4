"""Makes a symbolic link to a hidden tree in its folder and reads it.

Expect: score 80
Expect: says "it raised PermissionError"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    os.symlink("@HOME@/source/trees/hidden/01-large.yaml", "hostile-link")
    raise RuntimeError("BREACH " + open("hostile-link").read())
