"""Opens the memory of the grader and of the zygote.

Expect: score 80
Expect: says "it raised FileNotFoundError"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    refused = None
    for pid in ("@GRADER@", os.getppid()):
        try:
            with open(f"/proc/{pid}/mem", "rb", 0) as memory:
                memory.seek(2**22)
                raise RuntimeError("BREACH the memory is open")
        except OSError as error:
            refused = error
    raise refused
