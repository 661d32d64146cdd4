"""Reads /proc/PID/environ and the command lines of its parents.

Expect: score 80
Expect: says "it raised FileNotFoundError"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    refused = None
    for pid in ("@GRADER@", os.getppid(), "self"):
        for file in ("environ", "cmdline", "maps"):
            try:
                raise RuntimeError("BREACH " + open(f"/proc/{pid}/{file}").read())
            except OSError as error:
                refused = error
    raise refused
