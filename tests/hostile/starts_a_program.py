"""Starts programs in five ways.

Expect: score 80
Expect: says "it raised PermissionError" or "it raised BlockingIOError"
Expect: says "the autograder allows no files, processes, threads or connections"
"""
import os
import subprocess

# @HONEST@


def best_move(node, depth, maximizing):
    def spawn():
        os.posix_spawn("/bin/true", ["true"], {})

    def system():
        if os.system("true") == 0:
            raise RuntimeError("BREACH")
        raise PermissionError

    def popen():
        subprocess.run(["true"], check=False)

    def execute():
        os.execv("/bin/echo", ["echo", "BREACH"])

    for start in (spawn, system, popen, execute):
        try:
            start()
            raise RuntimeError("BREACH")
        except OSError as error:
            refused = error
    raise refused
