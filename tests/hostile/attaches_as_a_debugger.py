"""Stops the grader and the zygote by ptrace.

Expect: score 80
Expect: says "it raised PermissionError"
"""
import ctypes
import os

# @HONEST@


def best_move(node, depth, maximizing):
    libc = ctypes.CDLL(None, use_errno=True)
    for pid in (int("@GRADER@"), os.getppid()):
        for request in (16, 0x4206):
            if libc.ptrace(request, pid, None, None) == 0:
                raise RuntimeError("BREACH attached")
    refused = ctypes.get_errno()
    raise OSError(refused, os.strerror(refused))
