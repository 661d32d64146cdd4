"""Ignores every signal and never returns.

Expect: score 80
Expect: says "it ran out of time and was stopped"
"""
import signal

# @HONEST@


def best_move(node, depth, maximizing):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        pass
