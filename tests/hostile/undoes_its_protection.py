"""Asks the kernel by prctl to make it dumpable and to outlive its parent.

Expect: score 80
Expect: says "it raised PermissionError"
"""
import ctypes
import os

# @HONEST@


def best_move(node, depth, maximizing):
    libc = ctypes.CDLL(None, use_errno=True)
    for option, value in ((4, 1), (1, 0), (36, 1), (38, 0)):
        if libc.prctl(option, value, 0, 0, 0) == 0:
            raise RuntimeError(f"BREACH prctl {option}")
    refused = ctypes.get_errno()
    raise PermissionError(refused, os.strerror(refused))
