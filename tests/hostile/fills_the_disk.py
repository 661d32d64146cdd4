"""Writes small files in every folder that may be writable.

Expect: score 80
Expect: says "it raised FileNotFoundError"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    refused = None
    for folder in (".", "/tmp", "/dev/shm", "/var/tmp", "@HOME@", "@HOME@/submission", "@HOME@/tmp"):
        try:
            file = os.open(os.path.join(folder, "hostile-file"), os.O_WRONLY | os.O_CREAT)
            os.write(file, b"x" * 10_000)
            raise RuntimeError("BREACH")
        except OSError as error:
            refused = error
    raise refused
