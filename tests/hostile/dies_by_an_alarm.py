"""Sets an alarm that ends its process while it searches.

Expect: score 80
Expect: says "its process ended before it returned"
"""
import signal

# @HONEST@


def best_move(node, depth, maximizing):
    signal.setitimer(signal.ITIMER_REAL, 0.001)
    while True:
        pass
