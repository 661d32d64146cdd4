"""Waits for a lock that it holds.

Expect: score 80
Expect: says "it ran out of time and was stopped"
"""
import threading

# @HONEST@


def best_move(node, depth, maximizing):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
