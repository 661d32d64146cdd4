"""Opens the grader's end of the pipe through /proc and reads back its own requests.

Expect: score 80
Expect: says "it raised FileNotFoundError" or "it was stopped because it read node.children" or "it ran out of time"
"""
import os

# @HONEST@


def best_move(node, depth, maximizing):
    looks = node._queries._pipes
    thief = os.open(f"/proc/self/fd/{looks._requests}", os.O_RDONLY | os.O_NONBLOCK)
    while True:
        looks.send(1, 0, node._key)
        try:
            os.read(thief, 16)
        except BlockingIOError:
            pass
