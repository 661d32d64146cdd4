"""Reads every descriptor that it inherited.

Expect: score 100
"""
import os
import stat

# @HONEST@

_honest = best_move


def best_move(node, depth, maximizing):
    for descriptor in range(1024):
        try:
            mode = os.fstat(descriptor).st_mode
        except OSError:
            continue
        if stat.S_ISREG(mode) or stat.S_ISSOCK(mode):
            raise RuntimeError(f"BREACH descriptor {descriptor} is open: {mode:o}")
        if stat.S_ISDIR(mode) and any(n.endswith((".yaml", ".json")) for n in os.listdir(descriptor)):
            raise RuntimeError(f"BREACH folder {os.listdir(descriptor)}")
    return _honest(node, depth, maximizing)
