"""Makes the pipe for printed text blocking and fills it, to cause a deadlock.

Expect: score 80
Expect: says "it ran out of time and was stopped"
"""
import os
import stat

# @HONEST@


def best_move(node, depth, maximizing):
    looks = node._queries
    for descriptor in range(3, 64):
        try:
            if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
                continue
        except OSError:
            continue
        if descriptor not in (looks._requests, looks._replies):
            os.set_blocking(descriptor, True)
            while True:
                os.write(descriptor, bytes(4096))
