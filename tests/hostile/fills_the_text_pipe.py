"""Writes to the pipe for printed text without the limit of print, until it is full.

Expect: score 80
Expect: says "it raised BlockingIOError"
"""
import os
import stat

# @HONEST@


def best_move(node, depth, maximizing):
    pipes = [d for d in range(64) if _is_pipe(d)]
    looks = node._queries
    text = [d for d in pipes if d not in (looks._requests, looks._replies)]
    for _ in range(10_000):
        os.write(text[-1], b"\x1b[31m\x00\xff" * 500)
    raise RuntimeError("BREACH")


def _is_pipe(descriptor):
    try:
        return stat.S_ISFIFO(os.fstat(descriptor).st_mode)
    except OSError:
        return False
