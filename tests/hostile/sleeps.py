"""Sleeps, which uses no CPU time.

Expect: score 80
Expect: says "it waited too long without searching"
"""
import time

# @HONEST@


def best_move(node, depth, maximizing):
    time.sleep(10_000)
