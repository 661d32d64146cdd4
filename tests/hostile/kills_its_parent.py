"""Kills the zygote and the grader.

Expect: score 80
Expect: says "it raised PermissionError"
"""
import os
import signal

# @HONEST@


def best_move(node, depth, maximizing):
    for pid in (os.getppid(), int("@GRADER@")):
        for number in (0, signal.SIGSTOP, signal.SIGKILL):
            try:
                os.kill(pid, number)
                raise RuntimeError("BREACH")
            except OSError as error:
                refused = error
    raise refused
