"""Makes the kernel send SIGIO to the grader, by F_SETOWN.

Expect: score 80
Expect: says "it raised PermissionError"
"""
import fcntl

# @HONEST@


def best_move(node, depth, maximizing):
    descriptor = node._queries._pipes._replies
    fcntl.fcntl(descriptor, fcntl.F_SETOWN, int("@GRADER@"))
    fcntl.fcntl(descriptor, 10, 9)
    raise RuntimeError("BREACH")
