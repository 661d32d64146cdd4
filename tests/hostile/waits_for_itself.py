"""Waits for a lock that it holds.

Expect: score 80
Expect: says "it waited too long without searching"
"""
import threading

# @HONEST@


def best_move(node, depth, maximizing):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
